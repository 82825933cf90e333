"""Groups of rows, and pictures for many rows: in words, as a DataFrame and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .sentences.values import range_words, value_words
from .wording import WIDTH, display_width, elide, join_all, join_first, plural, row_name, wrap

if TYPE_CHECKING:
    import pandas as pd

    from ...search.aspect import Value
    from ..judging.cover import Cover
    from ..judging.groups import Group, Groups

_LONGEST = 28  # characters of a name or a label in a sentence
_MOST_NAMES = 3


class Facts(NamedTuple):
    """Facts that the rows of a group share.

    Attributes
    ----------
    names : sequence of str
        The feature to blame, or several that are rare together.
    way : str
        One of `reasons.WAYS`, "late" or "early" of a time, or "gap".
    value : float, str or None
        The value of the feature to blame, if it is the same in all rows.
    partners : sequence of (str, bool)
        Features that it does not go with, those of most rows first, and whether they are missing.
        Empty if the rows are odd in this feature by itself.
    every : bool
        Whether each row has all these partners.
    expected : bool
        Whether all values lie outside of the range that the partners make expected.
    companions : sequence of (str, str, bool)
        Other features that are odd by themselves, the way, and whether their value is the same.
    share : float
        Largest share of the rows with one of these; 1 without companions.
    order : sequence of str
        All features in the order of the table; empty keeps the feature to blame first.
    """

    names: Sequence[str]
    way: str
    value: Value | None = None
    partners: Sequence[tuple[str, bool]] = ()
    every: bool = True
    expected: bool = True
    companions: Sequence[tuple[str, str, bool]] = ()
    share: float = 1.0
    order: Sequence[str] = ()


_STATES = {
    "rare": "rare",
    "missing": "missing",
    "given": "known, though missing in most rows",
    "between": "rare, though neither high nor low",
    "gap": "in a gap",
}


def sentence(facts: Facts) -> str:
    """Say in one sentence why the rows of a group are odd.

    >>> sentence(Facts(["depth"], "low"))
    'depth is low'
    >>> sentence(Facts(["y"], "low", partners=[("x", False), ("z", False)], every=False))
    'y too low for x or z'
    >>> sentence(Facts(["carat"], "high", companions=[("x", "high", False)], share=0.7))
    'carat is high, mostly x too'
    >>> zeros = [("x", "low", True), ("z", "low", True)]
    >>> sentence(Facts(["y"], "low", 0.0, companions=zeros, order=["x", "y", "z"]))
    'x, y and z are 0'
    """
    names = [elide(name, _LONGEST) for name in facts.names]
    if len(names) > 1:
        return join_all(names) + (" are rare together" if facts.way else " stand out together")
    if facts.partners:
        return _among(names[0], facts)
    same, others = _companions(facts)
    if facts.share < 1.0:
        often = "mostly" if facts.share > 0.5 else "sometimes"
        more = [f"{_listed(same)} too"] if same else []
        more += [f"with {join_all(others)}"] if others else []
        return f"{names[0]} {_state(facts)}, {often} {', '.join(more)}"
    with_others = f" with {join_all(others)}" if others else ""
    listed = [*facts.names, *same]
    if facts.order:
        listed.sort(key=facts.order.index)
    return f"{_listed(listed)} {_state(facts, many=bool(same))}{with_others}"


def _listed(names: Sequence[str]) -> str:
    return join_all([elide(name, _LONGEST) for name in names])


def _state(facts: Facts, many: bool = False) -> str:
    """State of a feature in all rows: "is high", "are 0"."""
    verb = "are" if many else "is"
    if facts.way == "":
        return "stands out"
    if facts.value is not None and facts.way == "rare":
        return f"= {value_words(facts.value)} {verb} rare"
    if facts.value is not None and facts.way in ("high", "low", "late", "early"):
        return f"{verb} {value_words(facts.value)}"
    return f"{verb} {_STATES.get(facts.way, facts.way)}"


def _among(name: str, facts: Facts) -> str:
    """Say that a feature does not go with others."""
    listed = [
        ("missing " if missing else "") + elide(partner, _LONGEST)
        for partner, missing in facts.partners[:_MOST_NAMES]
    ]
    listed += ["others"] * (len(facts.partners) > _MOST_NAMES)
    word = "and" if facts.every else "or"
    them = listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} {word} {listed[-1]}"
    if facts.way == "missing":
        return f"{name} is missing, though rows with like {them} have it"
    if facts.way == "given":
        return f"{name} is known, though missing in rows with like {them}"
    if not facts.expected:
        return f"{name} {_state(facts)}, and rarer with {them}"
    what = name if facts.value is None else f"{name} = {value_words(facts.value)}"
    return f"{what} {'is unusual' if facts.way == 'rare' else 'too ' + facts.way} for {them}"


def _companions(facts: Facts) -> tuple[list[str], list[str]]:
    """Other odd features: those odd in the same way, and the rest with their way."""
    same, others = [], []
    for name, way, equal in facts.companions:
        known = facts.value is not None and not equal
        if way == facts.way and not known:
            same.append(name)
        else:
            others.append(f"{elide(name, _LONGEST)} {'known' if way == 'given' else way}")
    return same, others


def own_way_words(n: int) -> str:
    """Say of rows that are in no group that they are odd, each for a reason of its own.

    >>> own_way_words(1), own_way_words(3)
    ('odd in its own way', 'each odd in its own way')
    """
    return "each odd in its own way" if n > 1 else "odd in its own way"


# ---------------------------------------------------------------- text, frame, JSON


def row_names(group: Group) -> list[str]:
    """Names of the rows of a group."""
    labels = group.labels or (None,) * len(group.rows)
    return [row_name(row, label) for row, label in zip(group.rows, labels, strict=True)]


def group_line(group: Group) -> str:
    """Represent a group in one line."""
    names = join_first(row_names(group))
    return f"Group: {group.sentence}, {plural(len(group), 'row')}: {names}"


def group_range_words(group: Group) -> str:
    """Values of a group in its first feature, and the typical range; "" unless both are numbers.

    The feature is named if the sentence tells several together.

    >>> from dataclasses import replace
    >>> from pyod_aspects.explanation.judging.groups import Group
    >>> low = Group(("d",), ("low",), (1, 2), (0, 0), "d is low", (), (44.0, 43.0), (59.3, 63.8))
    >>> group_range_words(low)
    '43 to 44, most rows 59.3 to 63.8'
    >>> group_range_words(replace(low, sentence="c and d are low", short="d is low"))
    'd 43 to 44, most rows 59.3 to 63.8'
    """
    values = [value for value in group.values if isinstance(value, float)]
    ends = [end for end in group.typical if isinstance(end, float)]
    if not values or len(values) < len(group.values) or len(ends) != 2:
        return ""
    low, high = min(values), max(values)
    usual = range_words(ends)
    name = (
        "" if group.sentence.startswith(group.short) else f"{elide(group.features[0], _LONGEST)} "
    )
    said = low == high and f" {value_words(low)} " in f"{group.sentence} ".replace(", ", " ")
    if said:
        return f"most rows have {name}{usual}" if name else f"most rows {usual}"
    return f"{name}{range_words((low, high))}, most rows {usual}"


def summary(groups: Groups) -> str:
    """Groups in a few lines each: number of rows, reason, names of rows."""
    several = [group for group in groups if len(group) > 1]
    n = sum(map(len, several))
    alone = len(groups) - len(several)
    parts = [f"{plural(len(several), 'group')} of {plural(n, 'row')}"] if several else []
    parts += [f"{plural(alone, 'row')} alone"] if alone else []
    if parts and groups.left_out:
        parts.append(f"{plural(groups.left_out, 'row')} with nothing convincing")
    lines = ["Groups: " + (", ".join(parts) or "nothing is convincing")]
    counts = [plural(len(group), "row") for group in groups]
    width = max(map(len, counts), default=0)
    margin = " " * (width + 5)
    for group, count in zip(groups, counts, strict=True):
        words = group_range_words(group)
        why = group.sentence + (f" ({words})" if words else "")
        first, *more = wrap(why, WIDTH - len(margin)) or [""]
        lines.append(f"  {count:>{width}}   {first}")
        lines += [margin + line for line in more]
        rows = join_first(row_names(group), 12)
        noun = "row" if len(group) == 1 else "rows"
        lines += [margin + line for line in wrap(f"{noun} {rows}", WIDTH - len(margin))]
    return "\n".join(lines)


def to_frame(groups: Sequence[Group]) -> pd.DataFrame:
    """Return the table of `Groups.to_frame`."""
    import pandas as pd

    lines = [
        (
            number,
            group.sentence,
            " & ".join(group.features),
            " & ".join(group.directions),
            len(group),
            row,
            group.labels[i] if group.labels else None,
            group.places[i] + 1,
            group.values[i] if group.values else None,
        )
        for number, group in enumerate(groups, start=1)
        for i, row in enumerate(group.rows)
    ]
    kinds: dict[str, Any] = {
        "group": "int64",
        "sentence": object,
        "features": object,
        "directions": object,
        "rows": "int64",
        "row": "int64",
        "label": object,
        "aspect": "int64",
        "value": object,
    }
    frame: pd.DataFrame = pd.DataFrame(lines, columns=list(kinds), dtype=object)
    return frame.astype(kinds)


def to_json_text(groups: Sequence[Group]) -> str:
    """Write groups as JSON."""
    return json.dumps([vars(group) for group in groups], indent=2, allow_nan=False)


# ---------------------------------------------------------------- cover


def cover_summary(cover: Cover) -> str:
    """Pictures, with the rows that each explains and the cumulative share."""
    n = round(cover.share * cover.n_rows)
    verb = "explains" if len(cover.pictures) == 1 else "explain"
    lines = [
        f"Cover: {plural(len(cover.pictures), 'picture')} {verb} {n:,} of "
        f"{plural(cover.n_rows, 'row')} ({_percent(cover.share)})"
        if cover.pictures
        else "Cover: nothing is convincing"
    ]
    names = ["{" + ", ".join(map(elide, one.features)) + "}" for one in cover.pictures]
    counts = [plural(len(one), "row") for one in cover.pictures]
    widths = max(map(display_width, names), default=0), max(map(len, counts), default=0)
    for name, count, one in zip(names, counts, cover.pictures, strict=True):
        padding = " " * (widths[0] - display_width(name))
        lines.append(f"  {name}{padding}   {count:>{widths[1]}}   {_percent(one.share)}")
    return "\n".join(lines)


def _percent(share: float) -> str:
    """Share in percent; 100 % only for all."""
    return f"{100 if share == 1.0 else min(round(100 * share), 99)} %"


def cover_frame(cover: Cover) -> pd.DataFrame:
    """Return the table of `Cover.to_frame`."""
    import pandas as pd

    lines = [
        (
            number,
            " & ".join(one.features),
            one.share,
            row,
            one.labels[i] if one.labels else None,
            one.places[i] + 1,
        )
        for number, one in enumerate(cover.pictures, start=1)
        for i, row in enumerate(one.rows)
    ]
    kinds: dict[str, Any] = {
        "picture": "int64",
        "features": object,
        "share": "float64",
        "row": "int64",
        "label": object,
        "aspect": "int64",
    }
    frame: pd.DataFrame = pd.DataFrame(lines, columns=list(kinds), dtype=object)
    return frame.astype(kinds)


def cover_json(cover: Cover) -> str:
    """Write a cover as JSON."""
    pictures = [vars(one) for one in cover.pictures]
    content = {"share": cover.share, "n_rows": cover.n_rows, "pictures": pictures}
    return json.dumps(content, indent=2, allow_nan=False)
