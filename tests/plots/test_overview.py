"""The overview shows which features matter for which rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from mixed import explain, mixed_table

from pyod_aspects import AspectExplainer
from pyod_aspects.plots import plot_overview


def cells_of(ax):
    """Numbers of the cells, by row and feature."""
    names = [text.get_text() for text in ax.get_xticklabels()]
    return {
        (round(t.get_position()[1] - 0.5), names[round(t.get_position()[0] - 0.5)]): int(
            t.get_text()
        )
        for t in ax.texts
        if t.get_text().isdigit()
    }


def test_the_overview_has_the_weight_of_each_feature(plain):
    queries = (
        replace(plain[0], features={"x3": 0.75, "x1": 0.246, "x0": 0.004}),
        replace(plain[1], features={"x1": 1.0}),
    )
    ax = plot_overview(replace(plain, queries=queries))
    assert cells_of(ax) == {(0, "x3"): 75, (0, "x1"): 25, (1, "x1"): 100}
    assert [text.get_text() for text in ax.get_xticklabels()] == ["x1", "x3"]


def test_the_overview_blames_the_feature_that_recurs():
    """Each of x, z and price is odd beside y only: y is wrong."""
    rng = np.random.default_rng(0)
    size = rng.normal(6, 1, 1000)
    columns = {name: size + rng.normal(0, 0.1, 1000) for name in ("price", "x", "y", "z")}
    X = pd.DataFrame(columns)
    X.loc[7] = [7.0, 7.0, 4.5, 7.0]
    made = AspectExplainer.from_scores(np.arange(1000) == 7).fit(X).explain(rows=7)
    ax = plot_overview(made)
    assert ax.get_xticklabels()[0].get_text() == "y"
    assert cells_of(ax) == {(0, name): round(100 * w) for name, w in made[0].features.items()}


def test_a_row_with_nothing_convincing_has_no_cells_and_says_so(plain):
    queries = (
        replace(plain[0], features={"x3": 1.0}, p_value=0.005),
        replace(plain[1], features={}, p_value=0.4),
    )
    ax = plot_overview(replace(plain, queries=queries, n_reference=200))
    assert cells_of(ax) == {(0, "x3"): 100}
    assert [t.get_text() for t in ax.texts if t.get_position()[1] == 1.5] == ["nothing convincing"]
    ax = plot_overview(replace(plain, queries=queries[1:], n_reference=200))
    assert [t.get_text() for t in ax.texts] == ["nothing is convincing"]


def test_weights_are_worked_out_where_there_are_no_p_values_and_no_weights(plain):
    query = replace(plain[0], features={}, p_value=None)
    query = replace(query, aspects=query.aspects[:1])
    cells = cells_of(plot_overview(replace(plain, queries=(query,))))
    assert {name for _, name in cells} == set(query.aspects[0].features)
    assert 98 <= sum(cells.values()) <= 102


def test_the_overview_says_what_it_leaves_out():
    names = tuple(f"x{i}" for i in range(50))
    made = explain(mixed_table(), [(0,)])
    aspect = made[0].aspects[0]
    aspects = tuple(replace(aspect, subspace=(i,), features=(names[i],)) for i in range(50))
    queries = tuple(replace(made[0], row=i, aspects=aspects) for i in range(45))
    ax = plot_overview(replace(made, queries=queries, feature_names=names))
    assert "20 more features not shown; 5 more rows not shown" in ax.get_xlabel()
