"""A function of each part, and sums of its answers, whatever holds the parts."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from pyod_aspects.engines.parts import ListParts
from pyod_aspects.exceptions import InvalidInputError, PartsError

dask = pytest.importorskip("dask")
from pyod_aspects.engines.dask import DaskParts  # noqa: E402


def delayed_parts(parts):
    return DaskParts([dask.delayed(part) for part in parts])


@pytest.fixture(params=["list", "synchronous", "threads"])
def make(request):
    """Parts of a list: in this process, and on schedulers of Dask."""
    if request.param == "list":
        yield ListParts
    else:
        with dask.config.set(scheduler=request.param):
            yield delayed_parts


NUMBERS = [list(range(i)) for i in range(30)]


def test_each_part_gives_an_answer_in_order(make):
    assert make(NUMBERS).each(len) == list(range(30))
    assert make(NUMBERS).each(operator.add, [7])[2] == [0, 1, 7]


@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 30])
def test_totals_combine_neighbours_in_order(make, n):
    wanted = [i for part in NUMBERS[:n] for i in part]
    assert make(NUMBERS[:n]).total(list) == wanted
    longest = make(NUMBERS[:n]).total(len, combine=max)
    assert longest == n - 1


def test_map_zip_and_keep_give_parts(make):
    calls = []
    parts = make([[1], [2, 3]]).map(lambda part, more: calls.append(part) or [*part, more], 9)
    assert not calls
    assert parts.each(sum) == [10, 14]
    kept = parts.keep()
    seen = len(calls)
    assert kept.each(len) == [2, 3]
    assert len(calls) == seen
    assert kept.zip(["a", "b"]).each(lambda pair: (sum(pair[0]), pair[1])) == [(10, "a"), (14, "b")]


def test_arrays_are_handed_over_as_they_are(make):
    parts = make([np.arange(3), np.arange(2)])
    weights = (np.array([1, 10, 100]), [print, 1])  # Dask must not take it for a task
    answer = parts.total(lambda part, w: part @ w[0][: part.size], weights)
    assert answer == 210 + 10


def test_ticks_count_the_parts(make):
    ticks = []
    make(NUMBERS).each(len, tick=ticks.append)
    assert ticks == list(range(1, 31))
    ticks.clear()
    make(NUMBERS).total(len, tick=ticks.append)
    assert ticks == list(range(1, 31))


def test_a_tick_that_raises_ends_the_work(make):
    begun = []

    def tick(done):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(NUMBERS).each(begun.append, tick=tick)
    assert 3 <= len(begun) < 30


def test_a_part_that_fails_names_itself(make):
    with pytest.raises(PartsError, match=r"partition 4 \(6 in all, counted from 0\) failed: Zero"):
        make([1, 2, 3, 4, 0, 5]).each(lambda part: 1 / part)
    with pytest.raises(PartsError, match=r"partition 4 \("):
        make([1, 2, 3, 4, 0, 5]).total(lambda part: 1 / part)
    with pytest.raises(PartsError, match=r"partition 1 .*: ZeroDivisionError"):
        make([1, 0]).map(lambda part: 1 / part).total(abs)


def test_an_error_of_ours_stays_what_it_is(make):
    def refuse(part):
        raise InvalidInputError("X has an infinite value.")

    with pytest.raises(InvalidInputError, match=r"^partition 0 .*: X has an infinite value\.$"):
        make([1]).each(refuse)


def test_answers_that_cannot_be_combined_raise_that_error(make):
    with pytest.raises(TypeError, match="unsupported operand"):
        make([1, 2]).total(lambda part: None)


def test_a_table_without_parts_is_refused(make):
    with pytest.raises(PartsError, match="0 partitions"):
        make([])
