"""Does the detector agree? Score a row again with values of other rows in some features.

A row q has the score f(q), above the median m of the fitted scores. In the features of an aspect it
gets the values of a row drawn at random, all of the same row, and the detector scores the new row.
The mean over several drawn rows is f'. The share (f(q) - f') / (f(q) - m) of the excess is gone.
A second question concerns the feature to blame alone, with values from its expected range. If
several features of a row are odd by themselves, a third one replaces all of them together. A row
that is typical in each of them lends its values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import check_random_state

from ..._util.progress import show_progress
from ..._util.types import FloatArray, Progress, ProgressCallback, Subspace
from ...exceptions import DetectorError, InvalidInputError
from ...search.aspect import Aspect, Replacement
from ...search.base import check_at_least_one
from .asking import ROW, TOGETHER, Asked, Question
from .blame import feature_to_blame
from .evidence import EvidenceFinder, Query
from .findings import find, odd_together

if TYPE_CHECKING:
    from ..query import QueryExplanation
    from ..values import Explanation

N_SAMPLES = 50
"""Rows that lend their values by default."""

QUICK = 1.0
"""Seconds, about, for which a widget may ask the detector unprompted."""

FEW_ROWS, MANY_ROWS = 1_000, 10_000
"""Bounds of the number of rows that a detector may score unprompted."""

_SPARE = 20  # candidates for each needed row, so that enough are typical in several features


class Asking:
    """The questions about an explanation, and the detector's answers.

    Parameters
    ----------
    explanation : Explanation
    n_samples : int
        Rows that lend their values.
    n_aspects : int or None
        Aspects of each row to ask about, the best; None for all.
    random_state : int, RandomState or None
        Seed of the draw of rows that lend their values.
    places : sequence of int or None, optional
        For each row the place of the only aspect to ask about; None to leave the row out.
    """

    def __init__(
        self,
        explanation: Explanation,
        n_samples: int = N_SAMPLES,
        n_aspects: int | None = None,
        random_state: Any = 0,
        places: Sequence[int | None] | None = None,
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
        self.n_samples, self.n_aspects, self.places = int(n_samples), n_aspects, places
        n = len(self.background.reference.values)
        try:
            order = check_random_state(random_state).permutation(n)
        except ValueError as error:
            raise InvalidInputError(
                f"random_state={random_state!r}: expected a whole number from 0 to 2**32 - 1, a "
                "RandomState or None."
            ) from error
        self.order = order[: _SPARE * (self.n_samples + 1)]
        self.scores = np.sort(self.background.scores)
        self.median = float(np.median(self.scores))

    def questions(self) -> Iterator[Question]:
        """All questions, row by row and aspect by aspect."""
        finder = EvidenceFinder(self.background.fitted, self.background.density)
        reference = self.background.reference.values
        for i, places in self._asked():
            query = self.explanation.queries[i]
            own = None if self.explanation.new_rows else query.row
            place = self.background.place(query.row)
            lenders = self.order if own is None else self.order[self.order != place]
            donors = lenders[: self.n_samples]
            near = Query(finder, self.background.explained.values[place], own)
            for k in places:
                aspect = query.aspects[k]
                lent = reference[np.ix_(donors, aspect.subspace)]
                if len(lent):
                    yield Question(i, k, "agreement", aspect.subspace, lent)
                blamed = _blamed(aspect, query)
                if blamed is not None:
                    values = _spread(near.ordinary_values(aspect, blamed), self.n_samples)
                    if len(values):
                        yield Question(i, k, "repair", (blamed,), values[:, None])
            together = self._together(query)
            if together:
                typical = finder.are_typical(reference[lenders], together)
                lent = reference[np.ix_(lenders[typical][: self.n_samples], together)]
                if len(lent):
                    yield Question(i, ROW, "repair", together, lent)

    def _asked(self) -> Iterator[tuple[int, Sequence[int]]]:
        """Rows to ask about, each with the places of their aspects."""
        for i, query in enumerate(self.explanation.queries):
            places: Sequence[int] = range(len(query.aspects))[: self.n_aspects]
            if self.places is not None:
                only = self.places[i]
                places = () if only is None else (only,)
            if query.score > self.median and places:
                yield i, places

    def _together(self, query: QueryExplanation) -> Subspace:
        """Features of a row that are odd by themselves; none if these are fewer than two."""
        found = odd_together(find(query, self.explanation.score_name))
        columns = {one.best.subspace[one.best.features.index(one.blamed.feature)] for one in found}
        return tuple(sorted(columns)) if len(columns) > 1 else ()

    def size(self) -> tuple[int, int]:
        """Number of questions, and approximate number of rows to score."""
        n_questions = 0
        for i, places in self._asked():
            query = self.explanation.queries[i]
            blamed = (_blamed(query.aspects[k], query) for k in places)
            n_questions += sum(1 + (one is not None) for one in blamed)
            n_questions += bool(self._together(query))
        return n_questions, n_questions * min(self.n_samples, len(self.scores) - 1)

    def is_cheap(self, asked: Asked) -> bool:
        """Whether the detector may answer unprompted.

        The fit scored all fitted rows, so that as many more take no longer than the fit did. The
        answer does not depend on a clock, and is the same on any machine. A detector that scores
        the whole table anew for each row is never cheap.
        """
        return self.size()[1] <= _affordable(len(self.scores)) and asked.apart

    def ask(self, asked: Asked, progress: ProgressCallback | None = None) -> Explanation:
        """Return the explanation with the detector's answers."""
        answers: dict[tuple[int, int, str], Replacement | None] = {}
        n_rows = 0
        total = self.size()[1]

        def report() -> None:
            if progress is not None:
                done = min(n_rows, total)
                progress(Progress(1, 1, done, total, n_rows, whole=True, asking=True))

        for batch in _batches(self.questions(), TOGETHER if asked.apart else 1):
            report()
            asking = [self.explanation.queries[one.query] for one in batch]
            rows = [self.background.place(query.row) for query in asking]
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
                repair=answers.get((i, ROW, "repair")),
            )
            for i, query in enumerate(self.explanation.queries)
        )
        return replace(self.explanation, queries=queries)

    def _replacement(self, question: Question, scores: FloatArray) -> Replacement | None:
        """Compare scores with the row's own; None if fewer than half of them are finite."""
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
    """Return the explanation with the detector's answers; see `Explanation.with_agreement`."""
    asking = Asking(explanation, n_samples, n_aspects, random_state)
    with show_progress(progress) as callback:
        return asking.ask(Asked(asking.background), callback)


def estimate_seconds(
    explanation: Explanation, n_samples: int = N_SAMPLES, n_aspects: int | None = None
) -> float:
    """Seconds that `with_agreement` takes, estimated by scoring a few rows.

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
    """Return the explanation with the detector's answers, if it has to score few rows.

    See `Asking.is_cheap`. If all aspects are too many, it asks about the three best of each row,
    or about the best one. If that is too much, too, or if the detector cannot answer, it returns
    the explanation as it is.
    """
    try:
        asked: Asked | None = None
        for n_aspects in (None, 3, 1):
            asking = Asking(explanation, n_samples, n_aspects, random_state)
            asked = asked or Asked(asking.background)
            if asking.is_cheap(asked):
                return asking.ask(asked)
    except (DetectorError, InvalidInputError):
        pass
    return explanation


def _affordable(n_fitted: int) -> int:
    """Number of rows that a detector may score unprompted."""
    return min(max(n_fitted, FEW_ROWS), MANY_ROWS)


def _blamed(aspect: Aspect, query: QueryExplanation) -> int | None:
    """Feature to blame by number; None if no value lies outside its range."""
    evidence = feature_to_blame(aspect, query.features)
    if evidence is None or not evidence.outside > 0.0:
        return None
    return aspect.subspace[aspect.evidence.index(evidence)]


def _spread(values: FloatArray, n: int) -> FloatArray:
    """At most n of the values, evenly spread over their sorted order."""
    if len(values) <= n:
        return values
    return np.asarray(np.sort(values)[(2 * np.arange(n) + 1) * len(values) // (2 * n)])


def _batches(questions: Iterator[Question], n_rows: int) -> Iterator[list[Question]]:
    """Questions in batches of about `n_rows` rows."""
    batch: list[Question] = []
    for question in questions:
        batch.append(question)
        if sum(len(one.values) for one in batch) >= n_rows:
            yield batch
            batch = []
    if batch:
        yield batch
