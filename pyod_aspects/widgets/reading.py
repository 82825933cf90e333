"""The reader's choice in an explanation, and what follows from it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..explanation import Explanation, QueryExplanation

if TYPE_CHECKING:
    from ..explanation.judging.groups import Group
    from .asking import Asking


class Reading:
    """The row, the group and the detector's answer behind the traits of a browser."""

    explanation: Explanation | None
    row: int | None
    group: int | None
    n_queries: int
    state: str
    _asking: Asking
    _grouped: tuple[Explanation, tuple[Group, ...]] | None = None

    @property
    def query(self) -> QueryExplanation | None:
        """The chosen row, explained."""
        if self.explanation is None or self.row is None:
            return None
        return self.explanation.row(self.row)

    @property
    def groups(self) -> tuple[Group, ...]:
        """Groups of two rows and more that are odd in the same way, largest first."""
        explanation = self.explanation
        if explanation is None or self.awaits_p_values:
            return ()
        if self._grouped is None or self._grouped[0] is not explanation:
            found = tuple(group for group in explanation.groups() if len(group) > 1)
            self._grouped = explanation, found
        return self._grouped[1]

    @property
    def chosen_group(self) -> Group | None:
        """The group whose rows are in the list."""
        groups = self.groups
        return groups[self.group] if self.group is not None and self.group < len(groups) else None

    @property
    def listed(self) -> tuple[QueryExplanation, ...]:
        """The rows in the list: all, or those of the chosen group."""
        group = self.chosen_group
        queries = () if self.explanation is None else self.explanation.queries
        if group is None:
            return queries
        rows = set(group.rows)
        return tuple(query for query in queries if query.row in rows)

    @property
    def group_of_row(self) -> int | None:
        """The largest group that has the chosen row; None if it is alone."""
        return next((i for i, group in enumerate(self.groups) if self.row in group.rows), None)

    @property
    def alike(self) -> list[int]:
        """Rows that are odd in the same way as the chosen one."""
        place = self.group_of_row
        return [] if place is None else [row for row in self.groups[place].rows if row != self.row]

    @property
    def agreement(self) -> Explanation | str | float | None:
        """The detector's answer about the chosen row.

        It is an explanation of this row with agreement; or the reason why there is none; or the
        seconds that an answer would take; None if unknown.
        """
        query = self.query
        if query is None or self.explanation is None:
            return None
        if query.was_asked:
            return replace(self.explanation, queries=(query,))
        return self._asking.answer(self.question)

    @property
    def asks(self) -> bool:
        """Whether the detector works on the chosen row."""
        return self._asking.asked is not None and self._asking.asked == self.question

    @property
    def question(self) -> object:
        """Everything that an answer of the detector depends on."""
        query, explanation = self.query, self.explanation
        if query is None or explanation is None or explanation.background is None:
            return None
        sets = tuple(aspect.subspace for aspect in query.aspects)
        return id(explanation.background.explained_scores), query.row, explanation.miner, sets

    @property
    def awaits_p_values(self) -> bool:
        """Whether a running search will bring p-values of these rows."""
        explanation = self.explanation
        if self.state != "running" or explanation is None or explanation.background is None:
            return False
        explainer = explanation.background.explainer
        n_reference: int = explainer.reference_.size(explainer.n_reference, self.n_queries)
        return explanation.n_reference == 0 and n_reference > 0
