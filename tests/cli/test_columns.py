"""Columns are chosen and left out by name."""

from __future__ import annotations

import pytest
from command_line import COUNTED, QUICK, write_file

from pyod_aspects.explanation import Explanation


def test_columns_can_be_chosen_and_left_out(run, table):
    def names(*options):
        return Explanation.from_json(run("explain", table, *QUICK, "--json", "-", *options)[1])

    assert names("--columns", "the third,a").feature_names == ("the third", "a")
    assert names("--exclude", "a").feature_names == ("b", "the third")
    assert names("--columns", "a", "--columns", "b").feature_names == ("a", "b")
    assert names("--columns", "a,b", "--exclude", "a").feature_names == ("b",)


def test_a_name_with_a_comma_is_quoted_as_in_csv(run, tmp_path):
    path = write_file(tmp_path, '"height, cm",b\n1,2\n3,4\n9,9\n')
    made = run("explain", path, "--columns", '"height, cm"', "--json", "-", *QUICK)[1]
    assert Explanation.from_json(made).feature_names == ("height, cm",)


def test_spaces_around_names_do_not_count(run, tmp_path):
    path = write_file(tmp_path, "a , b ,c\n1,2,3\n3,4,5\n9,9,9\n")
    made = run("explain", path, "--columns", "b,a", "--json", "-", *QUICK)[1]
    assert Explanation.from_json(made).feature_names == ("b", "a")


def test_an_unnamed_column_that_counts_the_rows_is_left_out(run, tmp_path):
    path = write_file(tmp_path, COUNTED)
    code, output, errors = run("explain", path, "--json", "-", *QUICK)
    assert code == 0
    assert "left out: 'Unnamed: 0' (names rows); --columns can bring" in errors
    assert errors.count("\n") == 1
    assert Explanation.from_json(output).feature_names == ("a", "b")
    twice = write_file(tmp_path, ",Unnamed: 0,a\n0,0,1\n1,1,7\n2,2,3\n")
    output = run("explain", twice, "--json", "-", *QUICK)[1]
    assert Explanation.from_json(output).feature_names == ("a",)


@pytest.mark.parametrize(
    ("content", "options", "names"),
    [
        (COUNTED, ["--quiet"], ("a", "b")),
        (COUNTED, ["--exclude", "Unnamed: 0"], ("a", "b")),
        (COUNTED, ["--columns", "Unnamed: 0,a"], ("Unnamed: 0", "a")),
        (COUNTED, ["--exclude", "a,b"], ("Unnamed: 0",)),
        (COUNTED.replace(",a,b", "n,a,b"), [], ("n", "a", "b")),
    ],
)
def test_other_columns_are_used_and_nothing_is_said(run, tmp_path, content, options, names):
    path = write_file(tmp_path, content)
    code, output, errors = run("explain", path, "--json", "-", *QUICK, *options)
    assert (code, errors) == (0, "")
    assert Explanation.from_json(output).feature_names == names


@pytest.mark.parametrize("option", ["--columns", "--exclude"])
def test_a_wrong_column_gets_a_suggestion(complaint, table, option):
    said = complaint("explain", table, option, "a,the thrid")
    assert said.endswith("has no column 'the thrid': did you mean 'the third'?")
    said = complaint("explain", table, option, "zzz")
    assert said.endswith("has no column 'zzz': there is 'a', 'b', 'the third'.")


def test_some_column_has_to_be_left(complaint, table):
    assert "--exclude leaves no column" in complaint("explain", table, "--exclude", "a,b,the third")
