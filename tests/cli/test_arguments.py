"""Help and version are told, and a wrong argument is said in one line."""

from __future__ import annotations

from inspect import signature

import pytest


@pytest.mark.parametrize("argv", [("--help",), ("explain", "--help"), ("demo", "-h"), ()])
def test_help_fits_the_terminal_and_is_no_error(run, argv):
    code, output, errors = run(*argv)
    assert (code, errors) == (0, "")
    assert output.startswith("usage: pyod-aspects")
    assert max(map(len, output.splitlines())) <= 100


@pytest.mark.parametrize(
    "setting",
    ["n_queries", "miner", "n_reference", "random_state", "max_dim", "width", "top_k"],
)
def test_an_option_has_the_name_of_its_parameter(run, setting):
    from pyod_aspects import AspectExplainer, SGBeam

    parameters = set(signature(AspectExplainer).parameters) | set(signature(SGBeam).parameters)
    assert setting in parameters
    assert f"--{setting.replace('_', '-')} N" in run("explain", "--help")[1]


def test_the_scores_are_those_of_sgbeam(run):
    from pyod_aspects.miners.grids import SCORES

    assert f"--score {{{','.join(SCORES)}}}" in run("explain", "--help")[1]


def test_help_names_every_kind_of_file_that_is_read(run):
    from pyod_aspects.cli.reading.opening import _BINARY

    said = run("explain", "--help")[1]
    for kind in ("CSV", "JSON lines", "Excel", *map(str.capitalize, _BINARY.values())):
        assert f" {kind}" in said.replace("\n", " ")


def test_the_version_is_told(run):
    from pyod_aspects import __version__

    assert run("--version") == (0, f"pyod-aspects {__version__}\n", "")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--detector", "IFrest"], "PyOD has no detector 'IFrest': did you mean 'IForest'?"),
        (["--detector", "zzz"], "there is 'IForest', 'ECOD', 'COPOD', 'KNN',"),
        (["--detector", "LSCP"], "LSCP needs the argument 'detector_list'"),
        (["--detector", "MAD"], "MAD cannot be fitted to this table: MAD algorithm is just for"),
        (["--miner", "sgbaem"], "there is no miner 'sgbaem': did you mean 'sgbeam'?"),
        (["--miner", "x"], "there is no miner 'x': there is 'sgbeam', 'gbeam', 'kdebeam',"),
        (["--miner", "oaminer", "--width", "5"], "--width does not apply to oaminer."),
        (["--miner", "gbeam", "--score", "lift"], "--score does not apply to gbeam."),
        (["--score", "z"], "argument --score: invalid choice: 'z'"),
        (["--n-reference", "some"], "'some': expected auto, or a number of rows"),
        (["--n-reference", "-1"], "'-1': expected auto, or a number of rows"),
        (
            ["--n-reference", "38"],
            "--n-reference 38: expected auto, 0 for no p-values, or",
        ),
        (["--alpha", "0.1", "--n-reference", "0"], "--n-reference 0 asks for none"),
        (["--alpha", "0"], "argument --alpha: '0': expected a number between 0 and 1"),
        (["--alpha", "nan"], "argument --alpha: 'nan': expected a number between 0 and 1"),
        (["--random-state", "x"], "argument --random-state: 'x': expected a whole number"),
        (["--rows", "3,60"], "--rows: row 60 does not exist, "),
        (["--rows", "3,"], "argument --rows: '3,': expected rows with commas between them"),
        (["--rows", "3,x"], "rows has the label 'x', but the rows have no labels"),
        (["--rows", "-1"], "argument --rows"),
        (["--rows", "3", "--n-queries", "4"], "not allowed with argument"),
        (["--n-queries", "0"], "argument --n-queries: '0': expected a whole number, 1 or more"),
        (["--max-dim", "two"], "argument --max-dim: 'two': expected a whole number"),
        (["--width", "1.5"], "argument --width: '1.5': expected a whole number"),
        (["--top-k", "0"], "argument --top-k: '0': expected a whole number"),
        (["--contamination", "0.7"], "'0.7': expected a number above 0 and up to 0.5"),
        (["--contamination", "nan"], "'nan': expected a number above 0 and up to 0.5"),
        (["--exclude", "a\nb"], r"argument --exclude: 'a\nb': expected names of columns in one"),
        (["--columns", "a\nb"], r"argument --columns: 'a\nb': expected names of columns in one"),
        (["--seed", "-1"], "argument --seed"),
        (["--seed", "4294967296"], "expected a number below 2**32"),
        (["--sep", ""], "expected one character, tab or spaces"),
        (["--sep", "::"], "expected one character, tab or spaces"),
        (["--detctor", "KNN"], "unexpected '--detctor': did you mean --detector?"),
        (["--zzz"], "unexpected '--zzz': see pyod-aspects explain --help"),
        (["--detector"], "argument --detector: expected one argument"),
        (
            ["--json", "nowhere/out.json"],
            "cannot write nowhere/out.json: there is no folder nowhere",
        ),
        (["--json", "."], "cannot write .: it is a folder"),
    ],
)
def test_a_wrong_option_is_said_in_one_line(complaint, table, options, message):
    assert message in complaint("explain", table, *options)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["explian"], "invalid choice: 'explian'"),
        (["explain"], "arguments are required: data (see pyod-aspects explain --help)"),
        (["--zzz"], "unexpected '--zzz': see pyod-aspects --help"),
        (["demo", "more"], "unexpected 'more'"),
    ],
)
def test_a_wrong_command_is_said_in_one_line(complaint, argv, message):
    assert message in complaint(*argv)
