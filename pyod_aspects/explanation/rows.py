"""Explained rows as a value: highest score first, found by position or by label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast, overload

from .._util.types import Measure
from ..exceptions import QueryError
from .background import Background
from .known import Known
from .query import QueryExplanation
from .settings import FrozenMapping, set_fields
from .writing.wording import has_labels, join_first

if TYPE_CHECKING:
    from typing_extensions import Self

    from .values import Explanation


@dataclass(frozen=True, repr=False)
class Rows(Sequence[QueryExplanation]):
    """The fields of an `Explanation`, which describes them, and its rows one by one."""

    queries: tuple[QueryExplanation, ...]
    detector: str
    miner: str
    settings: Mapping[str, Any]
    score_name: str
    measure: Measure
    n_rows: int
    feature_names: tuple[str, ...]
    new_rows: bool = False
    version: str = ""
    nearby: str = ""
    duplicate_columns: Mapping[str, str] = field(default_factory=dict)
    n_reference: int = 0
    alpha: float | None = None
    known: Known | None = None
    background: Background | None = field(default=None, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"background": None}

    def __post_init__(self) -> None:
        set_fields(
            self,
            queries=tuple(self.queries),
            settings=FrozenMapping(self.settings),
            feature_names=tuple(self.feature_names),
            duplicate_columns=FrozenMapping(self.duplicate_columns),
        )

    @overload
    def __getitem__(self, position: int) -> QueryExplanation: ...

    @overload
    def __getitem__(self, position: slice) -> Self: ...

    def __getitem__(self, position: int | slice) -> QueryExplanation | Self:
        if isinstance(position, slice):
            return replace(self, queries=self.queries[position])
        try:
            return self.queries[position]
        except IndexError:
            raise QueryError(
                f"explanation[{position}]: {len(self)} rows were explained, counted from 0. "
                "explanation.row(i) takes a row number of the table."
            ) from None

    def __len__(self) -> int:
        return len(self.queries)

    def row(self, row: int | str) -> QueryExplanation:
        """Explanation of a row of the table.

        Parameters
        ----------
        row : int or str
            A whole number is the position in the table, from 0, even if labels are numbers too.
            Text is the row's label: ``row("TX20451")``, or ``row("17")`` for the label 17.

        Returns
        -------
        QueryExplanation

        Raises
        ------
        QueryError
            If the explanation lacks this row, or has several with this label.
        """
        if isinstance(row, str):
            return self._labelled(row)
        for query in self.queries:
            if query.row == row:
                return query
        explained = join_first([str(query.row) for query in self.queries]) or "none"
        hint = " To ask by label, pass it as text." if has_labels(self._whole) else ""
        raise QueryError(
            f"row {row} was not explained, only: {explained}. "
            f"Ask for it with explain(rows=[{row}]).{hint}"
        )

    def _labelled(self, label: str) -> QueryExplanation:
        """Explanation of the only row with a label."""
        found = [query for query in self.queries if query.label == label]
        if len(found) > 1:
            places = join_first([str(query.row) for query in found])
            raise QueryError(
                f"{len(found)} explained rows have the label {label!r}: ask by position, {places}."
            )
        if found:
            return found[0]
        if not has_labels(self._whole):
            raise QueryError(
                f"row({label!r}): the rows have no labels; ask by position, a whole number."
            )
        explained = join_first([repr(query.label) for query in self.queries])
        raise QueryError(
            f"row {label!r} was not explained, only: {explained}. "
            f"Ask for it with explain(rows=[{label!r}])."
        )

    @property
    def _whole(self) -> Explanation:
        """The object itself: only an Explanation has rows."""
        return cast("Explanation", self)
