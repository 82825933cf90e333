"""The tables of the evidence: the paper's if available, generated ones otherwise."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from itertools import count
from pathlib import Path

import numpy as np

from pyod_aspects._util.types import FloatArray
from pyod_aspects.datasets import HiCS, load_hics, make_hics

from .. import tables
from ..results import Skipped

N_QUERIES = {10: 19, 20: 25, 30: 44, 40: 53, 50: 68}
"""Outliers in the paper's sets, by number of attributes."""


def hics_names(folder: Path | None) -> list[str]:
    """Names of the sets in a folder, with generated ones in place of the paper's missing sets."""
    if folder is None:
        return [f"generated_{d:03}" for d in N_QUERIES]
    place = _holding(folder, "hics", "hics_*.npz")
    names = sorted(path.stem for path in place.glob("hics_*.npz"))
    if not names:
        raise Skipped(f"{folder} has no files hics_*.npz: pass a folder that has, or no --data")
    missing = [f"generated_{d:03}" for d in N_QUERIES if f"hics_{d:03}" not in names]
    return [*names, *missing]


def fingerprint(name: str, folder: Path | None) -> str:
    """Digest of a table's files; empty for a generated table."""
    if folder is None:
        return ""
    digest = hashlib.sha256()
    for kind, files in (
        ("hics", (f"{name}.npz", "ground_truth.json")),
        ("real", (f"{name}.npz",)),
        ("real", (f"{name}.csv.gz",)),
    ):
        place = _holding(folder, kind, files[0])
        if (place / files[0]).is_file():
            for file in files:
                digest.update((place / file).read_bytes() if (place / file).is_file() else b"")
            return digest.hexdigest()[:10]
    return ""


@lru_cache(maxsize=2)
def hics(name: str, folder: Path | None) -> HiCS:
    """A set by name, read from the folder or generated."""
    if not name.startswith("generated_"):
        if folder is None:
            raise Skipped(f"{name} is read from a folder: pass --data")
        return load_hics(_holding(folder, "hics", f"{name}.npz"), name)
    d = int(name.removeprefix("generated_"))
    for seed in count():  # the first with as many outliers as the paper's set
        made = make_hics(1_000, d, random_state=seed)
        if len(made.truth) == N_QUERIES[d]:
            return made
    raise AssertionError


def real(name: str, folder: Path | None) -> FloatArray:
    """A real table by name; of a CSV file, the columns that hold numbers."""
    if folder is None:
        raise Skipped(f"{name} is read from a folder: pass --data")
    text = _holding(folder, "real", f"{name}.csv.gz") / f"{name}.csv.gz"
    if text.is_file():
        import pandas as pd

        return pd.read_csv(text).select_dtypes("number").to_numpy(dtype=np.float64)
    path = _holding(folder, "real", f"{name}.npz") / f"{name}.npz"
    if not path.is_file():
        raise Skipped(f"there is no {path.name} in the folder of --data")
    with np.load(path, allow_pickle=False) as file:
        return np.ascontiguousarray(file["X"], dtype=np.float64)


def shuttle(n: int, folder: Path | None) -> FloatArray:
    """The first rows of shuttle, or of a generated table like it."""
    whole = tables.make_shuttle(49_097) if folder is None else real("shuttle", folder)
    return whole[:n]


def top_anomalies(X: FloatArray, n: int) -> list[int]:
    """The rows with an isolation forest's highest scores."""
    return [int(row) for row in tables.top_rows(tables.detector_for(X), n)]


def _holding(folder: Path, name: str, pattern: str) -> Path:
    """Find the files: in the folder itself, in a folder of this name within it, or beside it.

    So --data may be "data" or "data/hics", and either leads to the real tables.
    """
    places = (folder, folder / name, folder.parent / name)
    return next((place for place in places if any(place.glob(pattern))), folder)
