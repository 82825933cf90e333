"""Explanations: which rows, how anomalous, and the features in which each stands out.

Frozen values, best first, that can be printed, compared, pickled, sent as JSON and read back
years later. What they were made from, the table and the detector's scores, comes along as their
`background` for pictures; it is neither compared nor written.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import TYPE_CHECKING, Any, overload

from .._util.files import check_target, write_text
from .._util.types import Measure, ProgressCallback
from ..exceptions import InvalidInputError, QueryError
from ..search.aspect import Aspect
from .background import Background
from .judging import agreement as _agreement
from .judging import redundancy as _redundancy
from .judging.blame import weigh_features
from .judging.cover import Cover, find_cover
from .judging.groups import Groups, find_groups
from .judging.significance import ALPHA, benjamini_hochberg
from .query import QueryExplanation
from .settings import FrozenMapping, set_fields
from .writing import findings as _findings
from .writing import frame as _frame
from .writing import json as _json
from .writing import text as _text
from .writing.html import to_html_fragment
from .writing.wording import MOST_ROWS, has_labels, join_first

if TYPE_CHECKING:
    import pandas as pd

    from ..widgets import AspectBrowser


@dataclass(frozen=True, repr=False)
class Explanation(Sequence[QueryExplanation]):
    """Sequence of explained rows, as `AspectExplainer.explain` returns it.

    Attributes
    ----------
    queries : tuple of QueryExplanation
        The explained rows, highest score first.
    detector, miner : str
        Class names.
    settings : mapping of str
        The miner's parameters; those that JSON cannot hold as their text.
    score_name : str
        What the aspects' scores are: "lift", "zscore", "rank", or the name of your own score.
    measure : {"count", "density"}
        What `density`, `mean` and `std` of the aspects are: counts of rows, or kernel densities.
    n_rows : int
        Number of reference rows, those that the explained ones are compared with.
    feature_names : tuple of str
        The names of all columns.
    new_rows : bool
        Whether row numbers refer to a new table and not to the reference rows.
    version : str
        The version of pyod_aspects.
    nearby : str
        What "nearby" means, in the words of the miner.
    duplicate_columns : mapping of str
        Names of duplicate columns, which the search left out, each with the name of the first
        such column.
    n_reference : int
        Number of ordinary rows that were searched for p-values; 0 if there are none.
    alpha : float or None
        The share of wrong ones that `convincing` put up with; None if all aspects are there.
    background : Background or None
        The table, scores and density that it was made from. None once it has been through
        JSON or a pickle; it does not count when explanations are compared.

    See Also
    --------
    AspectExplainer : Makes one.

    Examples
    --------
    >>> aspect = Aspect((0, 1), ("alcohol", "proline"), score=-3.41, density=2, mean=31.2, std=8.5)
    >>> query = QueryExplanation(22, 0.71, True, (aspect,), percentile=99.2)
    >>> explanation = Explanation(
    ...     queries=(query,),
    ...     detector="IForest",
    ...     miner="SGBeam",
    ...     settings={"max_dim": 5},
    ...     score_name="zscore",
    ...     measure="count",
    ...     n_rows=178,
    ...     feature_names=("alcohol", "proline"),
    ...     nearby="in the same bin or the next one, in each of the features",
    ... )
    >>> explanation
    Explanation: 1 anomaly of IForest among 178 rows, explained by SGBeam
      row 22   score 0.71, higher than 99.2 % of rows
          {alcohol, proline}   2 rows nearby, 31 on average   z = -3.41
      Nearby: in the same bin or the next one, in each of the features; the row itself counts.
      z: number of standard deviations from the average over all rows.
    >>> explanation.row(22).aspects[0].features
    ('alcohol', 'proline')
    >>> Explanation.from_json(explanation.to_json()) == explanation
    True
    """

    queries: tuple[QueryExplanation, ...]
    detector: str
    miner: str
    settings: Mapping[str, Any]
    score_name: str
    measure: Measure
    n_rows: int
    feature_names: tuple[str, ...]
    new_rows: bool = False
    version: str = ""
    nearby: str = ""
    duplicate_columns: Mapping[str, str] = field(default_factory=dict)
    n_reference: int = 0
    alpha: float | None = None
    background: Background | None = field(default=None, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"background": None}

    def __post_init__(self) -> None:
        set_fields(
            self,
            queries=tuple(self.queries),
            settings=FrozenMapping(self.settings),
            feature_names=tuple(self.feature_names),
            duplicate_columns=FrozenMapping(self.duplicate_columns),
        )

    @overload
    def __getitem__(self, position: int) -> QueryExplanation: ...

    @overload
    def __getitem__(self, position: slice) -> Explanation: ...

    def __getitem__(self, position: int | slice) -> QueryExplanation | Explanation:
        if isinstance(position, slice):
            return replace(self, queries=self.queries[position])
        try:
            return self.queries[position]
        except IndexError:
            raise QueryError(
                f"explanation[{position}]: {len(self)} rows were explained, counted from 0. "
                "explanation.row(i) takes a row number of the table."
            ) from None

    def __len__(self) -> int:
        return len(self.queries)

    def row(self, row: int | str) -> QueryExplanation:
        """Explanation of a row of the table.

        Parameters
        ----------
        row : int or str
            A whole number is the position in the table, from 0, even if labels are numbers too.
            Text is the row's label: ``row("TX20451")``, or ``row("17")`` for the label 17.

        Returns
        -------
        QueryExplanation

        Raises
        ------
        QueryError
            If this row was not explained, or several with this label were.
        """
        if isinstance(row, str):
            return self._labelled(row)
        for query in self.queries:
            if query.row == row:
                return query
        explained = join_first([str(query.row) for query in self.queries]) or "none"
        hint = " To ask by label, pass it as text." if has_labels(self) else ""
        raise QueryError(
            f"row {row} was not explained, only: {explained}. "
            f"Ask for it with explain(rows=[{row}]).{hint}"
        )

    def _labelled(self, label: str) -> QueryExplanation:
        """Explanation of the only row with a label."""
        found = [query for query in self.queries if query.label == label]
        if len(found) > 1:
            places = join_first([str(query.row) for query in found])
            raise QueryError(
                f"{len(found)} explained rows have the label {label!r}: ask by position, {places}."
            )
        if found:
            return found[0]
        if not has_labels(self):
            raise QueryError(
                f"row({label!r}): the rows have no labels; ask by position, a whole number."
            )
        explained = join_first([repr(query.label) for query in self.queries])
        raise QueryError(
            f"row {label!r} was not explained, only: {explained}. "
            f"Ask for it with explain(rows=[{label!r}])."
        )

    def distinct(
        self, most_lift: float = _redundancy.MOST_LIFT, margin: float = _redundancy.MARGIN
    ) -> Explanation:
        """Leave out redundant aspects: they add little to a smaller set that they contain.

        Where rows are counted, a set of several features stays if its lift tells that all of them
        are needed. Elsewhere it stays if its Z-score is clearly beyond that of every smaller set
        within it that stays too; with ranks and scores of your own, if it is better at all. The
        best aspect of a row always stays. What is printed shows these; `aspects`, `to_frame`
        and `to_json` have all.

        Parameters
        ----------
        most_lift : float, default=0.5
            Lift up to which all features are needed.
        margin : float, default=0.05
            What "clearly" means, as a share of the smaller set's Z-score.

        Returns
        -------
        Explanation

        Examples
        --------
        >>> one = Aspect((0,), ("alcohol",), score=-3.4, density=2, expected=31, lift=0.08)
        >>> two = Aspect((0, 1), ("alcohol", "hue"), score=-3.3, density=2, expected=3, lift=0.7)
        >>> explanation = Explanation(
        ...     queries=(QueryExplanation(22, 0.71, True, (one, two)),),
        ...     detector="IForest",
        ...     miner="SGBeam",
        ...     settings={},
        ...     score_name="zscore",
        ...     measure="count",
        ...     n_rows=178,
        ...     feature_names=("alcohol", "hue"),
        ... )
        >>> [aspect.features for aspect in explanation.distinct()[0].aspects]
        [('alcohol',)]
        """
        for name, value in (("most_lift", most_lift), ("margin", margin)):
            if not 0.0 <= value < math.inf:
                raise InvalidInputError(f"{name}={value!r}: expected a number, 0 or more.")
        queries = tuple(
            replace(
                query,
                aspects=_redundancy.distinct(query.aspects, self.score_name, most_lift, margin),
            )
            for query in self.queries
        )
        return replace(self, queries=queries)

    def convincing(self, alpha: float = ALPHA) -> Explanation:
        """Keep the aspects that are stronger than those of ordinary rows.

        By the p-values of the rows, the procedure of Benjamini and Hochberg chooses rows of which
        at most a share of `alpha` is expected to be ordinary. Their aspects stay that are as
        strong as it asks for; other rows stay without aspects. The share holds for rows that were
        not chosen by their features. A detector chooses the most extreme rows, and these stand
        out more than ordinary ones even in a table without any outlier.

        Parameters
        ----------
        alpha : float, default=0.05
            The share of wrong ones that is put up with.

        Returns
        -------
        Explanation

        Raises
        ------
        InvalidInputError
            If there are no p-values.

        Examples
        --------
        >>> from pyod_aspects import AspectExplainer
        >>> from pyod_aspects.datasets import make_hics
        >>> hics = make_hics(random_state=0)
        >>> scores = [row in hics.truth for row in range(len(hics.X))]
        >>> explanation = AspectExplainer.from_scores(scores, n_queries=3).fit(hics.X).explain()
        >>> [len(query.aspects) > 0 for query in explanation.convincing()]
        [True, True, True]
        """
        limit = self.convincing_p(alpha)
        queries = []
        for query in self.queries:
            strong = [a for a in query.aspects if a.p_value is not None and a.p_value <= limit]
            features = weigh_features(strong, self.score_name)
            queries.append(replace(query, aspects=tuple(strong), features=features))
        return replace(self, queries=tuple(queries), alpha=float(alpha))

    def convincing_p(self, alpha: float | None = None) -> float:
        """Return the largest p-value that is convincing, by Benjamini and Hochberg; 0 if none is.

        Parameters
        ----------
        alpha : float, optional
            As for `convincing`. If not given, the one that `convincing` was called with, or 0.05.

        Returns
        -------
        float
            0 if nothing is convincing.

        Raises
        ------
        InvalidInputError
            If there are no p-values.
        """
        if alpha is None:
            alpha = ALPHA if self.alpha is None else self.alpha
        if not isinstance(alpha, Real) or not 0.0 < alpha < 1.0:
            raise InvalidInputError(f"alpha={alpha!r}: expected a number between 0 and 1.")
        p_values = [query.p_value for query in self.queries if query.p_value is not None]
        if len(p_values) < len(self.queries):
            raise InvalidInputError(
                "the explanation has no p-values: fit the explainer with n_reference='auto' or a "
                "number of rows; with fewer than 39 reference rows there are none."
            )
        return benjamini_hochberg(p_values, alpha)

    def groups(self) -> Groups:
        """Put rows together that are odd for the same reason.

        Of each row its convincing aspects are told, without redundant ones; all that are not
        redundant, if there are no p-values. They blame features, each with a direction. The rows
        of a group share the feature that their headlines tell first, with its direction: "y too
        low for x or z". A row is in one group; rows that fit nowhere stay alone, and rows with
        nothing convincing are in no group.

        Returns
        -------
        Groups
            A tuple of `Group`, the largest first, rows that are alone last.

        Examples
        --------
        >>> from pyod.models.knn import KNN
        >>> from pyod_aspects import AspectExplainer
        >>> from pyod_aspects.datasets import load_demo
        >>> from sklearn.pipeline import make_pipeline
        >>> from sklearn.preprocessing import StandardScaler
        >>> X = load_demo().frame.select_dtypes("number")
        >>> detector = make_pipeline(StandardScaler(), KNN()).fit(X)
        >>> explanation = AspectExplainer(detector).fit(X).explain(n_queries=20)
        >>> for group in explanation.groups()[:2]:
        ...     print(len(group), "rows:", group.sentence)
        7 rows: y, x and z are 0
        4 rows: depth is low
        """
        return find_groups(self)

    def cover(self, n_pictures: int = 4) -> Cover:
        """Choose the few aspects whose pictures explain most rows.

        A picture explains the rows that have its features as a convincing aspect that is not
        redundant (without p-values, as one that is not redundant); a picture of two features also
        those that are odd in one of them. Each next picture is the one that explains most of the
        rows left: at least 63 % of what as many pictures could explain.

        Parameters
        ----------
        n_pictures : int, default=4
            Most pictures; fewer if these explain all rows that can be.

        Returns
        -------
        Cover

        Raises
        ------
        InvalidInputError
            If `n_pictures` is no whole number, 1 or more.

        Examples
        --------
        >>> from pyod.models.knn import KNN
        >>> from pyod_aspects import AspectExplainer
        >>> from pyod_aspects.datasets import load_demo
        >>> from sklearn.pipeline import make_pipeline
        >>> from sklearn.preprocessing import StandardScaler
        >>> X = load_demo().frame.select_dtypes("number")
        >>> detector = make_pipeline(StandardScaler(), KNN()).fit(X)
        >>> explanation = AspectExplainer(detector).fit(X).explain(n_queries=20)
        >>> explanation.cover(2)
        Cover: 2 pictures explain 18 of 20 rows (90 %)
          {z}       13 rows   65 %
          {depth}    5 rows   90 %
        """
        return find_cover(self, n_pictures)

    def with_agreement(
        self,
        n_samples: int = _agreement.N_SAMPLES,
        n_aspects: int | None = None,
        random_state: Any = 0,
        progress: bool | ProgressCallback | None = None,
    ) -> Explanation:
        """Ask the detector whether it agrees: how its score falls if values are replaced.

        In `agreement`, an aspect's features get the values of rows drawn at random; in `repair`,
        the feature to blame alone gets values from its expected range. The detector scores these
        new rows. Where the row's own score is not above the median score, nothing is asked.

        Parameters
        ----------
        n_samples : int, default=50
            Number of rows that lend their values, the same ones for all aspects.
        n_aspects : int, optional
            Aspects of each row to ask about, the best ones; all if not given.
        random_state : int, RandomState or None, default=0
            Decides which rows lend their values.
        progress : bool or callable, optional
            As for `AspectExplainer.explain`.

        Returns
        -------
        Explanation
            With `Aspect.agreement` and `Aspect.repair`.

        Raises
        ------
        DetectorError
            If the detector cannot score new rows.
        InvalidInputError
            If `background` is gone.

        Examples
        --------
        >>> from pyod.models.knn import KNN
        >>> from pyod_aspects import AspectExplainer
        >>> from pyod_aspects.datasets import make_hics
        >>> hics = make_hics(n_rows=500, n_features=6, random_state=1)
        >>> detector = KNN().fit(hics.X)
        >>> explanation = AspectExplainer(detector, n_queries=1).fit(hics.X).explain()
        >>> best = explanation.with_agreement()[0].aspects[0]
        >>> best.agreement.share > 0.5  # more than half of the excess is gone
        True
        """
        return _agreement.with_agreement(self, n_samples, n_aspects, random_state, progress)

    def summary(self, aspects: int = 3, rows: int | None = None, redundant: bool = False) -> str:
        """Text for the terminal, at most 100 columns wide unless a name is longer.

        Each row says what is odd about it, how sure that is, what the detector says of it (see
        `with_agreement`) and which other rows are odd in the same way. Aspects that blame the same
        feature are told in one sentence, beside the rows nearby and those expected. More than five
        rows begin with what they have in common, see `groups`.

        Parameters
        ----------
        aspects : int, default=3
            How many sentences to show for each row, the most important ones. With 1 there are no
            figures.
        rows : int, optional
            How many rows to show; all of them if not given.
        redundant : bool, default=False
            Whether to list all aspects one by one, redundant ones too (see `distinct`), with their
            scores.

        Returns
        -------
        str
        """
        return _text.summary(self, aspects, rows, redundant)

    def __repr__(self) -> str:
        return self.summary(aspects=1, rows=MOST_ROWS)

    def __str__(self) -> str:
        return self.summary(rows=MOST_ROWS)

    def explore(self) -> AspectBrowser:
        """Open a widget in a notebook: click through rows and aspects, and search anew.

        Returns
        -------
        AspectBrowser
            A widget. Its traits `row` and `aspect` tell what is chosen.

        Raises
        ------
        MissingPackageError
            If ipywidgets is not installed; ``pip install pyod_aspects[widgets]`` brings it.
        """
        from ..widgets import AspectBrowser

        return AspectBrowser(self)

    def _repr_html_(self) -> str:
        return to_html_fragment(self)

    def to_frame(self) -> pd.DataFrame:
        """Table with one line for each aspect.

        Returns
        -------
        pandas.DataFrame
            With the columns ``row`` (the position), ``label`` (the name, or None), ``score``,
            ``percentile`` and ``is_anomaly`` of the row;
            ``aspect`` (1 is the best), ``features``, ``subspace``, the aspect's score under its
            name (``zscore``, ``rank``), ``count`` or ``density``, ``mean``, ``std``, ``expected``,
            ``lift``, ``p_value``, the shares of ``agreement`` and ``repair`` (see `with_agreement`)
            and, as a sentence, ``evidence``.
            A row without aspects has one line, with nothing in these.
        """
        return _frame.to_frame(self)

    def to_findings(self) -> list[dict[str, Any]]:
        """Return dicts with the keys of PyOD's `ADEngine.explain_findings`, and the aspects.

        Returns
        -------
        list of dict
            One for each row: ``index`` (the position), ``score``, ``percentile`` (percent of the
            rows with a score up to this one; with one below it once `background` is gone),
            ``label`` ("anomaly" or "normal", None if the detector has no threshold),
            ``narrative`` (sentences), ``contributing_features`` (the features to blame, the
            largest ``weight`` first; ``mean`` and ``z_score`` are None unless the column holds
            numbers and `background` is there), and ``aspects``, as `to_json` has them, each with
            a ``sentence``. All values are plain ones that JSON can hold.

        Examples
        --------
        >>> from pyod.models.ecod import ECOD
        >>> from pyod_aspects import AspectExplainer
        >>> from pyod_aspects.datasets import make_hics
        >>> X = make_hics(n_rows=500, n_features=6, random_state=1).X
        >>> explanation = AspectExplainer(ECOD().fit(X), n_queries=1).fit(X).explain()
        >>> [*explanation.to_findings()[0]][:4]
        ['index', 'score', 'percentile', 'label']
        """
        return _findings.to_findings(self)

    def to_json(self) -> str:
        """Write everything as JSON, from which `from_json` makes an equal explanation.

        Numbers that are not finite become null, as JSON has no other word for them.

        Returns
        -------
        str
        """
        return _json.to_json_text(self)

    @overload
    def to_html(
        self, path: None = None, redundant: bool = False, agreement: bool | str = "auto"
    ) -> str: ...

    @overload
    def to_html(
        self,
        path: str | os.PathLike[str],
        redundant: bool = False,
        agreement: bool | str = "auto",
    ) -> None: ...

    def to_html(
        self,
        path: str | os.PathLike[str] | None = None,
        redundant: bool = False,
        agreement: bool | str = "auto",
    ) -> str | None:
        """Write a page to show to others: what the rows have in common, then row by row.

        It is one file, without scripts, that asks for nothing from elsewhere. Without
        `background` it has no pictures of the rows. The same explanation gives the same page,
        but for ``agreement="auto"``, which depends on how quick the detector is.

        Parameters
        ----------
        path : str or path, optional
            File to write, whole or not at all.
        redundant : bool, default=False
            Whether to show redundant aspects too, see `distinct`; else they are only counted.
        agreement : {"auto", True, False}, default="auto"
            Whether to ask the detector if it agrees with what is told of each row, see
            `with_agreement`; "auto" asks if that takes a few seconds at most, or else about the
            rows that are open on the page. If the detector cannot answer, the page says why.

        Returns
        -------
        str or None
            The page, unless it was written to a file.

        Raises
        ------
        AspectsError
            If the file cannot be written.
        """
        from ..report import report

        if path is None:
            return report(self, redundant, agreement)
        check_target(path)  # known before the work begins
        write_text(path, report(self, redundant, agreement))
        return None

    @classmethod
    def from_json(cls, text: str | bytes) -> Explanation:
        """Read what `to_json` wrote.

        The text may come from anyone: it is checked field by field, and nothing in it is run. It
        has at most 10,000 aspects for a row.

        Parameters
        ----------
        text : str or bytes

        Returns
        -------
        Explanation

        Raises
        ------
        InvalidInputError
            If the text is not an explanation.
        """
        fields = _json.read_fields(text)
        queries = tuple(
            QueryExplanation(**query | {"aspects": tuple(Aspect(**a) for a in query["aspects"])})
            for query in fields["queries"]
        )
        return cls(**fields | {"queries": queries})
