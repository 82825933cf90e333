"""The command that measures tuned numbers: what it knows, sets, undoes and prints."""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from benchmark_modules import module
from counting_cases import code_table, counter
from strategies import subspaces_of

from pyod_aspects import counting
from pyod_aspects._kernels import cells, tuned
from pyod_aspects._kernels import table as table_kernels
from pyod_aspects.counting.bits import BitStrategy
from pyod_aspects.counting.cells import CellStrategy
from pyod_aspects.counting.grid import GridStrategy
from pyod_aspects.counting.points import count_in_boxes, load_boxes

calibrate = module("calibrate")
main = module("__main__").main
names = [name for name in vars(tuned) if name.isupper()]


def small(name):
    """A table of the command with fewer subspaces."""
    table = calibrate.TABLES[name]
    return replace(table, levels=tuple((size, min(most, 40)) for size, most in table.levels[:2]))


@pytest.fixture
def small_tables(monkeypatch):
    monkeypatch.setattr(calibrate, "TABLES", {name: small(name) for name in calibrate.TABLES})


def state():
    """Every value that an override may set."""
    modules = [m for key, m in sys.modules.items() if key.startswith("pyod_aspects.")]
    values = {(m.__name__, n): vars(m)[n] for m in modules for n in names if n in vars(m)}
    bound = [f for name in names for f, _ in calibrate._defaults_bound_to(name)]
    return values, [(f.__qualname__, f.__defaults__) for f in bound]


def test_it_knows_exactly_the_numbers_of_tuned():
    known = calibrate.numbers()
    assert list(known) == names
    assert all(eval(number.text) == getattr(tuned, name) for name, number in known.items())
    assert set(calibrate.MEASURED_ON) <= set(names)
    used = {table for tables in calibrate.MEASURED_ON.values() for table in tables}
    assert used | set(calibrate.USUAL) == set(calibrate.TABLES)


def test_it_knows_which_numbers_are_compiled_in():
    imported = set()
    for path in Path(tuned.__file__).parent.glob("*.py"):
        for some in re.findall(r"^from \.tuned import (.+)$", path.read_text("utf-8"), re.M):
            imported |= set(some.split(", "))
    assert imported
    assert {n for n, number in calibrate.numbers().items() if number.compiled} == imported


def test_an_override_reaches_every_place_where_a_number_is_read():
    """Python reads ``tuned.NAME`` in a function, or has it alone as a default of one."""
    for path in Path(next(iter(counting.__path__))).glob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        inside = {id(n) for f in functions for part in f.body for n in ast.walk(part)}
        bound = {id(default) for f in functions for default in f.args.defaults}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in names:
                assert id(node) in inside | bound, f"{path.name}, line {node.lineno}"
            if isinstance(node, ast.ImportFrom):
                assert node.module is None or "tuned" not in node.module


@pytest.mark.parametrize("name", names)
def test_an_override_sets_a_number_and_is_undone(name):
    before, number = state(), calibrate.numbers()[name]
    value = number.scaled(2.0)
    with calibrate.override(name, value):
        assert getattr(tuned, name) == value == 2 * eval(number.text)
        assert state() != before
    assert state() == before


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_override_is_undone_when_interrupted(monkeypatch, error):
    before = state()

    def interrupted(*args):
        raise error

    monkeypatch.setattr(calibrate, "count_tables", interrupted)
    with pytest.raises(error):
        calibrate.measure(calibrate.numbers()["MAX_BYTES"], 0.01, 50, lambda text: None)
    assert state() == before


def test_defaults_follow_an_override():
    with calibrate.override("MAX_BYTES", 77), calibrate.override("BITS_MAX_WORDS", 88):
        assert (CellStrategy().max_bytes, BitStrategy().max_words) == (77, 88)
    codes = np.random.default_rng(0).integers(0, 3, size=(2000, 6))
    n_views = code_table(codes).rows.begins.size - 1
    with calibrate.override("VIEW_MIN_ROWS", 1):
        assert code_table(codes).rows.begins.size - 1 > n_views


def test_an_override_changes_plan_jobs_and_pieces():
    rng = np.random.default_rng(0)
    codes, subspaces = np.minimum(rng.geometric(0.3, size=(5000, 6)), 60) - 1, subspaces_of(6, 3)
    table = code_table(codes)

    def n_jobs():
        level, _, cost = counter(table).plan(subspaces)
        return len(list(GridStrategy().jobs(level, np.arange(len(subspaces)), cost, threads=2)))

    def n_pieces():
        ticks = []
        boxes = load_boxes(table, table.by_row[:5] - 1, table.by_row[:5] + 1)
        count_in_boxes(subspaces, boxes, tick=ticks.append)
        return len(ticks)

    chosen, cost = counter(table).plan(subspaces)[1:]
    assert set(chosen) == {0}
    jobs = n_jobs()
    assert n_pieces() < len(subspaces)
    with calibrate.override("GRID_ROW", 1000.0):
        assert 0 not in counter(table).plan(subspaces).strategy
    with calibrate.override("GRID_BIN", 0.5):
        assert (counter(table).plan(subspaces).cost > cost).any()
    with calibrate.override("LEAST_PIECE", 1.0):
        assert n_jobs() > jobs
    with calibrate.override("POINT_PIECE", 1):
        assert n_pieces() == len(subspaces)


def test_an_override_reaches_kernels():
    with calibrate.override("TABLE_PAD", 64):
        assert table_kernels._line_length.py_func(70, 1) == 128
    with calibrate.override("CELL_PLACES", 3):
        assert cells.CELL_PLACES == 3


@pytest.mark.parametrize("name", ["GRID_ROW", "CELL_WORTH", "BITS_LINE", "VIEW_SHARE", "MAX_BYTES"])
def test_no_override_changes_a_result(name):
    number, tables = calibrate.numbers()[name], [small(table) for table in calibrate.USUAL]
    usual = calibrate.count_tables(tables, 3000).results
    for factor in (0.01, 0.5, 2.0, 100.0):
        with calibrate.override(name, number.scaled(factor)):
            assert calibrate.count_tables(tables, 3000).results == usual


def test_results_of_other_rows_have_another_name():
    table = small("kdd")
    first, again = (calibrate.count_tables([table], 500) for _ in range(2))
    assert first.results == again.results != calibrate.count_tables([table], 501).results


def test_a_quick_run_prints_a_line_for_a_number(small_tables, capsys):
    assert main(["calibrate", "grid_row", "--seconds", "0.01", "--rows", "300"]) == 0
    out, err = capsys.readouterr()
    line, last = out.splitlines()
    assert re.fullmatch(
        r"GRID_ROW +0\.7  half \d\.\d\d, double \d\.\d\d  (.{16})  ns to count a row", line
    )
    assert last.startswith("Clearly better with another value: ")
    assert "round 3" in err


def test_points_are_counted_too(small_tables, capsys):
    assert main(["calibrate", "POINT_PIECE", "--seconds", "0.01", "--rows", "300"]) == 0
    assert capsys.readouterr().out.startswith("POINT_PIECE")


def test_a_ratio_compares_times_of_one_round():
    seconds = {"half": [1.0, 4.0, 0.9], "as it is": [2.0, 4.0, 1.0], "double": [2.2, 4.8, 0.8]}
    passes = {name: iter(some) for name, some in seconds.items()}
    ways = {name: lambda some=some: calibrate.Pass(next(some), "") for name, some in passes.items()}
    times = calibrate._in_turns(ways, 1e-9, lambda text: None)
    assert str(times) == "half 0.90, double 1.10"
    assert times.half == [0.5, 1.0, 0.9]


@pytest.mark.parametrize(
    ("half", "double", "better"),
    [
        ([0.9, 0.9, 0.92, 0.91], [1.0] * 4, "half"),
        ([0.9] * 4, [0.7, 0.8, 0.8, 1.1], "double"),
        ([0.96] * 4, [1.2] * 4, ""),
        ([0.8, 0.9, 1.2, 1.1, 0.9], [1.0] * 5, ""),  # not in three rounds of four
    ],
)
def test_what_is_clearly_better_is_named(half, double, better):
    assert calibrate.Times(half, double).better == better


def test_other_results_are_an_error(monkeypatch, capsys):
    results = iter("aab")
    monkeypatch.setattr(calibrate, "count_tables", lambda *a: calibrate.Pass(1.0, next(results)))
    assert main(["calibrate", "PIECE"]) == 1
    assert "PIECE: another value gives other results" in capsys.readouterr().err


def test_ctrl_c_ends_the_command_with_one_word(monkeypatch, capsys):
    def interrupted(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(calibrate, "count_tables", interrupted)
    assert main(["calibrate", "PIECE"]) == 130
    assert capsys.readouterr().err.splitlines()[-1] == "interrupted"


def test_a_wrong_name_is_one_sentence_with_the_nearest(capsys):
    assert main(["calibrate", "GRID_ROWS"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "GRID_ROWS: no such number in tuned.py, the nearest is GRID_ROW\n"


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon"])
def test_seconds_are_a_number_above_0(seconds, capsys):
    with pytest.raises(SystemExit):
        main(["calibrate", "--seconds", seconds])
    assert f"'{seconds}' is not a number above 0" in capsys.readouterr().err


def test_the_list_says_what_each_number_is_measured_on(capsys):
    assert main(["calibrate", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == names
    assert [line.split()[0] for line in lines if "(compiled in, " in line] == [
        name for name, number in calibrate.numbers().items() if number.compiled
    ]


class TestChildren:
    """Numbers that are compiled in are measured in processes of their own."""

    def test_what_is_left_of_a_failed_child_is_its_error(self, tmp_path):
        unknown = calibrate.Number("NO_SUCH", "1", "", True)
        child = calibrate.Child(unknown, 1.0, 100, tmp_path)
        with child, pytest.raises(RuntimeError, match="KeyError: 'NO_SUCH'"):
            child.count()
        assert child.process.returncode is not None

    def test_an_interrupt_ends_children_and_removes_their_folder(self, monkeypatch):
        made = []

        class Interrupted(calibrate.Child):
            def __init__(self, *args):
                super().__init__(*args)
                made.append(self)
                self.folder = args[-1]

            def answer(self):
                raise KeyboardInterrupt

        monkeypatch.setattr(calibrate, "Child", Interrupted)
        with pytest.raises(KeyboardInterrupt):
            calibrate.measure(calibrate.numbers()["TABLE_PAD"], 0.01, 100, lambda text: None)
        assert len(made) == 3
        assert all(child.process.returncode is not None for child in made)
        assert not made[0].folder.exists()

    @pytest.mark.slow
    def test_each_compiles_for_itself(self, capsys):
        assert main(["calibrate", "CELL_PLACES", "--seconds", "0.01", "--rows", "2000"]) == 0
        assert re.match(r"CELL_PLACES +8  half \d", capsys.readouterr().out)
