"""AspectExplainer: takes a fitted detector and its table, returns an Explanation."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, clone

from ._util.progress import ProgressOfParts, show_progress
from ._util.types import FloatArray, IntArray, ProgressCallback
from .detectors import PlainScores, adapt
from .engines.passes import ToldOfPasses
from .engines.table import TableInParts, as_table_in_parts
from .exceptions import InvalidInputError, NotFittedError
from .explaining.answers import add_evidence, make_explanation
from .explaining.questions import Question, choose_rows, read_new_rows
from .explanation import Aspect, Explanation
from .explanation.judging.evidence import EvidenceFinder
from .miners import BaseMiner, ReferenceRows, make_miner
from .miners.on_workers import MinerOnWorkers
from .miners.reference import check_n_reference
from .search.base import check_at_least_one
from .tables import Rows, Table, read_table
from .tables.texts import warn_of_text

if TYPE_CHECKING:
    from typing_extensions import Self

    from .widgets import AspectBrowser


log = logging.getLogger(__name__)


class AspectExplainer(BaseEstimator):  # type: ignore[misc]
    """Explain why a detector finds rows anomalous: the features in which they stand out.

    Parameters
    ----------
    detector : fitted detector
        A detector of PyOD or scikit-learn, or a `Pipeline` that ends in one. The explainer never
        changes it. Results of PyOD's `ADEngine.detect` and `ADEngine.investigate` work, too. An
        investigation with several detectors stands for their consensus. `from_scores` needs no
        detector.
    miner : {"sgbeam", "gbeam", "kdebeam", "oaminer"} or miner, default="sgbeam"
        The search for aspects: a name, or a miner with your settings, `SGBeam(max_dim=3)`.
    n_queries : int, default=10
        Number of rows to explain, the highest scores first.
    n_reference : "auto" or int, default="auto"
        Number of reference rows: ordinary rows that the p-values compare with. "auto" takes up to
        200, or 20 for each explained row if that is more. It stops at about five seconds of
        search, or at twice the explained rows up to 1,000. An explainer searches its reference
        rows once, and a saved one keeps them. 0 gives no p-values.
    random_state : int, RandomState or None, default=0
        Seed of the draw of reference rows.

    Attributes
    ----------
    miner_ : the fitted miner
    table_ : Table or TableInParts
        The rows that the explainer compares with.
    scores_ : ndarray of shape (n_rows,)
        The detector's scores of the rows of `table_`.
    reference_ : ReferenceRows
        The reference rows searched so far. The explainer searches each once.
    feature_names_in_ : ndarray of str
        Names of the columns, if X has any.
    n_features_in_ : int
    duplicate_columns_ : dict
        Duplicate columns by name, each with the column that it duplicates. Aspects name only the
        latter.

    Examples
    --------
    >>> from pyod.models.ecod import ECOD
    >>> from pyod_aspects import AspectExplainer
    >>> from pyod_aspects.datasets import make_hics
    >>> X = make_hics(n_rows=500, n_features=6, random_state=1).X
    >>> explanation = AspectExplainer(ECOD().fit(X), n_queries=3).fit(X).explain()
    >>> len(explanation)
    3
    """

    def __init__(
        self,
        detector: Any,
        miner: str | BaseMiner = "sgbeam",
        n_queries: int = 10,
        n_reference: int | str = "auto",
        random_state: Any = 0,
    ) -> None:
        self.detector = detector
        self.miner = miner
        self.n_queries = n_queries
        self.n_reference = n_reference
        self.random_state = random_state

    @classmethod
    def from_scores(
        cls,
        scores: Any,
        miner: str | BaseMiner = "sgbeam",
        n_queries: int = 10,
        threshold: float | None = None,
        name: str = "your model",
        n_reference: int | str = "auto",
        random_state: Any = 0,
    ) -> Self:
        """Make an explainer from plain scores.

        Such an explainer cannot explain new rows: it has no detector to score them.

        Parameters
        ----------
        scores : array-like of shape (n_rows,)
            One number for each row; higher is more anomalous. A pandas Series must have the index
            of the DataFrame that you pass to `fit`.
        miner, n_queries, n_reference, random_state
            As in the constructor.
        threshold : float, optional
            Rows with a higher score count as anomalies.
        name : str, default="your model"
            Name of the source of the scores in explanations.

        Returns
        -------
        AspectExplainer

        Examples
        --------
        >>> X = [[0, 0], [1, 1], [2, 2], [3, 3], [0, 3]]
        >>> explainer = AspectExplainer.from_scores([0.1, 0.2, 0.1, 0.2, 0.9], n_queries=1)
        >>> [query.row for query in explainer.fit(X).explain()]
        [4]
        """
        plain = PlainScores(scores, threshold, name)
        return cls(plain, miner, n_queries, n_reference, random_state)

    def __sklearn_clone__(self) -> AspectExplainer:
        # The clone explains the same fitted detector, so the detector is not cloned.
        miner = self.miner if isinstance(self.miner, str) else clone(self.miner)
        settings = self.get_params(deep=False)
        return type(self)(**settings | {"miner": miner})

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "miner_")

    def fit(self, X: Any, y: object = None) -> Self:
        """Read the table that the detector was fitted to.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            The explainer works on a Dask DataFrame where its partitions are. The detector,
            fitted on a sample, scores them as new rows.
        y : ignored

        Returns
        -------
        self
        """
        begin = monotonic()
        check_at_least_one(n_queries=self.n_queries)
        check_n_reference(self.n_reference)
        miner = make_miner(self.miner)
        detector = adapt(self.detector)
        table: Table | TableInParts | None = as_table_in_parts(X)
        if isinstance(table, TableInParts):
            scores = detector.scores_in_parts(table)
        else:
            table = read_table(X)
            # A copy, so that the caller may change X later.
            table = replace(table, values=table.values.copy()).with_form(X)
            scores = detector.training_scores(X, *table.values.shape)
        warn_of_text(table.columns)
        miner.fit(table)
        reference = ReferenceRows(miner, table, self.random_state)
        # Nothing below can fail. An error or interrupt above leaves the last fit in place.
        self.miner_, self.reference_ = miner, reference
        self.scores_ = scores
        self.n_features_in_ = len(table.columns)
        self.__dict__.pop("feature_names_in_", None)
        if table.named:
            self.feature_names_in_ = np.array(table.names, dtype=object)
        self.table_ = table
        self.duplicate_columns_ = _duplicate_names(miner, table.names)
        shape, seconds = (table.n_rows, len(table.columns)), monotonic() - begin
        log.info(
            "fitted %s to %d rows and %d columns in %.2f s", type(miner).__name__, *shape, seconds
        )
        return self

    def explain(
        self,
        X: Any = None,
        rows: Rows | None = None,
        n_queries: int | None = None,
        progress: bool | ProgressCallback | None = None,
        client: Any = None,
    ) -> Explanation:
        """Explain rows of the fitted table, or of a new one.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_new_rows, n_features), optional
            A new table. The detector scores its rows, and the explainer compares them with the
            fitted ones. Pass no fitted row here: it would count twice. Default: the fitted table.
        rows : int, str or sequence of them, optional
            The rows to explain; default: the highest scores. Whole numbers are positions from 0,
            text is a label in the index of the DataFrame.
        n_queries : int, optional
            Number of rows to explain, the highest scores first. Default: that of the constructor.
        progress : bool or callable, optional
            True shows a progress bar (of tqdm if installed). A function receives a `Progress`
            from time to time; an exception that it raises ends the search.
        client : dask.distributed.Client, optional
            Share the explained and the reference rows among its workers. Each worker receives the
            fitted miner once. The answer stays the same.

        Returns
        -------
        Explanation
            One entry for each row, the highest score first.
        """
        begin = monotonic()
        workers = None if client is None else self._on_workers(client)
        with show_progress(progress) as shown, ToldOfPasses(shown).listening() as callback:
            question = self._read_question(X, rows, n_queries)
            log.debug("scored %d rows in %.2f s", len(question.scores), monotonic() - begin)
            n_reference = self._n_reference(question)
            n_rows = len(question.queries) + self._n_missing(n_reference)
            whole = ProgressOfParts(callback, n_rows)
            miner = self.miner_ if workers is None else workers
            results = miner.mine(question.points, whole.after(0), question.new_rows)
            self.reference_.search(n_reference, whole.after(len(question.queries)), workers)
            finder = EvidenceFinder(self.table_, self.miner_.density_)
            results = add_evidence(finder, question, results, 0)
            explanation = make_explanation(self, question, results, n_reference)
        log.info(
            "explained %d of %d%s rows and searched %d ordinary ones in %.2f s",
            len(results),
            len(question.scores),
            " new" * question.new_rows,
            n_rows - len(results),
            monotonic() - begin,
        )
        return explanation

    def iter_explain(
        self,
        X: Any = None,
        rows: Rows | None = None,
        n_queries: int | None = None,
        progress: bool | ProgressCallback | None = None,
    ) -> Iterator[Explanation]:
        """Explain as `explain` does, and yield the finished rows as they come.

        The explainer mines rows one by one, or in groups that take about a second. p-values come
        last, for all rows.

        Parameters
        ----------
        X, rows, n_queries, progress
            As for `explain`.

        Yields
        ------
        Explanation
            Of all finished rows. The last one is the return value of `explain`.

        Examples
        --------
        >>> from pyod.models.ecod import ECOD
        >>> from pyod_aspects.datasets import make_hics
        >>> X = make_hics(n_rows=500, n_features=6, random_state=1).X
        >>> explainer = AspectExplainer(ECOD().fit(X)).fit(X)
        >>> for explanation in explainer.iter_explain(n_queries=3):
        ...     last = explanation[-1].row  # the rows before it came earlier
        >>> len(explanation)
        3
        """
        with show_progress(progress) as shown, ToldOfPasses(shown).listening():
            question = self._read_question(X, rows, n_queries)
        return self._iter_groups(question, progress)

    def explore(self) -> AspectBrowser:
        """Open a widget in a notebook that searches and shows rows one by one.

        Returns
        -------
        AspectBrowser
            A widget. Its trait `explanation` holds the rows found so far.
        """
        from .widgets import AspectBrowser

        return AspectBrowser(self)

    def with_miner(self, miner: str | BaseMiner) -> AspectExplainer:
        """Return a fitted explainer of the same rows and scores with another miner.

        It reuses the scores, and leaves this explainer as it is.

        Parameters
        ----------
        miner : str or miner
            As in the constructor.

        Returns
        -------
        AspectExplainer

        Examples
        --------
        >>> X = [[0, 0], [1, 1], [2, 2], [3, 3], [0, 3]]
        >>> explainer = AspectExplainer.from_scores([0.1, 0.2, 0.1, 0.2, 0.9], n_queries=1).fit(X)
        >>> explainer.with_miner("gbeam").explain().miner
        'GBeam'
        """
        self._check_fitted()
        other = copy(self)
        other.miner, other.miner_ = miner, make_miner(miner).fit(self.table_)
        other.reference_ = ReferenceRows(other.miner_, self.table_, self.random_state)
        other.duplicate_columns_ = _duplicate_names(other.miner_, self.table_.names)
        return other

    def iter_scored(
        self,
        table: Table | TableInParts,
        scores: FloatArray,
        rows: Rows | None = None,
        n_queries: int | None = None,
        progress: bool | ProgressCallback | None = None,
    ) -> Iterator[Explanation]:
        """Explain rows of a table with known scores, as `iter_explain` does.

        Parameters
        ----------
        table : Table or TableInParts
            `table_`, or the `table` of an explanation's `background`.
        scores : ndarray of shape (n_rows,)
            The detector's scores of its rows.
        rows, n_queries, progress
            As for `explain`.

        Yields
        ------
        Explanation
            Of all finished rows.
        """
        self._check_fitted()
        values = np.asarray(scores, dtype=np.float64)
        if values.shape != (table.n_rows,) or len(table.columns) != self.n_features_in_:
            raise InvalidInputError(
                f"the table has {table.n_rows} rows and {len(table.columns)} columns, scores "
                f"have shape {values.shape}: expected one score for each row, and the "
                f"{self.n_features_in_} columns that the explainer was fitted on."
            )
        queries = self._choose(table, values, rows, n_queries)
        question = Question.of(table, values, queries, table is not self.table_)
        return self._iter_groups(question, progress)

    def _iter_groups(
        self, question: Question, progress: bool | ProgressCallback | None
    ) -> Iterator[Explanation]:
        results: list[list[Aspect]] = []
        n_queries, size = len(question.queries), 1
        n_reference = self._n_reference(question)
        n_rows = n_queries + self._n_missing(n_reference)
        with show_progress(progress) as shown:
            told = ToldOfPasses(shown)
            whole = ProgressOfParts(told.callback, n_rows)
            with told.listening():
                finder = EvidenceFinder(self.table_, self.miner_.density_)
            while len(results) < n_queries:
                done, begin = len(results), monotonic()
                group = np.arange(done, min(done + size, n_queries))
                with told.listening():
                    points = question.points.take(group)
                    found = self.miner_.mine(points, whole.after(done), question.new_rows)
                    results += add_evidence(finder, question, found, done)
                size = _next_size(size, monotonic() - begin)
                if len(results) < n_queries or self._n_missing(n_reference):
                    with told.listening():
                        explanation = make_explanation(self, question, results)
                    yield explanation
            with told.listening():
                self.reference_.search(n_reference, whole.after(n_queries))
                explanation = make_explanation(self, question, results, n_reference)
            yield explanation

    def _n_reference(self, question: Question) -> int:
        """Number of reference rows for a question; 0 if there are no p-values."""
        check_n_reference(self.n_reference)
        return self.reference_.size(self.n_reference, len(question.queries))

    def _n_missing(self, n_reference: int) -> int:
        """Number of reference rows that are still to search."""
        return max(0, n_reference - self.reference_.best.size)

    def _on_workers(self, client: Any) -> MinerOnWorkers:
        """Return the miner on the workers of a Client."""
        self._check_fitted()
        if isinstance(self.table_, TableInParts):
            raise InvalidInputError(
                "client is for tables in this process, and this one is in partitions, which the "
                "active Client explains: leave client out."
            )
        return MinerOnWorkers(self.miner_, client)

    def _check_fitted(self) -> None:
        if not hasattr(self, "miner_"):
            raise NotFittedError("this AspectExplainer is not fitted yet: call fit(X) first.")

    def _read_question(self, X: Any, rows: Rows | None, n_queries: int | None) -> Question:
        """Read the table and choose the rows to explain."""
        self._check_fitted()
        detector = adapt(self.detector)
        table = self.table_ if X is None else read_new_rows(X, self.table_)
        scores = self.scores_ if X is None else detector.new_scores(X, table.n_rows)
        queries = self._choose(table, scores, rows, n_queries)
        return Question.of(table, scores, queries, X is not None)

    def _choose(
        self,
        table: Table | TableInParts,
        scores: FloatArray,
        rows: Rows | None,
        n_queries: int | None,
    ) -> IntArray:
        n = self.n_queries if n_queries is None else n_queries
        return choose_rows(table, scores, rows, n)


def _next_size(size: int, seconds: float) -> int:
    """Rows to mine together, so that a result comes about once a second."""
    if seconds < 0.5:
        return 2 * size
    return max(1, size // 2) if seconds > 2.0 else size


def _duplicate_names(miner: BaseMiner, names: tuple[str, ...]) -> dict[str, str]:
    """Duplicate columns by name, each with the column that it duplicates."""
    duplicates: dict[int, int] = getattr(miner, "duplicate_columns_", {})
    return {names[again]: names[first] for again, first in duplicates.items()}
