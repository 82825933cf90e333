"""A comparison of detectors as text and as DataFrames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .wording import WIDTH, display_width, elide, join_all, join_first, plural, row_name, wrap

if TYPE_CHECKING:
    import pandas as pd

    from ..comparison import ComparedRow, Comparison

NOTHING = "nothing convincing"
"""Reason of a flagged row without a convincing aspect."""

_LONGEST = 14  # characters of a detector's name
_MOST_REASONS = 15


def summary(comparison: Comparison) -> str:
    """Rows in common, and reasons with the number of rows of each detector."""
    names = [elide(name, _LONGEST) for name in comparison.names]
    table = "a new table" if comparison.new_rows else f"{comparison.n_rows:,} rows"
    lines = [f"Comparison: {join_all(names)} on {table}"]
    width = max(map(display_width, names))
    for k, name in enumerate(names):
        explained = [row for row in comparison.rows if row.places[k] is not None]
        alone = sum(row.n_detectors == 1 for row in explained)
        padding = " " * (width - display_width(name))
        lines.append(
            f"  {name}{padding}   explains {plural(len(explained), 'row')}, {alone:,} of them "
            f"flagged by no other"
        )
    for words in _common_lines(comparison):
        first, *more = wrap(words, WIDTH - 4)
        lines += [f"  {first}", *(f"    {line}" for line in more)]
    return "\n".join(lines + _reason_lines(comparison, names))


def _common_lines(comparison: Comparison) -> list[str]:
    """Say which rows all or several detectors flag, and whether for the same reason."""
    total = len(comparison.names)
    all_of_them = "both" if total == 2 else f"all {total}"
    shared = [row for row in comparison.rows if row.n_detectors == total]
    several = [row for row in comparison.rows if 1 < row.n_detectors < total]
    if not shared and not several:
        return ["No row is flagged by two detectors."]
    lines = (
        [_shared_words(shared, all_of_them)] if shared else [f"No row is flagged by {all_of_them}."]
    )
    return lines + ([_shared_words(several, "several")] if several else [])


def _shared_words(rows: list[ComparedRow], by: str) -> str:
    verb = "is" if len(rows) == 1 else "are"
    differ = sum(row.same_reason is False for row in rows)
    # Reasons do not depend on the detector: they differ only if the miners do.
    how_many = "" if differ == len(rows) else f"{differ:,} of them "
    reasons = f", {how_many}for different reasons" if differ else ""
    which = join_first([row_name(row.row, row.label, 20) for row in rows], 8)
    return f"{plural(len(rows), 'row')} {verb} flagged by {by}{reasons}: {which}"


def _reason_lines(comparison: Comparison, names: list[str]) -> list[str]:
    """Table of the reasons, with a column for each detector."""
    shown = comparison.reasons[:_MOST_REASONS]
    counts = [[len(rows) for rows in reason.rows] for reason in shown]
    columns = "".join(f"   {name}" for name in names)
    room = max(WIDTH - 2 - display_width(columns), 20)
    sentences = [
        reason.sentence if display_width(reason.sentence) <= room else elide(reason.short, room)
        for reason in shown
    ]
    rest = comparison.reasons[_MOST_REASONS:]
    if rest:
        sentences.append(f"{plural(len(rest), 'more reason')}")
        counts.append([sum(len(reason.rows[k]) for reason in rest) for k in range(len(names))])
    nothing = [
        sum(row.places[k] is not None and row.reasons[k] is None for row in comparison.rows)
        for k in range(len(names))
    ]
    if any(nothing):
        sentences.append(NOTHING)
        counts.append(nothing)
    widest = max(map(display_width, sentences), default=0)
    lines = [f"  {' ' * widest}{columns}"] if sentences else []
    for sentence, line in zip(sentences, counts, strict=True):
        numbers = "".join(
            f"   {n or '-':>{display_width(name)}}" for n, name in zip(line, names, strict=True)
        )
        lines.append(f"  {sentence}{' ' * (widest - display_width(sentence))}{numbers}")
    return lines


def reason_words(comparison: Comparison, row: ComparedRow, k: int) -> str | None:
    """Why a detector flags a row; None if it does not."""
    if row.places[k] is None:
        return None
    number = row.reasons[k]
    return NOTHING if number is None else comparison.reasons[number].sentence


def to_frame(comparison: Comparison) -> pd.DataFrame:
    """Return the table of `Comparison.to_frame`."""
    import pandas as pd

    lines = []
    for row in comparison.rows:
        line: list[Any] = [row.row, row.label, row.n_detectors, row.same_reason]
        for k, place in enumerate(row.places):
            line += [None if place is None else place + 1, reason_words(comparison, row, k)]
        lines.append(line)
    kinds: list[tuple[str, Any]] = [
        ("row", "int64"),
        ("label", object),
        ("n_detectors", "int64"),
        ("same_reason", "boolean"),
    ]
    for name in comparison.names:
        kinds += [(f"place_{name}", "Int64"), (f"reason_{name}", object)]
    columns = {
        name: pd.Series([line[i] for line in lines], dtype=kind)
        for i, (name, kind) in enumerate(kinds)
    }
    frame: pd.DataFrame = pd.DataFrame(columns)
    return frame


def reasons_frame(comparison: Comparison) -> pd.DataFrame:
    """Return the table of `Comparison.reasons_frame`."""
    import pandas as pd

    counts = [[len(rows) for rows in reason.rows] for reason in comparison.reasons]
    index = pd.Index(
        [reason.sentence for reason in comparison.reasons], name="reason", dtype=object
    )
    frame: pd.DataFrame = pd.DataFrame(counts, index=index, columns=list(comparison.names))
    return frame.astype("int64")
