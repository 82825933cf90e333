"""Progress: one contract, in words, with the time that is left, and as a bar."""

from __future__ import annotations

import builtins
import sys
from io import StringIO

import pytest
from pyod.models.ecod import ECOD

from pyod_aspects import AspectExplainer, OAMiner, Progress, SGBeam
from pyod_aspects._util.progress import Remaining, level_words
from pyod_aspects.datasets import make_hics
from pyod_aspects.exceptions import InvalidInputError, QueryError


@pytest.fixture(scope="module")
def X():
    return make_hics(n_rows=300, n_features=8, random_state=1).X


@pytest.fixture(scope="module")
def detector(X):
    return ECOD().fit(X)


@pytest.fixture(params=[SGBeam(max_dim=4), OAMiner(max_dim=3)], ids=["beam", "depth first"])
def explainer(request, X, detector):
    return AspectExplainer(detector, request.param, n_queries=5, n_reference=0).fit(X)


@pytest.fixture(params=[SGBeam(max_dim=4), OAMiner(max_dim=2)], ids=["beam", "depth first"])
def with_reference(request, X, detector):
    return AspectExplainer(detector, request.param, n_queries=5, n_reference=60).fit(X)


# ---------------------------------------------------------------- results as they come


def test_the_last_of_what_comes_is_the_explanation(explainer):
    parts = list(explainer.iter_explain())
    whole = explainer.explain()
    assert parts[-1] == whole
    assert [len(part) for part in parts] == sorted({len(part) for part in parts})
    assert all(part == whole[: len(part)] for part in parts)
    assert len(parts[0]) == 1


def test_one_progress_runs_through_all_that_comes(explainer):
    seen = []
    for _ in explainer.iter_explain(progress=seen.append):
        pass
    assert [p.share for p in seen] == sorted(p.share for p in seen)
    assert [p.scored for p in seen] == sorted(p.scored for p in seen)
    assert seen[-1].share == 1.0
    assert {p.n_rows for p in seen} == {5}
    assert max(p.rows_done for p in seen) >= 1


def test_progress_says_which_rows_are_for_p_values(with_reference):
    seen = []
    with_reference.explain(progress=seen.append)
    assert {p.rows_done >= 5 for p in seen if p.reference} == {True}
    assert {p.rows_done < 5 for p in seen if not p.reference} == {True}
    assert level_words(seen[-1]).startswith("for p-values, row")
    assert not level_words(seen[0]).startswith("for p-values")


def test_p_values_come_last_with_all_rows(with_reference):
    *parts, last = with_reference.iter_explain()
    assert last == with_reference.explain()
    assert all(query.p_value is not None for query in last)
    assert [len(part) for part in parts] == sorted({len(part) for part in parts})
    assert len(parts[-1]) == len(last) == 5
    for part in parts:
        assert part.n_reference == 0
        assert [query.p_value for query in part] == [None] * len(part)
        assert [query.aspects[0].subspace for query in part] == [
            query.aspects[0].subspace for query in last[: len(part)]
        ]


@pytest.mark.parametrize("one_by_one", [False, True])
def test_one_progress_runs_through_the_reference_rows_too(with_reference, one_by_one):
    seen = []
    if one_by_one:
        list(with_reference.iter_explain(progress=seen.append))
    else:
        with_reference.explain(progress=seen.append)
    assert [p.share for p in seen] == sorted(p.share for p in seen)
    assert [p.scored for p in seen] == sorted(p.scored for p in seen)
    assert seen[-1].share == 1.0
    assert {p.n_rows for p in seen} == {5 + 60}
    again = []
    with_reference.explain(progress=again.append)
    assert {p.n_rows for p in again} == {5}  # the reference rows are kept


def test_a_wrong_question_is_refused_before_anything_is_searched(explainer):
    with pytest.raises(QueryError, match="row 999 does not exist"):
        explainer.iter_explain(rows=[999])


def test_the_share_never_goes_back_and_ends_at_the_whole(explainer):
    seen = []
    explainer.explain(progress=seen.append)
    shares = [p.share for p in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


# ---------------------------------------------------------------- the time that is left


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_rows_to_come_take_as_long_as_those_before():
    clock = Clock()
    remaining = Remaining(clock)
    remaining(Progress(1, 5, 0, 10, 0, rows_done=0, rows_now=2, n_rows=6))
    clock.now = 8.0
    remaining(Progress(1, 5, 0, 10, 0, rows_done=2, rows_now=2, n_rows=6))
    clock.now = 9.0
    at = Progress(4, 5, 3, 10, 0, rows_done=2, rows_now=2, n_rows=6)
    assert remaining(at) == pytest.approx(4 * 4.0 - 1.0)


def test_before_the_first_row_is_done_the_present_level_tells():
    clock = Clock()
    remaining = Remaining(clock)
    assert remaining(Progress(1, 4, 0, 10, 0, rows_now=1, n_rows=2)) is None
    clock.now = 2.0
    assert remaining(Progress(2, 4, 9, 10, 0, rows_now=1, n_rows=2)) is None
    assert remaining(Progress(3, 4, 0, 10, 0, rows_now=1, n_rows=2)) is None
    clock.now = 4.0
    # Half of a level took 2 s: 2 s more, 4 s for the last one, and as much again as all that.
    left = remaining(Progress(3, 4, 5, 10, 0, rows_now=1, n_rows=2))
    assert left == pytest.approx(6.0 + 10.0)


def test_a_search_through_all_levels_together_goes_by_its_total():
    clock = Clock()
    remaining = Remaining(clock)
    remaining(Progress(1, 5, 0, 100, 0, whole=True))
    clock.now = 5.0
    assert remaining(Progress(2, 5, 25, 100, 0, whole=True)) == pytest.approx(15.0)


def test_the_first_few_subspaces_of_many_give_no_estimate():
    """They wait for code to be compiled: three seconds for one would be days for all."""
    times = iter([0.0, 3.0, 5.0])
    remaining = Remaining(clock=lambda: next(times))
    remaining(Progress(1, 5, 0, 100_000, 0, whole=True))
    assert remaining(Progress(1, 5, 1, 100_000, 1, whole=True)) is None
    assert remaining(Progress(1, 5, 20, 100_000, 20, whole=True)) == pytest.approx(24_995.0)


def test_several_rows_at_once_are_named():
    several = Progress(2, 3, 0, 1, 0, rows_done=2, rows_now=4, n_rows=1000)
    assert level_words(several).startswith("rows 3 to 6 of 1,000, sets of 2")


# ---------------------------------------------------------------- explain(progress=True)


@pytest.fixture
def without_tqdm(monkeypatch):
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name.partition(".")[0] == "tqdm":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)


def last_line(text):
    line = ""
    for piece in text.rpartition("\n")[2].split("\r"):
        line = piece + line[len(piece) :]
    return line.strip()


def explain_and_look(monkeypatch, explainer, **options):
    errors = StringIO()
    monkeypatch.setattr(sys, "stderr", errors)
    explainer.explain(**options)
    return errors.getvalue()


@pytest.mark.usefixtures("without_tqdm")
def test_without_tqdm_a_line_on_the_error_stream_comes_and_goes(monkeypatch, explainer):
    text = explain_and_look(monkeypatch, explainer, progress=True)
    assert "feature  [" in text
    assert last_line(text) == ""
    assert "\n" not in text


def test_with_tqdm_its_bar_comes_and_goes(monkeypatch, explainer):
    pytest.importorskip("tqdm")
    text = explain_and_look(monkeypatch, explainer, progress=True)
    assert "%|" in text
    assert "tried" in text
    assert last_line(text) == ""


@pytest.mark.parametrize("progress", [False, None])
def test_nothing_is_shown_unless_asked_for(monkeypatch, explainer, progress):
    assert explain_and_look(monkeypatch, explainer, progress=progress) == ""


@pytest.mark.usefixtures("without_tqdm")
def test_the_line_is_gone_after_an_error_too(monkeypatch, explainer):
    errors = StringIO()
    monkeypatch.setattr(sys, "stderr", errors)
    mine = explainer.miner_.mine

    def fail(points, progress, new_rows):
        mine(points, progress, new_rows)
        raise ZeroDivisionError

    monkeypatch.setattr(explainer.miner_, "mine", fail)
    with pytest.raises(ZeroDivisionError):
        explainer.explain(progress=True)
    assert last_line(errors.getvalue()) == ""
    assert errors.getvalue()


def test_a_progress_that_is_neither_is_refused(explainer):
    with pytest.raises(InvalidInputError, match="progress='yes': expected True, False or"):
        explainer.explain(progress="yes")
