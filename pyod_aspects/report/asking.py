"""Ask the detector for the page whether it agrees, if it has to score few rows.

If all rows take too many scores, ask only about the rows whose cards are open.
"""

from __future__ import annotations

from typing import NamedTuple

from ..exceptions import DetectorError, InvalidInputError
from ..explanation import Explanation, QueryExplanation
from ..explanation.judging import asking as _asking
from ..explanation.judging.agreement import Asking
from ..explanation.writing.wording import is_convincing, plural
from .parts import arrange, first_aspect
from .pieces import capital

_ASKS = "to_html(agreement=True) asks"


class Asked(NamedTuple):
    """Explanation with the detector's answers, or a sentence that says why some are missing."""

    explanation: Explanation
    note: str


def ask_detector(explanation: Explanation, agreement: bool | str) -> Asked:
    """Ask the detector about the main aspect of each row, if wanted and possible."""
    if not (agreement == "auto" or isinstance(agreement, bool)):
        raise InvalidInputError(f'agreement={agreement!r}: expected "auto", True or False.')
    known = any(query.was_asked for query in explanation)
    # Without the table there is no detector to ask; the head of the page says why.
    if agreement is False or known or explanation.background is None:
        return Asked(explanation, "")
    places = [_told_place(explanation, query) for query in explanation]
    n = sum(place is not None for place in places)
    if n == 0:
        return Asked(explanation, "")
    try:
        detector = _asking.Asked(explanation.background)
        question = Asking(explanation, places=places)
        note = ""
        if agreement == "auto" and not question.is_cheap(detector):
            price = _price(question, detector)
            opened = arrange(explanation).open
            pairs = zip(places, explanation, strict=True)
            some = [place if query.row in opened else None for place, query in pairs]
            question = Asking(explanation, places=some)
            if not question.is_cheap(detector):
                nobody = "The detector was not asked whether it agrees"
                return Asked(explanation, f"{nobody}: it would have to score {price}. {_ASKS}.")
            note = (
                "The detector was asked whether it agrees about the rows that are open below: for "
                f"all {plural(n, 'row')} it would have to score {price}. {_ASKS} about all."
            )
        return Asked(question.ask(detector), note)
    except DetectorError as error:
        return Asked(explanation, capital(str(error)))


def _told_place(explanation: Explanation, query: QueryExplanation) -> int | None:
    """Place of the main aspect of a row; None if nothing is convincing."""
    first = first_aspect(explanation, query)
    if first is None or is_convincing(explanation, query) is False:
        return None
    return next(place for place, aspect in enumerate(query.aspects) if aspect is first)


def _price(question: Asking, detector: _asking.Asked) -> str:
    """Say how many rows the detector has to score for all answers."""
    _, n_rows = question.size()
    if detector.apart:
        return f"about {n_rows:,} rows"
    return f"the whole table about {n_rows:,} times"
