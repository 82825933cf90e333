"""The explanation goes to the terminal and to JSON, and never over the data."""

from __future__ import annotations

import os
import sys

import pytest
from command_line import QUICK, write_file

from pyod_aspects import cli
from pyod_aspects.cli import explain as command
from pyod_aspects.explanation import Explanation


def test_everything_goes_to_json_as_well(run, table, tmp_path):
    path = tmp_path / "why.json"
    code, output, _ = run("explain", table, *QUICK, "--json", str(path), "--detector", "ecod")
    assert code == 0
    assert output.splitlines()[-1].startswith(f"Everything is in {path}")
    made = Explanation.from_json(path.read_text())
    assert made.detector == "ECOD"
    assert made.settings["max_dim"] == 2
    assert made.feature_names == ("a", "b", "the third")
    assert len(made) == 2


def test_json_can_go_to_the_output_alone(run, table):
    code, output, _ = run("explain", table, *QUICK, "--json", "-")
    assert code == 0
    assert len(Explanation.from_json(output)) == 2


def test_names_of_files_do_not_reach_the_terminal_raw(run, table, tmp_path):
    files = {f"--{name}": str(tmp_path / f"\x1b[31m{name}") for name in ("json", "html", "save")}
    argv = [word for pair in files.items() for word in pair]
    code, output, errors = run("explain", table, *QUICK, *argv)
    assert code == 0
    assert output.count("\\x1b[31m") == 4  # that of --save twice
    assert "\x1b" not in output + errors
    missing = str(tmp_path / "\x1b[31mnothing.csv")
    assert "\x1b" not in run("explain", missing)[2]


def test_quiet_leaves_the_notes_out_and_with_json_the_text(run, table, tmp_path):
    _, output, _ = run("explain", table, *QUICK, "--quiet")
    assert "Rows are counted" not in output
    assert run("explain", table, *QUICK, "--quiet", "--json", str(tmp_path / "o")) == (0, "", "")


def test_names_that_the_terminal_cannot_show_do_not_stop_the_output(tmp_path, monkeypatch):
    class Ascii:
        encoding = "ascii"
        text = ""

        def write(self, text):
            text.encode("ascii")
            self.text += text

        def flush(self):
            pass

    path = write_file(tmp_path, "größe\n1\n2\n3\n50\n")
    terminal = Ascii()
    monkeypatch.setattr(sys, "stdout", terminal)
    assert cli.main(["explain", path, "--rows", "3"]) == 0
    assert r"gr\xf6\xdfe" in terminal.text


@pytest.mark.parametrize("way", ["same", "link"])
def test_the_data_is_not_replaced_by_its_explanation(complaint, table, tmp_path, monkeypatch, way):
    monkeypatch.setattr(command, "read_table", None)  # It does not come to that.
    target = table
    if way == "link":
        target = str(tmp_path / "link.csv")
        os.symlink(table, target)
    said = complaint("explain", table, "--json", target)
    assert said.endswith(f"--json {target} would replace the data: name another file.")


def test_an_output_that_cannot_be_written_is_said_in_one_line(run, table, tmp_path, monkeypatch):
    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    path = str(tmp_path / "out.json")
    code, _, errors = run("explain", table, *QUICK, "--json", path)
    assert (code, errors) == (2, f"pyod-aspects: cannot write {path}: No space left on device.\n")
