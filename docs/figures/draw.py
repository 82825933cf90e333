"""Draw the pictures of the documentation: python docs/figures/draw.py [folder].

Every number in them is computed here, with pyod_aspects.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from pyod.models.knn import KNN
from pyod.models.lof import LOF
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pyod_aspects import AspectExplainer, Explanation, SGBeam
from pyod_aspects.datasets import load_demo, make_hics
from pyod_aspects.density import Grid, SGrid
from pyod_aspects.detectors import make_detector
from pyod_aspects.plots import (
    plot_aspect,
    plot_aspects,
    plot_group,
    plot_overview,
    plot_scores,
    to_svg,
)
from pyod_aspects.scoring import FunctionScore, zscore
from pyod_aspects.search import BeamSearch

ROWS = "#5c8fbf"
QUERY = "#D55E00"
NEAR = "#E69F00"
GREY = "#8a8a8a"

STYLE = {
    "font.size": 10,
    "axes.titlesize": 10.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "pyod_aspects",  # the same picture gives the same file
}


def neighbourhood() -> Figure:
    """Rows near two queries, on the plain grid and on the smoothed one."""
    rng = np.random.default_rng(3)
    cloud = rng.normal([0.37, 0.5], [0.15, 0.17], size=(90, 2)).clip(0.01, 0.99)
    corners = [[0.0, 0.0], [1.0, 1.0]]  # they fix the bins to ten of width 0.1
    X = np.vstack([cloud, corners, [[0.85, 0.25]]])
    alone, near = (density(bins=10).fit(X).density((0, 1)) for density in (Grid, SGrid))
    # x shares its bin with no other row, although rows are all around it.
    queries = X[[np.argmax(np.where(alone == 1, near, 0)), -1]]

    figure = Figure(figsize=(9.2, 4.9), layout="constrained")
    axes = figure.subplots(1, 2, sharex=True, sharey=True)
    titles = {
        Grid: "Grid: the bin of the query alone",
        SGrid: "sGrid: the bin and its neighbours",
    }
    for ax, (density, title) in zip(axes, titles.items(), strict=True):
        counts = density(bins=10).fit(X).density((0, 1), queries)
        reach = density.reach
        for query, name, count in zip(queries, "xy", counts, strict=True):
            corner = np.floor(query * 10) / 10 - 0.1 * reach
            side = 0.1 * (2 * reach + 1)
            ax.add_patch(Rectangle(corner, side, side, color=NEAR, alpha=0.3, linewidth=0))
            ax.add_patch(
                Rectangle(corner, side, side, fill=False, edgecolor=NEAR, linestyle="--", lw=1.6)
            )
            label = f"{name}: {count:.0f} row" + ("s" if count != 1 else "")
            ax.text(
                corner[0] + side / 2,
                corner[1] + side + 0.015,
                label,
                ha="center",
                va="bottom",
                fontsize=11,
                fontweight="bold",
                color=QUERY,
                bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5},
            )
        ax.plot(*cloud.T, "o", color=ROWS, markersize=3.5, alpha=0.85)
        ax.plot(*queries.T, "*", color=QUERY, markersize=15, markeredgecolor="white")
        ax.set(title=title, xlim=(0, 1), ylim=(0, 1), aspect="equal", xlabel="feature 0")
        ax.set_xticks(np.arange(0, 1.01, 0.1), labels=[])
        ax.set_yticks(np.arange(0, 1.01, 0.1), labels=[])
        ax.grid(color="#d9d9d9", linewidth=0.8)
        ax.set_axisbelow(True)
    axes[0].set_ylabel("feature 1")
    return figure


def rare_together() -> Figure:
    """A row with an ordinary x and an ordinary y: the counted box, and what it should hold."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=600)
    X = np.column_stack([x, 0.95 * x + 0.22 * rng.normal(size=600)])
    X = np.vstack([X, [1.1, -0.9]])
    query, others = X[-1], X[:-1]
    miner = SGBeam().fit(X)
    best = miner.mine(query[None])[0][0]
    assert best.subspace == (0, 1)
    low, high = (edges[0] for edges in miner.density_.neighbourhood(query[None], best.reach))
    near = (others >= low) & (others < high)
    in_x, in_y = (int(n) for n in near.sum(axis=0))
    expected = in_x * in_y / len(others)
    assert near.all(axis=1).sum() == best.density - 1
    assert abs(expected + 1 - best.expected) <= 1  # the row itself may be among them

    figure = Figure(figsize=(9.2, 5.2), layout="constrained")
    axes = figure.subplots(
        2, 2, sharex="col", sharey="row", width_ratios=[3, 1.15], height_ratios=[1, 3]
    )
    (above, corner), (ax, beside) = axes
    corner.axis("off")
    for a, (line, fill) in enumerate(((ax.axvline, ax.axvspan), (ax.axhline, ax.axhspan))):
        fill(low[a], high[a], color=NEAR, alpha=0.12, linewidth=0)
        for edge in (low[a], high[a]):
            line(edge, color=NEAR, linewidth=0.8, alpha=0.6)
    ax.add_patch(Rectangle(low, *(high - low), color=NEAR, alpha=0.3, linewidth=0))
    ax.add_patch(
        Rectangle(low, *(high - low), fill=False, edgecolor=NEAR, linestyle="--", linewidth=1.8)
    )
    ax.plot(*others.T, "o", color=ROWS, markersize=3, alpha=0.6)
    ax.plot(*query, "*", color=QUERY, markersize=16, markeredgecolor="white")
    assert best.density == 1
    ax.text(
        0.02,
        0.97,
        "in the box: this row alone\n"
        f"expected: {in_x} × {in_y} / {len(others)} = {expected:.0f} rows\n"
        f"lift: {best.lift:.3f}",
        transform=ax.transAxes,
        va="top",
        fontsize=11,
        fontweight="bold",
        color=QUERY,
    )
    ax.set(xlabel="x", ylabel="y")
    steps = np.linspace(X.min() - 0.1, X.max() + 0.1, 40)
    above.hist(others[:, 0], steps, color=ROWS, alpha=0.8)
    beside.hist(others[:, 1], steps, color=ROWS, alpha=0.8, orientation="horizontal")
    above.axvspan(low[0], high[0], color=NEAR, alpha=0.3, linewidth=0)
    beside.axhspan(low[1], high[1], color=NEAR, alpha=0.3, linewidth=0)
    above.plot(query[0], 2, "*", color=QUERY, markersize=13, markeredgecolor="white")
    beside.plot(2, query[1], "*", color=QUERY, markersize=13, markeredgecolor="white")
    above.set_title(f"{in_x} of {len(others)} rows have an x near this one", loc="left")
    beside.set_title(f"{in_y} have such a y", loc="left")
    above.set_yticks([])
    beside.set_xticks([])
    return figure


def standing_out() -> Figure:
    """Rows near a query, and its Z-score, as the subspace grows beyond the true one."""
    data = make_hics(n_features=7, block_sizes=[3, 2, 2], random_state=0)
    row = 820
    assert data.truth[row] == [(0, 1, 2)]
    sizes = np.arange(1, 7)
    subspaces = [tuple(range(k)) for k in sizes]
    density = SGrid().fit(data.X)
    count, mean, std = (
        np.array([np.ravel(values)[0] for values in column])
        for column in zip(*(density.moments([s], data.X[[row]]) for s in subspaces), strict=True)
    )
    z = np.array([zscore(density, [s], data.X[[row]])[0, 0] for s in subspaces])

    figure = Figure(figsize=(9.2, 3.9), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.errorbar(
        sizes - 0.07,
        mean,
        yerr=[np.minimum(std, mean - 0.6), std],
        fmt="o",
        color=ROWS,
        capsize=4,
        label="all rows: mean and standard deviation",
    )
    left.plot(sizes + 0.07, count, "*", color=QUERY, markersize=13, label="the query")
    left.set(
        yscale="log",
        ylabel="rows nearby (log scale)",
        title="Counts fall with every feature, for all rows",
    )
    left.set_yticks([1, 10, 100, 500], labels=["1", "10", "100", "500"])
    left.minorticks_off()
    left.legend(frameon=False, fontsize=9)
    right.bar(
        sizes, z, color=[QUERY if s == (0, 1, 2) else "#f0c5a3" for s in subspaces], width=0.6
    )
    for size, value in zip(sizes, z, strict=True):
        right.text(size, value - 0.06, f"{value:.2f}", ha="center", va="top", fontsize=9.5)
    right.axhline(0, color="black", linewidth=0.8)
    right.set(
        ylabel="Z-score of the query",
        ylim=(-3.8, 0.1),
        title="The Z-score is lowest in the true subspace",
    )
    for ax in (left, right):
        ax.set_xticks(sizes, labels=["{0}", "{0,1}", "{0,1,2}", "{0…3}", "{0…4}", "{0…5}"])
        ax.set_xlabel("subspace")
    return figure


def beam() -> Figure:
    """A beam search with width 3 on six features, as it happened."""
    data = make_hics(n_features=6, block_sizes=[4, 2], random_state=0)
    row = next(row for row, true in data.truth.items() if true == [(0, 1, 2, 3)])
    density = SGrid().fit(data.X)
    width, depth = 3, 5
    levels: dict[int, dict[tuple[int, ...], float]] = {}

    def score(subspaces):
        scores = zscore(density, subspaces, data.X[[row]])
        for subspace, value in zip(subspaces.tolist(), scores[:, 0], strict=True):
            levels.setdefault(len(subspace), {})[tuple(subspace)] = value
        return scores

    search = BeamSearch(max_dim=depth, width=width, top_k=1)
    best = search.search(FunctionScore(score), 6, 1)[0][0]

    figure = Figure(figsize=(9.2, 4.6), layout="constrained")
    ax = figure.subplots()
    place: dict[tuple[int, ...], tuple[float, float]] = {}
    kept: dict[int, list[tuple[int, ...]]] = {}
    for level, scored in levels.items():
        order = sorted(scored)
        for i, subspace in enumerate(order):
            place[subspace] = ((i + 0.5) / len(order) * 15, -1.3 * level)
        kept[level] = sorted(scored, key=scored.get)[:width]
    for level in range(3, depth + 1):
        for child in levels[level]:
            for parent in kept[level - 1]:
                if set(parent) < set(child):
                    (x0, y0), (x1, y1) = place[parent], place[child]
                    ax.plot([x0, x1], [y0 - 0.27, y1 + 0.27], color=NEAR, linewidth=1, zorder=1)
    for subspace, (x, y) in place.items():
        in_beam = len(subspace) >= 2 and len(subspace) < depth and subspace in kept[len(subspace)]
        is_best = subspace == best.subspace
        face = QUERY if is_best else "#fbe3b3" if in_beam else "#eef3f7"
        half = 0.47 if len(subspace) < 3 else 0.62 if len(subspace) < 5 else 0.75
        ax.add_patch(
            Rectangle(
                (x - half, y - 0.27),
                2 * half,
                0.54,
                facecolor=face,
                edgecolor=QUERY if is_best else NEAR if in_beam else "#c3ced8",
                linewidth=1.4,
                zorder=2,
            )
        )
        ink = "white" if is_best else "black"
        ax.text(
            x,
            y + 0.1,
            "".join(map(str, subspace)),
            ha="center",
            va="center",
            fontsize=9.5,
            fontweight="bold" if in_beam or is_best else "normal",
            color=ink,
            zorder=3,
        )
        value = round(levels[len(subspace)][subspace], 1) + 0.0  # -0.0 reads as 0.0
        ax.text(
            x, y - 0.13, f"{value:.1f}", ha="center", va="center", fontsize=8, color=ink, zorder=3
        )
    notes = {
        1: "1 feature:\nall of them",
        2: "2 features:\nall pairs",
        3: "3 features:\nextensions of\nthe best 3",
        4: "4 features:\nextensions of\nthe best 3",
        5: "5 features:\nthe last level",
    }
    for level, note in notes.items():
        ax.text(-0.25, -1.3 * level, note, ha="right", va="center", fontsize=9.5)
    ax.set(xlim=(-2.0, 15.1), ylim=(-1.3 * depth - 0.45, -0.85))
    ax.axis("off")
    return figure


def bins() -> Figure:
    """Rows nearby in a column that is mostly 0 and has a long tail, as two rules have it."""
    rng = np.random.default_rng(0)
    column = np.where(rng.random(1500) < 0.7, 0.0, rng.lognormal(3.0, 1.5, 1500))
    column[0] = 1e6
    figure = Figure(figsize=(9.2, 3.6), layout="constrained")
    axes = figure.subplots(1, 2, sharex=True, sharey=True)
    for ax, rule in zip(axes, ("fd", "auto"), strict=True):
        near = SGrid(bins=rule).fit(column[:, None]).density((0,))
        tail = column > 0
        ax.plot(column[tail], near[tail], "o", color=ROWS, markersize=3, alpha=0.6, label="others")
        ax.plot(0.0, near[~tail][0], "s", color=NEAR, markersize=9, label="0")
        ax.plot(column[0], near[0], "*", color=QUERY, markersize=14, label="a million")
        ax.set_xscale("symlog", linthresh=1.0)
        ax.set(yscale="log", title=f'bins="{rule}"', xlabel="value", xlim=(-0.3, 4e6))
    axes[0].set_ylabel("rows nearby")
    axes[0].legend(frameon=False, loc="center")
    return figure


@cache
def explainer() -> AspectExplainer:
    """The explainer that the pages use as their example."""
    X = load_demo().frame.select_dtypes("number")
    detector = make_pipeline(StandardScaler(), KNN()).fit(X)
    return AspectExplainer(detector, n_queries=10).fit(X)


@cache
def diamonds() -> Explanation:
    """The ten diamonds that the detector finds most anomalous."""
    return explainer().explain()


@cache
def one_diamond() -> Explanation:
    """A diamond whose width contradicts its length."""
    return explainer().explain(rows=["2274"])


def demo() -> Figure:
    """The row of the demo that no single column gives away."""
    X = load_demo().frame
    explainer = AspectExplainer(make_detector("KNN", X)).fit(X)
    return plot_aspect(explainer.explain(rows=["2274"]), "2274", ["x", "y"])


@cache
def generated() -> tuple[Explanation, dict[int, int]]:
    """Rows that stand out in two, three and five features, and which does in how many."""
    data = make_hics(n_features=10, block_sizes=[2, 3, 5], random_state=0)
    rows = {}
    for row, true in data.truth.items():
        rows.setdefault(len(true[0]), row)
    explainer = AspectExplainer(LOF().fit(data.X)).fit(data.X)
    return explainer.explain(rows=sorted(rows.values())), rows


def of_size(size: int) -> Figure:
    """The row that stands out in so many features, in these features."""
    explanation, rows = generated()
    aspects = explanation.row(rows[size]).aspects
    best = next(aspect for aspect in aspects if len(aspect.subspace) == size)
    return plot_aspect(explanation, rows[size], best)


def two_features() -> Figure:
    """A diamond with an ordinary length and an ordinary width that do not go together."""
    X = load_demo().frame
    row = X.loc[2274]
    query = one_diamond()[0]
    aspect = next(one for one in query.aspects if one.features == ("x", "y"))
    low, high = aspect.evidence[1].expected
    near, limits = 0.25, (3.6, 8.6)
    shown = X[X[["x", "y"]].apply(lambda column: column.between(*limits)).all(axis=1)]
    alike = [(X[a] - row[a]).abs() <= near for a in "xy"]

    figure = Figure(figsize=(7.4, 4.6), layout="constrained")
    axes = figure.subplots(
        2, 2, sharex="col", sharey="row", width_ratios=[3, 1.25], height_ratios=[1, 3]
    )
    (above, corner), (ax, beside) = axes
    corner.axis("off")
    ax.plot(shown["x"], shown["y"], "o", color=ROWS, markersize=2.5, alpha=0.5, rasterized=True)
    ax.annotate(
        "",
        (row["x"], low),
        (row["x"], row["y"] + 0.08),
        arrowprops={"arrowstyle": "-|>", "color": QUERY, "linewidth": 1.6, "shrinkB": 1},
    )
    ax.plot([row["x"]] * 2, [low, high], color=QUERY, linewidth=5, solid_capstyle="butt")
    ax.text(
        row["x"] + 0.13,
        (low + row["y"]) / 2,
        f"diamonds of this length\nare {low:.2f} to {high:.2f} mm wide",
        va="center",
        fontsize=8.5,
        color=QUERY,
    )
    ax.plot(row["x"], row["y"], "*", color=QUERY, markersize=18, markeredgecolor="white")
    ax.text(
        row["x"] + 0.17,
        row["y"] - 0.08,
        f"row 2274:\n{row['x']} mm long,\n{row['y']} mm wide",
        va="center",
        fontsize=11.5,
        fontweight="bold",
        color=QUERY,
    )
    ax.set(xlabel="length x in mm", ylabel="width y in mm", xlim=limits, ylim=limits)
    steps = np.linspace(*limits, 51)
    above.hist(shown["x"], steps, color=ROWS, alpha=0.8)
    beside.hist(shown["y"], steps, color=ROWS, alpha=0.8, orientation="horizontal")
    for histogram, value, span in (
        (above, row["x"], above.axvspan),
        (beside, row["y"], beside.axhspan),
    ):
        span(value - near, value + near, color=NEAR, alpha=0.35, linewidth=0)
        place = (value, 25) if histogram is above else (25, value)
        histogram.plot(*place, "*", color=QUERY, markersize=14, markeredgecolor="white")
    (x_low, x_high), (y_low, y_high) = ((row[a] - near, row[a] + near) for a in "xy")
    above.set_title(
        f"{alike[0].sum()} of {len(X):,} diamonds are {x_low:.2f} to {x_high:.2f} mm long",
        loc="left",
    )
    beside.set_title(f"{alike[1].sum()} are {y_low:.2f} to\n{y_high:.2f} mm wide", loc="left")
    ax.set_title(
        f"{(alike[0] & alike[1]).sum() - 1} other diamond is both", loc="left", color=QUERY
    )
    above.set_yticks([])
    beside.set_xticks([])
    return figure


PICTURES = {
    "neighbourhood": neighbourhood,
    "lift": rare_together,
    "two_features": two_features,
    "zscore": standing_out,
    "beam": beam,
    "bins": bins,
}

PLOTS = {
    "demo": demo,
    "plot_scores": lambda: plot_scores(diamonds(), "24067").figure,
    "plot_aspects": lambda: plot_aspects(one_diamond(), "2274").figure,
    "plot_overview": lambda: plot_overview(diamonds()).figure,
    "plot_aspect_1": lambda: plot_aspect(diamonds(), "24067"),
    "plot_aspect_2": lambda: plot_aspect(one_diamond(), "2274", ["x", "y"]),
    "plot_aspect_3": lambda: of_size(3),
    "plot_aspect_5": lambda: of_size(5),
    "plot_group": lambda: plot_group(diamonds(), diamonds().groups()[1]),
}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        with mpl.rc_context(STYLE):
            draw().savefig(folder / f"{name}.svg", metadata={"Date": None})
    for name, draw in PLOTS.items():
        svg = to_svg(draw(), f"a picture by {name[:-2] if name[-1].isdigit() else name}")
        white = svg.replace('style="', 'style="background:white;', 1)  # on dark pages as well
        (folder / f"{name}.svg").write_text(white + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "_static")
