"""outliertree: a value that is unusual among the rows that meet certain conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pyod_aspects._util.types import FloatArray, Subspace

from .base import Answer, Explain, Peer


class OutlierTree(Peer):
    """The set consists of the column of the unusual value and the columns of the conditions."""

    name = "outliertree"
    package = "outliertree"
    module = "outliertree"
    detector = "itself: it explains the rows that it flags, and only those"
    settings = "defaults, one thread; `predict` on the rows after `fit`"
    cut = "the column of the unusual value and the columns of the conditions"
    attribution = False
    parameters: ClassVar[dict[str, Any]] = {}

    def _fit(self, X: FloatArray) -> Explain:
        import pandas as pd
        from outliertree import OutlierTree

        names = [str(j) for j in range(X.shape[1])]
        frame = pd.DataFrame(X, columns=names)
        model = OutlierTree(nthreads=1, **self.parameters).fit(frame, outliers_print=0)

        def explain(rows: Sequence[int]) -> list[Answer]:
            said = model.predict(frame.iloc[list(rows)], outliers_print=0)
            return [answer(record) for record in said.to_dict("records")]

        return explain


class DeepOutlierTree(OutlierTree):
    """One condition more than by default."""

    name = "outliertree-5"
    settings = "`max_depth=5` (default 4), one thread; `predict` on the rows after `fit`"
    parameters: ClassVar[dict[str, Any]] = {"max_depth": 5}


class TunedOutlierTree(OutlierTree):
    """The best of 14 settings, tried on these very sets."""

    name = "outliertree-tuned"
    settings = (
        "`max_depth=5, pct_outliers=0.02` (defaults 4 and 0.01), the best of 14 settings tried on "
        "these very sets; one thread"
    )
    parameters: ClassVar[dict[str, Any]] = {"max_depth": 5, "pct_outliers": 0.02}


def answer(record: Mapping[str, Any]) -> Answer:
    """Return the set that a line of its table names; none if the row is not flagged."""
    value = record["suspicious_value"]
    if not value:
        return Answer()
    columns = {int(value["column"])} | {int(c["column"]) for c in record["conditions"]}
    subspace: Subspace = tuple(sorted(columns))
    return Answer(natural=subspace, subspaces=(subspace,))
