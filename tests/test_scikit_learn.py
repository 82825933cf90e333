"""Densities and miners are estimators by scikit-learn's own checks."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from pyod_aspects import Miner, SGBeam
from pyod_aspects.density import KDE, Density, Grid, PairwiseKDE, SGrid
from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.miners import MINERS

ESTIMATORS = [Grid(), SGrid(), KDE(), PairwiseKDE(), *(miner() for miner in MINERS.values())]


class NumbersOnly(Density):
    """A density of constant value that leaves `any_table` as it is."""

    def _fit(self, values):
        pass

    def density(self, subspace, points=None):
        return np.ones(self.n_rows_ if points is None else len(points))


# scikit-learn calls whatever is named `score`; of SGBeam it is a setting, as it is in the paper.
NOT_A_METHOD = {
    "check_fit_score_takes_y",
    "check_n_features_in_after_fitting",
    "check_pipeline_consistency",
}


# scikit-learn skips its check of array API input unless SCIPY_ARRAY_API is set.
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learns_checks(estimator, check):
    if isinstance(estimator, SGBeam) and check.func.__name__ in NOT_A_METHOD:
        pytest.skip("score is a setting of SGBeam, no method")
    check(estimator)


def announced(estimator):
    """Whether the tags of an estimator announce missing values and text."""
    try:
        from sklearn.utils import get_tags
    except ImportError:  # before scikit-learn 1.6
        tags = estimator._get_tags()
        return tags["allow_nan"], "string" in tags["X_types"]
    tags = get_tags(estimator).input_tags
    return tags.allow_nan, tags.string


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
def test_tags_announce_missing_values_and_text_which_are_taken(estimator):
    assert announced(estimator) == (True, True)
    estimator.fit(np.array([[1.0, "a"], [np.nan, "b"], [2.0, "a"]], dtype=object))


@pytest.mark.parametrize("estimator", [NumbersOnly(), Miner(NumbersOnly())])
def test_tags_of_a_density_of_numbers_announce_neither(estimator):
    assert announced(estimator) == (False, False)
    with pytest.raises(InvalidInputError, match="takes numbers only"):
        estimator.fit([[1.0], [np.nan]])
