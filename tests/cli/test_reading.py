"""A CSV file is read as it is meant, and one line says what is wrong in it."""

from __future__ import annotations

import bad_inputs
import pytest
from command_line import QUICK, write_file

from pyod_aspects.cli.reading import opening
from pyod_aspects.explanation import Explanation


def test_a_missing_file_is_named(complaint):
    assert complaint("explain", "nowhere.csv") == "pyod-aspects: there is no file nowhere.csv."


def test_a_file_name_that_is_too_long_is_just_a_wrong_name(complaint, table):
    assert "cannot be read: File name too long" in complaint("explain", "x" * 300)
    said = complaint("explain", table, "--json", "x" * 300, "--n-queries", "1")
    assert said.endswith("File name too long.")


def test_a_folder_is_no_file(complaint, tmp_path):
    assert "is a folder: expected a file, or a pattern such as" in complaint(
        "explain", str(tmp_path)
    )


def test_a_file_that_cannot_be_read_says_why(complaint, table, monkeypatch):
    def refuse(name, file):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(opening, "read_text", refuse)
    assert "cannot be read: Permission denied." in complaint("explain", table)


@pytest.mark.parametrize(
    ("content", "message"), [pytest.param(*case[1:], id=case[0]) for case in bad_inputs.FILES]
)
def test_what_is_wrong_in_a_file_is_said_in_one_line(complaint, tmp_path, content, message):
    import re

    assert re.search(message, complaint("explain", write_file(tmp_path, content)))


@pytest.mark.parametrize("option", [("--sep", ";"), ("--delimiter", ";")])
def test_the_separator_can_be_given(run, tmp_path, option):
    path = write_file(tmp_path, "a;b\n1;2\n3;4\n9;9\n")
    assert run("explain", path, *QUICK, *option)[0] == 0


def test_tabs_spaces_marks_and_truth_values_are_understood(run, tmp_path):
    path = write_file(tmp_path, "\ufeffa\tb\n1\tTrue\n 2\tFalse\n3\tTrue\n")
    output = run("explain", path, *QUICK, "--sep", "tab", "--json", "-")[1]
    assert Explanation.from_json(output).feature_names == ("a", "b")


def test_a_file_without_header_has_numbered_columns(run, tmp_path):
    path = write_file(tmp_path, "1,2\n3,4\n9,9\n")
    code, output, _ = run("explain", path, *QUICK, "--no-header")
    assert code == 0
    assert "among 3 rows" in output
    assert "row 0 is the first line of the file" in output
    code, output, _ = run("explain", path, *QUICK, "--no-header", "--columns", "x1", "--json", "-")
    assert Explanation.from_json(output).feature_names == ("x1",)


def test_a_first_line_of_numbers_is_data_unless_the_user_says_otherwise(run, tmp_path):
    path = write_file(tmp_path, "1,2\n3,4\n9,9\n")
    code, output, errors = run("explain", path, *QUICK, "--json", "-")
    assert code == 0
    assert "no line of names" in errors
    assert Explanation.from_json(output).feature_names == ("x0", "x1")
    output = run("explain", path, *QUICK, "--json", "-", "--header")[1]
    assert Explanation.from_json(output).feature_names == ("1", "2")


def test_escape_sequences_in_a_header_reach_no_terminal(run, tmp_path):
    path = write_file(tmp_path, "\x1b[31ma,b\n1,2\n3,4\n9,9\n")
    for argv in ((path,), (path, "--columns", "c"), (path, "--exclude", "b")):
        _, output, errors = run("explain", *argv, *QUICK)
        assert "\x1b" not in output + errors


def test_standard_input_is_read_whatever_it_holds(run, tmp_path, monkeypatch):
    import gzip
    import io
    import sys
    from types import SimpleNamespace

    packed = io.BytesIO(gzip.compress(b"a;b\n1,5;2\n3;4\n9;9\n"))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=packed))
    code, output, errors = run("explain", "-", *QUICK)
    assert code == 0
    assert "among 3 rows" in output
    assert "the standard input: columns separated by ';', decimal commas" in errors
