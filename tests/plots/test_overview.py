"""The overview shows which features matter for which rows."""

from __future__ import annotations

from dataclasses import replace

from mixed import explain, mixed_table

from pyod_aspects.plots import plot_overview


def test_the_overview_counts_the_place_of_the_best_aspect_with_a_feature(plain):
    ax = plot_overview(plain)
    names = [text.get_text() for text in ax.get_xticklabels()]
    cells = {
        (round(t.get_position()[1] - 0.5), names[round(t.get_position()[0] - 0.5)]): int(
            t.get_text()
        )
        for t in ax.texts
    }
    expected = {}
    for i, query in enumerate(plain):
        for place, aspect in enumerate(query.aspects, start=1):
            for name in aspect.features:
                expected.setdefault((i, name), place)
    assert cells == expected


def test_the_overview_says_what_it_leaves_out():
    names = tuple(f"x{i}" for i in range(50))
    made = explain(mixed_table(), [(0,)])
    aspect = made[0].aspects[0]
    aspects = tuple(replace(aspect, subspace=(i,), features=(names[i],)) for i in range(50))
    queries = tuple(replace(made[0], row=i, aspects=aspects) for i in range(45))
    ax = plot_overview(replace(made, queries=queries, feature_names=names))
    assert "20 more features not shown; 5 more rows not shown" in ax.get_xlabel()
