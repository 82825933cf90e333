"""The commands explain the rows of a file, and end in one line when they cannot."""

from __future__ import annotations

import pytest
from command_line import QUICK, write_file

from pyod_aspects import cli
from pyod_aspects.cli import commands


def test_the_demo_says_what_it_shows_and_what_to_do_next(run):
    code, output, errors = run("demo")
    assert (code, errors) == (0, "")
    assert output.startswith("The table: 378 breast tumours, 30 measurements of each")
    assert "10 anomalies of IForest among 378 rows, explained by SGBeam" in output
    assert "pyod-aspects explain data.csv" in output.splitlines()[-1]


def test_the_most_anomalous_rows_of_a_file_are_explained(run, table):
    code, output, errors = run("explain", table, *QUICK)
    assert (code, errors) == (0, "")
    lines = output.splitlines()
    assert lines[0] == "Explanation: 2 anomalies of IForest among 60 rows, explained by SGBeam"
    assert lines[1].startswith("  row 40")
    assert "{b}" in output
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
    assert "{id}   1 row nearby" in output


def test_given_rows_are_explained_instead_of_the_top(run, table):
    _, output, _ = run("explain", table, "--rows", "3, 40", "--max-dim", "1")
    assert "row 40" in output
    assert "row 3 " in output
    assert output.count("  row ") == 2


def test_top_k_is_the_number_of_aspects_shown(run, table):
    for top_k in (1, 4):
        argv = ("explain", table, "--rows", "40", "--top-k", str(top_k), "--redundant")
        _, output, _ = run(*argv)
        assert output.count("nearby,") == top_k
        assert "(+" not in output


def test_redundant_sets_are_counted_unless_they_are_wanted(run, table):
    _, output, _ = run("explain", table, "--rows", "40", "--top-k", "4")
    assert output.count("nearby,") == 1
    assert "{b}" in output
    assert "(+3 redundant)" in output


def test_interruption_is_one_line_and_code_130(run, table, monkeypatch):
    def interrupt(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "fit_detector", interrupt)
    said = "interrupted while fitting IForest to 60 rows; nothing was written"
    assert run("explain", table) == (130, "", f"pyod-aspects: {said}\n")


def test_lack_of_memory_is_one_line(complaint, table, monkeypatch):
    def fail(*args):
        raise MemoryError

    monkeypatch.setattr(commands, "fit_detector", fail)
    assert complaint("explain", table) == "pyod-aspects: not enough memory"


def test_a_bug_of_ours_is_not_hidden(table, monkeypatch):
    def fail(*args):
        raise ZeroDivisionError

    monkeypatch.setattr(commands, "fit_detector", fail)
    with pytest.raises(ZeroDivisionError):
        cli.main(["explain", table])
