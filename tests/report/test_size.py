"""The page stays small and readable, whatever the table holds."""

from __future__ import annotations

import time
from dataclasses import replace

import explanation_cases as cases
import numpy as np
import pandas as pd
import pytest
from html_page import Page

from pyod_aspects import Aspect, AspectExplainer
from pyod_aspects.explanation.judging.evidence import EvidenceFinder
from pyod_aspects.report import report
from pyod_aspects.report.limits import MOST_ROWS, MOST_SETTINGS


def with_aspects(made, *subspaces):
    """Explanation in which each row has the given aspects."""
    background = made.background
    finder = EvidenceFinder(background.reference, background.density)
    queries = []
    for query in made:
        point = background.explained.values[query.row]
        found = [
            Aspect(s, tuple(made.feature_names[i] for i in s), score=0.01, density=1, expected=9.0)
            for s in subspaces
        ]
        told = finder.add_evidence(found, point, background.explained.columns, query.row)
        queries.append(replace(query, aspects=tuple(told)))
    return replace(made, queries=tuple(queries))


def test_a_category_of_very_many_levels_makes_a_small_page():
    rng = np.random.default_rng(0)
    n = 100_000
    names = [f"customer {i:06d} with a long name" for i in range(n)]
    frame = pd.DataFrame({"name": names, "a": rng.normal(size=n), "b": rng.normal(size=n)})
    explainer = AspectExplainer.from_scores(frame.a.abs().to_numpy(), n_reference=0)
    made = explainer.fit(frame).explain(n_queries=10)
    made = with_aspects(made, (0,), (0, 1), (0, 1, 2))
    page = made.to_html()
    assert "customer" in page
    assert len(page) < 1_500_000


@pytest.mark.slow
def test_a_hundred_rows_of_two_hundred_columns_make_a_page_of_a_few_megabytes():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 200))
    X[:100] *= rng.choice([1, 8], size=(100, 200), p=[0.97, 0.03])
    names = [f"a rather long name of measurement {i}" for i in range(200)]
    scores = np.abs(X).max(axis=1)
    explainer = AspectExplainer.from_scores(scores, n_queries=100, n_reference=0)
    made = explainer.fit(pd.DataFrame(X, columns=names)).explain()
    page = made.to_html()
    assert len(Page(page).all("details", "row")) == 100
    assert len(page) < 4_000_000


def test_long_names_many_features_and_settings_are_cut():
    long = "n" * 2_000
    names = tuple(f"{long}{i}" for i in range(200))
    wide = cases.aspect(*range(200), names=names)
    made = cases.explanation(
        *(cases.query(i, wide, cases.aspect(0, names=names)) for i in range(20)),
        feature_names=names,
        detector="KNN",
        settings={f"setting {i}": long for i in range(1000)},
    )
    page = report(made)
    assert len(page) < 200_000
    assert f"and {1000 + 1 - MOST_SETTINGS} more" in page
    assert "and 192 more" in page
    assert len(made._repr_html_()) < 100_000


def test_of_very_many_rows_the_first_are_told_and_the_rest_counted():
    made = cases.explanation(*(cases.query(i, cases.aspect(0)) for i in range(MOST_ROWS + 7)))
    page = report(made)
    assert len(Page(page).all("details", "row")) == MOST_ROWS
    assert "And 7 more rows: explanation.to_frame() has all." in page
    assert len(page) < 2_000_000


@pytest.mark.slow
def test_ten_anomalies_with_five_aspects_of_a_large_table_stay_small_and_quick():
    from pyod.models.ecod import ECOD

    rng = np.random.default_rng(0)
    X = rng.normal(size=(50_000, 8)) @ rng.normal(size=(8, 8))
    explainer = AspectExplainer(ECOD().fit(X)).fit(X)
    made = explainer.explain(n_queries=10)
    # Pictures with many panels take longest.
    deep = sorted((a for q in made for a in q.aspects), key=lambda a: -len(a.subspace))[:5]
    made = replace(made, queries=tuple(replace(q, aspects=tuple(deep)) for q in made))
    start = time.process_time()
    page = made.to_html()
    assert len(page) < 3_000_000
    assert time.process_time() - start < 20  # 10 s on a machine with nothing else to do
