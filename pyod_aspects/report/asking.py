"""Whether the detector agrees: asked for the page, if that does not take long.

If there is no time for all rows, it is asked about those whose cards are open.
"""

from __future__ import annotations

from typing import NamedTuple

from ..exceptions import DetectorError, InvalidInputError
from ..explanation import Explanation, QueryExplanation
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
    known = any(query.was_asked for query in explanation)
    # Without the table there is nobody to ask; the page says that it did not come along.
    if agreement is False or known or explanation.background is None:
        return Asked(explanation, "")
    places = [_told_place(explanation, query) for query in explanation]
    n = sum(place is not None for place in places)
    if n == 0:
        return Asked(explanation, "")
    try:
        detector = _asking.Asked(explanation.background)
        question = Asking(explanation, places=places)
        seconds = 0.0 if agreement is True else detector.estimate(*question.size(), PATIENCE)
        note = ""
        if seconds > PATIENCE:
            about = _time_words(seconds, rough=not detector.apart)
            opened = arrange(explanation).open
            pairs = zip(places, explanation, strict=True)
            some = [place if query.row in opened else None for place, query in pairs]
            question = Asking(explanation, places=some)
            if detector.estimate(*question.size(), PATIENCE) > PATIENCE:
                nobody = "The detector was not asked whether it agrees"
                return Asked(explanation, f"{nobody}: that would take {about}. {_ASKS}.")
            note = (
                "The detector was asked whether it agrees about the rows that are open below: "
                f"all {plural(n, 'row')} would take {about}. {_ASKS} about all."
            )
        return Asked(question.ask(detector), note)
    except DetectorError as error:
        return Asked(explanation, capital(str(error)))


def _told_place(explanation: Explanation, query: QueryExplanation) -> int | None:
    """Place of the aspect told of a row; None if nothing convincing is."""
    first = first_aspect(explanation, query)
    if first is None or is_convincing(explanation, query) is False:
        return None
    return next(place for place, aspect in enumerate(query.aspects) if aspect is first)


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
