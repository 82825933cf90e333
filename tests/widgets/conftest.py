"""A small table, its explanation, and a browser that shows it."""

from __future__ import annotations

import pytest
from pyod.models.ecod import ECOD
from widget_parts import LONG

from pyod_aspects import AspectExplainer, SGBeam
from pyod_aspects.datasets import make_hics


@pytest.fixture(scope="package")
def X():
    pandas = pytest.importorskip("pandas")
    data = make_hics(n_rows=300, n_features=8, random_state=1).X
    return pandas.DataFrame(data, columns=[f"<x-{letter}>" for letter in "abcdefgh"])


@pytest.fixture(scope="package")
def detector(X):
    return ECOD().fit(X.to_numpy())


@pytest.fixture(scope="package")
def explainer(X, detector):
    return AspectExplainer(detector, SGBeam(max_dim=3, width=20), n_queries=4).fit(X)


@pytest.fixture(scope="package")
def explanation(explainer):
    return explainer.explain()


@pytest.fixture
def browser(explanation):
    browser = explanation.explore()
    yield browser
    browser.cancel()
    assert browser.wait(LONG)
