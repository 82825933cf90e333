"""What a density refuses, and what is left of it then."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pyod_aspects import Miner
from pyod_aspects.density import KDE, SGrid
from pyod_aspects.exceptions import InvalidInputError, NotFittedError


def test_after_a_refused_fit_the_last_one_still_holds():
    X = np.random.default_rng(0).normal(size=(300, 2))
    density = KDE().fit(X)
    before = density.density((0, 1), X[:5])
    with pytest.raises(InvalidInputError):
        density.set_params(bandwidth=-1.0).fit(X[:100])
    assert density.n_rows_ == 300
    assert_array_equal(density.density((0, 1), X[:5]), before)


def test_after_a_refused_first_fit_a_density_is_not_fitted():
    density = SGrid(bins=-1)
    with pytest.raises(InvalidInputError):
        density.fit(np.eye(3))
    with pytest.raises(NotFittedError):
        density.density((0,))


@pytest.mark.parametrize("subspaces", [[(0.7,)], [("a",)], [(0,), (0, 1)]])
def test_subspaces_that_are_no_attribute_numbers_are_refused(subspaces):
    with pytest.raises(InvalidInputError, match="subspaces h"):
        SGrid().fit(np.eye(3)).near(subspaces, np.eye(3))


def test_a_miner_of_something_else_than_a_density_is_refused():
    with pytest.raises(InvalidInputError, match=r"density=3: expected a Density"):
        Miner(3).fit(np.eye(3))
