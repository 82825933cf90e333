"""The folder benchmarks/ for tests, without the rest of the checkout coming into reach."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).resolve().parents[1] / "benchmarks"


def module(name: str) -> ModuleType:
    """A module of the folder, such as "timing" or "evidence.cells"."""
    if "benchmarks" not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            "benchmarks", FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)]
        )
        assert spec is not None
        assert spec.loader is not None
        sys.modules["benchmarks"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules["benchmarks"])
    return importlib.import_module(f"benchmarks.{name}")
