"""The benchmarks: the paper's way agrees, a run writes its page, and goes on where it stopped."""

from __future__ import annotations

import doctest
import json
import re

import naive
import numpy as np
import pytest
from benchmark_modules import FOLDER, module
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables

from pyod_aspects import Miner, SGBeam
from pyod_aspects.density import SGrid
from pyod_aspects.search import BeamSearch

BEGIN, END = "<!-- generated: begin -->", "<!-- generated: end -->"

main = module("__main__").main
report = module("report")
results = module("results")
timing = module("timing")
paper_way = module("paper_way")
PaperSGrid = paper_way.PaperSGrid


@pytest.mark.parametrize(
    "name", ["evidence.paper_tables", "markdown", "paper_way", "results", "timing"]
)
def test_examples_in_docstrings_run(name):
    assert doctest.testmod(module(name)).failed == 0


@settings(max_examples=40)
@given(X=tables(max_rows=25, min_columns=2), data=st.data())
def test_the_papers_way_counts_as_defined(X, data):
    d = X.shape[1]
    s = tuple(sorted(data.draw(st.sets(st.integers(0, d - 1), min_size=1, max_size=5))))
    points = X[:3] + np.array([[0.0], [0.5], [3.0]])[: len(X)]
    paper = PaperSGrid().fit(X)
    assert paper.density(s).tolist() == naive.counts(X, s, None, 1, "fd")
    assert paper.density(s, points).tolist() == naive.counts(X, s, points, 1, "fd")
    for got, want in zip(
        paper.moments([s], points), SGrid("fd").fit(X).moments([s], points), strict=True
    ):
        np.testing.assert_array_equal(got, want)


def test_the_papers_way_mines_what_sgbeam_mines():
    X = np.random.default_rng(0).normal(size=(300, 6)).round(1)
    paper = Miner(PaperSGrid(), search=BeamSearch(tau=0.0)).fit(X)
    found, ours = (m.mine(X[:5]) for m in (paper, SGBeam(score="zscore").fit(X)))
    assert paper_way.paper_figures(found) == paper_way.paper_figures(ours)
    assert all(found)


def test_a_quick_run_writes_table_and_plot_and_keeps_what_it_has(tmp_path, capsys):
    some = ["--quick", "--output", str(tmp_path)]
    assert main([*some, "--only", "pair-cost", "paper-way"]) == 0
    page = (tmp_path / "performance_notes.md").read_text(encoding="utf-8")
    assert "against the paper's way" in page
    assert page.count("| 1 |") == 1
    assert "not measured" in page
    assert "targets do not apply" in page
    assert "<svg" in (tmp_path / "_static" / "performance.svg").read_text(encoding="utf-8")
    capsys.readouterr()

    assert main([*some, "--only", "growth-3"]) == 0
    stored = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert set(stored) == {"pair-cost", "paper-way", "growth-3"}
    assert set(stored["growth-3"]) >= {"cpu", "versions", "date", "source", "figures", "curves"}


def test_users_have_a_page_of_their_own(tmp_path, capsys):
    assert main(["--quick", "--output", str(tmp_path), "--only", "users", "pair-cost"]) == 0
    capsys.readouterr()
    page = (tmp_path / "performance.md").read_text(encoding="utf-8")
    assert "| rows | 4 features | 6 features |" in page
    assert re.search(r"\| 200 \| [\d.]+\s(m?s) \([\d.]+\sm?s\) \|", page)
    assert "<svg" in (tmp_path / "_static" / "how_long.svg").read_text(encoding="utf-8")
    notes = (tmp_path / "performance_notes.md").read_text(encoding="utf-8")
    assert "Ten rows of" not in notes


def test_the_pages_are_those_of_the_stored_results(tmp_path):
    store = results.Store(FOLDER / "results.json")
    docs = FOLDER.parent / "docs"
    for name in ("performance.md", "performance_notes.md"):
        (tmp_path / name).write_text((docs / name).read_text("utf-8"), "utf-8")
    report.write(store, list(module("registry").BENCHMARKS.values()), tmp_path)
    module("for_users").write(store, tmp_path)
    for name in ("performance.md", "performance_notes.md"):
        assert (tmp_path / name).read_text("utf-8") == (docs / name).read_text("utf-8")


def test_the_next_night_searches_no_reference_rows(tmp_path):
    assert main(["--quick", "--output", str(tmp_path), "--only", "batch"]) == 0
    stored = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    first, following, _ = stored["batch"]["figures"]
    assert "; 0 of " in following["note"]
    assert "; 0 of " not in first["note"]


def test_a_page_keeps_what_was_written_by_hand(tmp_path):
    store = results.Store(tmp_path / "results.json")
    page = tmp_path / "performance_notes.md"
    page.write_text(f"# Mine\n{BEGIN}\nold\n{END}\nMore of mine.\n", "utf-8")
    figure = results.at_least("speed", 42.0, 30, "times faster", "a note")
    about = dict.fromkeys(("cpu", "versions", "date", "package", "commit", "source"), "x")
    store.put("paper-way", results.Outcome([figure]), {**about, "quick": False})
    every = list(module("registry").BENCHMARKS.values())
    report.write(results.Store(tmp_path / "results.json"), every, tmp_path)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Mine\n")
    assert text.endswith("\nMore of mine.\n")
    assert "old" not in text
    assert "| speed | 42 times faster | at least 30 times faster | yes |" in text
    assert "a note" in text


@pytest.mark.parametrize(
    ("figure", "met", "margin"),
    [
        (results.at_least("a", 60.0, 30, "times"), True, 2.0),
        (results.at_least("a", 15.0, 30, "times"), False, 0.5),
        (results.at_most("a", 1.2, 1.2, "times"), True, 1.0),
        (results.at_most("a", 2.4, 1.2, "times"), False, 0.5),
    ],
)
def test_a_figure_knows_whether_it_meets_its_target(figure, met, margin):
    assert figure.met is met
    assert figure.margin == pytest.approx(margin)


def test_two_ways_are_timed_in_turns():
    calls: list[str] = []
    timed = timing.compare(
        lambda: timing.seconds(lambda: calls.append("a")),
        lambda: timing.seconds(lambda: calls.append("b")),
        repeats=3,
        budget=0.0,
        say=lambda text: None,
    )
    assert calls == ["a", "b"] * 3
    assert len(timed.first) == len(timed.second) == 3


def test_list_and_unknown_names(capsys):
    assert main(["--list"]) == 0
    assert "paper-way" in capsys.readouterr().out
    assert main(["--only", "nonsense"]) == 2
    assert "no such benchmark" in capsys.readouterr().err
