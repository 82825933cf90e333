"""Judge explained rows: which aspects are convincing or redundant, which rows belong together.

The methods call the functions of `judging`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, Any

from .._util.types import ProgressCallback
from ..exceptions import InvalidInputError
from .judging import agreement as _agreement
from .judging import redundancy as _redundancy
from .judging.blame import weigh_features
from .judging.cover import Cover, find_cover
from .judging.groups import Groups, find_groups
from .judging.significance import ALPHA, benjamini_hochberg
from .rows import Rows

if TYPE_CHECKING:
    from typing_extensions import Self

    from .values import Explanation


class Judged(Rows):
    """Explained rows, with methods that judge them."""

    def distinct(
        self, most_lift: float = _redundancy.MOST_LIFT, margin: float = _redundancy.MARGIN
    ) -> Self:
        """Leave out redundant aspects: they add little to a smaller set that they contain.

        A set of several features stays if its lift shows that it needs all of them. Without a lift
        it stays if its Z-score clearly beats each smaller set within it that stays. Ranks and
        scores of your own only have to be better. The best aspect of a row always stays. Text and
        pages show these aspects; `aspects`, `to_frame` and `to_json` have all.

        Parameters
        ----------
        most_lift : float, default=0.5
            Largest lift of a set that needs all its features.
        margin : float, default=0.05
            Least advantage over a smaller set, as a share of its Z-score.

        Returns
        -------
        Explanation

        Examples
        --------
        >>> from pyod_aspects import Aspect, Explanation, QueryExplanation
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

    def convincing(self, alpha: float = ALPHA) -> Self:
        """Keep the aspects that are stronger than those of ordinary rows.

        The procedure of Benjamini and Hochberg chooses rows by their p-values. On average at
        most a share of `alpha` of them is ordinary. The chosen rows keep the aspects that are
        strong enough; the others stay without aspects. The share holds for rows chosen without
        regard to their features. A detector chooses the most extreme rows, which stand out even in
        a table without any outlier.

        Parameters
        ----------
        alpha : float, default=0.05
            Accepted share of ordinary rows among the chosen ones.

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
        """Return the largest convincing p-value, by Benjamini and Hochberg; 0 if there is none.

        Parameters
        ----------
        alpha : float, optional
            As for `convincing`. Default: the `alpha` of `convincing`, or 0.05.

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

        The convincing aspects of a row that are not redundant blame features, each with a
        direction. Without p-values, all aspects that are not redundant do. The rows of a group
        share the first feature of their headlines, and its direction: "y too low for x or z". A
        row is in one group. A row that fits nowhere stays alone. A row with nothing convincing is
        in no group.

        Returns
        -------
        Groups
            A tuple of `Group`, the largest first, groups of one row last.

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
        7 rows: x, y and z are 0
        4 rows: depth is low
        """
        return find_groups(self._whole)

    def cover(self, n_pictures: int = 4) -> Cover:
        """Choose the few aspects whose pictures explain most rows.

        A picture explains the rows that have its features as a convincing aspect that is not
        redundant. Without p-values, any aspect that is not redundant counts. A picture of two
        features also explains the rows that are odd in one of them. Each next picture is the
        one that explains the most rows left. So they reach at least 63 % of the best choice of as
        many pictures.

        Parameters
        ----------
        n_pictures : int, default=4
            Most pictures; fewer if these explain all rows that have such an aspect.

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
        return find_cover(self._whole, n_pictures)

    def with_agreement(
        self,
        n_samples: int = _agreement.N_SAMPLES,
        n_aspects: int | None = None,
        random_state: Any = 0,
        progress: bool | ProgressCallback | None = None,
    ) -> Explanation:
        """Ask the detector whether it agrees: how far its score falls with other values.

        For `agreement`, an aspect's features get the values of rows drawn at random. For `repair`,
        only the feature to blame gets values, from its expected range. If several features of a
        row are odd by themselves, the row's own `repair` gives all of them typical values at once.
        The detector scores these new rows. Rows with a score up to the median get no answer.

        Parameters
        ----------
        n_samples : int, default=50
            Number of rows that lend their values, the same ones for all aspects.
        n_aspects : int, optional
            Aspects of each row to ask about, the best ones. Default: all.
        random_state : int, RandomState or None, default=0
            Seed of the draw of rows that lend their values.
        progress : bool or callable, optional
            As for `AspectExplainer.explain`.

        Returns
        -------
        Explanation
            With `Aspect.agreement`, `Aspect.repair` and `QueryExplanation.repair`.

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
        return _agreement.with_agreement(self._whole, n_samples, n_aspects, random_state, progress)
