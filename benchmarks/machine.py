"""Machine, versions and code of a measurement."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
from datetime import datetime, timezone
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pyod_aspects

PACKAGES = ("numpy", "numba", "scikit-learn", "pyod", "joblib", "shap")


def cpu() -> str:
    """Model and cores of the processor."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    cores = os.cpu_count() or 1
    return f"{model}, {cores} core{'s' * (cores != 1)}"


def versions() -> str:
    """Versions of Python and of the packages that matter."""
    found = [f"Python {platform.python_version()}"]
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)


def source() -> str:
    """Digest of the package's files."""
    digest = hashlib.sha256()
    package = Path(pyod_aspects.__file__).parent
    for path in sorted(package.rglob("*.py")):
        digest.update(path.relative_to(package).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:10]


def commit() -> str:
    """Commit of the checkout, with a plus if files differ from it; "" outside of git."""
    folder = Path(__file__).resolve().parent

    def git(*args: str) -> str:
        done = subprocess.run(
            ["git", *args], cwd=folder, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    try:
        changed = git("status", "--porcelain", "--untracked-files=no", "--", "../pyod_aspects")
        return git("rev-parse", "--short", "HEAD") + ("+" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return ""


def about(quick: bool) -> dict[str, Any]:
    """Facts to store with each result."""
    return {
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d"),
        "cpu": cpu(),
        "versions": versions(),
        "package": f"pyod_aspects {pyod_aspects.__version__}",
        "commit": commit(),
        "source": source(),
        "quick": quick,
    }


def load() -> float:
    """Number of processes that wanted to run lately; 0 if the system does not tell."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
