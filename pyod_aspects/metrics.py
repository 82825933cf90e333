"""Agreement of the found subspaces with the true ones, counted as in the paper.

A query is worth one point, which its true subspaces share equally. A query with two of them gives
half a point for each (Wells & Ting, the summary of the synthetic sets).

    exact match   some found subspace is the true one
    match         some found subspace is the true one, a part of it, or contains it

Both functions return the total over all queries, such as 32.5 (of 53).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from math import fsum
from operator import index
from typing import Any, Protocol

from .exceptions import InvalidInputError

__all__ = ["exact_matches", "matches"]


class _Aspect(Protocol):
    """The part of an `Aspect` that the metrics read."""

    @property
    def subspace(self) -> Iterable[int]: ...


class _Query(Protocol):
    """The part of a `QueryExplanation` that the metrics read."""

    @property
    def row(self) -> int: ...

    @property
    def aspects(self) -> Iterable[_Aspect]: ...


Found = Mapping[int, Iterable[Iterable[int]]] | Iterable[_Query]
"""Row -> subspaces, best first; or an `Explanation`."""

Truth = Mapping[int, Iterable[Iterable[int]]]
"""Row -> its true subspaces, in any order."""


def exact_matches(found: Found, truth: Truth, top_k: int = 10) -> float:
    """Count the true subspaces that the search found exactly.

    Parameters
    ----------
    found : mapping of row to subspaces, or Explanation
        The subspaces of each row, best first, with attributes in any order. Rows outside
        `truth` do not count.
    truth : mapping of row to subspaces
        The true subspaces of each query, at least one per row. A row that `found` lacks counts
        as not found.
    top_k : int, default=10
        Number of the best subspaces of a row that count.

    Returns
    -------
    float
        The sum over the rows of `truth` of the share of true subspaces found: from 0 to
        ``len(truth)``.

    Raises
    ------
    InvalidInputError
        If a row has no true subspace, a subspace no attribute, or `top_k` is below 1.

    See Also
    --------
    matches : Parts of a true subspace, and subspaces that contain it, count too.

    Examples
    --------
    Row 315 has two true subspaces. The search found one of them: half a point.

    >>> from pyod_aspects.metrics import exact_matches
    >>> truth = {315: [(0, 1), (6, 7)], 323: [(8, 9)]}
    >>> exact_matches({315: [(6,), (1, 0)], 323: [(2, 8, 9)]}, truth)
    0.5
    """
    return _total(found, truth, top_k, lambda one, true: one == true)


def matches(found: Found, truth: Truth, top_k: int = 10) -> float:
    """Count the true subspaces that the search found exactly, in part, or within a larger one.

    Parameters
    ----------
    found : mapping of row to subspaces, or Explanation
        The subspaces of each row, best first, with attributes in any order. Rows outside
        `truth` do not count.
    truth : mapping of row to subspaces
        The true subspaces of each query, at least one per row. A row that `found` lacks counts
        as not found.
    top_k : int, default=10
        Number of the best subspaces of a row that count.

    Returns
    -------
    float
        The sum over the rows of `truth` of the share of true subspaces for which a found subspace
        is equal, a subset or a superset: from 0 to ``len(truth)``.

    Raises
    ------
    InvalidInputError
        If a row has no true subspace, a subspace no attribute, or `top_k` is below 1.

    See Also
    --------
    exact_matches : Only the true subspaces themselves count.

    Examples
    --------
    (6,) is a part of (6, 7), and (2, 8, 9) contains (8, 9): full points for both rows.

    >>> from pyod_aspects.metrics import matches
    >>> truth = {315: [(0, 1), (6, 7)], 323: [(8, 9)]}
    >>> matches({315: [(6,), (1, 0)], 323: [(2, 8, 9)]}, truth)
    2.0

    An overlap alone is not a match.

    >>> matches({323: [(2, 8)]}, truth)
    0.0
    """
    return _total(found, truth, top_k, lambda one, true: one <= true or one >= true)


def _total(
    found: Found,
    truth: Truth,
    top_k: int,
    agree: Callable[[frozenset[int], frozenset[int]], bool],
) -> float:
    """Sum over the rows of `truth` the share of true subspaces that a found one hits."""
    top_k = _check_top_k(top_k)
    best = {row: list(islice(subspaces, top_k)) for row, subspaces in _by_row(found)}
    points = []
    for key, subspaces in truth.items():
        row = _check_row(key, "truth")
        # A set: a subspace listed twice counts once.
        wanted = set(_subspaces(subspaces, row, "truth"))
        if not wanted:
            raise InvalidInputError(
                f"truth[{row}] is empty: every query needs at least one true subspace. "
                f"Leave row {row} out of truth if it has none."
            )
        got = _subspaces(best.get(row, []), row, "found")
        points.append(sum(any(agree(one, true) for one in got) for true in wanted) / len(wanted))
    return fsum(points)


def _by_row(found: Found) -> list[tuple[int, Iterable[Any]]]:
    """List the rows of `found`, in either form, with their subspaces."""
    if isinstance(found, Mapping):
        return [
            (_check_row(row, "found"), _check_list(subspaces, row, "found"))
            for row, subspaces in found.items()
        ]
    try:
        rows: list[tuple[int, Iterable[Any]]] = [
            (_check_row(query.row, "found"), [aspect.subspace for aspect in query.aspects])
            for query in found
        ]
    except (AttributeError, TypeError):
        raise InvalidInputError(
            f"found is a {type(found).__name__}: expected an Explanation or a mapping of row to "
            "subspaces. Pass for example {315: [(0, 1), (6, 7)]}."
        ) from None
    if len({row for row, _ in rows}) < len(rows):
        raise InvalidInputError(
            "found explains a row more than once: expected each row once. "
            "Join its subspaces, best first, into one list."
        )
    return rows


def _subspaces(subspaces: Iterable[Iterable[int]], row: int, name: str) -> list[frozenset[int]]:
    """Turn subspaces into sets, which ignore the order."""
    sets = []
    for subspace in _check_list(subspaces, row, name):
        try:
            if isinstance(subspace, str):
                raise TypeError
            attributes = frozenset(index(attribute) for attribute in subspace)
        except TypeError:
            raise InvalidInputError(
                f"{name}[{row}] has the subspace {subspace!r}: expected a tuple of attribute "
                "numbers. A row takes a list of subspaces, for example [(0, 1), (6, 7)]."
            ) from None
        if not attributes:
            # The empty set is a subset of everything: it would match every truth.
            raise InvalidInputError(
                f"{name}[{row}] has an empty subspace: expected at least one attribute. Remove it."
            )
        sets.append(attributes)
    return sets


def _check_list(subspaces: Any, row: int, name: str) -> Iterable[Any]:
    """Refuse any value but an iterable of subspaces."""
    if isinstance(subspaces, str) or not isinstance(subspaces, Iterable):
        raise InvalidInputError(
            f"{name}[{row}] is {subspaces!r}: expected a list of subspaces. "
            "Pass for example [(0, 1), (6, 7)]."
        )
    return subspaces


def _check_row(row: Any, name: str) -> int:
    """Refuse rows that are not numbers: no search would ever find text such as "315"."""
    try:
        return index(row)
    except TypeError:
        raise InvalidInputError(
            f"{name} has the row {row!r}: expected a row number. Keys that were read from JSON "
            "are text, turn them back with {int(row): s for row, s in table.items()}."
        ) from None


def _check_top_k(top_k: Any) -> int:
    """Refuse a `top_k` that is not a whole number of subspaces."""
    try:
        if index(top_k) >= 1:
            return index(top_k)
    except TypeError:
        pass
    raise InvalidInputError(
        f"top_k={top_k!r}: expected a whole number, 1 or more. The paper looks at the best 10."
    )
