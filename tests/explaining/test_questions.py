"""Scores are ranked without copies of them all."""

from __future__ import annotations

import numpy as np
import pytest

from pyod_aspects.explaining import questions


@pytest.mark.parametrize("block", [1, 3, 7, 100])
def test_scores_are_ranked_in_blocks_as_at_once(monkeypatch, block):
    monkeypatch.setattr(questions, "_BLOCK", block)
    scores = np.random.default_rng(0).integers(0, 6, 40).astype(float)
    for n in (1, 5, 39, 40, 50):
        best = np.argsort(-scores, kind="stable")[:n]
        assert questions.highest(scores, n).tolist() == best.tolist()
    below = [(scores < value).sum() for value in (-1.0, 2.0, 2.5, 9.0)]
    assert questions.count_below(scores, np.array([-1.0, 2.0, 2.5, 9.0])).tolist() == below
