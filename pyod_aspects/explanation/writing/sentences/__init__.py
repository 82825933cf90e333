"""Sentences about a row: one aspect, the whole row, the detector's answer."""

from .aspect import evidence_words
from .detector import agreement_words, find_answer
from .row import (
    alike_words,
    finding_words,
    further_words,
    headline,
    named_findings,
    row_sentence,
    strongest_words,
)
from .values import number_words

__all__ = [
    "agreement_words",
    "alike_words",
    "evidence_words",
    "find_answer",
    "finding_words",
    "further_words",
    "headline",
    "named_findings",
    "number_words",
    "row_sentence",
    "strongest_words",
]
