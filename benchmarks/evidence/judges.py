"""Judged by detectors: how far a score falls if the features of an answer get other values.

A real table has no known answers, but it has detectors. If an answer names the features for which
a detector flags a row, the score falls when the row has the values of other rows in them. Each of
the ten top anomalies of a detector gets four answers: the first aspect by lift, the first by
Z-score, as many random features, and the best single feature. The detector's scores for each
feature choose the last one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import Any
from zlib import crc32

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pyod_aspects import Aspect, AspectExplainer, Explanation, SGBeam
from pyod_aspects._util.types import FloatArray, Subspace

from . import data
from .cells import Cell, Result

TABLES = (
    *("wine", "glass", "nba_guards", "wdbc", "winequality_red", "cardio_ctg", "thyroid"),
    *("pendigits", "shuttle", "diamonds", "mnist", "musk", "isolet"),
)

DETECTORS = ("IForest", "KNN", "LOF", "ECOD")

ANSWERS = ("lift", "zscore", "random", "single")
"""By lift, by Z-score, random features, the best single feature."""

N_QUERIES = 10

WIDE = 50
"""With more columns, the search stops at two features, and fewer rows lend values."""

N_SAMPLES, FEW_SAMPLES = 50, 10
"""Rows that lend their values; fewer on wide tables and with ECOD, which is slow."""


def cells(folder: Path | None) -> list[Cell]:
    """One cell for each table and detector, without ECOD on wide tables, where it takes hours."""
    return [
        Cell(
            f"{table}/{detector}",
            judge,
            (table, detector, folder),
            inputs=data.fingerprint(table, folder),
        )
        for table in TABLES
        for detector in DETECTORS
        if detector != "ECOD" or table not in ("mnist", "musk", "isolet")
    ]


def judge(table: str, detector: str, folder: Path | None) -> Result:
    """Shares of the excess that the answers remove, row by row, and their means."""
    begin = perf_counter()
    found = shares(data.real(table, folder), detector, crc32(table.encode()))
    means = {answer: round(mean(found[answer]), 4) for answer in ANSWERS}
    rounded = {answer: [round(share, 4) for share in found[answer]] for answer in ANSWERS}
    return {"seconds": round(perf_counter() - begin, 2), **means, "shares": rounded}


def shares(X: FloatArray, detector: str, seed: int) -> dict[str, list[float]]:
    """Share of the excess that each answer removes, for each of the top anomalies.

    An answer without features, if a Z-score finds none, removes nothing.
    """
    fitted = make_pipeline(StandardScaler(), make_detector(detector)).fit(X)
    wide = X.shape[1] > WIDE
    make = partial(SGBeam, max_dim=2 if wide else 5)
    explainer = AspectExplainer(fitted, make(), N_QUERIES, n_reference=0).fit(X)
    by_lift = explainer.explain()
    by_zscore = explainer.with_miner(make(score="zscore")).explain()
    rng = np.random.default_rng(seed)
    sets: list[dict[str, Subspace]] = []
    for one, other in zip(by_lift, by_zscore, strict=True):
        first = [query.aspects[0].subspace if query.aspects else () for query in (one, other)]
        drawn = sorted(rng.choice(X.shape[1], max(1, len(first[0])), replace=False).tolist())
        sets.append({"lift": first[0], "zscore": first[1], "random": tuple(drawn)})
    n_samples = FEW_SAMPLES if wide or detector == "ECOD" else N_SAMPLES
    return _ask(by_lift, sets, n_samples)


def _ask(
    explanation: Explanation, sets: list[dict[str, Subspace]], n_samples: int
) -> dict[str, list[float]]:
    """Ask the detector about sets of features of each row, and about every single feature."""
    names = explanation.feature_names
    singles = [(a,) for a in range(len(names))]
    queries = tuple(
        replace(
            query,
            aspects=tuple(
                Aspect(s, tuple(names[a] for a in s), score=0.0)
                for s in dict.fromkeys([*filter(None, these.values()), *singles])
            ),
        )
        for query, these in zip(explanation, sets, strict=True)
    )
    told = replace(explanation, queries=queries).with_agreement(n_samples)
    found: dict[str, list[float]] = {answer: [] for answer in ANSWERS}
    for query, these in zip(told, sets, strict=True):
        share = {
            a.subspace: 0.0 if a.agreement is None else a.agreement.share for a in query.aspects
        }
        for answer, subspace in these.items():
            found[answer].append(share.get(subspace, 0.0))
        found["single"].append(max(share[s] for s in singles))
    return found


def make_detector(name: str) -> Any:
    """A detector of PyOD with its own settings, and a seed if it takes one."""
    from pyod.models.ecod import ECOD
    from pyod.models.iforest import IForest
    from pyod.models.knn import KNN
    from pyod.models.lof import LOF

    return (
        IForest(random_state=0)
        if name == "IForest"
        else {"KNN": KNN, "LOF": LOF, "ECOD": ECOD}[name]()
    )
