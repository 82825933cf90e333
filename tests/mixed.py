"""Explanations of tables with numbers, categories, times and missing values, for pictures."""

from __future__ import annotations

import numpy as np

from pyod_aspects import Aspect, Explanation, QueryExplanation
from pyod_aspects.density import Density
from pyod_aspects.explanation import Background
from pyod_aspects.tables import Column, Table


class Within(Density):
    """Number of rows within one width in each column; missing values are near to each other."""

    measure = "count"

    def __init__(self, table: Table) -> None:
        self.table = table
        self._fit(table.values)

    def _fit(self, values):
        self.n_rows_, self.n_features_in_ = values.shape
        spread = np.nan_to_num(np.nanmax(values, axis=0) - np.nanmin(values, axis=0))
        kinds = [column.kind for column in self.table.columns]
        self.widths = np.where(np.array(kinds) == "category", 0.5, spread / 20)

    def _check_points(self, points):
        return np.asarray(points, dtype=float)

    def neighbourhood(self, points, reach=None):
        to_side = self.widths * (1 if reach is None else reach)
        return points - to_side, points + to_side

    def density(self, subspace, points=None):
        values = self.table.values[:, list(subspace)]
        points = values if points is None else points[:, list(subspace)]
        widths = self.widths[list(subspace)]
        counts = []
        for point in points:
            close = np.abs(values - point) < widths
            counts.append((close | (np.isnan(values) & np.isnan(point))).all(axis=1).sum())
        return np.array(counts, dtype=float)


def mixed_table(n_rows=300, missing=True, seed=0) -> Table:
    """Two numbers, one of them with missing values, a category, a time, and one number more."""
    rng = np.random.default_rng(seed)
    values = np.column_stack(
        [
            rng.normal(20, 4, n_rows),
            rng.gamma(2, 30, n_rows),
            rng.choice(4, n_rows, p=[0.5, 0.3, 0.17, 0.03]),
            1.7e9 + rng.uniform(0, 3e7, n_rows),
            rng.normal(size=n_rows),
        ]
    ).astype(float)
    values[0] = [34, 300, 3, 1.7e9 + 2.9e7, 2.5]
    if missing:
        values[5:20, 1] = np.nan
        values[3:8, 2] = np.nan
        values[9:12, 3] = np.nan
        values[1] = [21, np.nan, 1, 1.7e9, 0.3]
    columns = (
        Column("temperature"),
        Column("humidity"),
        Column("station", "category", ("north", "east", "south", "the old mill")),
        Column("measured", "time"),
        Column("drift"),
    )
    return Table(values, columns, named=True)


def explain(table: Table, subspaces, rows=(0, 1), **changes) -> Explanation:
    """Explanation that finds the given subspaces for each of the rows."""
    density = Within(table)
    scores = np.nan_to_num(np.abs(table.values[:, 0] - np.nanmean(table.values[:, 0])))
    queries = []
    for row in rows:
        aspects = []
        for subspace in subspaces:
            count, mean, std = density.moments([subspace], table.values[[row]])
            z = float((count[0, 0] - mean[0]) / (std[0] or 1.0))
            names = tuple(table.names[j] for j in subspace)
            figures = {"density": count[0, 0], "mean": mean[0], "std": std[0]}
            aspects.append(Aspect(subspace, names, score=z, **figures))
        below = 100 * float((scores < scores[row]).mean())
        queries.append(QueryExplanation(row, scores[row], True, tuple(aspects), below))
    limit = float(np.quantile(scores, 0.9))
    background = Background(table, table, scores, limit, density, None, scores)
    fields = {
        "queries": tuple(queries),
        "detector": "Distance",
        "miner": "SGBeam",
        "settings": {"max_dim": 5},
        "score_name": "zscore",
        "measure": "count",
        "n_rows": len(table.values),
        "feature_names": table.names,
        "version": "0.1.0",
        "nearby": density.nearby,
        "background": background,
    }
    return Explanation(**(fields | changes))
