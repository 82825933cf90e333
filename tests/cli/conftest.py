"""A table in a file, and commands that are run on it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from command_line import X

from pyod_aspects import cli


@pytest.fixture
def table(tmp_path):
    """A file whose row 40 is far out in b."""
    path = tmp_path / "data.csv"
    np.savetxt(path, X, delimiter=",", header="a,b,the third", comments="")
    return str(path)


@pytest.fixture
def run(capsys):
    """Runs a command; gives its exit code, output and errors."""

    def run(*argv):
        code = cli.main(argv)
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def complaint(run):
    """Runs a command that must fail with one line; gives that line."""

    def complaint(*argv):
        code, output, errors = run(*argv)
        assert code == 2
        assert output == ""
        assert errors.startswith("pyod-aspects: ")
        assert errors.count("\n") == 1
        assert errors.endswith("\n")
        return errors.strip()

    return complaint


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working folder, with the same rows in data.csv."""
    pd.DataFrame(X, columns=["a", "b", "c"]).to_csv(tmp_path / "data.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path
