"""What all tests share: hypothesis profiles, the data folder, and a check of what is tested."""

from __future__ import annotations

import importlib.util
import os
import sysconfig
from pathlib import Path

import hypothesis
import pytest

REPOSITORY = Path(__file__).resolve().parents[1]

# Tests never open a window.
os.environ.setdefault("MPLBACKEND", "Agg")

# The first example of a test may compile a kernel, so no example has a deadline.
hypothesis.settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
hypothesis.settings.register_profile("dev", deadline=None)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "dev")


def package_folder() -> Path:
    """Where "import pyod_aspects" finds the package."""
    spec = importlib.util.find_spec("pyod_aspects")
    if spec is None or spec.origin is None:
        raise pytest.UsageError("pyod_aspects is not installed: pip install -e .[test]")
    return Path(spec.origin).resolve().parent


def pytest_report_header() -> str:
    return f"pyod_aspects: {package_folder()}"


def pytest_sessionstart() -> None:
    """Under tox the installed wheel is tested; finding the checkout instead is a mistake."""
    found, installed = package_folder(), Path(sysconfig.get_path("purelib")).resolve()
    if "TOX_ENV_NAME" in os.environ and installed not in found.parents:
        raise pytest.UsageError(f"pyod_aspects comes from {found}, not from {installed}")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with the paper's datasets and real tables.

    It lies beside the checkout, or where the environment variable PYOD_ASPECTS_DATA says.
    """
    named = os.environ.get("PYOD_ASPECTS_DATA")
    folder = Path(named) if named else REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        if named:
            pytest.fail(f"PYOD_ASPECTS_DATA={named}: no such folder")
        pytest.skip("needs the data folder ../shared/data, or PYOD_ASPECTS_DATA with its path")
    return folder
