"""Whether the detector agrees: asked for the page, if that does not take long.

If there is no time for all rows, it is asked about those whose cards are open.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..exceptions import DetectorError, InvalidInputError
from ..explanation import Aspect, Explanation
from ..explanation.judging import asking as _asking
from ..explanation.judging.agreement import Asking
from ..explanation.writing.wording import is_convincing, plural
from .limits import PATIENCE
from .parts import arrange, first_aspect
from .pieces import capital

_ASKS = "to_html(agreement=True) asks"


class Asked(NamedTuple):
    """Explanation with the detector's answers, or a sentence that says why some are missing."""

    explanation: Explanation
    note: str


def ask_detector(explanation: Explanation, agreement: bool | str) -> Asked:
    """Ask the detector about the aspect told of each row, if that is wanted and possible."""
    if not (agreement == "auto" or isinstance(agreement, bool)):
        raise InvalidInputError(f'agreement={agreement!r}: expected "auto", True or False.')
    told = [aspect for query in explanation for aspect in query.aspects]
    known = any(aspect.agreement or aspect.repair for aspect in told)
    # Without the table there is nobody to ask; the page says that it did not come along.
    if agreement is False or known or not told or explanation.background is None:
        return Asked(explanation, "")
    firsts = [
        None if is_convincing(explanation, query) is False else first_aspect(explanation, query)
        for query in explanation
    ]
    if all(first is None for first in firsts):
        return Asked(explanation, "")
    try:
        detector = _asking.Asked(explanation.background)
        question = _question(explanation, firsts)
        seconds = 0.0 if agreement is True else detector.estimate(*question.size(), PATIENCE)
        note = ""
        if seconds > PATIENCE:
            about = _time_words(seconds, rough=not detector.apart)
            opened = arrange(explanation).open
            question = _question(explanation, firsts, opened)
            if detector.estimate(*question.size(), PATIENCE) > PATIENCE:
                nobody = "The detector was not asked whether it agrees"
                return Asked(explanation, f"{nobody}: that would take {about}. {_ASKS}.")
            n = sum(first is not None for first in firsts)
            note = (
                "The detector was asked whether it agrees about the rows that are open below: "
                f"all {plural(n, 'row')} would take {about}. {_ASKS} about all."
            )
        return Asked(_with_answers(explanation, firsts, question.ask(detector)), note)
    except DetectorError as error:
        return Asked(explanation, capital(str(error)))


def _question(
    explanation: Explanation,
    firsts: Sequence[Aspect | None],
    rows: Collection[int] | None = None,
) -> Asking:
    """Questions about one aspect of each row, or of some rows."""
    queries = [
        replace(query, aspects=() if first is None else (first,))
        for query, first in zip(explanation, firsts, strict=True)
    ]
    if rows is not None:
        queries = [one if one.row in rows else replace(one, aspects=()) for one in queries]
    return Asking(replace(explanation, queries=tuple(queries)))


def _with_answers(
    explanation: Explanation, firsts: Sequence[Aspect | None], answers: Explanation
) -> Explanation:
    """Put the aspects that were asked about back in their places."""
    queries = tuple(
        replace(query, aspects=tuple(answer.aspects[0] if a is first else a for a in query.aspects))
        if answer.aspects
        else query
        for query, first, answer in zip(explanation, firsts, answers, strict=True)
    )
    return replace(explanation, queries=queries)


def _time_words(seconds: float, rough: bool = False) -> str:
    """Say how long that is; a rough estimate of minutes may be far too high.

    >>> _time_words(4.4), _time_words(38.0), _time_words(61.0), _time_words(130.0)
    ('about 4 seconds', 'about 40 seconds', 'about a minute', 'about 2 minutes')
    >>> _time_words(900.0, rough=True), _time_words(9000.0)
    ('minutes, maybe more', 'hours')
    """
    if seconds < 10.0:
        return f"about {plural(round(seconds), 'second')}"
    if seconds < 55.0:
        return f"about {round(seconds, -1):.0f} seconds"
    if rough:
        return "minutes, maybe more"
    if seconds < 90.0:
        return "about a minute"
    if seconds < 3600.0:
        return f"about {plural(round(seconds / 60.0), 'minute')}"
    return "hours"
