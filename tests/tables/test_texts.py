"""Text that reads as times or decimal numbers is said to count as categories."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from pyod_aspects import AspectExplainer, SGBeam
from pyod_aspects.exceptions import TextWarning
from pyod_aspects.tables.texts import text_form

DAYS = pd.date_range("2024-01-01", periods=60, freq="D")


@pytest.mark.parametrize(
    ("labels", "form"),
    [
        (DAYS.strftime("%Y-%m-%d"), "times"),
        (DAYS.strftime("%d.%m.%Y %H:%M"), "times"),
        (DAYS.strftime("%m/%d/%Y"), "times"),
        ([f"{i},9" for i in range(60)], "numbers with decimal commas"),
        (["1.234,5", *(f"{i}" for i in range(60))], "numbers with decimal commas"),
        ([f"{i}.25" for i in range(60)], "numbers"),
        ([f"{i}e-3" for i in range(60)], "numbers"),
        ([str(10_000 + i) for i in range(60)], ""),  # codes, such as those of towns
        ([f"{i}.5" for i in range(10)], ""),  # few
        ([f"A{i}" for i in range(60)], ""),
        ([*DAYS.strftime("%Y-%m-%d"), "soon"], ""),
        ([], ""),
    ],
)
def test_labels_that_all_read_as_something_else_are_told(labels, form):
    assert text_form(list(labels)) == form


def fit(frame):
    scores = np.arange(len(frame), dtype=float)
    return AspectExplainer.from_scores(scores, SGBeam(max_dim=1), n_reference=0).fit(frame)


def test_the_explainer_warns_where_it_is_fitted():
    frame = pd.DataFrame({"x": np.arange(60.0), "sold": DAYS.strftime("%Y-%m-%d")})
    message = (
        r"^column 'sold' holds text that reads as times and counts as categories: "
        r"pd\.to_datetime makes times of it\.$"
    )
    with pytest.warns(TextWarning, match=message) as warned:
        fit(frame)
    assert warned[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit(frame.assign(sold=DAYS))
