"""An estimator that tells scikit-learn which tables it takes."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator


class TableEstimator(BaseEstimator):  # type: ignore[misc]
    """Base class of densities and miners, with scikit-learn's estimator tags.

    The tags announce missing values and text, so that scikit-learn neither refuses such a table
    beforehand nor expects the estimator to refuse it.
    """

    def _takes_any_table(self) -> bool:
        """Whether `fit` takes missing values and categories."""
        return True

    def __sklearn_tags__(self) -> Any:
        """Return the tags, from scikit-learn 1.6 on."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = self._takes_any_table()
        return tags

    def _more_tags(self) -> dict[str, Any]:
        """Return the tags that differ from the defaults, before scikit-learn 1.6."""
        if not self._takes_any_table():
            return {}
        return {"allow_nan": True, "X_types": ["2darray", "string"]}
