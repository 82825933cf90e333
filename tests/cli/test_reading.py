"""A CSV file is read as it is meant, and one line says what is wrong in it."""

from __future__ import annotations

import bad_inputs
import pytest
from command_line import QUICK, write_file

from pyod_aspects.cli import reading
from pyod_aspects.explanation import Explanation


def test_a_missing_file_is_named(complaint):
    assert complaint("explain", "nowhere.csv") == "pyod-aspects: there is no file nowhere.csv."


def test_a_file_name_that_is_too_long_is_just_a_wrong_name(complaint, table):
    assert "cannot be read: File name too long" in complaint("explain", "x" * 300)
    said = complaint("explain", table, "--json", "x" * 300, "--n-queries", "1")
    assert said.endswith("File name too long.")


def test_a_folder_is_no_file(complaint, tmp_path):
    assert "is a folder: expected a CSV file" in complaint("explain", str(tmp_path))


def test_a_file_that_cannot_be_read_says_why(complaint, table, monkeypatch):
    def refuse(path, file):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(reading, "read_text", refuse)
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


def test_numbers_in_the_place_of_a_header_are_remarked(run, tmp_path):
    path = write_file(tmp_path, "1,2\n3,4\n9,9\n")
    assert "if it is data, add --no-header" in run("explain", path, *QUICK)[1]
    assert "--no-header" not in run("explain", path, *QUICK, "--quiet")[1]


@pytest.mark.parametrize(
    ("content", "options", "hint"),
    [
        ("1;2\n3;4\n", [], "';'"),
        ("1,5;2,5;3\n1,5;2,5;3\n", [], "';'"),
        ("1,2\n3,4\n", ["--sep", ";"], "','"),
        ("1,5;2,5\n1,5;2,5\n", ["--sep", ";"], None),
    ],
)
def test_the_delimiter_is_guessed_without_a_header_too(complaint, tmp_path, content, options, hint):
    said = complaint("explain", write_file(tmp_path, content), "--no-header", *options)
    assert ("try --sep" in said) is (hint is not None)
    if hint:
        assert f"the delimiter may be {hint}: try --sep {hint}" in said
