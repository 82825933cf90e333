"""The commands explain the rows of a file, and end in one line when they cannot."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from command_line import QUICK, write_file

from pyod_aspects import Explanation, cli
from pyod_aspects.cli import explain as command
from pyod_aspects.datasets import load_demo


def test_the_demo_says_what_it_shows_and_what_to_do_next(run):
    code, output, errors = run("demo")
    assert (code, errors) == (0, "")
    lines = output.splitlines()
    assert lines[0].startswith("5,000 diamonds: ")
    assert "pyod-aspects explain data.csv" in lines[-1]
    assert len(lines) < 35  # one screen
    assert max(map(len, lines)) <= 100


def test_the_demo_is_true(run):
    """Counts, groups and the row that it looks at are those of the table."""
    data = load_demo()
    output = run("demo")[1]
    counts = [int(n) for n in re.findall(r"^ +(\d+) rows?   ", output, re.MULTILINE)]
    names = re.findall(r"^ +rows? ([\d, ]+)$", output, re.MULTILINE)
    labels = [int(label) for line in names for label in line.split(",")]
    assert sum(counts) == len(labels) == len(set(labels)) == 20
    wrong = sum(label in data.errors for label in labels)
    assert f"{wrong} of the 20 are known errors" in output
    x, y = data.frame.loc[2274, ["x", "y"]]
    assert f"y = {y:g} is too low for " in output
    assert f"{x:g} mm long and {y:g} mm wide" in output
    assert 2274 in data.errors
    for name, value in (("x", x), ("y", y)):
        near = (data.frame[name] - value).abs() < 0.1
        assert near.sum() > 100, "many diamonds have this value"


def test_the_most_anomalous_rows_of_a_file_are_explained(run, table):
    code, output, errors = run("explain", table, *QUICK)
    assert (code, errors) == (0, "")
    lines = output.splitlines()
    assert lines[0] == "Explanation: 2 anomalies of KNN among 60 rows, explained by SGBeam"
    assert lines[1].startswith("  row 40")
    assert "\n      b = " in output
    assert lines[-1] == "  Rows are counted from 0: row 0 is the first line after the header."


def test_values_that_float64_does_not_tell_apart_are_noted_in_one_line(run, tmp_path):
    lines = [f"{1.7e9 + i % 9 * 2.0**-22:.9f},{i % 97}" for i in range(3000)]
    path = write_file(tmp_path, "sent,size\n" + "\n".join(lines))
    code, _, errors = run("explain", path, "--rows", "3", "--max-dim", "1")
    assert code == 0
    assert errors.startswith("pyod-aspects: note: column 'sent': bins='auto' asks for narrower")
    assert errors.count("\n") == 1
    assert run("explain", path, "--rows", "3", "--max-dim", "1", "--quiet")[2] == ""


def test_whole_numbers_near_2_to_the_60_keep_their_last_digits(run, tmp_path):
    lines = [f"{2**60 + (100 if i == 7 else i * i % 30)},{i % 7}" for i in range(400)]
    path = write_file(tmp_path, "id,size\n" + "\n".join(lines))
    code, output, _ = run("explain", path, "--rows", "7", "--max-dim", "1", "--top-k", "1")
    assert code == 0
    words = " ".join(output.split())
    assert f"id = {2**60 + 100:,} is high (most rows {2**60 + 1:,} to " in words


def test_given_rows_are_explained_instead_of_the_top(run, table):
    _, output, _ = run("explain", table, "--rows", "3, 40", "--max-dim", "1")
    assert "row 40" in output
    assert "row 3 " in output
    assert output.count("  row ") == 2


def test_top_k_is_the_number_of_aspects_shown(run, table):
    for top_k in (1, 4):
        argv = ("explain", table, "--rows", "40", "--top-k", str(top_k), "--redundant")
        argv += ("--score", "zscore")
        _, output, _ = run(*argv)
        assert output.count("nearby,") == top_k
        assert "(+" not in output


def test_redundant_sets_are_left_out_unless_they_are_wanted(run, table):
    argv = ("explain", table, "--rows", "40", "--top-k", "4", "--score", "zscore")
    _, output, _ = run(*argv)
    assert output.count("nearby,") == 1
    assert "\n      b = " in output


def test_groups_come_first(run, tmp_path):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(400, 2))
    values[[7, 8, 9], 1] = 30.0
    path = write_file(tmp_path, "a,b\n" + "\n".join(f"{a},{b}" for a, b in values))
    argv = ("explain", path, "--rows", "7,8,9", "--detector", "KNN")
    _, output, _ = run(*argv, "--groups")
    assert output.startswith("Groups: 1 group of 3 rows\n  3 rows   b is 30 (most rows ")
    assert "\n\nExplanation: " in output
    _, plain, _ = run(*argv)
    assert output.endswith(plain)
    _, text, _ = run(*argv, "--groups", "--json", "-")
    assert [sorted(group["rows"]) for group in json.loads(text)["groups"]] == [[7, 8, 9]]
    assert len(Explanation.from_json(text).groups()) == 1


def test_interruption_is_one_line_and_code_130(run, table, monkeypatch):
    def interrupt(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_make_detector", interrupt)
    said = "interrupted while fitting KNN to 60 rows; nothing was written"
    assert run("explain", table) == (130, "", f"pyod-aspects: {said}\n")


def test_lack_of_memory_is_one_line(complaint, table, monkeypatch):
    def fail(*args):
        raise MemoryError

    monkeypatch.setattr(command, "_make_detector", fail)
    assert complaint("explain", table) == "pyod-aspects: not enough memory"


def test_a_bug_of_ours_is_not_hidden(table, monkeypatch):
    def fail(*args):
        raise ZeroDivisionError

    monkeypatch.setattr(command, "_make_detector", fail)
    with pytest.raises(ZeroDivisionError):
        cli.main(["explain", table])
