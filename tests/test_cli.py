"""The command line explains a CSV file, and says in one line what is wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import bad_inputs
import numpy as np
import pytest

from pyod_aspects import cli
from pyod_aspects._types import Progress
from pyod_aspects.cli import by_name, commands, reading
from pyod_aspects.cli.status import Status
from pyod_aspects.explanation import Explanation

QUICK = ("--max-dim", "2", "--top", "2")


@pytest.fixture
def table(tmp_path):
    """A file whose row 40 is far out in b."""
    X = np.random.default_rng(0).normal(size=(60, 3))
    X[40, 1] = 20.0
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


def written(tmp_path, content, name="other.csv"):
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


# ---------------------------------------------------------------- what it does


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


def test_given_rows_are_explained_instead_of_the_top(run, table):
    _, output, _ = run("explain", table, "--rows", "3, 40", "--max-dim", "1")
    assert "row 40" in output
    assert "row 3 " in output
    assert output.count("  row ") == 2


def test_top_k_is_the_number_of_aspects_shown(run, table):
    for top_k in (1, 4):
        argv = ("explain", table, "--rows", "40", "--top-k", str(top_k), "--copies")
        _, output, _ = run(*argv)
        assert output.count("nearby,") == top_k
        assert "(+" not in output


def test_near_copies_are_counted_unless_they_are_wanted(run, table):
    _, output, _ = run("explain", table, "--rows", "40", "--top-k", "4")
    assert output.count("nearby,") == 1
    assert "{b}" in output
    assert "(+3 copies)" in output


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


def test_quiet_leaves_the_notes_out_and_with_json_the_text(run, table, tmp_path):
    _, output, _ = run("explain", table, *QUICK, "--quiet")
    assert "Rows are counted" not in output
    assert run("explain", table, *QUICK, "--quiet", "--json", str(tmp_path / "o")) == (0, "", "")


def test_columns_can_be_chosen_and_left_out(run, table):
    def names(*options):
        return Explanation.from_json(run("explain", table, *QUICK, "--json", "-", *options)[1])

    assert names("--columns", "the third,a").feature_names == ("the third", "a")
    assert names("--exclude", "a").feature_names == ("b", "the third")
    assert names("--columns", "a", "--columns", "b").feature_names == ("a", "b")
    assert names("--columns", "a,b", "--exclude", "a").feature_names == ("b",)


def test_a_name_with_a_comma_is_quoted_as_in_csv(run, tmp_path):
    path = written(tmp_path, '"height, cm",b\n1,2\n3,4\n9,9\n')
    made = run("explain", path, "--columns", '"height, cm"', "--json", "-", *QUICK)[1]
    assert Explanation.from_json(made).feature_names == ("height, cm",)


@pytest.mark.parametrize("option", [("--sep", ";"), ("--delimiter", ";")])
def test_the_separator_can_be_given(run, tmp_path, option):
    path = written(tmp_path, "a;b\n1;2\n3;4\n9;9\n")
    assert run("explain", path, *QUICK, *option)[0] == 0


def test_tabs_spaces_marks_and_truth_values_are_understood(run, tmp_path):
    path = written(tmp_path, "\ufeffa\tb\n1\tTrue\n 2\tFalse\n3\tTrue\n")
    output = run("explain", path, *QUICK, "--sep", "tab", "--json", "-")[1]
    assert Explanation.from_json(output).feature_names == ("a", "b")


def test_a_file_without_header_has_numbered_columns(run, tmp_path):
    path = written(tmp_path, "1,2\n3,4\n9,9\n")
    code, output, _ = run("explain", path, *QUICK, "--no-header")
    assert code == 0
    assert "among 3 rows" in output
    assert "row 0 is the first line of the file" in output
    code, output, _ = run("explain", path, *QUICK, "--no-header", "--columns", "x1", "--json", "-")
    assert Explanation.from_json(output).feature_names == ("x1",)


def test_numbers_in_the_place_of_a_header_are_remarked(run, tmp_path):
    path = written(tmp_path, "1,2\n3,4\n9,9\n")
    assert "if it is data, add --no-header" in run("explain", path, *QUICK)[1]
    assert "--no-header" not in run("explain", path, *QUICK, "--quiet")[1]


@pytest.mark.parametrize("name", ["IForest", "iforest", "KNN", "hbos", "Lof"])
def test_any_detector_is_found_by_its_name_in_any_case(run, table, name):
    code, output, errors = run("explain", table, *QUICK, "--detector", name)
    assert (code, errors) == (0, "")
    assert f" of {name} ".lower() in output.splitlines()[0].lower()


@pytest.mark.parametrize("miner", ["sgbeam", "GBeam", "kdebeam", "oaminer"])
def test_any_miner_is_found_by_its_name(run, table, miner):
    code, output, _ = run("explain", table, *QUICK, "--miner", miner)
    assert code == 0
    assert output.splitlines()[0].lower().endswith(f"explained by {miner.lower()}")


@pytest.mark.parametrize("detector", ["IForest", "LODA"])
def test_the_seed_decides_also_where_the_detector_takes_none(run, table, detector):
    def scores(seed):
        argv = ("explain", table, *QUICK, "--detector", detector, "--seed", seed, "--json", "-")
        return [query.score for query in Explanation.from_json(run(*argv)[1])]

    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    assert scores("1") == scores("1")
    assert scores("1") != scores("2")
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


def test_contamination_reaches_the_detector(run, table):
    _, output, _ = run("explain", table, "--top", "10", "--contamination", "0.05")
    assert "10 rows, 3 of them anomalies of IForest" in output


def test_what_a_detector_prints_or_warns_does_not_reach_the_terminal(run, table, monkeypatch):
    from pyod.models.ecod import ECOD

    def fit(self, X):
        print("epoch 1")
        print("careful", file=sys.stderr)
        import warnings

        warnings.warn("old numpy", stacklevel=1)
        return original(self, X)

    original = ECOD.fit
    monkeypatch.setattr(ECOD, "fit", fit)
    code, output, errors = run("explain", table, *QUICK, "--detector", "ECOD")
    assert (code, errors) == (0, "")
    assert "epoch" not in output


@pytest.mark.parametrize("argv", [("--help",), ("explain", "--help"), ("demo", "-h"), ()])
def test_help_fits_the_terminal_and_is_no_error(run, argv):
    code, output, errors = run(*argv)
    assert (code, errors) == (0, "")
    assert output.startswith("usage: pyod-aspects")
    assert max(map(len, output.splitlines())) <= 100


def test_the_version_is_told(run):
    from pyod_aspects import __version__

    assert run("--version") == (0, f"pyod-aspects {__version__}\n", "")


def test_names_that_the_terminal_cannot_show_do_not_stop_the_output(tmp_path, monkeypatch):
    class Ascii:
        encoding = "ascii"
        text = ""

        def write(self, text):
            text.encode("ascii")
            self.text += text

        def flush(self):
            pass

    path = written(tmp_path, "größe\n1\n2\n3\n50\n")
    terminal = Ascii()
    monkeypatch.setattr(sys, "stdout", terminal)
    assert cli.main(["explain", path, "--rows", "3"]) == 0
    assert r"gr\xf6\xdfe" in terminal.text


# ---------------------------------------------------------------- what can be wrong


def test_a_missing_file_is_named(complaint):
    assert complaint("explain", "nowhere.csv") == "pyod-aspects: there is no file nowhere.csv."


def test_a_file_name_that_is_too_long_is_just_a_wrong_name(complaint, table):
    assert "cannot be read: File name too long" in complaint("explain", "x" * 300)
    said = complaint("explain", table, "--json", "x" * 300, "--top", "1")
    assert said.endswith("File name too long.")


def test_a_folder_is_no_file(complaint, tmp_path):
    assert "is a folder: expected a CSV file" in complaint("explain", str(tmp_path))


@pytest.mark.parametrize(
    ("content", "message"), [pytest.param(*case[1:], id=case[0]) for case in bad_inputs.FILES]
)
def test_what_is_wrong_in_a_file_is_said_in_one_line(complaint, tmp_path, content, message):
    import re

    assert re.search(message, complaint("explain", written(tmp_path, content)))


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
    said = complaint("explain", written(tmp_path, content), "--no-header", *options)
    assert ("try --sep" in said) is (hint is not None)
    if hint:
        assert f"the delimiter may be {hint}: try --sep {hint}" in said


def test_spaces_around_names_do_not_count(run, tmp_path):
    path = written(tmp_path, "a , b ,c\n1,2,3\n3,4,5\n9,9,9\n")
    made = run("explain", path, "--columns", "b,a", "--json", "-", *QUICK)[1]
    assert Explanation.from_json(made).feature_names == ("b", "a")


COUNTED = ",a,b\n0,5,2\n1,3,4\n2,9,9\n"


def test_an_unnamed_column_that_counts_the_rows_is_left_out(run, tmp_path):
    path = written(tmp_path, COUNTED)
    code, output, errors = run("explain", path, "--json", "-", *QUICK)
    assert code == 0
    assert errors.startswith("pyod-aspects: note: 'Unnamed: 0' only counts the rows")
    assert errors.count("\n") == 1
    assert Explanation.from_json(output).feature_names == ("a", "b")
    twice = written(tmp_path, ",Unnamed: 0,a\n0,0,1\n1,1,7\n2,2,3\n")
    output = run("explain", twice, "--json", "-", *QUICK)[1]
    assert Explanation.from_json(output).feature_names == ("a",)


@pytest.mark.parametrize(
    ("content", "options", "names"),
    [
        (COUNTED, ["--quiet"], ("a", "b")),
        (COUNTED, ["--exclude", "Unnamed: 0"], ("a", "b")),
        (COUNTED, ["--columns", "Unnamed: 0,a"], ("Unnamed: 0", "a")),
        (COUNTED, ["--exclude", "a,b"], ("Unnamed: 0",)),
        (COUNTED.replace("\n2,", "\n3,"), [], ("Unnamed: 0", "a", "b")),
        (COUNTED.replace(",a,b", "n,a,b"), [], ("n", "a", "b")),
    ],
)
def test_other_columns_are_used_and_nothing_is_said(run, tmp_path, content, options, names):
    path = written(tmp_path, content)
    code, output, errors = run("explain", path, "--json", "-", *QUICK, *options)
    assert (code, errors) == (0, "")
    assert Explanation.from_json(output).feature_names == names


@pytest.mark.parametrize("way", ["same", "link"])
def test_the_data_is_not_replaced_by_its_explanation(complaint, table, tmp_path, monkeypatch, way):
    monkeypatch.setattr(commands, "read_table", None)  # It does not come to that.
    target = table
    if way == "link":
        target = str(tmp_path / "link.csv")
        os.symlink(table, target)
    said = complaint("explain", table, "--json", target)
    assert said.endswith(f"--json {target} would replace the data: name another file.")


def test_the_proposed_exclusion_works(run, complaint, tmp_path):
    import shlex

    path = written(tmp_path, 'a,"x, y",z\n1,p,\n2,q,\n9,r,3\n')
    option = complaint("explain", path).partition("--exclude ")[2]
    assert run("explain", path, *QUICK, "--exclude", *shlex.split(option))[0] == 0


def test_a_file_that_cannot_be_read_says_why(complaint, table, monkeypatch):
    def refuse(path, file):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(reading, "_read_text", refuse)
    assert "cannot be read: Permission denied." in complaint("explain", table)


@pytest.mark.parametrize("option", ["--columns", "--exclude"])
def test_a_wrong_column_gets_a_suggestion(complaint, table, option):
    said = complaint("explain", table, option, "a,the thrid")
    assert said.endswith("has no column 'the thrid': did you mean 'the third'?")
    said = complaint("explain", table, option, "zzz")
    assert said.endswith("has no column 'zzz': there is 'a', 'b', 'the third'.")


def test_some_column_has_to_be_left(complaint, table):
    assert "--exclude leaves no column" in complaint("explain", table, "--exclude", "a,b,the third")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--detector", "IFrest"], "PyOD has no detector 'IFrest': did you mean 'IForest'?"),
        (["--detector", "zzz"], "there is 'IForest', 'ECOD', 'COPOD', 'KNN',"),
        (["--detector", "LSCP"], "LSCP needs 'detector_list', which the command line cannot give"),
        (["--detector", "MAD"], "MAD cannot be fitted to this table: MAD algorithm is just for"),
        (["--miner", "sgbaem"], "there is no miner 'sgbaem': did you mean 'sgbeam'?"),
        (["--miner", "x"], "there is no miner 'x': there is 'sgbeam', 'gbeam', 'kdebeam',"),
        (["--miner", "oaminer", "--width", "5"], "--width does not apply to oaminer."),
        (["--rows", "3,60"], "--rows: row 60 does not exist, "),
        (["--rows", "3,x"], "argument --rows: '3,x': expected row numbers"),
        (["--rows", "-1"], "argument --rows"),
        (["--rows", "3", "--top", "4"], "not allowed with argument"),
        (["--top", "0"], "argument --top: '0': expected a whole number, 1 or more"),
        (["--max-dim", "two"], "argument --max-dim: 'two': expected a whole number"),
        (["--width", "1.5"], "argument --width: '1.5': expected a whole number"),
        (["--top-k", "0"], "argument --top-k: '0': expected a whole number"),
        (["--contamination", "0.7"], "'0.7': expected a number above 0 and up to 0.5"),
        (["--contamination", "nan"], "'nan': expected a number above 0 and up to 0.5"),
        (["--exclude", "a\nb"], r"argument --exclude: 'a\nb': expected names of columns in one"),
        (["--columns", "a\nb"], r"argument --columns: 'a\nb': expected names of columns in one"),
        (["--seed", "-1"], "argument --seed"),
        (["--seed", "4294967296"], "expected a number below 2**32"),
        (["--sep", ""], "expected one character, or tab"),
        (["--sep", "::"], "expected one character, or tab"),
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


def test_an_output_that_cannot_be_written_is_said_in_one_line(run, table, tmp_path, monkeypatch):
    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    path = str(tmp_path / "out.json")
    code, _, errors = run("explain", table, *QUICK, "--json", path)
    assert (code, errors) == (2, f"pyod-aspects: cannot write {path}: No space left on device.\n")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ModuleNotFoundError("no", name="torch.nn"), "needs the package torch, which is not inst"),
        (ImportError("get pyod[x]"), "needs a package that is not there: get pyod[x]"),
        (ValueError("three\nlines\nhere"), "cannot be set up: three lines here"),
        (ValueError(), "cannot be set up: ValueError"),
    ],
)
def test_a_detector_that_cannot_be_loaded_says_why(complaint, table, monkeypatch, error, message):
    def fail(module):
        raise error

    monkeypatch.setattr(by_name, "import_module", fail)
    assert message in complaint("explain", table, "--detector", "ABOD")


def test_a_detector_that_forgot_torch_needs_torch(complaint, table, monkeypatch):
    def fail(module):
        raise NameError("name 'nn' is not defined")

    monkeypatch.setattr(by_name, "import_module", fail)
    monkeypatch.setattr(by_name, "find_spec", lambda name: None if name == "torch" else spec)
    spec = __import__("importlib.util").util.find_spec("pyod")
    assert "needs the package torch" in complaint("explain", table, "--detector", "ABOD")


def test_a_detector_without_contamination_refuses_it(complaint, table, monkeypatch):
    class Plain:
        def fit(self, X):
            return self

    module = type("module", (), {"ABOD": Plain})
    monkeypatch.setattr(by_name, "import_module", lambda name: module)
    said = complaint("explain", table, "--detector", "ABOD", "--contamination", "0.1")
    assert said.endswith("--contamination does not apply to ABOD.")


def test_a_detector_that_needs_labels_says_so(complaint, table, monkeypatch):
    class Supervised:
        def fit(self, X, y):
            return self

    module = type("module", (), {"ABOD": Supervised})
    monkeypatch.setattr(by_name, "import_module", lambda name: module)
    assert "ABOD needs 'y'" in complaint("explain", table, "--detector", "ABOD")


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


# ---------------------------------------------------------------- detectors


def test_pyods_detectors_are_found_without_importing_them():
    detectors = by_name.known_detectors()
    assert detectors["IForest"] == "pyod.models.iforest"
    assert detectors["FeatureBagging"] == "pyod.models.feature_bagging"
    assert detectors["DeepSVDD"] == "pyod.models.deep_svdd"
    assert detectors["SO_GAAL"] == "pyod.models.so_gaal"
    assert not [name for name in detectors if name.startswith("Base")]
    assert len(detectors) > 40


# ---------------------------------------------------------------- progress


class Terminal:
    def __init__(self):
        self.text = ""

    def isatty(self):
        return True

    def write(self, text):
        self.text += text

    def flush(self):
        pass

    def shown(self):
        """The last line as one sees it."""
        line = ""
        for piece in self.text.rpartition("\n")[2].split("\r"):
            line = piece + line[len(piece) :]
        return line.rstrip()


@pytest.fixture
def open_terminal(monkeypatch):
    """Puts a terminal in place of the error stream; in the test, as pytest does so before it."""

    def open_terminal():
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        return terminal

    return open_terminal


@pytest.fixture
def no_delay(monkeypatch):
    monkeypatch.setattr(Status, "delay", 0.0)
    monkeypatch.setattr(Status, "pause", 0.0)


@pytest.mark.usefixtures("no_delay")
def test_progress_is_drawn_over_itself_and_gone_at_the_end(open_terminal):
    terminal = open_terminal()
    with Status() as status:
        status.say("fitting IForest to 60 rows")
        assert terminal.shown() == "fitting IForest to 60 rows ..."
        status.progress(Progress(level=2, max_dim=5, done=50, total=100, scored=1234))
        expected = "sets of 2 (up to 5) features  [######..............]  30%  1,234 tried"
        assert terminal.shown() == expected
        status.say("x")
        assert terminal.shown() == "x ..."
    assert terminal.shown() == ""
    assert "\n" not in terminal.text


def test_quick_work_shows_no_progress(open_terminal):
    terminal = open_terminal()
    with Status() as status:
        status.say("fitting")
        status.progress(Progress(1, 5, 1, 1, 1))
    assert terminal.text == ""


def test_the_stage_is_shown_while_the_work_says_nothing(open_terminal, monkeypatch):
    monkeypatch.setattr(Status, "delay", 0.05)
    monkeypatch.setattr(Status, "tick", 0.05)
    terminal = open_terminal()

    def wait_for(text):
        end = time.monotonic() + 20
        while terminal.shown() != text and time.monotonic() < end:
            time.sleep(0.01)
        assert terminal.shown() == text

    before = threading.active_count()
    with Status() as status:
        status.say("fitting")
        wait_for("fitting ...")
        status.text = "searching"
        wait_for("searching")
        status.note("by the way")
        assert "pyod-aspects: note: by the way\n" in terminal.text
    assert threading.active_count() == before
    assert terminal.shown() == ""


def test_nothing_watches_without_a_terminal():
    before = threading.active_count()
    with Status():
        assert threading.active_count() == before


@pytest.mark.usefixtures("no_delay")
def test_the_line_is_not_longer_than_the_terminal(open_terminal, monkeypatch):
    terminal = open_terminal()
    monkeypatch.setenv("COLUMNS", "30")
    with Status() as status:
        status.progress(Progress(2, 5, 50, 100, 1234))
        assert terminal.shown() == "sets of 2 (up to 5) features"


@pytest.mark.usefixtures("no_delay")
def test_progress_is_for_terminals_that_are_not_told_to_be_quiet(open_terminal, table, monkeypatch):
    terminal = open_terminal()
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert cli.main(["explain", table, *QUICK]) == 0
    assert "features" in terminal.text
    assert terminal.shown() == ""
    terminal.text = ""
    assert cli.main(["explain", table, *QUICK, "--quiet"]) == 0
    assert terminal.text == ""


def test_without_a_terminal_there_is_no_progress(run, table, no_delay):
    assert run("explain", table, *QUICK)[2] == ""


# ---------------------------------------------------------------- as a process


def start(folder, *argv, **options):
    command = [sys.executable, "-m", "pyod_aspects", *argv]
    return subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.PIPE,
        **options,
    )


def test_the_module_runs_as_a_command_and_reads_its_input(tmp_path, table):
    process = start(tmp_path, "explain", "-", *QUICK)
    with open(table, "rb") as file:
        output, errors = process.communicate(file.read(), timeout=120)
    assert (process.returncode, errors) == (0, b"")
    assert output.startswith(b"Explanation: 2 anomalies of IForest among 60 rows")


def test_a_mistake_gives_exit_code_2_and_no_traceback(tmp_path):
    process = start(tmp_path, "explain", "nowhere.csv")
    output, errors = process.communicate(timeout=120)
    assert (process.returncode, output) == (2, b"")
    assert errors.splitlines() == [b"pyod-aspects: there is no file nowhere.csv."]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_a_reader_that_leaves_early_is_no_error(tmp_path, table):
    process = start(tmp_path, "explain", table, *QUICK)
    process.stdout.close()
    errors = process.stderr.read()
    process.stdin.close()
    process.stderr.close()
    assert (process.wait(timeout=120), errors) == (141, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes of POSIX")
def test_ctrl_c_ends_the_process_in_one_line(tmp_path):
    os.mkfifo(tmp_path / "data.csv")
    # A child of a shell's background job would ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = start(tmp_path, "explain", "data.csv")
    finally:
        signal.signal(signal.SIGINT, before)
    with open(tmp_path / "data.csv", "w"):  # waits until the process reads
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=120)
    assert (process.returncode, output) == (130, b"")
    said = b"interrupted while reading data.csv; nothing was written"
    assert errors == b"pyod-aspects: " + said + b"\n"


def shell(folder, line):
    """Run a line of the shell in which $RUN is the command."""
    command = f'RUN="{sys.executable} -m pyod_aspects"; {line}'
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, capture_output=True, timeout=120, check=False
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


posix = pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")


@posix
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("$RUN explain - <&-", "the standard input is closed."),
        ("$RUN explain data.csv >&-", "the standard output is closed."),
        ("$RUN explain data.csv --quiet --json - >&-", "the standard output is closed."),
        ("$RUN demo >&-", "the standard output is closed."),
        ("$RUN --help >&-", "the standard output is closed."),
        ("$RUN --version >&-", "the standard output is closed."),
        (
            "$RUN explain - --json data.csv < data.csv",
            "--json data.csv would replace the data: name another file.",
        ),
    ],
)
def test_a_stream_that_is_closed_or_wrong_is_one_line(tmp_path, table, line, message):
    assert shell(tmp_path, line) == (2, "", f"pyod-aspects: {message}\n")


@posix
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has it")
@pytest.mark.parametrize(
    "command", ["explain data.csv --top 2", "explain data.csv --json -", "explain --help"]
)
def test_a_full_disk_behind_the_output_is_one_line(tmp_path, table, command):
    code, _, errors = shell(tmp_path, f"$RUN {command} > /dev/full")
    message = "the standard output cannot be written: No space left on device."
    assert (code, errors) == (2, f"pyod-aspects: {message}\n")


@posix
def test_what_needs_no_output_works_without_one(tmp_path, table):
    line = "$RUN explain data.csv --top 2 --quiet --json why.json >&- <&-"
    assert shell(tmp_path, line) == (0, "", "")
    assert len(Explanation.from_json((tmp_path / "why.json").read_text())) == 2


@posix
def test_without_an_error_stream_all_is_silent(tmp_path, table):
    code, output, _ = shell(tmp_path, "$RUN explain data.csv --top 2 2>&-")
    assert code == 0
    assert output.startswith("Explanation: 2 anomalies")
    written(tmp_path, COUNTED)
    assert shell(tmp_path, "$RUN explain other.csv --top 2 2>&-")[0] == 0
    assert shell(tmp_path, "$RUN explain nowhere.csv 2>&-") == (2, "", "")
    if os.path.exists("/dev/full"):
        assert shell(tmp_path, "$RUN explain nowhere.csv 2> /dev/full") == (2, "", "")
