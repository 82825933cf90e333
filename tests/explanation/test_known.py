"""Known labels stand beside the rows, wherever an explanation is written."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from explanation_cases import told

from pyod_aspects import AspectExplainer, Explanation
from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.widgets.facts import row_line

X = np.random.default_rng(0).normal(size=(50, 2))
X[7, 0], X[9, 1] = 9.0, -9.0
LABELS = pd.Series(["fine"] * 50, name="state")
LABELS[7], LABELS[9] = "broken", None


@pytest.fixture(scope="module")
def labelled():
    scores = np.abs(X).max(axis=1)
    made = AspectExplainer.from_scores(scores, n_queries=3, n_reference=0).fit(X).explain()
    return made.with_known(LABELS)


def test_each_row_has_its_label_and_labels_are_counted(labelled):
    assert {query.row: query.known for query in labelled[:2]} == {7: "broken", 9: "missing"}
    assert dict(labelled.known.counts) == {"broken": 1, "fine": 48, "missing": 1}
    assert (labelled.known.name, labelled.known.n_rows) == ("state", 50)


def test_text_has_it_beside_each_row_and_counts_it(labelled):
    text = labelled.summary()
    for query in labelled:
        [line] = [one for one in text.splitlines() if one.startswith(f"  row {query.row} ")]
        assert line.endswith(f", state = {query.known}")
    assert "  state = broken: 1 of these 3 rows, 1 of all 50 rows\n" in text
    assert "  state = fine: 1 of these 3 rows, 48 of all 50 rows\n" in text


def test_pages_have_it_beside_each_row_and_count_it(labelled):
    page = labelled.to_html()
    assert page.count('<span class="chip">state\u00a0=\u00a0broken</span>') == 1
    assert "state\u00a0=\u00a0broken: 1 of these 3 rows, 1 of all 50 rows" in page
    fragment = labelled._repr_html_()
    assert "<br>state = broken</small></td>" in fragment
    assert "state = broken: 1 of these 3 rows, 1 of all 50 rows" in fragment
    assert "state = broken" in row_line(labelled, labelled.row(7))


def test_frames_and_json_have_it(labelled):
    frame = labelled.to_frame()
    assert set(frame.loc[frame["row"] == 7, "known"]) == {"broken"}
    read = Explanation.from_json(labelled.to_json())
    assert read == labelled
    assert read.known == labelled.known


def test_many_labels_are_not_all_listed():
    made = AspectExplainer.from_scores(X[:, 0], n_queries=9, n_reference=0).fit(X).explain()
    text = made.with_known(range(50), "number").summary()
    assert "  number: 4 rows with 4 more labels\n" in text


def test_other_numbers_of_labels_are_refused(labelled):
    with pytest.raises(InvalidInputError, match="got 49 labels: expected one for each of 50 rows"):
        labelled.with_known(LABELS[:49])
    with pytest.raises(InvalidInputError, match="got 2 labels: expected one for each row"):
        Explanation.from_json(labelled.to_json()).with_known(["a", "b"])


def test_json_with_labels_that_are_not_counted_is_refused(labelled):
    content = json.loads(labelled.to_json())
    for known in (None, content["known"] | {"counts": {"fine": 1}}):
        with pytest.raises(InvalidInputError, match=r"queries\[0\].known is not a label"):
            Explanation.from_json(json.dumps(content | {"known": known}))
    counts = content["known"]["counts"] | {"fine": -1}
    with pytest.raises(InvalidInputError, match=r"known.counts\['fine'\] is negative"):
        Explanation.from_json(
            json.dumps(content | {"known": content["known"] | {"counts": counts}})
        )


def test_without_labels_nothing_is_said():
    assert told().known is None
    assert "label" not in told().to_html()
