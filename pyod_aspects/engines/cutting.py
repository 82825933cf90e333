"""Cut a table in parts into bins, to the last bit as in one process.

`cut_columns` collects facts about each column until `Cut.of` can cut it, and then drops them. In
each pass over the parts, every column that is not yet cut asks one question (`binning.facts`):

1. An overview: range, missing values, a histogram by the upper 16 bits of the values, frequent
   values. `survey` may have asked for it already.
2. For each group that holds a quartile: its values, or a histogram of 2,048 groups.
3. The same for the smaller groups that now hold the quartiles, until the quartiles are known.

A part with at most 4,096 rows in a group lists their values. The parts together list up to 8,192
distinct values of a group. A larger group takes one more pass for each factor of 2,048.

One pass is enough for a category, for "sturges" and for a given number of bins. It is also enough
for a column of up to 1,024 distinct values unless the rule is "scott". "scott" takes three passes:
the overview, a sum, a sum of squares. Atoms are single values that hold many rows. They take a pass
more if a part did not list them, or if they hold nearly all rows. `count_bins` takes one pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._util.parallel import count_on
from .._util.types import CodeArray, FloatArray, Tick
from ..binning.bins import OccupiedBins
from ..binning.cuts import Cut
from ..binning.facts import AskOverview, Overview, Question
from ..binning.gathered import Facts, UnknownError
from ..binning.slots import Counts, count_rows
from ..binning.slots import code_rows as code_column
from ..tables.column import Column
from .parts import Parts


def cut_columns(
    parts: Parts,
    columns: Sequence[Column],
    rule: str | int,
    overviews: Mapping[int, Overview] | None = None,
    tick: Tick | None = None,
) -> list[Cut]:
    """Cut every column of a table in parts.

    Parameters
    ----------
    parts : Parts
        Values of rows: arrays of shape (n_rows, n_features), NaN where a value is missing.
    columns : sequence of Column
    rule : {"auto", "fd", "scott", "sturges"} or int
    overviews : mapping of int to Overview, optional
        Overviews of columns by number, from `survey`. They save the first pass.
    tick : callable, optional
        Gets the number of parts read, summed over the passes.

    Returns
    -------
    list of Cut
        The cuts that `CodedColumn.of` makes of the whole columns, to the last bit.

    Examples
    --------
    >>> from pyod_aspects.engines.parts import ListParts
    >>> parts = ListParts([np.array([[0.0], [4.0]]), np.array([[1.0]])])
    >>> (cut,) = cut_columns(parts, [Column("a")], 2)
    >>> cut.bins.first, cut.bins.last, cut.bins.n
    (0.0, 4.0, 2)
    """
    facts = {
        a: Facts(len(c.labels) if c.kind == "category" else None) for a, c in enumerate(columns)
    }
    cuts: dict[int, Cut] = {}

    def cut(a: int) -> Question | None:
        """Cut a column and drop its facts; or return the question that the cut needs."""
        try:
            column = facts[a].ordered(by_rows=rule == "scott")
            cuts[a] = Cut.of(column, rule, facts[a].n_codes is not None)
        except UnknownError as unknown:
            return unknown.question
        del facts[a]
        return None

    for a, overview in (overviews or {}).items():
        facts[a].learn(AskOverview(), overview)
    asked = {a: cut(a) for a in range(len(columns))}
    numbered, n_passes = parts.zip(range(len(parts))), 0
    while questions := {a: question for a, question in asked.items() if question is not None}:
        so_far = count_on(tick, n_passes * len(parts))
        answers = numbered.total(
            _answer, questions, combine=_add, tick=so_far, what="cutting columns"
        )
        asked = {}
        for a, question in questions.items():
            facts[a].learn(question, answers.pop(a))
            asked[a] = cut(a)
        n_passes += 1
    return [cuts[a] for a in range(len(columns))]


def _answer(part: tuple[FloatArray, int], questions: dict[int, Question]) -> dict[int, Any]:
    values, number = part
    return {a: question.answer(values[:, a], number) for a, question in questions.items()}


def _add(one: dict[int, Any], two: dict[int, Any]) -> dict[int, Any]:
    return {a: answer + two[a] for a, answer in one.items()}


def count_bins(
    parts: Parts, cuts: Sequence[Cut], reach: int, tick: Tick | None = None
) -> list[OccupiedBins]:
    """Find the occupied bins of every column of a table in parts, in one pass.

    Parameters
    ----------
    parts : Parts
        Values of rows, as for `cut_columns`.
    cuts : sequence of Cut
    reach : int
        Number of spare codes between bins that are not neighbours.
    tick : callable, optional
        Gets the number of parts read.

    Returns
    -------
    list of OccupiedBins
        The occupied bins that `CodedColumn.of` finds in the whole columns.
    """
    counted = parts.total(
        _count_bins, list(cuts), combine=_add_bins, tick=tick, what="counting bins"
    )
    return [OccupiedBins.numbered(bins, n_rows, reach) for bins, n_rows in counted]


def _count_bins(values: FloatArray, cuts: list[Cut]) -> list[Counts]:
    return [count_rows(cut, column) for column, cut in zip(values.T, cuts, strict=True)]


def _add_bins(one: list[Counts], two: list[Counts]) -> list[Counts]:
    return [_add_counts(a, b) for a, b in zip(one, two, strict=True)]


def _add_counts(one: Counts, two: Counts) -> Counts:
    bins, place = np.unique(np.concatenate([one[0], two[0]]), return_inverse=True)
    n_rows = np.bincount(place, np.concatenate([one[1], two[1]]), bins.size)
    return bins, n_rows.astype(np.int64)


def code_rows(
    values: FloatArray, cuts: Sequence[Cut], occupied: Sequence[OccupiedBins]
) -> CodeArray:
    """Return the codes of a part's rows: an array of shape (n_features, n_rows).

    Its type is uint16 if the codes of all columns fit, otherwise uint32.
    """
    wide = any(bins.dtype == np.uint32 for bins in occupied)
    codes: CodeArray = np.empty(values.shape[::-1], dtype=np.uint32 if wide else np.uint16)
    for a, (cut, bins) in enumerate(zip(cuts, occupied, strict=True)):
        codes[a] = code_column(cut, bins, values[:, a])
    return codes
