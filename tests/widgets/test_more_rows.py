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
    browser.view.settings.other.value = row
    browser.view.settings.ask.click()
    assert browser.wait(LONG)
    assert browser.row == row
    rows = [query.row for query in explanation]
    assert browser.explanation == explainer.explain(rows=[*rows, row])


def test_a_row_that_is_there_is_only_chosen(browser, explanation):
    browser.explain_row(explanation[2].row)
    assert browser.row == explanation[2].row
    assert browser.explanation is explanation


@pytest.mark.parametrize("row", [99999, 300, -1])
def test_a_row_that_does_not_exist_is_not_explained_and_the_field_says_so(
    browser, explanation, row
):
    before = browser.row, browser.state, browser.message
    browser.view.settings.other.value = row
    assert browser.view.settings.other.value == row
    browser.view.settings.ask.click()
    assert browser.wait(LONG)
    assert (
        f"There is no row {row}: the table has 300 rows, 0 to 299."
        in browser.view.settings.no_row.value
    )
    assert browser.explanation is explanation
    assert (browser.row, browser.state, browser.message) == before
    browser.view.settings.other.value = 7
    assert browser.view.settings.no_row.value == ""


def test_a_row_that_does_not_exist_does_not_end_a_search(explainer, explanation):
    browser = explainer.explore()
    browser.explain_row(99999)
    assert browser.wait(LONG)
    assert browser.explanation == explanation
    assert "no row 99999" in browser.view.settings.no_row.value
    browser.explain_row(explanation[1].row)
    assert browser.no_row == ""


def test_new_rows_are_searched_in_their_own_table(explainer, X):
    browser = explainer.explain(X.iloc[:20], n_queries=2).explore()
    browser.explain_row(20)
    assert browser.no_row == "There is no row 20: the table has 20 rows, 0 to 19."
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
