"""How much is imported before there is anything to do."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numpy", "sklearn", "pandas", "matplotlib", "numba", "scipy", "pyod")


def loaded_by(code, tmp_path):
    """Heavy packages that a fresh process has imported after some lines of code."""
    lines = f"{code}\nimport sys\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", lines], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()[-1].split()


def test_importing_the_package_imports_nothing_heavy(tmp_path):
    assert loaded_by("import pyod_aspects", tmp_path) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["explain", "--help"],
        ["explain"],
        ["explain", "data.csv", "--top-k", "0"],
        ["explain", "data.csv", "--no-such-option"],
        ["explain", "no-such-file.csv"],
        ["explain", "no-such-*.csv", "--alpha", "0.05"],
        ["no-such-command"],
    ],
)
def test_help_and_errors_in_the_arguments_import_nothing_heavy(arguments, tmp_path):
    assert loaded_by(f"from pyod_aspects.cli import main\nmain({arguments!r})", tmp_path) == []


def test_the_explainer_needs_no_matplotlib(tmp_path):
    loaded = loaded_by("from pyod_aspects import AspectExplainer, SGBeam", tmp_path)
    assert "matplotlib" not in loaded


def test_every_public_name_can_be_had_and_is_listed():
    import pyod_aspects

    for name in pyod_aspects.__all__:
        assert getattr(pyod_aspects, name) is not None
        assert name in dir(pyod_aspects)
    with pytest.raises(AttributeError, match="has no attribute 'Miners'"):
        _ = pyod_aspects.Miners
