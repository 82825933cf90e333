"""Of a large table a sample is drawn that keeps its lonely rows."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.collections import PathCollection
from mixed import explain, mixed_table

from pyod_aspects.plots import plot_aspect, to_svg
from pyod_aspects.plots.sample import MOST_POINTS, sample_rows


def test_a_sample_is_fixed_and_keeps_every_lonely_row():
    rng = np.random.default_rng(0)
    crowd = rng.normal(size=(50_000, 2))
    lonely = rng.uniform(8, 30, size=(40, 2))
    rows = sample_rows(np.vstack([crowd, lonely]))
    assert len(rows) == MOST_POINTS
    assert set(range(50_000, 50_040)) <= set(rows)
    assert np.array_equal(rows, sample_rows(np.vstack([crowd, lonely])))
    assert len(np.unique(rows)) == len(rows)


def test_a_sample_of_a_crowd_stays_a_crowd():
    """Twice as crowded in the table is more crowded in the picture."""
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.uniform(0, 1, 30_000), rng.uniform(1, 2, 10_000)])
    positions = np.column_stack([x, rng.uniform(size=40_000)])
    drawn = positions[sample_rows(positions)]
    assert (drawn[:, 0] < 1).sum() > 1.3 * (drawn[:, 0] > 1).sum()


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_a_sample_is_never_larger_than_asked_for(k):
    positions = np.random.default_rng(0).uniform(size=(3000, k))
    assert len(sample_rows(positions, 600)) == 600
    assert len(sample_rows(np.zeros((3000, k)), 600)) == 600
    assert len(sample_rows(positions[:600], 600)) == 600
    assert len(sample_rows(positions[:0], 600)) == 0


def test_fifty_thousand_rows_make_a_small_picture():
    table = mixed_table(50_000)
    made = explain(table, [], rows=[0])
    aspect = explain(mixed_table(), [(0, 1)], rows=[0])[0].aspects[0]
    figure = plot_aspect(made, 0, aspect)
    points = next(c for c in figure.axes[0].collections if isinstance(c, PathCollection))
    assert len(points.get_offsets()) <= MOST_POINTS
    assert points.get_rasterized()
    assert len(to_svg(figure, "x")) < 150_000
