"""The page "In production": its script runs, and leaves what the page shows."""

from __future__ import annotations

import logging
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import pyod_aspects
from pyod_aspects import Explanation, cli, datasets

PAGE = Path(__file__).resolve().parents[1] / "docs" / "production.md"
TEXT = PAGE.read_text(encoding="utf-8")


def block(start: str) -> str:
    """Return the fenced block that follows some words."""
    return re.search(r"```\w+\n(.*?)```", TEXT[TEXT.index(start) :], re.DOTALL)[1]


@pytest.fixture
def night(tmp_path, monkeypatch):
    """Runs the script of the page in a folder with its files; gives code, output and errors."""
    monkeypatch.chdir(tmp_path)
    frame = datasets.load_demo().frame
    frame[:4900].to_csv("history.csv", index=False)
    frame[4900:].to_csv("tonight.csv", index=False)
    Path("night.sh").write_text(block("`night.sh` explains"), encoding="utf-8")
    command = tmp_path / "bin" / "pyod-aspects"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pyod_aspects "$@"\n')
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"

    def run(name):
        done = subprocess.run(
            ["sh", "night.sh", name],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"PATH": path},
        )
        return done.returncode, done.stdout, done.stderr

    return run


def without_times(text):
    return re.sub(r"\d+\.\d+ s$", "... s", text, flags=re.MULTILINE)


@pytest.mark.skipif(sys.platform == "win32", reason="a script for sh")
def test_the_script_explains_new_rows_and_says_what_went_wrong(night):
    [once] = re.findall(r"^pyod-aspects (explain history.*)$", TEXT, re.MULTILINE)
    assert cli.main(once.split()) == 0
    assert night("tonight.csv") == (0, block("`sh night.sh tonight.csv`"), "")
    explanation = Explanation.from_json(Path("tonight.csv.json").read_text())
    assert explanation.new_rows
    assert explanation.n_reference == 200
    assert night("missing.csv") == (2, "", block("`sh night.sh missing.csv`"))
    log = Path("night.log").read_text()
    assert without_times(log) == without_times(block("`night.log` then has"))


def test_both_pages_have_the_same_exit_codes():
    codes = re.compile(r"^\| (\d+) \| (.*?) \|", re.MULTILINE)
    here = dict(codes.findall(TEXT[TEXT.index("## Exit codes") :]))
    there = dict(codes.findall(PAGE.with_name("cli.md").read_text(encoding="utf-8")))
    assert set(here) == set(there) == {"0", "1", "2", "130", "141"}


def test_a_defect_is_exit_code_1_and_a_traceback(tmp_path):
    code = "from pyod_aspects import cli; cli.make_parser = lambda: 1 / 0; cli.run()"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback")


# ---------------------------------------------------------------- logging


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "data.csv"
    rows = [f"{i % 7},{i * i % 11},same" for i in range(60)]
    path.write_text("\n".join(["a,b,constant", *rows, "90,3,same"]))
    return str(path)


QUICK = ("--max-dim", "1", "--n-queries", "1", "--n-reference", "0", "--no-agreement")


def test_notes_are_warnings_of_the_package(table, caplog, capsys):
    assert cli.main(["explain", table, *QUICK]) == 0
    lines = capsys.readouterr().err.splitlines()
    notes = [r.getMessage() for r in caplog.records if r.levelno == logging.WARNING]
    assert notes
    assert lines == [f"pyod-aspects: note: {text}" for text in notes]
    assert {record.name.partition(".")[0] for record in caplog.records} == {"pyod_aspects"}


def test_quiet_shows_no_note_and_verbose_shows_every_step(table, capsys):
    logger = logging.getLogger("pyod_aspects")
    before = logger.level, list(logger.handlers)
    assert cli.main(["explain", table, *QUICK, "--quiet"]) == 0
    assert capsys.readouterr().err == ""
    assert cli.main(["explain", table, *QUICK, "--quiet", "--verbose"]) == 0
    said = without_times(capsys.readouterr().err)
    for line in (
        "pyod-aspects: fitted KNN to 61 rows in ... s",
        "pyod-aspects: fitted SGBeam to 61 rows and 2 columns in ... s",
        "pyod-aspects: explained 1 of 61 rows and searched 0 ordinary ones in ... s",
    ):
        assert f"{line}\n" in said
    assert (logger.level, logger.handlers) == before


def test_an_error_leaves_the_logger_as_it_was(capsys):
    logger = logging.getLogger("pyod_aspects")
    before = logger.level, list(logger.handlers)
    assert cli.main(["explain", "nowhere.csv", "--verbose"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert (logger.level, logger.handlers) == before


def test_names_in_log_lines_are_escaped(tmp_path, capsys):
    path = tmp_path / "data\x1b[31m.csv"
    path.write_text("a\n" + "1\n2\n" * 30)
    assert cli.main(["explain", str(path), *QUICK, "--verbose"]) == 0
    assert "\x1b" not in capsys.readouterr().err


def test_nothing_in_the_package_prints():
    for path in Path(pyod_aspects.__file__).parent.rglob("*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if not re.match(r"\s*(>>>|\.\.\.)", line):
                assert not re.search(r"(^|[\s;:(])print\(", line.partition("{")[0]), path
