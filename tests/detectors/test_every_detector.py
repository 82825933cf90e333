"""Every detector that the installed PyOD brings is explained, or has a reason not to be."""

from __future__ import annotations

import re

import detector_cases
import pytest
from detector_cases import SKLEARN, outcome, planted_shares, pyod_classes

# What runs without an extra package; a rule that calls too much impossible would be noticed.
ALWAYS = {
    *("ABOD", "CBLOF", "CD", "COF", "COPOD", "ECOD", "GMM", "HBOS", "IForest", "INNE", "KDE"),
    *("KNN", "KPCA", "LMDD", "LOCI", "LODA", "LOF", "LSCP", "MAD", "MCD", "OCSVM", "PCA", "QMCD"),
    *("RGraph", "ROD", "SOD", "SOS", "Sampling"),
}

# Compile for many seconds, or take some for a hundred rows.
SLOW = {"SOD", "LOCI", "RGraph", "SUOD"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else [])
        for name in sorted(pyod_classes())
    ],
)
def test_every_detector_of_pyod_is_explained_or_has_a_reason_not_to_be(name):
    found = outcome(name)
    if not found.fitted:
        assert name not in ALWAYS
        assert re.search("^needs the package |not for tables", found.reason)
        pytest.skip(f"{name} {found.reason}")
    assert found.explained
    assert found.chosen_by == "decision_scores_"
    assert found.new_rows == "explained" or found.new_rows.startswith(f"refused: {name} cannot")
    # Whoever scores new rows can be asked; a time series only if it is whole.
    refused = (
        f"refused: {name} cannot score new rows, so that it cannot be asked whether it agrees."
    )
    assert found.agreement.startswith("asked") or found.agreement == refused
    assert found.agreement.startswith("asked") or found.new_rows != "explained"


@pytest.mark.parametrize("name", SKLEARN)
def test_every_detector_of_scikit_learn_is_explained(name):
    found = outcome(name)
    assert found.fitted
    assert found.explained
    if name == "LocalOutlierFactor()":
        assert "novelty=True" in found.new_rows
        assert found.agreement.endswith("whether it agrees: fit it with novelty=True.")
    else:
        assert found.new_rows == "explained"
        assert found.agreement == "asked in batches"


# Those that do not find the planted row anomalous in all versions, or learn it from its label and
# with any feature, and two that take minutes.
OTHERS = {"HDBSCAN", "KPCA", "KShape", "LODA", "SAND", "SOD", "Sampling", "TimeSeriesOD", "RGraph"}
OTHERS |= {"XGBOD"}
OTHERS |= {"LOCI", "SGDOneClassSVM"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else [])
        for name in [*sorted(pyod_classes()), *SKLEARN]
        if name not in OTHERS
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_what_is_planted_is_what_every_detector_saw(name):
    """Replacing the planted features removes most of the excess, replacing others does not."""
    found = planted_shares(name)
    if found is None:
        pytest.skip(f"{name} cannot be asked, or takes one column")
    percentile, shares = found
    assert percentile >= 95
    assert shares[0, 1] > 0.7
    assert shares[2, 3] < 0.3
    assert shares[2,] < 0.3


@pytest.mark.parametrize("name", ["CD", "COF", "COPOD", "ECOD", "LMDD", "ROD", "SOS"])
def test_detectors_that_compare_the_rows_they_score_are_asked_table_by_table(name):
    assert outcome(name).agreement == "asked table by table"


def test_the_search_for_detectors_finds_them():
    found = pyod_classes()
    assert set(found) >= ALWAYS
    assert {"AutoEncoder", "XGBOD", "SUOD", "VAE", "FeatureBagging"} <= set(found)
    assert not [name for name in found if name.startswith("Base")]


def test_whatever_is_a_detector_by_its_class_is_among_them():
    """Looks from the other side: by import, and not by the source."""
    import inspect
    from importlib import import_module

    from pyod.models.base import BaseDetector

    for module in sorted(set(pyod_classes().values())):
        try:
            members = vars(import_module(module))
        except (ImportError, NameError):
            continue
        for name, cls in members.items():
            if (
                inspect.isclass(cls)
                and issubclass(cls, BaseDetector)
                and cls.__module__ == module
                and not name.startswith("Base")
            ):
                assert name in pyod_classes()


def test_a_detector_that_fails_for_no_known_reason_is_not_passed_over(monkeypatch):
    def fail(name, table):
        raise ValueError("some mistake")

    monkeypatch.setattr(detector_cases, "fit_pyod", fail)
    with pytest.raises(ValueError, match="some mistake"):
        detector_cases._outcome("KNN")
