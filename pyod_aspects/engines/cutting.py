"""How a table in parts is cut into bins: exactly as one machine would cut it.

`cut_columns` asks the parts what the rule for bins has to know, all columns in the same passes:

1. range, gaps, rows by the upper 16 bits of a value, values that many rows have (`survey` tells
   that, where it has looked at the table before);
2. histograms of 2,048 groups around each quartile, the ends of what is left without atoms
   (single values that hold many rows), and exact counts of atoms that some parts did not list;
3. the few values next to each quartile.

A column of up to 1,024 distinct values needs the first pass only, a category one pass. A table
whose quartiles have more than 32,768 distinct values next to them needs a pass more for every
factor of 2,048; so does a column whose atoms hold nearly all rows. "scott" needs three passes: the
first, a sum, a sum of squares. `count_bins` is one more pass, for the occupied bins.
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
        What the first pass would tell of columns, by number, if `survey` did that pass.
    tick : callable, optional
        Gets the number of parts looked at, in all passes.

    Returns
    -------
    list of Cut
        To the last bit those of `CodedColumn.of` for the whole columns.

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
        """Cut a column and forget its facts, or return what has to be asked first."""
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
        Spare codes between bins that are no neighbours.
    tick : callable, optional
        Gets the number of parts looked at.

    Returns
    -------
    list of OccupiedBins
        Those of `CodedColumn.of` for the whole columns.
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
    """Return the codes of a part's rows, column by column: an array of shape (n_features, n_rows).

    They have 16 bits if those of all columns fit, otherwise 32, as `CodedTable` takes them.
    """
    wide = any(bins.dtype == np.uint32 for bins in occupied)
    codes: CodeArray = np.empty(values.shape[::-1], dtype=np.uint32 if wide else np.uint16)
    for a, (cut, bins) in enumerate(zip(cuts, occupied, strict=True)):
        codes[a] = code_column(cut, bins, values[:, a])
    return codes
