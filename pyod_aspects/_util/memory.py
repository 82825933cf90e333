"""Memory that this process may use."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_CGROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")

# Bytes to assume if the system does not say.
_UNKNOWN = 8 * 2**30


def memory() -> int:
    """Bytes of memory of the machine or of the container, or what `ulimit` leaves, if less.

    >>> memory() > 2**20
    True
    """
    limits = []
    with suppress(AttributeError, ValueError, OSError):
        limits.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for path in _CGROUPS:
        with suppress(OSError, ValueError):  # "max" is no number
            limits.append(int(Path(path).read_text(encoding="ascii")))
    limits += _left_of_limits()
    return min((limit for limit in limits if limit > 0), default=_UNKNOWN)


def _left_of_limits() -> list[int]:
    """What is left of the limits that `ulimit` or a batch system has set; none on Windows."""
    try:
        import resource
    except ImportError:
        return []
    used = {resource.RLIMIT_AS: 0, resource.RLIMIT_DATA: 0}
    with suppress(OSError, ValueError):
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()
        size = resource.getpagesize()
        used = {
            resource.RLIMIT_AS: size * int(pages[0]),
            resource.RLIMIT_DATA: size * int(pages[5]),
        }
    soft = {kind: resource.getrlimit(kind)[0] for kind in used}
    return [max(1, soft[k] - used[k]) for k in used if soft[k] != resource.RLIM_INFINITY]


def gigabytes(n_bytes: float) -> str:
    """Bytes in words.

    >>> gigabytes(3.2e9), gigabytes(5e6)
    ('3.2 GB', '5 MB')
    """
    return f"{n_bytes / 1e9:.1f} GB" if n_bytes >= 1e9 else f"{n_bytes / 1e6:.0f} MB"
