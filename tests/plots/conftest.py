"""Explanations to draw."""

from __future__ import annotations

import numpy as np
import pytest
from mixed import explain, mixed_table
from plot_parts import ALL, Scores

from pyod_aspects import AspectExplainer
from pyod_aspects.datasets import make_hics


@pytest.fixture(scope="package")
def mixed():
    return explain(mixed_table(), ALL)


@pytest.fixture(scope="package")
def plain():
    """An explanation by SGBeam of rows that stand out in two to four features."""
    data = make_hics(n_rows=600, n_features=6, block_sizes=[2, 4], random_state=0)
    row = next(row for row, true in data.truth.items() if true == [(2, 3, 4, 5)])
    scores = np.linspace(0, 1, len(data.X))
    explainer = AspectExplainer(Scores(scores)).fit(data.X)
    return explainer.explain(rows=[row, 5])
