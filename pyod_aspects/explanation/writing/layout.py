"""Lines for a terminal: sentences on the left, figures in columns on the right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .wording import WIDTH, display_width, feature_words, wrap

_GAP = " " * 3  # between sentences and figures
_LEAST = 20  # least width of the sentences, in columns


class Figures(NamedTuple):
    """Figures behind a sentence, each in a column of its own; empty ones take no space.

    Attributes
    ----------
    number : str
        The rows nearby, or a density.
    unit : str
        "rows nearby,".
    usual : str
        The expected number.
    score : str
    """

    number: str = ""
    unit: str = ""
    usual: str = ""
    score: str = ""

    def in_columns(self, widths: Sequence[int]) -> str:
        """The figures in columns of these widths, with numbers to the right."""
        cells = [_pad_left(self.number, widths[0]), pad(self.unit, widths[1])]
        cells += [_pad_left(self.usual, widths[2])]
        counts = " ".join(cell for cell, width in zip(cells, widths, strict=False) if width)
        both = (counts, _pad_left(self.score, widths[3]))
        return _GAP.join(text for text in both if text)


class Item(NamedTuple):
    """A sentence about a row, with the figures behind it.

    Attributes
    ----------
    features : tuple of str
        Names to keep in one piece.
    words : str
        A sentence; if empty, the names stand there, in braces.
    figures : Figures
    below : str
        A sentence under the first one.
    tail : str
        Last words.
    """

    features: tuple[str, ...]
    words: str
    figures: Figures
    below: str = ""
    tail: str = ""

    def left(self, room: int) -> list[str]:
        """Lines of the left column."""
        if not self.words:
            return in_braces(self.features, room)
        return wrap(self.words, room, self._names(), hang=2)

    def under(self, room: int) -> list[str]:
        """Lines below."""
        return [f"  {line}" for line in wrap(self.below, room - 2, self._names(), hang=2)]

    def _names(self) -> list[str]:
        return [feature_words(name) for name in self.features]


def item_lines(rows: Sequence[Sequence[Item]], indent: int) -> list[list[str]]:
    """Lines of the items of each row; figures stand in the same columns in all rows."""
    items = [item for row in rows for item in row]
    columns = zip(*(item.figures for item in items), strict=True)
    widths = [max(map(display_width, column)) for column in columns] or [0] * 4
    figures = display_width(Figures().in_columns(widths))
    tail = max((len(_GAP) + len(item.tail) for item in items if item.tail), default=0)
    most = max(WIDTH - indent - len(_GAP) - figures, _LEAST)
    widest = max((display_width(item.left(10**9)[0]) for item in items), default=0)
    longest = max((display_width(line) for item in items for line in item.left(0)), default=0)
    # Names stay in one piece: beside a long one the tail moves to a line of its own.
    room = min(max(most - tail, min(longest, most)), widest)
    room = max((display_width(line) for item in items for line in item.left(room)), default=0)
    return [
        [" " * indent + line for item in row for line in _lines(item, room, widths, indent)]
        for row in rows
    ]


def _lines(item: Item, room: int, widths: Sequence[int], indent: int) -> list[str]:
    first, *more = item.left(room)
    first = f"{pad(first, room)}{_GAP}{item.figures.in_columns(widths)}".rstrip()
    lines = [first, *more, *item.under(WIDTH - indent)]
    if item.tail:
        longer = f"{first}{_GAP}{item.tail}"
        if display_width(longer) <= WIDTH - indent:
            lines[0] = longer
        else:
            lines.append(item.tail)
    return lines


def _pad_left(text: str, width: int) -> str:
    return " " * (width - display_width(text)) + text


def pad(text: str, width: int) -> str:
    """Add spaces up to a width in terminal columns."""
    return text + " " * (width - display_width(text))


def in_braces(features: Iterable[str], width: int) -> list[str]:
    """Names in braces, with line breaks between names, at most `width` columns wide.

    >>> in_braces(["alcohol", "colour intensity", "hue"], 20)
    ['{alcohol,', ' colour intensity,', ' hue}']
    """
    names = [feature_words(name) for name in features]
    pieces = [name + "," for name in names[:-1]] + [names[-1] + "}"]
    lines = ["{" + pieces[0]]
    for piece in pieces[1:]:
        if display_width(lines[-1]) + 1 + display_width(piece) <= width:
            lines[-1] += " " + piece
        else:
            lines.append(" " + piece)
    return lines
