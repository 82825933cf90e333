"""Compiled code kept on disk: safely, and anew whenever any kernel has changed."""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache


def _digest_of_kernels() -> str:
    """A few letters that change with any file in this folder."""
    digest = blake2b(digest_size=8)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


_KERNELS = _digest_of_kernels()


class KernelCache(FunctionCache):  # type: ignore[misc]
    """numba's cache of a function, with two differences.

    numba looks at the file of the function only, but kernels are compiled together with what they
    call in other files. And what cannot be written or read, as on a full disk, is not kept and no
    error.
    """

    def _index_key(self, *args: Any) -> Any:
        return super()._index_key(*args), _KERNELS

    def load_overload(self, *args: Any) -> Any:
        """Compiled code, or None."""
        try:
            return super().load_overload(*args)
        except OSError:
            return None

    def save_overload(self, *args: Any) -> None:
        """Keep compiled code, if possible."""
        with suppress(OSError):
            super().save_overload(*args)
