"""Pictures are drawn where one asks for them, in any thread, without pyplot."""

from __future__ import annotations

import re
import subprocess
import sys
import threading

import pytest
from matplotlib.figure import Figure

from pyod_aspects import Explanation
from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.plots import (
    describe_aspect,
    describe_scores,
    plot_aspect,
    plot_aspects,
    plot_overview,
    plot_scores,
    to_svg,
)


def test_what_is_given_is_drawn_on_and_returned(mixed):
    figure = Figure()
    assert plot_aspect(mixed, 0, 0, figure=figure) is figure
    left, right = Figure().subfigures(1, 2)
    assert plot_aspect(mixed, 0, (0, 1, 2), figure=right) is right
    assert right.axes
    assert not left.axes
    for draw in (
        lambda ax: plot_scores(mixed, 0, ax=ax),
        lambda ax: plot_aspects(mixed, 0, ax=ax),
        lambda ax: plot_overview(mixed, ax=ax),
    ):
        ax = Figure().subplots()
        assert draw(ax) is ax


def test_a_notebook_shows_a_picture_by_itself(mixed):
    for figure in (plot_aspect(mixed, 0), plot_scores(mixed).figure):
        assert figure._repr_png_().startswith(b"\x89PNG")


def test_without_the_table_what_can_be_drawn_is_drawn(plain):
    read = Explanation.from_json(plain.to_json())
    row = read[0].row
    assert plot_aspects(read, row).get_yticklabels()
    assert plot_overview(read).get_yticklabels()
    assert re.match(
        rf"Row {row} stands (out|alone) in x2, x3, x4 and x5: ", describe_aspect(read, row)
    )
    assert describe_scores(read, row).startswith("Scores that Scores gives 600 rows. Row ")
    for draw in (lambda: plot_scores(read), lambda: plot_aspect(read, row)):
        with pytest.raises(InvalidInputError, match=r"make it anew with AspectExplainer\.explain"):
            draw()


def test_pictures_are_the_same_from_any_thread(mixed):
    expected = to_svg(plot_aspect(mixed, 0, (0, 1)), "x")
    made: list[str] = []
    threads = [
        threading.Thread(target=lambda: made.append(to_svg(plot_aspect(mixed, 0, (0, 1)), "x")))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [expected] * 4


def test_importing_the_package_imports_no_matplotlib_and_plots_no_pyplot(tmp_path):
    code = (
        "import sys, pyod_aspects; assert 'matplotlib' not in sys.modules;"
        "import pyod_aspects.plots, pyod_aspects.report;"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)
