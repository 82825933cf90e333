"""An explanation to look at."""

from __future__ import annotations

import pytest
from explanation_cases import aspect, explanation, query


@pytest.fixture
def wine():
    return explanation(
        query(
            22, aspect(0, 3), aspect(1, score=-2.5, density=1), aspect(2), aspect(3), aspect(1, 2)
        ),
        query(7, aspect(0), score=0.51, percentile=98.1),
        query(140, score=0.5, percentile=95.0),
    )
