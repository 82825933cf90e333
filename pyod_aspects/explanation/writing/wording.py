"""Words for an explanation that text, pages and pictures share.

They define the figures, so that nobody needs the paper to read them.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING

from ..._util.numbers import aspect_score_text, density_text, percent_text
from ...miners.reference import FEWEST
from ..judging.significance import ALPHA

if TYPE_CHECKING:
    from ...search.aspect import Aspect
    from ..query import QueryExplanation
    from ..values import Explanation

WIDTH = 100
"""Most terminal columns of a line."""

_RANGE = re.compile(r"(?<=\d) to (?=-?\d)")
_PERCENT = re.compile(r"(?<=\d) %")

LONGEST = 40
"""Most characters of a name or a label in a sentence."""

MOST_ROWS = 20
"""Rows to show by default."""


# ---------------------------------------------------------------- words


def plural(n: int, word: str, many: str | None = None) -> str:
    """Number and noun.

    >>> plural(1, "row"), plural(2000, "row"), plural(0, "anomaly", "anomalies")
    ('1 row', '2,000 rows', '0 anomalies')
    """
    return f"{n:,} {word if n == 1 else many or word + 's'}"


def printable(name: str) -> str:
    r"""Name with line breaks and escape sequences escaped, as these could garble a terminal.

    >>> print(printable("height\n(cm)"))
    height\n(cm)
    """
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in name)


def elide(name: str, most: int = 28) -> str:
    """Cut a name in the middle, so that both ends of "mean radius (left)" stay.

    >>> elide("a rather long name of a column", 16)
    'a rather…column'
    """
    name = printable(name)
    if len(name) <= most:
        return name
    half = (most - 1) // 2
    return f"{name[: most - 1 - half].rstrip()}…{name[-half:].lstrip()}"


def feature_words(name: str) -> str:
    """Name of a feature in a sentence, cut to a limit.

    >>> feature_words("age"), feature_words("income of the person who was asked, in euros a year")
    ('age', 'income of the person…ed, in euros a year')
    """
    return elide(name, LONGEST)


def display_width(text: str) -> int:
    """Terminal columns of a text; a Chinese character takes two.

    >>> display_width("age"), display_width("年龄")
    (3, 4)
    """
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def wrap(text: str, width: int, names: Sequence[str] = (), hang: int = 0) -> list[str]:
    """Break a text between words into lines of at most `width` terminal columns.

    `hang` indents the lines after the first. A number and its % stay together. Given names, lines
    break neither these nor ranges, and a name stays beside its value.

    >>> wrap("y = 4.24 is too low for x = 6.79", 20)
    ['y = 4.24 is too low', 'for x = 6.79']
    >>> wrap("higher than 92.9 % of rows", 16)
    ['higher than', '92.9 % of rows']
    >>> wrap("too low for colour intensity = 6.79", 20, ["colour intensity"])
    ['too low for', 'colour intensity = 6.79']
    """
    if names:
        text = _RANGE.sub("\0to\0", text.replace(" = ", "\0=\0"))
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, name.replace(" ", "\0"))
    lines: list[str] = []
    for word in (word.replace("\0", " ") for word in _PERCENT.sub("\0%", text).split()):
        if lines and display_width(lines[-1]) + 1 + display_width(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(" " * hang * bool(lines) + word)
    return lines


def join_first(items: Sequence[str], most: int = 10) -> str:
    """List in words, cut to a limit.

    >>> join_first(["3", "5", "8"], most=2)
    '3, 5 and 1 more'
    """
    rest = len(items) - most
    return ", ".join(items[:most]) + (f" and {rest:,} more" if rest > 0 else "")


def join_all(items: Sequence[str]) -> str:
    """List in words.

    >>> join_all(["3"]), join_all(["3", "5", "8"])
    ('3', '3, 5 and 8')
    """
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


# ---------------------------------------------------------------- sentences


def row_name(row: int, label: str | None, most: int = 40) -> str:
    """Return the name of a row: its label, cut to a limit, or else its position.

    >>> row_name(20451, None), row_name(20451, "TX20451"), row_name(20451, " ")
    ('20451', 'TX20451', "' '")
    """
    if label is None:
        return str(row)
    return elide(label if label.strip() else repr(label), most)


def row_words(query: QueryExplanation, word: str = "row", most: int = 40) -> str:
    """Return the row with its name: "row TX20451", or "row 20451" without a label."""
    return f"{word} {row_name(query.row, query.label, most)}"


def has_labels(explanation: Explanation) -> bool:
    """Whether labels name the rows."""
    return any(query.label is not None for query in explanation)


def naming_words(explanation: Explanation, code: bool = True) -> list[str]:
    """Say that labels name the rows, and, with `code`, where their positions are."""
    if not has_labels(explanation):
        return []
    table = "new table" if explanation.new_rows else "table"
    positions = "; row in to_frame() is their position, from 0" if code else ""
    return [f"Rows are named by the {table}'s index{positions}."]


def score_words(explanation: Explanation, aspect: Aspect) -> str:
    """Score of an aspect with its name."""
    name = explanation.score_name
    score = aspect_score_text(aspect.score, name)
    if name == "rank":
        return f"rank {score} of {explanation.n_rows:,}"
    error = "" if math.isnan(aspect.error) else f" ± {aspect_score_text(aspect.error, name)}"
    return f"{'z' if name == 'zscore' else printable(name)} = {score}{error}"


def density_words(explanation: Explanation, aspect: Aspect, width: int = 0) -> tuple[str, str]:
    """Density at the row, its digits padded to `width`, and the expected or average density."""
    here = f"{density_text(aspect.density, explanation.measure):>{width}}"
    number, what = usual_density(aspect)
    average = f"{density_text(number, explanation.measure)} {what}"
    if explanation.measure == "density":
        return f"density {here},", average
    return f"{here} {'row' if aspect.density == 1 else 'rows'} nearby,", average


def usual_density(aspect: Aspect) -> tuple[float, str]:
    """Density to compare that of the row with, and its name: expected if known, else average."""
    if math.isnan(aspect.expected):
        return aspect.mean, "on average"
    return aspect.expected, "expected"


def detector_words(query: QueryExplanation) -> str:
    """Comparison of the row's detector score with other rows."""
    words = [] if query.percentile is None else [higher_words(query.percentile)]
    if query.is_anomaly is False:
        words.append("not an anomaly")
    return ", ".join(words)


def higher_words(percentile: float) -> str:
    """Say how many rows have a lower score.

    >>> higher_words(99.998), higher_words(100.0)
    ('higher than 99.998 % of rows', 'higher than all rows')
    """
    return f"higher than {'all' if percentile >= 100.0 else percent_text(percentile) + ' of'} rows"


def heading(explanation: Explanation) -> str:
    """Heading in one line: the rows, the detector and the miner."""
    return f"{subject_words(explanation)}, explained by {printable(explanation.miner)}"


def outcome_heading(explanation: Explanation) -> str:
    """Heading in one line: the rows, and how many of them have an answer.

    >>> from pyod_aspects import Explanation, QueryExplanation
    >>> rows = [QueryExplanation(i, 1.0, True, (), p_value=p) for i, p in enumerate((0.005, 0.34))]
    >>> some = Explanation(rows, "KNN", "SGBeam", {}, "lift", "count", 500, ("x",), n_reference=200)
    >>> outcome_heading(some)
    '2 anomalies of KNN among 500 rows: 1 explained, 1 nothing convincing'
    """
    subject, outcome = subject_words(explanation), outcome_words(explanation)
    return f"{subject}: {outcome}" if outcome else subject


def outcome_words(explanation: Explanation) -> str:
    """Say how many rows have an answer: a convincing one, with p-values."""
    n = len(explanation)
    tested = n > 0 and all(query.p_value is not None for query in explanation)
    if tested:
        told = sum(is_convincing(explanation, query) is True for query in explanation)
        nothing = "nothing convincing"
    else:
        told = sum(bool(query.aspects) for query in explanation)
        nothing = "without an aspect"
    if told == n:
        return ("all explained" if n > 1 else "explained") if n else ""
    if not told:
        return nothing if n == 1 or tested else f"all {nothing}"
    return f"{told:,} explained, {n - told:,} {nothing}"


def subject_words(explanation: Explanation) -> str:
    """State the explained rows, and the number of rows in the table."""
    n, detector = len(explanation), printable(explanation.detector)
    anomalies = sum(query.is_anomaly is True for query in explanation)
    if all(query.is_anomaly is None for query in explanation):
        what = f"{plural(n, 'row')} scored by {detector}"
    elif anomalies == n:
        what = f"{plural(n, 'anomaly', 'anomalies')} of {detector}"
    else:
        some = {0: "none of them an anomaly", 1: "1 of them an anomaly"}
        of_them = some.get(anomalies, f"{anomalies:,} of them anomalies")
        what = f"{plural(n, 'row')}, {'not an anomaly' if n == 1 else of_them} of {detector},"
    rows = plural(explanation.n_rows, "row")
    if explanation.new_rows:
        where = f"in a new table, compared with {rows}"
    else:
        where = f"among {rows}"
    return f"{what} {where}"


def is_convincing(explanation: Explanation, query: QueryExplanation) -> bool | None:
    """Whether the best aspect of a row is convincing; None without p-values."""
    if any(one.p_value is None for one in explanation) or query.p_value is None:
        return None
    return query.p_value <= explanation.convincing_p()


def sure_words(explanation: Explanation, query: QueryExplanation) -> str:
    """Say how sure it is that a row stands out: how many ordinary rows stand out as much.

    `Explanation.convincing` decides for all rows together what is convincing.

    >>> from pyod_aspects import Explanation, QueryExplanation
    >>> rows = [QueryExplanation(i, 1.0, True, (), p_value=p) for i, p in enumerate((0.005, 0.34))]
    >>> some = Explanation(rows, "KNN", "SGBeam", {}, "lift", "count", 500, ("x",), n_reference=200)
    >>> sure_words(some, rows[0])
    'no ordinary row of 200 has an aspect as strong (p = 0.005)'
    >>> sure_words(some, rows[1])
    'nothing convincing: 34 % of ordinary rows have an aspect as strong'
    """
    p, convincing = query.p_value, is_convincing(explanation, query)
    if p is None or convincing is None:
        if explanation.n_rows <= FEWEST:
            return f"no p-value: it needs a table of more than {FEWEST} rows"
        return "no p-value: no ordinary rows were searched (n_reference=200 searches some)"
    if p >= 1.0:
        left_out = explanation.alpha is not None  # `convincing` may have removed its aspects
        nothing = "" if left_out else ": it has no aspect"
        every = ": every ordinary row has an aspect as strong"
        return f"nothing convincing{every if query.aspects else nothing}"
    nobody = p * (explanation.n_reference + 1) < 1.5  # the row itself may be one of them
    if nobody:
        of_all = f" of {explanation.n_reference:,}" if explanation.n_reference else ""
        found = f"no ordinary row{of_all} has an aspect as strong (p = {p:.2g})"
    else:
        found = f"{_share_text(p)} of ordinary rows have an aspect as strong"
    if convincing:
        return found if nobody else f"only {found}"
    alpha = ALPHA if explanation.alpha is None else explanation.alpha
    if p <= alpha:  # enough for one row, but not for so many
        needed = ceil(len(explanation) / alpha)
        hint = ""
        if nobody and explanation.n_reference < needed:
            hint = f"; that takes {needed:,} of them (n_reference)"
            if needed >= explanation.n_rows:
                hint = "; the table is too small for so many rows at once"
        return f"nothing convincing among {plural(len(explanation), 'row')}: {found}{hint}"
    return f"nothing convincing: {found}"


def all_sure_words(explanation: Explanation) -> str:
    """Say how sure it is for all rows together; "" unless all are convincing."""
    if len(explanation) < 2 or not all(is_convincing(explanation, one) for one in explanation):
        return ""
    least = max(explanation, key=lambda query: query.p_value or 0.0)
    words = sure_words(explanation, least).replace("as strong", "as strong as any of these")
    return words.replace("only ", "at most ", 1)


def _share_text(share: float) -> str:
    """Share between 0 and 1 in percent, never as 0 or 100 %.

    >>> _share_text(0.34328), _share_text(0.004975), _share_text(0.999)
    ('34 %', '0.5 %', '99 %')
    """
    percent = 100.0 * share
    return f"{percent:.1g} %" if percent < 1.0 else f"{min(percent, 99.0):.0f} %"


def no_aspect_words(explanation: Explanation, query: QueryExplanation | None = None) -> str:
    """Say that the search found nothing, or nothing convincing for a row."""
    if query is not None and explanation.alpha is not None:
        return sure_words(explanation, query)
    usual = {"zscore": ("average", "z", 0), "lift": ("expected", "lift", 1)}
    tau = explanation.settings.get("tau", "unknown")
    if explanation.score_name not in usual or not isinstance(tau, (int, float, type(None))):
        return "no aspect was found"
    than, name, default = usual[explanation.score_name]
    nothing = "no aspect: in no set of features that was tried is"
    if tau is None or tau == default:
        return f"{nothing} it rarer than {than} ({name} below {default})"
    return f"{nothing} {name} below {tau:g}"


def left_out_words(more: int, redundant: int) -> str:
    """Say how many aspects the text leaves out.

    >>> left_out_words(5, 2), left_out_words(0, 1), left_out_words(1200, 0)
    ('5 more, 2 redundant', '1 redundant', '1,200 more')
    """
    words = [f"{more:,} more"] if more else []
    return ", ".join(words + ([f"{redundant:,} redundant"] if redundant else []))


def duplicate_words(duplicate_columns: Mapping[str, str], measure: str = "count") -> str:
    """Name the columns that the search left out, as many as fit.

    Columns with the same bins need not have the same values.

    >>> duplicate_words({"kg": "weight", "cm": "height"})
    'Left out, same bins: kg (as weight), cm (as height).'
    """
    same = "same bins" if measure == "count" else "same values"
    pairs = [
        f"{printable(name)} (as {printable(first)})" for name, first in duplicate_columns.items()
    ]
    for most in (5, 4, 3, 2, 1):
        words = f"Left out, {same}: {join_first(pairs, most)}."
        if display_width(words) <= WIDTH - 2:
            break
    return words


def terms(explanation: Explanation, pictures: bool = True, scores: bool = True) -> list[str]:
    """Define the words of the text, and those of pictures and scores if there are any."""
    if explanation.measure == "count":
        nearby = printable(explanation.nearby) or "close to the row in each of the features"
        lines = [f"Nearby: {nearby}; the row itself counts."]
    else:
        lines = ["Density: how closely the rows lie around this one, in these features."]
        # Then only pictures use "nearby": they frame the neighbourhood.
        if pictures and explanation.background is not None and explanation.nearby:
            lines.append(f"Nearby: {printable(explanation.nearby)}.")
    if any(not math.isnan(a.expected) for query in explanation for a in query.aspects):
        lines.append(
            "Expected: rows nearby if one feature were independent of the others; for one feature, "
            "the average."
        )
    errors = [a.error for query in explanation for a in query.aspects if not math.isnan(a.error)]
    if errors:
        lines.append(
            "Z-scores are estimates: average and deviation come from a sample of rows; the largest "
            f"standard error is {max(errors):.2g}."
        )
    if explanation.measure == "count" and not scores:
        return lines
    if explanation.score_name == "lift":
        lines.append(
            "lift: rows nearby as a share of those expected, a little added to both; 1 is ordinary."
        )
    elif explanation.score_name == "zscore":
        lines.append("z: number of standard deviations from the average over all rows.")
    elif explanation.score_name == "rank":
        lines.append("Rank: place among all rows by density; 1 is the loneliest.")
    return lines


def no_p_value_words(explanation: Explanation) -> list[str]:
    """Say why there are no p-values, unless the user wanted none."""
    explainer = explanation.background and explanation.background.explainer
    wanted = explainer is None or getattr(explainer, "n_reference", 0) != 0
    if explanation.n_reference or not wanted:
        return []
    if explanation.n_rows <= FEWEST:
        return [f"No p-values: they take a table of more than {FEWEST} rows."]
    if explainer is None or any(query.p_value is not None for query in explanation):
        return []
    return ["No p-values: reference rows would take too long; n_reference=200 searches them."]


def legend(
    explanation: Explanation,
    redundant: bool = False,
    pictures: bool = True,
    used: Sequence[str] | None = None,
) -> list[str]:
    """Define words and names, once, and name the columns that the search left out."""
    duplicates = explanation.duplicate_columns
    notes = naming_words(explanation, code=not pictures)
    if duplicates:
        notes.append(duplicate_words(duplicates, explanation.measure))
    if not any(query.aspects for query in explanation):
        return notes
    lines = [*(terms(explanation, pictures) if used is None else used)]
    lines += no_p_value_words(explanation)
    if redundant:
        lines.append("Redundant: adds little to a smaller set that it contains.")
    return lines + notes
