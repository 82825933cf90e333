"""Does the detector agree: its score of a row whose values in some features are other rows'.

A row q has the score f(q), above the median m of the fitted scores. In the features of an aspect it
gets the values of a row drawn at random, all of the same row, and the detector scores the new row;
the mean over several drawn rows is f'. The share (f(q) - f') / (f(q) - m) of the excess is gone.
The same is asked for the feature to blame alone, with values from its expected range.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import check_random_state

from ..._util.progress import show_progress
from ..._util.types import FloatArray, Progress, ProgressCallback
from ...exceptions import DetectorError, InvalidInputError
from ...search.aspect import Aspect, Replacement
from ...search.base import check_at_least_one
from .asking import TOGETHER, Asked, Question
from .blame import feature_to_blame
from .evidence import EvidenceFinder, Query

if TYPE_CHECKING:
    from ..query import QueryExplanation
    from ..values import Explanation

N_SAMPLES = 50
"""Rows that lend their values, if nobody says how many."""

QUICK = 1.0
"""Seconds that a widget may ask the detector without anybody having asked for it, about."""

FEW_ROWS, MANY_ROWS = 1_000, 10_000
"""Rows that any detector, and none, may score without anybody having asked for it."""


class Asking:
    """The questions about an explanation, and what the detector says.

    Parameters
    ----------
    explanation : Explanation
    n_samples : int
        Rows that lend their values.
    n_aspects : int or None
        Aspects of each row that are asked about, the best; None for all.
    random_state : int, RandomState or None
        Decides which rows lend their values.
    """

    def __init__(
        self,
        explanation: Explanation,
        n_samples: int = N_SAMPLES,
        n_aspects: int | None = None,
        random_state: Any = 0,
    ) -> None:
        check_at_least_one(n_samples=n_samples)
        if n_aspects is not None:
            check_at_least_one(n_aspects=n_aspects)
        if explanation.background is None:
            raise InvalidInputError(
                "the explanation came from JSON or a pickle, without its table and detector: call "
                "with_agreement on what AspectExplainer.explain returned."
            )
        self.explanation, self.background = explanation, explanation.background
        self.n_samples, self.n_aspects = int(n_samples), n_aspects
        n = len(self.background.reference.values)
        try:
            order = check_random_state(random_state).permutation(n)
        except ValueError as error:
            raise InvalidInputError(
                f"random_state={random_state!r}: expected a whole number from 0 to 2**32 - 1, a "
                "RandomState or None."
            ) from error
        self.order = order[: self.n_samples + 1]  # one more, as a row never lends to itself
        self.scores = np.sort(self.background.scores)
        self.median = float(np.median(self.scores))

    def questions(self) -> Iterator[Question]:
        """All questions, row by row and aspect by aspect."""
        finder = EvidenceFinder(self.background.reference, self.background.density)
        reference = self.background.reference.values
        for i, query in enumerate(self.explanation.queries):
            if not query.score > self.median:
                continue
            own = None if self.explanation.new_rows else query.row
            donors = self.order[self.order != own][: self.n_samples]
            near = Query(finder, self.background.explained.values[query.row], own)
            for k, aspect in enumerate(query.aspects[: self.n_aspects]):
                lent = reference[np.ix_(donors, aspect.subspace)]
                if len(lent):
                    yield Question(i, k, "agreement", aspect.subspace, lent)
                blamed = _blamed(aspect, query)
                if blamed is not None:
                    values = _spread(near.ordinary_values(aspect, blamed), self.n_samples)
                    if len(values):
                        yield Question(i, k, "repair", (blamed,), values[:, None])

    def size(self) -> tuple[int, int]:
        """Number of questions, and about that of the rows to score."""
        n_questions = sum(
            1 + (_blamed(aspect, query) is not None)
            for query in self.explanation.queries
            if query.score > self.median
            for aspect in query.aspects[: self.n_aspects]
        )
        return n_questions, n_questions * min(self.n_samples, len(self.scores) - 1)

    def ask(self, asked: Asked, progress: ProgressCallback | None = None) -> Explanation:
        """Return the explanation with what the detector says."""
        answers: dict[tuple[int, int, str], Replacement | None] = {}
        n_rows = 0
        total = self.size()[1]

        def report() -> None:
            if progress is not None:
                done = min(n_rows, total)
                progress(Progress(1, 1, done, total, n_rows, whole=True, asking=True))

        for batch in _batches(self.questions(), TOGETHER if asked.apart else 1):
            report()
            rows = [self.explanation.queries[one.query].row for one in batch]
            for one, scores in zip(batch, asked.answers(rows, batch), strict=True):
                answers[one.query, one.place, one.field] = self._replacement(one, scores)
                n_rows += len(scores)
        report()
        queries = tuple(
            replace(
                query,
                aspects=tuple(
                    replace(
                        aspect,
                        agreement=answers.get((i, k, "agreement")),
                        repair=answers.get((i, k, "repair")),
                    )
                    for k, aspect in enumerate(query.aspects)
                ),
            )
            for i, query in enumerate(self.explanation.queries)
        )
        return replace(self.explanation, queries=queries)

    def _replacement(self, question: Question, scores: FloatArray) -> Replacement | None:
        """Say what scores mean; None if fewer than half of them are finite."""
        finite = scores[np.isfinite(scores)]
        if 2 * finite.size < scores.size:
            return None
        mean = float(finite.mean())
        own = self.explanation.queries[question.query].score
        below = int(np.searchsorted(self.scores, mean, side="left"))
        return Replacement(
            features=tuple(self.explanation.feature_names[a] for a in question.subspace),
            score=mean,
            share=(own - mean) / (own - self.median),
            percentile=100.0 * below / len(self.scores),
        )


def with_agreement(
    explanation: Explanation,
    n_samples: int = N_SAMPLES,
    n_aspects: int | None = None,
    random_state: Any = 0,
    progress: bool | ProgressCallback | None = None,
) -> Explanation:
    """Return the explanation with what the detector says; see `Explanation.with_agreement`."""
    asking = Asking(explanation, n_samples, n_aspects, random_state)
    with show_progress(progress) as callback:
        return asking.ask(Asked(asking.background), callback)


def estimate_seconds(
    explanation: Explanation, n_samples: int = N_SAMPLES, n_aspects: int | None = None
) -> float:
    """Seconds that `with_agreement` takes, from scoring a few rows.

    Raises
    ------
    DetectorError
        If the detector cannot score new rows.
    InvalidInputError
        If the background is gone.
    """
    asking = Asking(explanation, n_samples, n_aspects)
    return Asked(asking.background).estimate(*asking.size())


def agreement_if_cheap(
    explanation: Explanation, n_samples: int = N_SAMPLES, random_state: Any = 0
) -> Explanation:
    """Return the explanation with what the detector says, if few rows have to be scored for it.

    A detector has scored all rows that it was fitted on, so that as many more take no longer than
    its fit did. No clock is asked: the same explanation gives the same answer on any machine. If
    all aspects are too many, the three best or the best one of each row are asked about. An
    explanation comes back as it is if that is too much, too, if the detector scores the whole
    table anew for each row (`Asked.apart`), or if it cannot be asked.
    """
    try:
        for n_aspects in (None, 3, 1):
            asking = Asking(explanation, n_samples, n_aspects, random_state)
            if asking.size()[1] <= _affordable(len(asking.scores)):
                asked = Asked(asking.background)
                return asking.ask(asked) if asked.apart else explanation
    except (DetectorError, InvalidInputError):
        pass
    return explanation


def _affordable(n_fitted: int) -> int:
    """Rows that may be scored without anybody having asked for it."""
    return min(max(n_fitted, FEW_ROWS), MANY_ROWS)


def _blamed(aspect: Aspect, query: QueryExplanation) -> int | None:
    """Feature to blame by number; None if no value lies outside the range of others."""
    evidence = feature_to_blame(aspect, query.features)
    if evidence is None or not evidence.outside > 0.0:
        return None
    return aspect.subspace[aspect.evidence.index(evidence)]


def _spread(values: FloatArray, n: int) -> FloatArray:
    """At most n of some values, evenly spread over them in order."""
    if len(values) <= n:
        return values
    return np.asarray(np.sort(values)[(2 * np.arange(n) + 1) * len(values) // (2 * n)])


def _batches(questions: Iterator[Question], n_rows: int) -> Iterator[list[Question]]:
    """Questions in groups of about as many rows."""
    batch: list[Question] = []
    for question in questions:
        batch.append(question)
        if sum(len(one.values) for one in batch) >= n_rows:
            yield batch
            batch = []
    if batch:
        yield batch
