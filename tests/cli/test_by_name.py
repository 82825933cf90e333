"""Detectors and miners are found by name, and one that cannot be had says why."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from command_line import QUICK

from pyod_aspects.detectors import by_name, make_detector
from pyod_aspects.explanation import Explanation


def test_pyods_detectors_are_found_without_importing_them():
    detectors = by_name.detector_modules()
    assert detectors["IForest"] == "pyod.models.iforest"
    assert detectors["FeatureBagging"] == "pyod.models.feature_bagging"
    assert detectors["DeepSVDD"] == "pyod.models.deep_svdd"
    assert detectors["SO_GAAL"] == "pyod.models.so_gaal"
    assert not [name for name in detectors if name.startswith("Base")]
    assert len(detectors) > 40


@pytest.mark.parametrize("name", ["IForest", "iforest", "KNN", "hbos", "Lof"])
def test_any_detector_is_found_by_its_name_in_any_case(run, table, name):
    code, output, errors = run("explain", table, *QUICK, "--detector", name)
    assert (code, errors) == (0, "")
    assert f" of {name} ".lower() in output.splitlines()[0].lower()


@pytest.mark.parametrize("miner", ["sgbeam", "GBeam", "kdebeam", "oaminer"])
def test_any_miner_is_found_by_its_name(run, table, miner):
    code, output, _ = run("explain", table, *QUICK, "--miner", miner)
    assert code == 0
    assert output.splitlines()[0].lower().endswith(f"explained by {miner.lower()}")


@pytest.mark.parametrize("detector", ["IForest", "LODA"])
def test_the_seed_decides_also_where_the_detector_takes_none(run, table, detector):
    def scores(seed):
        argv = ("explain", table, *QUICK, "--detector", detector, "--seed", seed, "--json", "-")
        return [query.score for query in Explanation.from_json(run(*argv)[1])]

    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    assert scores("1") == scores("1")
    assert scores("1") != scores("2")
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


def test_contamination_reaches_the_detector(run, table):
    _, output, _ = run("explain", table, "--n-queries", "10", "--contamination", "0.05")
    assert "10 rows, 3 of them anomalies of KNN" in output


def test_what_a_detector_prints_or_warns_does_not_reach_the_terminal(run, table, monkeypatch):
    from pyod.models.ecod import ECOD

    def fit(self, X, y=None):
        print("epoch 1")
        print("careful", file=sys.stderr)
        import warnings

        warnings.warn("old numpy", stacklevel=1)
        return original(self, X)

    original = ECOD.fit
    monkeypatch.setattr(ECOD, "fit", fit)
    code, output, errors = run("explain", table, *QUICK, "--detector", "ECOD")
    assert (code, errors) == (0, "")
    assert "epoch" not in output
    code, output, errors = run("explain", table, *QUICK, "--detector", "ECOD", "--verbose")
    assert code == 0
    assert "epoch" not in output
    assert "pyod-aspects: ECOD printed: epoch 1\n" in errors
    assert "pyod-aspects: ECOD printed: careful\n" in errors


def test_what_a_detector_prints_while_it_scores_does_not_either(run, table, monkeypatch):
    from pyod.models.knn import KNN

    def decision_function(self, X):
        print("scored \x1b[31m")
        print("scored too", file=sys.stderr)
        return original(self, X)

    original = KNN.decision_function
    monkeypatch.setattr(KNN, "decision_function", decision_function)
    argv = ("explain", table, *QUICK, "--detector", "KNN", "--agreement")
    code, output, errors = run(*argv)
    assert (code, errors) == (0, "")
    assert "scored" not in output
    code, output, errors = run(*argv, "--verbose")
    assert (code, "scored" in output) == (0, False)
    assert "pyod-aspects: the detector printed: scored \\x1b[31m\n" in errors
    assert "pyod-aspects: the detector printed: scored too\n" in errors
    assert errors.count(" printed: ") <= 50


def test_a_detector_that_needs_the_number_of_columns_gets_it(monkeypatch):
    class Network:
        def __init__(self, n_features, contamination=0.1):
            self.n_features = n_features

        def fit(self, X, y=None):
            assert X.shape[1] == self.n_features

    monkeypatch.setattr(by_name, "detector_modules", lambda: {"Network": "networks"})
    monkeypatch.setitem(sys.modules, "networks", SimpleNamespace(Network=Network))
    frame = pd.DataFrame({"a": [1.5, 2.0, None, 4.0], "kind": ["x", "y", "x", "y"]})
    assert make_detector("Network", frame).named_steps["detector"].n_features == 2


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ModuleNotFoundError("no", name="torch.nn"), "needs the package torch, which is not inst"),
        (ImportError("get pyod[x]"), "needs a missing package: get pyod[x]"),
        (ValueError("three\nlines\nhere"), "cannot be set up: three lines here"),
        (ValueError(), "cannot be set up: ValueError"),
    ],
)
def test_a_detector_that_cannot_be_loaded_says_why(complaint, table, monkeypatch, error, message):
    def fail(module):
        raise error

    monkeypatch.setattr(by_name, "import_module", fail)
    assert message in complaint("explain", table, "--detector", "ABOD")


def test_a_detector_that_forgot_torch_needs_torch(complaint, table, monkeypatch):
    def fail(module):
        raise NameError("name 'nn' is not defined")

    monkeypatch.setattr(by_name, "import_module", fail)
    monkeypatch.setattr(by_name, "find_spec", lambda name: None if name == "torch" else spec)
    spec = __import__("importlib.util").util.find_spec("pyod")
    assert "needs the package torch" in complaint("explain", table, "--detector", "ABOD")


def test_a_detector_without_contamination_refuses_it(complaint, table, monkeypatch):
    class Plain:
        def fit(self, X, y=None):
            return self

    module = type("module", (), {"ABOD": Plain})
    monkeypatch.setattr(by_name, "import_module", lambda name: module)
    said = complaint("explain", table, "--detector", "ABOD", "--contamination", "0.1")
    assert said.endswith("contamination does not apply to ABOD.")


def test_a_detector_that_needs_labels_says_so(complaint, table, monkeypatch):
    class Supervised:
        def fit(self, X, y):
            return self

    module = type("module", (), {"ABOD": Supervised})
    monkeypatch.setattr(by_name, "import_module", lambda name: module)
    assert "ABOD needs the argument 'y'" in complaint("explain", table, "--detector", "ABOD")
