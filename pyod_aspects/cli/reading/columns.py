"""Choose the columns to search: the wanted ones that tell rows apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..messages import CommandError, suggestion

if TYPE_CHECKING:
    import pandas as pd


class Wanted(NamedTuple):
    """The user's choice of columns.

    Attributes
    ----------
    columns, exclude : list of str or None
        Columns to use, and to leave out.
    label, id : str or None
        The column that says which rows are anomalies, and the one that names rows.
    label_optional : bool
        Whether the file may lack the label, as files of new rows do.
    silent : bool
        Whether to keep constant columns and names of rows, as a fitted detector needs them.
    """

    columns: Sequence[str] | None = None
    exclude: Sequence[str] | None = None
    label: str | None = None
    id: str | None = None
    label_optional: bool = False
    silent: bool = False

    def named(self) -> list[str]:
        """Names of all columns in the user's options."""
        given = [*(self.columns or ()), *(self.exclude or ()), self.label, self.id]
        return [name for name in given if name is not None]


def choose_columns(
    path: str, frame: pd.DataFrame, wanted: Wanted, constant: bool = True
) -> tuple[list[str], str]:
    """Names of the columns to search, each once, and a remark on the others.

    Unless the user chooses columns, the search leaves out constant columns and columns that name
    rows: in a column of names every row is as rare as any other. `constant=False` keeps constant
    columns, as they may vary outside of a sample.
    """
    names = list(frame.columns)
    for name in wanted.named():
        if name not in names and not (wanted.label_optional and name == wanted.label):
            raise CommandError(f"{path} has no column {name!r}{suggestion(name, names)}")
    apart = {*(wanted.exclude or ()), wanted.label, wanted.id}
    chosen = [name for name in dict.fromkeys(wanted.columns or names) if name not in apart]
    if not chosen:
        raise CommandError(f"--exclude leaves no column of {path}.")
    if wanted.columns is not None or wanted.silent:
        return chosen, ""
    from ...detectors.columns import NAMES_ROWS, silent_columns

    silent = silent_columns(frame[chosen])
    if not constant:
        silent = {name: reason for name, reason in silent.items() if reason != "constant"}
    kept = [name for name in chosen if name not in silent]
    if not kept:  # a poor answer is better than none
        return chosen, ""
    reasons: dict[str, list[str]] = {}
    for name, reason in silent.items():
        reasons.setdefault(reason, []).append(repr(name))
    if not reasons:
        return kept, ""
    parts = [f"{', '.join(group)} ({reason})" for reason, group in reasons.items()]
    remark = f"left out: {'; '.join(parts)}; --columns can bring them back"
    if wanted.id is None and NAMES_ROWS in reasons:
        remark += f", --id {reasons[NAMES_ROWS][0]} names the rows by it"
    return kept, remark
