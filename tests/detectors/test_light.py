"""PyOD's detectors behind its light extras; the test extra brings combo, suod and xgboost."""

from __future__ import annotations

import json

import detector_cases
import numpy as np
import pandas as pd
import pytest

from pyod_aspects import AspectExplainer, cli
from pyod_aspects.detectors import make_detector
from pyod_aspects.exceptions import DetectorError

PACKAGES = {"FeatureBagging": "combo", "SUOD": "suod"}

# SUOD starts processes for every call.
NAMES = ["FeatureBagging", pytest.param("SUOD", marks=pytest.mark.slow)]


@pytest.fixture(scope="module")
def mixed():
    """Numbers with gaps and a category; row 7 is far out."""
    frame = pd.DataFrame(detector_cases.X.copy(), columns=list("abcd"))
    frame["kind"] = np.where(frame["a"] > 0, "warm", "cold")
    frame.loc[11, "b"] = np.nan
    return frame


@pytest.mark.parametrize("name", NAMES)
def test_it_is_fitted_by_name_and_explained(name, mixed):
    pytest.importorskip(PACKAGES[name])
    explainer = AspectExplainer(make_detector(name, mixed), n_queries=2, n_reference=0).fit(mixed)
    explanation = explainer.explain().with_agreement(n_samples=2, n_aspects=1)
    assert explanation.detector == name
    assert explanation[0].row == 7
    assert explanation[0].aspects[0].agreement.share > 0
    assert explainer.explain(mixed[5:45])[0].row == 2


@pytest.mark.parametrize("name", NAMES)
def test_what_it_prints_stays_out_of_the_output(name, mixed, tmp_path, capfd):
    pytest.importorskip(PACKAGES[name])
    mixed.to_csv(tmp_path / "data.csv", index=False)
    options = ["--detector", name, "--n-queries", "1", "--n-reference", "0", "--max-dim", "1"]
    options += ["--agreement", "--format", "json", "--quiet"]
    assert cli.main(["explain", str(tmp_path / "data.csv"), *options]) == 0
    printed = capfd.readouterr()
    assert json.loads(printed.out)["queries"][0]["row"] == 7
    assert printed.err == ""


def test_xgbod_needs_labels_and_says_so(mixed):
    pytest.importorskip("xgboost")
    with pytest.raises(DetectorError, match=r"^XGBOD needs the argument 'y': set it up and"):
        make_detector("XGBOD", mixed)


def test_xgbod_that_was_fitted_with_labels_is_explained():
    pytest.importorskip("xgboost")
    outcome = detector_cases.outcome("XGBOD")
    assert outcome.explained
    assert outcome.new_rows == "explained"
    assert "needs labels" in outcome.notes
