"""Every detector there is: those of the installed PyOD, found by looking, and scikit-learn's.

`outcome` fits one to a small table, explains it, and says what happened. What cannot be fitted
gets its reason from a rule, so that a detector of a new PyOD is either explained or noticed.
"""

from __future__ import annotations

import ast
import inspect
import io
import re
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.covariance import EllipticEnvelope
from sklearn.decomposition import PCA
from sklearn.ensemble import IsolationForest
from sklearn.linear_model import SGDOneClassSVM
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KernelDensity, LocalOutlierFactor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import OneClassSVM

from pyod_aspects import Aspect, AspectExplainer, Explanation, SGBeam
from pyod_aspects.detectors import adapt
from pyod_aspects.exceptions import DetectorError
from pyod_aspects.explanation.judging.asking import Asked

X = np.random.default_rng(0).normal(size=(100, 4))
X[7] = 8.0
NEW = X[5:45] + 0.01

PLANTED = X.copy()
PLANTED[7] = [8.0, -8.0, 0.1, -0.1]
"""The row that stands out does so in the first two columns only."""


class Outcome(NamedTuple):
    """What became of a detector; `reason` says why it could not be fitted."""

    fitted: bool
    explained: bool = False
    chosen_by: str = ""
    new_rows: str = ""
    agreement: str = ""
    notes: str = ""
    reason: str = ""


class CannotWorkError(Exception):
    """A detector that has nothing to do with tables, or lacks a package."""


# ---------------------------------------------------------------- PyOD


@cache
def pyod_classes() -> dict[str, str]:
    """Names of PyOD's detector classes and their modules, read from its source.

    Importing alone would miss those whose packages are not installed.
    """
    spec = find_spec("pyod")
    found: dict[str, str] = {}
    for folder in spec.submodule_search_locations:
        for file in sorted(Path(folder, "models").rglob("*.py")):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            for node in tree.body:
                if not isinstance(node, ast.ClassDef) or node.name.startswith("Base"):
                    continue
                bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
                if any(base.endswith("Detector") or base in found for base in bases):
                    found.setdefault(node.name, f"pyod.models.{file.stem}")
    return found


def _arguments() -> dict[str, Any]:
    """Values for arguments that have no default."""
    from pyod.models.lof import LOF

    return {"detector_list": [LOF(n_neighbors=10), LOF(n_neighbors=20)], "n_features": X.shape[1]}


_EPOCHS = {"epoch_num": 5, "epochs": 5, "epochs_query": 5, "n_epochs": 5, "stop_epochs": 2}
"""For networks: few, as nobody asks here how good they are."""


_NO_TABLE = {"pyg_": "is for graphs, not for tables", "audio_": "is for sound, not for tables"}


def make_pyod(name: str) -> Any:
    """Set up a detector of PyOD; CannotWorkError says in words why not."""
    for prefix, reason in _NO_TABLE.items():
        if pyod_classes()[name].startswith(f"pyod.models.{prefix}"):
            raise CannotWorkError(reason)
    try:
        cls = getattr(import_module(pyod_classes()[name]), name)
        parameters = inspect.signature(cls).parameters
        given = {key: n for key, n in ({"random_state": 0} | _EPOCHS).items() if key in parameters}
        for parameter in parameters.values():
            required = parameter.default is parameter.empty
            if required and parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
                if parameter.name not in _arguments():
                    raise CannotWorkError(f"is not for tables, it needs `{parameter.name}`")
                given[parameter.name] = _arguments()[parameter.name]
        return cls(**given)
    except (ImportError, NameError) as error:
        raise CannotWorkError(_missing_package(error)) from error


def _missing_package(error: Exception) -> str:
    """Name the package; PyOD goes on without torch where it can, until a name is missing."""
    name = getattr(error, "name", None) if isinstance(error, ImportError) else None
    if name is None and re.search("torch", str(error), re.I) is None and find_spec("torch"):
        raise error
    return f"needs the package {(name or 'torch').partition('.')[0]}"


def fit_pyod(name: str, whole: Any = X) -> tuple[Any, Any, str]:
    """Detector, the table it took, and a note about that."""
    detector = make_pyod(name)
    table, note = whole, ""
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            try:
                labels = inspect.signature(detector.fit).parameters.get("y")
                needs_labels = labels is not None and labels.default is labels.empty
                detector.fit(table, *([(np.arange(len(X)) == 7).astype(int)] * needs_labels))
                note = "needs labels" * needs_labels
            except ValueError as error:
                if "univariate" not in str(error):
                    raise
                table, note = whole[:, :1], "takes one column"
                detector.fit(table)
    except (ImportError, NameError) as error:
        raise CannotWorkError(_missing_package(error)) from error
    if ".ts_" in type(detector).__module__:
        note = "rows are moments of a time series"
    return detector, table, note


# ---------------------------------------------------------------- scikit-learn


SKLEARN: dict[str, Callable[[], Any]] = {
    "EllipticEnvelope": lambda: EllipticEnvelope(random_state=0),
    "IsolationForest": lambda: IsolationForest(random_state=0),
    "LocalOutlierFactor()": LocalOutlierFactor,
    "LocalOutlierFactor(novelty=True)": lambda: LocalOutlierFactor(novelty=True),
    "OneClassSVM": OneClassSVM,
    "SGDOneClassSVM": lambda: SGDOneClassSVM(random_state=0),
    "GaussianMixture": lambda: GaussianMixture(random_state=0),
    "KernelDensity": KernelDensity,
    "Pipeline of StandardScaler and IsolationForest": lambda: make_pipeline(
        StandardScaler(), IsolationForest(random_state=0)
    ),
    "Pipeline of StandardScaler, PCA and PyOD's KNN": lambda: make_pipeline(
        StandardScaler(), PCA(2), make_pyod("KNN")
    ),
}


# ---------------------------------------------------------------- both


@cache
def outcome(name: str) -> Outcome:
    """Fit, explain, explain new rows."""
    state = np.random.get_state()  # noqa: NPY002
    np.random.seed(0)  # noqa: NPY002
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _outcome(name)
    finally:
        np.random.set_state(state)  # noqa: NPY002


def fit(name: str, table: Any = X) -> tuple[Any, Any, str]:
    """Detector of PyOD or scikit-learn, the table it took, and a note about that."""
    return (SKLEARN[name]().fit(table), table, "") if name in SKLEARN else fit_pyod(name, table)


def _outcome(name: str) -> Outcome:
    try:
        detector, table, note = fit(name)
    except CannotWorkError as error:
        return Outcome(fitted=False, reason=str(error))
    explainer = AspectExplainer(detector, SGBeam(max_dim=2), n_queries=3).fit(table)
    explanation = explainer.explain()
    scores = explainer.scores_
    assert [q.row for q in explanation] == np.argsort(-scores, kind="stable")[:3].tolist()
    notes = [note] if note else []
    if adapt(detector).threshold() is None:
        notes.append("no threshold")
    if scores.min() == scores.max():
        notes.append("all scores are equal on this table")
    return Outcome(
        fitted=True,
        explained=len(explanation) == 3 and all(q.percentile is not None for q in explanation),
        chosen_by=_chosen_by(detector, table, scores),
        new_rows=_new_rows(explainer, table),
        agreement=_agreement(explanation[:1]),
        notes=", ".join(notes),
    )


def _chosen_by(detector: Any, table: Any, scores: Any) -> str:
    """Which numbers of the detector the scores are: compared, not believed."""
    last, prepared = detector, table
    if hasattr(detector, "steps"):
        last, prepared = detector[-1], detector[:-1].transform(table)
    ways: dict[str, Callable[[], Any]] = {
        "decision_scores_": lambda: last.decision_scores_,
        "-negative_outlier_factor_": lambda: -last.negative_outlier_factor_,
        "-score_samples(X)": lambda: -last.score_samples(prepared),
    }
    for way, values in ways.items():
        try:
            if np.array_equal(np.ravel(values()), scores):
                return way
        except AttributeError:
            continue
    raise AssertionError(f"nobody knows where the scores of {type(detector).__name__} come from")


def _new_rows(explainer: AspectExplainer, table: Any) -> str:
    new = NEW[:, : table.shape[1]]
    try:
        with redirect_stdout(io.StringIO()):
            explanation = explainer.explain(new)
    except DetectorError as error:
        return f"refused: {error}"
    assert explanation.new_rows
    return "explained"


def _agreement(explanation: Explanation) -> str:
    """Whether the detector can be asked, and how: by what it does, as for new rows."""
    try:
        with redirect_stdout(io.StringIO()):
            told = explanation.with_agreement(n_samples=2, n_aspects=1)
            apart = Asked(explanation.background).apart
    except DetectorError as error:
        return f"refused: {error}"
    [query] = told
    above = query.score > np.median(explanation.background.scores)
    assert (query.aspects[0].agreement is not None) == above
    return "asked in batches" if apart else "asked table by table"


def planted_shares(name: str) -> tuple[float, dict[tuple[int, ...], float]] | None:
    """Percentile of the planted row, and the share that is gone by set of features.

    None if the detector cannot be fitted or asked, or takes one column.
    """
    try:
        detector, table, _ = fit(name, PLANTED)
        explainer = AspectExplainer(detector, SGBeam(max_dim=2), n_reference=0).fit(table)
        [query] = explanation = explainer.explain(rows=[7])
        if table.shape[1] == 1:
            return None
        sets = [(0, 1), (2, 3), (2,)]
        aspects = tuple(Aspect(s, tuple(f"x{a}" for a in s), score=0.0) for s in sets)
        explanation = replace(explanation, queries=(replace(query, aspects=aspects),))
        [told] = explanation.with_agreement(n_samples=10)
    except (CannotWorkError, DetectorError):
        return None
    shares = {a.subspace: a.agreement.share for a in told.aspects if a.agreement is not None}
    return query.percentile, shares
