"""Explanations: which rows, how anomalous, and the features in which each stands out.

Frozen values, best first. You can print, compare and pickle them, send them as JSON and read them
back years later. Their `background` holds the table and the detector's scores for pictures.
Comparison and JSON leave it out. `writing` holds the ways to write an explanation.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from .._util.files import check_target, write_text
from ..search.aspect import Aspect
from .judged import Judged
from .known import with_known
from .query import QueryExplanation
from .writing import findings as _findings
from .writing import frame as _frame
from .writing import json as _json
from .writing import text as _text
from .writing.html import to_html_fragment
from .writing.wording import MOST_ROWS

if TYPE_CHECKING:
    import pandas as pd

    from ..widgets import AspectBrowser


@dataclass(frozen=True, repr=False)
class Explanation(Judged):
    """Sequence of explained rows, as `AspectExplainer.explain` returns it.

    Attributes
    ----------
    queries : tuple of QueryExplanation
        The explained rows, highest score first.
    detector, miner : str
        Class names.
    settings : mapping of str
        The miner's parameters, as values that JSON can hold or as text.
    score_name : str
        Name of the aspects' scores: "lift", "zscore", "rank", or the name of your own score.
    measure : {"count", "density"}
        Kind of `density`, `mean` and `std` of the aspects: counts of rows, or kernel densities.
    n_rows : int
        Number of fitted rows, which the explainer compares with.
    feature_names : tuple of str
        The names of all columns.
    new_rows : bool
        Whether row numbers refer to a new table, not to the fitted one.
    version : str
        The version of pyod_aspects.
    nearby : str
        The miner's definition of "nearby".
    duplicate_columns : mapping of str
        Duplicate columns by name, which the search left out, each with the column that it
        duplicates.
    n_reference : int
        Number of reference rows that the p-values compare with; 0 without p-values.
    alpha : float or None
        The `alpha` of `convincing`; None if all aspects are there.
    known : Known or None
        The column of known labels, see `with_known`; None without labels.
    background : Background or None
        The table, scores and density of the explanation. JSON and pickle lose it: then it is
        None. Comparisons ignore it.

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

    def with_known(self, labels: Any, name: str | None = None) -> Explanation:
        """Show known labels beside the rows, such as which payments were fraud.

        Text, pages, frames and JSON have the label of each row. Text and pages also say how many
        of the explained rows, and of all rows, have each label. The search ignores labels.

        Parameters
        ----------
        labels : Series or sequence
            One for each row of the explained table, in its order.
        name : str, optional
            Name of the labels. Default: the name of the Series, or "label".

        Returns
        -------
        Explanation

        Raises
        ------
        InvalidInputError
            If the number of labels differs from the number of rows.

        Examples
        --------
        >>> from pyod_aspects import AspectExplainer
        >>> X = [[1.0], [2.0], [1.5], [9.0]]
        >>> explanation = AspectExplainer.from_scores([0.1, 0.2, 0.1, 0.9], n_queries=1).fit(X)
        >>> explanation.explain().with_known(["no", "no", "no", "yes"], "fraud")[0].known
        'yes'
        """
        return with_known(self, labels, name)

    def summary(self, aspects: int = 3, rows: int | None = None, redundant: bool = False) -> str:
        """Text for the terminal, at most 100 columns wide unless a name is longer.

        For each row, the text says what is odd about it, how sure that is, and which other rows
        are odd in the same way. It adds the detector's answer, see `with_agreement`. One sentence
        covers all aspects that blame the same feature, beside the rows nearby and the rows
        expected. With more than five rows, the text begins with their `groups`.

        Parameters
        ----------
        aspects : int, default=3
            Sentences to show for each row, the most important ones. With 1 there are no figures.
            "(+2 more)" counts the sentences left out.
        rows : int, optional
            Rows to show. Default: all.
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
            A widget. Its traits `row` and `aspect` hold the choice of the user.

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
            Columns of the row: ``row`` (the position), ``label`` (the name, or None), ``score``,
            ``percentile``, ``is_anomaly`` and ``known`` (see `with_known`). Columns of the aspect:
            ``aspect`` (1 is the best), ``features``, ``subspace``, its score by name (``lift``,
            ``zscore``, ``rank``), ``count`` or ``density``, ``mean``, ``std``, ``expected``,
            ``lift``, ``error`` and ``p_value``. ``error`` is there only if Z-scores are estimates.
            ``agreement`` and ``repair`` hold shares, see `with_agreement`; ``evidence`` is a
            sentence.
            A row without aspects has one line; its aspect columns are empty.
        """
        return _frame.to_frame(self)

    def to_findings(self) -> list[dict[str, Any]]:
        """Return dicts with the keys of PyOD's `ADEngine.explain_findings`, and the aspects.

        Returns
        -------
        list of dict
            One for each row. ``index`` is the position. ``percentile`` is the percent of rows with
            a score up to this one; without `background`, with a lower score. ``label`` is "anomaly"
            or "normal", or None if the detector has no threshold. ``narrative`` holds sentences.
            ``contributing_features`` are the features to blame, the largest ``weight`` first. Their
            ``mean`` and ``z_score`` are None unless the column holds numbers and `background` is
            there. ``aspects`` are those of `to_json`, each with a ``sentence``. All values are
            plain ones that JSON can hold.

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
        """Write everything as JSON; `from_json` turns it into an equal explanation.

        Numbers that are not finite become null, as JSON has no word for them.

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
        """Write a page to show to others: reasons that rows share, then row by row.

        The page is one file, has no scripts and loads nothing from the network. Without
        `background` it has no pictures of the rows. The same explanation gives the same page.

        Parameters
        ----------
        path : str or path, optional
            File to write, whole or not at all.
        redundant : bool, default=False
            Whether to show redundant aspects too, see `distinct`; else the page only counts them.
        agreement : {"auto", True, False}, default="auto"
            Whether to ask the detector if it agrees, see `with_agreement`. "auto" asks if it has to
            score few rows, or else only about the rows that are open on the page. If the detector
            cannot answer, the page says why.

        Returns
        -------
        str or None
            The page, or None with `path`.

        Raises
        ------
        AspectsError
            If it cannot write the file.
        """
        from ..report import report

        if path is None:
            return report(self, redundant, agreement)
        check_target(path)  # fail before the work begins
        write_text(path, report(self, redundant, agreement))
        return None

    @classmethod
    def from_json(cls, text: str | bytes) -> Explanation:
        """Read the JSON of `to_json`.

        The text may come from anyone: `from_json` checks each field, and runs nothing in it. It
        accepts at most 10,000 aspects for a row.

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
