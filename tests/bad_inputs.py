"""Inputs that will not do, each with what it is in words and a part of the message it gets.

The tests go through these lists, and docs/compatibility.md prints them with the whole messages.
"""

from __future__ import annotations

import gzip
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
from pyod.models.ecod import ECOD
from pyod.models.hbos import HBOS
from pyod.models.iforest import IForest
from pyod.models.knn import KNN
from sklearn.covariance import EllipticEnvelope
from sklearn.ensemble import IsolationForest
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import LocalOutlierFactor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, OneClassSVM

from pyod_aspects.cli.reading.opening import LONGEST_LINE
from pyod_aspects.detectors import PlainScores

X = np.random.default_rng(0).normal(size=(50, 3))
X[7] = [9.0, -9.0, 9.0]

# ---------------------------------------------------------------- detectors for the table X


def _depth(detector: Any, X: Any, y: object = None) -> float:
    """Rate a detector, for a search among several."""
    return float(np.mean(detector.negative_outlier_factor_))


NOT_FINITE = np.where(np.arange(50) < 2, np.nan, 0.0)

DETECTORS: list[tuple[str, Any, str]] = [
    ("PyOD's KNN, not fitted", KNN(), "KNN has no decision_scores_.*call its fit"),
    ("PyOD's IForest, not fitted", IForest(), "IForest has no decision_scores_.*call its fit"),
    ("a class", KNN, r"class KNN, not a fitted detector: pass KNN\(\)\.fit\(X\)"),
    ("a name", "IForest", "expected a fitted detector of PyOD or scikit-learn"),
    ("nothing", None, "detector=None: expected a fitted detector"),
    ("an array", np.zeros(50), r"a ndarray.*AspectExplainer\.from_scores takes plain scores"),
    ("a Series", pd.Series(np.zeros(50)), "a Series: .*from_scores takes plain scores"),
    ("IsolationForest, not fitted", IsolationForest(), "IsolationForest is not fitted: call its"),
    ("LocalOutlierFactor, not fitted", LocalOutlierFactor(), "not fitted: call its fit"),
    ("a pipeline, not fitted", make_pipeline(StandardScaler(), KNN()), "KNN has no.*call its fit"),
    ("a pipeline, not fitted", make_pipeline(OneClassSVM()), "OneClassSVM is not fitted"),
    ("a classifier", SVC().fit(X, X[:, 0] > 0), "SVC is no detector, it gives no anomaly scores"),
    ("a scaler", StandardScaler().fit(X), "StandardScaler is no detector, it gives no anomaly"),
    (
        "a pipeline that ends in a scaler",
        make_pipeline(StandardScaler()).fit(X),
        "StandardScaler is no detector",
    ),
    (
        "a search by cross-validation",
        GridSearchCV(LocalOutlierFactor(), {"n_neighbors": [5]}, scoring=_depth, cv=2).fit(X),
        "GridSearchCV is a search for a detector, not a detector: pass its best_estimator_",
    ),
    ("fitted on fewer rows", KNN().fit(X[1:]), "KNN was fitted on 49 rows, X has 50: pass the X"),
    (
        "LOF, fewer rows",
        LocalOutlierFactor().fit(X[1:]),
        "LocalOutlierFactor was fitted on 49 rows",
    ),
    ("OneClassSVM, fewer rows", OneClassSVM().fit(X[1:]), "OneClassSVM was fitted on 49 rows"),
    (
        "EllipticEnvelope, fewer rows",
        EllipticEnvelope(random_state=0).fit(X[1:]),
        "EllipticEnvelope was fitted on 49 rows",
    ),
    (
        "fitted on other columns",
        IForest().fit(X[:, :2]),
        "IForest was fitted on 2 columns, X has 3",
    ),
    ("KNN, other columns", KNN().fit(X[:, :2]), "KNN was fitted on 2 columns, X has 3"),
    ("ECOD, other columns", ECOD().fit(X[:, :2]), "ECOD was fitted on 2 columns, X has 3"),
    ("HBOS, other columns", HBOS().fit(X[:, :2]), "HBOS was fitted on 2 columns, X has 3"),
    (
        "IsolationForest, other columns",
        IsolationForest().fit(X[:, :2]),
        "IsolationForest was fitted on 2 columns, X has 3: pass the X it was fitted on",
    ),
    (
        "a pipeline, other columns",
        make_pipeline(StandardScaler(), IsolationForest()).fit(X[:, :2]),
        "IsolationForest was fitted on 2 columns, X has 3",
    ),
    (
        "scores that are NaN",
        SimpleNamespace(decision_scores_=NOT_FINITE),
        r"2 scores that are not finite \(first: row 0\): .*check the detector",
    ),
    ("scores that are text", SimpleNamespace(decision_scores_=["a"] * 50), "not numbers"),
    ("plain scores, too few", PlainScores([1.0, 2.0]), "there are 2 scores, and X has 50 rows"),
]

# ---------------------------------------------------------------- files for the command line

FILES: list[tuple[str, str | bytes, str]] = [
    ("an empty file", "", "is empty"),
    ("blank lines alone", "\n\n\n", "is empty"),
    ("a header alone", "a,b\n", "has no rows below its header"),
    ("UTF-16 without its mark", "a,b\n1,2\n".encode("utf-16-le"), "it has NUL bytes"),
    ("a zip file that is cut", b"PK\x03\x04\x14\x00", "is damaged and cannot be unpacked"),
    ("a gzip file that is cut", gzip.compress(b"a,b\n1,2\n")[:-9], "is damaged and cannot be"),
    ("a Parquet file that is cut", b"PAR1\x15\x04", "cannot be read as Parquet"),
    ("a spreadsheet of the old kind", b"\xd0\xcf\x11\xe0", "save it as .xlsx or CSV"),
    ("a picture", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "is not text, it has NUL bytes"),
    ("a NUL byte", b"a,b\n1,2\n3,\x004\n", "is not text, it has NUL bytes"),
    ("a line without end", b"1," * (LONGEST_LINE // 2 + 2**20), "has a line of more than 16 MB"),
    ("an open quote", 'a,b\n1,"2\n3,4\n', "cannot be read as CSV"),
    ("a line that is too long", "a,b\n1,2\n1,2,3\n", "cannot be read as CSV: .* line 3"),
    (
        "lines longer than the header",
        "a,b\n1,2,3\n4,5,6\n",
        "has lines with more values than its first line",
    ),
    ("JSON that is none", '{"a": 1', "cannot be read as JSON"),
    (
        "two columns of one name",
        "a,b,b \n1,2,3\n",
        "has several columns 'b', apart from spaces: rename one",
    ),
    (
        "constant columns",
        "unit,n\nmm,1\nmm,1\n",
        "no column could tell rows apart: 'unit', 'n' are constant",
    ),
]

# ---------------------------------------------------------------- texts for Explanation.from_json

JSON: list[tuple[str, Any, str]] = [
    ("an empty text", "", "is not JSON"),
    ("half an object", "{", "is not JSON"),
    ("NaN", "NaN", "is not JSON"),
    ("Infinity", '{"format": Infinity}', "is not JSON"),
    ("bytes that are no text", b"\xff\xfe\xfd", "is not JSON"),
    ("100,000 brackets", "[" * 100_000, "is not JSON"),
    ("a number of 10,000 digits", "1" * 10_000, "is not JSON|is a whole number"),
    ("a list", "[1]", "the JSON is a list: expected an object"),
    ("another object", "{}", "has the format None: expected 'pyod_aspects.explanation'"),
    ("a long format", '{"format": "' + "x" * 1000 + '"}', "has the format 'xxx"),
    ("no text at all", None, "from_json got a NoneType"),
]
