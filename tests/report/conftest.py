"""Explanations for pages: rows in groups, alone and without an answer."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from mixed import explain, mixed_table

from pyod_aspects import AspectExplainer, Explanation

HIGH, LOW, ALONE = range(6), range(6, 10), 10


@pytest.fixture(scope="package")
def planted() -> Explanation:
    """Six rows with a high price, four with little weight, one that is short for its age, five
    ordinary ones."""
    rng = np.random.default_rng(0)
    n = 800
    price, weight, age = rng.normal(100, 5, n), rng.normal(60, 3, n), rng.uniform(0, 10, n)
    height = 50 + 10 * age + rng.normal(0, 1, n)
    price[list(HIGH)] = 200 + np.arange(6)
    weight[list(LOW)] = 10 - np.arange(4)
    age[ALONE], height[ALONE] = 9.0, 60.0
    frame = pd.DataFrame({"price": price, "weight": weight, "age": age, "height": height})
    scores = np.r_[np.linspace(30, 15, 16), rng.uniform(0, 1, n - 16)]
    return AspectExplainer.from_scores(scores, n_queries=16).fit(frame).explain()


@pytest.fixture(scope="package")
def page(planted) -> str:
    return planted.to_html()


@pytest.fixture(scope="package")
def mixed() -> Explanation:
    return explain(mixed_table(), [(0, 1), (2,), (1, 2), (0, 1, 2), (3,), (0,)])
