"""Explanations: which rows, how anomalous, and the features in which each stands out.

Frozen values, best first, that can be printed, compared, pickled, sent as JSON and read back
years later. What they were made from, the table and the detector's scores, comes along as their
`background` for pictures; it is neither compared nor written. What is written how stands in
`writing`.
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
    known : Known or None
        The column of known labels, see `with_known`; None if there is none.
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

    def with_known(self, labels: Any, name: str | None = None) -> Explanation:
        """Show known labels beside the rows, such as which payments were fraud.

        Text, pages, frames and JSON have the label of each row. Text and pages also say how many
        of the explained rows, and of all rows, have each label. The search does not see labels.

        Parameters
        ----------
        labels : Series or sequence
            One for each row of the explained table, in its order.
        name : str, optional
            What they are called; the name of the Series, or "label", if not given.

        Returns
        -------
        Explanation

        Raises
        ------
        InvalidInputError
            If the table has more or fewer rows.

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

        Each row says what is odd about it, how sure that is, what the detector says of it (see
        `with_agreement`) and which other rows are odd in the same way. Aspects that blame the same
        feature are told in one sentence, beside the rows nearby and those expected. More than five
        rows begin with what they have in common, see `groups`.

        Parameters
        ----------
        aspects : int, default=3
            How many sentences to show for each row, the most important ones. With 1 there are no
            figures. "(+2 more)" counts the sentences left out.
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
            ``percentile``, ``is_anomaly`` and ``known`` (see `with_known`) of the row;
            ``aspect`` (1 is the best), ``features``, ``subspace``, the aspect's score under its
            name (``zscore``, ``rank``), ``count`` or ``density``, ``mean``, ``std``, ``expected``,
            ``lift``, ``error`` (only where Z-scores are estimates), ``p_value``, the shares of
            ``agreement`` and ``repair`` (see `with_agreement`) and, as a sentence, ``evidence``.
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
        `background` it has no pictures of the rows. The same explanation gives the same page.

        Parameters
        ----------
        path : str or path, optional
            File to write, whole or not at all.
        redundant : bool, default=False
            Whether to show redundant aspects too, see `distinct`; else they are only counted.
        agreement : {"auto", True, False}, default="auto"
            Whether to ask the detector if it agrees with what is told of each row, see
            `with_agreement`; "auto" asks if no more rows have to be scored than the detector
            was fitted on, or else about the rows that are open on the page. If the detector cannot
            answer, the page says why.

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
