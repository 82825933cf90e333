"""Any row can be explained, in the table and with the scores that are shown."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import IsolationForest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from widget_parts import LONG

from pyod_aspects import AspectExplainer, SGBeam

pytest.importorskip("ipywidgets")


def test_any_row_can_be_explained(browser, explainer, explanation):
    row = int(np.argsort(explainer.scores_)[0])
    browser.view.other.value = row
    browser.view.ask.click()
    assert browser.wait(LONG)
    assert browser.row == row
    rows = [query.row for query in explanation]
    assert browser.explanation == explainer.explain(rows=[*rows, row])


def test_a_row_that_is_there_is_only_chosen(browser, explanation):
    browser.explain_row(explanation[2].row)
    assert browser.row == explanation[2].row
    assert browser.explanation is explanation


def test_new_rows_are_searched_in_their_own_table(explainer, X):
    browser = explainer.explain(X.iloc[:20], n_queries=2).explore()
    assert browser.view.other.max == 19
    browser.n_queries = 3
    browser.find()
    assert browser.wait(LONG)
    assert browser.explanation == explainer.explain(X.iloc[:20], n_queries=3)


def test_a_search_keeps_to_the_table_that_is_shown(X, detector):
    explainer = AspectExplainer(detector, SGBeam(max_dim=1), n_queries=2).fit(X)
    shown = explainer.explain()
    browser = shown.explore()
    explainer.fit(2.0 * X.iloc[:, ::-1] ** 3)
    browser.find()
    assert browser.wait(LONG)
    assert browser.explanation == shown
    assert not browser.explanation.new_rows


def test_searches_keep_the_scores_of_a_pipeline_that_reads_text(X):
    """What is kept of the table has codes in place of text, which only the pipeline can read."""
    frame = X.assign(kind=["x", "y", "z"] * 100)
    encode = ColumnTransformer(
        [("numbers", StandardScaler(), list(X)), ("text", OneHotEncoder(), ["kind"])]
    )
    pipeline = make_pipeline(encode, IsolationForest(random_state=0)).fit(frame)
    explainer = AspectExplainer(pipeline, SGBeam(max_dim=1), n_queries=2).fit(frame)
    browser = explainer.explore()
    assert browser.wait(LONG)
    assert browser.explanation == explainer.explain()
    browser.explain_row(5)
    assert browser.wait(LONG)
    assert browser.explanation.row(5) == explainer.explain(rows=5)[0]
    new = explainer.explain(frame[:20], n_queries=1).explore()
    new.n_queries = 3
    new.find()
    assert new.wait(LONG)
    assert new.explanation == explainer.explain(frame[:20], n_queries=3)
