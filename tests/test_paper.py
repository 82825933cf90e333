"""The paper's figures that its datasets reproduce (Wells & Ting, Tables 5 to 7)."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from pyod_aspects import GBeam, KDEBeam, SGBeam
from pyod_aspects.datasets import load_hics
from pyod_aspects.metrics import exact_matches, matches

by_zscore = partial(SGBeam, score="zscore")


def mined(miner, X, rows):
    found = miner.fit(X).mine(X[rows])
    return {row: [a.subspace for a in f] for row, f in zip(rows, found, strict=True)}


@pytest.mark.parametrize(
    ("miner", "name", "exact", "matched"),
    [
        (by_zscore, "hics_010", 19, 19),
        (by_zscore, "hics_020", 10, 22),
        (by_zscore, "hics_040", 32, 40),
        (GBeam, "hics_010", 14, 19),
        (GBeam, "hics_020", 10, 25),
        (GBeam, "hics_040", 24, 50),
        (KDEBeam, "hics_010", 19, 19),
        (KDEBeam, "hics_020", 10, 24),
        pytest.param(KDEBeam, "hics_040", 32.5, 46.5, marks=pytest.mark.slow),
    ],
)
def test_exact_matches_on_the_hics_sets(shared_data, miner, name, exact, matched):
    hics = load_hics(shared_data / "hics", name)
    X, truth = hics.X, hics.truth
    found = mined(miner(), X, list(truth))
    assert exact_matches(found, truth) == exact
    assert matches(found, truth) == matched


@pytest.mark.parametrize(("name", "first"), [("hics_010", 19), ("hics_020", 24), ("hics_040", 51)])
def test_the_first_answer_by_lift_is_the_planted_one(shared_data, name, first):
    hics = load_hics(shared_data / "hics", name)
    found = mined(SGBeam(top_k=1), hics.X, list(hics.truth))
    assert sum(found[row][0] in truth for row, truth in hics.truth.items()) == first


BEAM = {
    220: [(2, 3, 4, 5)],
    315: [(0, 1), (6, 7)],
    323: [(8, 9)],
    577: [(6, 7), (2, 3, 4, 5)],
    723: [(2, 3, 4, 5)],
}
SGBEAM = BEAM | {577: [(2, 3, 4, 5)]}


@pytest.mark.parametrize(("miner", "printed"), [(by_zscore, SGBEAM), (KDEBeam, BEAM)])
def test_the_five_rows_of_the_10_d_table_come_out_as_printed(shared_data, miner, printed):
    X = load_hics(shared_data / "hics", "hics_010").X
    found = mined(miner(), X, list(printed))
    assert {row: found[row][: len(printed[row])] for row in printed} == printed


def test_kdebeam_on_the_nba_guards_gives_the_papers_subspaces(shared_data):
    X = np.load(shared_data / "real" / "nba_guards.npz", allow_pickle=False)["X"]
    assert mined(KDEBeam(max_dim=3), X, [1])[1][:3] == [(19,), (1, 19), (6,)]
