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
from .._util.types import Measure
from ..exceptions import InvalidInputError, QueryError
from ..search.aspect import Aspect
from . import frame as _frame
from . import json as _json
from . import redundancy as _redundancy
from . import text as _text
from .background import Background
from .blame import weigh_features
from .html import to_html_fragment
from .settings import FrozenMapping
from .significance import ALPHA, benjamini_hochberg
from .wording import MOST_ROWS, has_labels, join_first

if TYPE_CHECKING:
    import pandas as pd

    from ..widgets import AspectBrowser


@dataclass(frozen=True, repr=False)
class QueryExplanation:
    """One row: how anomalous the detector finds it, and its aspects.

    Attributes
    ----------
    row : int
        Position in the table that was explained, from 0.
    score : float
        The detector's anomaly score, higher for more anomalous rows.
    is_anomaly : bool or None
        Whether the score is above the detector's threshold; None if it has no threshold.
    aspects : tuple of Aspect
        The sets of features in which the row stands out, best first; empty if there are none.
    percentile : float or None
        Percent of the rows compared with that have a lower score.
    label : str or None
        The row's name, from the index of the DataFrame; None if the table has no such labels.
    p_value : float or None
        Share of ordinary rows whose best aspect is at least as strong as the best one here; None
        if no reference rows were searched.
    features : mapping of str to float
        Which features to blame: the weight of each in the convincing aspects, the largest first.
        Without p-values, in all aspects. Empty if nothing is convincing.

    Examples
    --------
    >>> aspect = Aspect((0, 12), ("alcohol", "proline"), score=-3.41, density=2, mean=31, std=8.5)
    >>> QueryExplanation(row=22, score=0.71, is_anomaly=True, aspects=(aspect,), percentile=99.2)
    QueryExplanation: row 22, score 0.71, higher than 99.2 % of rows, 1 aspect: {alcohol, proline}
    """

    row: int
    score: float
    is_anomaly: bool | None
    aspects: tuple[Aspect, ...]
    percentile: float | None = None
    label: str | None = None
    p_value: float | None = None
    features: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        unknown = self.percentile is None or not math.isfinite(self.percentile)
        _set(
            self,
            row=int(self.row),
            score=float(self.score),
            is_anomaly=None if self.is_anomaly is None else bool(self.is_anomaly),
            aspects=tuple(self.aspects),
            percentile=None if unknown else float(self.percentile or 0.0),
            label=None if self.label is None else str(self.label),
            p_value=None if self.p_value is None else float(self.p_value),
            features=FrozenMapping(self.features),
        )

    def __repr__(self) -> str:
        return _text.query_line(self)


@dataclass(frozen=True, repr=False)
class Explanation(Sequence[QueryExplanation]):
    """What `AspectExplainer.explain` found: a sequence of explained rows.

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
        _set(
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

    def summary(self, aspects: int = 3, rows: int | None = None, redundant: bool = False) -> str:
        """Text for the terminal, at most 100 columns wide unless a name is longer.

        Parameters
        ----------
        aspects : int, default=3
            How many aspects to show for each row, the best ones.
        rows : int, optional
            How many rows to show; all of them if not given.
        redundant : bool, default=False
            Whether to show redundant aspects too, see `distinct`; else they are only counted.

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
        """Open it in a notebook, to click through rows and aspects and to search anew.

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
            ``lift``, ``p_value`` and, as a sentence, ``evidence``.
            A row without aspects has one line, with nothing in these.
        """
        return _frame.to_frame(self)

    def to_json(self) -> str:
        """Write everything as JSON, from which `from_json` makes an equal explanation.

        Numbers that are not finite become null, as JSON has no other word for them.

        Returns
        -------
        str
        """
        return _json.to_json_text(self)

    @overload
    def to_html(self, path: None = None, redundant: bool = False) -> str: ...

    @overload
    def to_html(self, path: str | os.PathLike[str], redundant: bool = False) -> None: ...

    def to_html(
        self, path: str | os.PathLike[str] | None = None, redundant: bool = False
    ) -> str | None:
        """Write a page to show to others: pictures, words, settings and versions.

        It is one file, without scripts, that asks for nothing from elsewhere. Without
        `background` it has no pictures of the rows.

        Parameters
        ----------
        path : str or path, optional
            File to write, whole or not at all.
        redundant : bool, default=False
            Whether to show redundant aspects too, see `distinct`; else they are only counted.

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
            return report(self, redundant)
        check_target(path)  # known before the work begins
        write_text(path, report(self, redundant))
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


def _set(frozen: object, **values: Any) -> None:
    """Set fields of a frozen dataclass, for its `__post_init__`."""
    for name, value in values.items():
        object.__setattr__(frozen, name, value)
