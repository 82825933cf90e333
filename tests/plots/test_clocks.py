"""Axes of times have the clocks of their zone, axes of durations have units."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.dates import num2date

from pyod_aspects import AspectExplainer
from pyod_aspects.plots import plot_aspect


def axis_of(values, odd):
    """Axis of a column in which one row is odd."""
    frame = pd.DataFrame({"when": values})
    frame.loc[7, "when"] = odd
    scores = (frame.index == 7).astype(float)
    made = AspectExplainer.from_scores(scores, n_queries=1).fit(frame).explain()
    figure = plot_aspect(made, 7, ["when"])
    figure.draw_without_rendering()
    return figure.axes[0].xaxis


@pytest.mark.parametrize(
    ("unit", "name"), [("D", "d"), ("h", "h"), ("min", "min"), ("s", "s")], ids=str
)
def test_durations_have_round_ticks_in_their_unit(unit, name):
    numbers = np.random.default_rng(0).uniform(0, 10, 300)
    axis = axis_of(pd.to_timedelta(numbers, unit=unit), pd.Timedelta(12, unit=unit))
    labels = [text.get_text() for text in axis.get_ticklabels()]
    assert len(labels) >= 3
    for label in labels:
        number, written = label.split(" ")
        assert written == name
        assert float(number.replace("\u2212", "-")).is_integer()


@pytest.mark.parametrize("zone", ["Asia/Kolkata", "UTC"])
def test_days_begin_at_midnight_of_the_zone(zone):
    hours = np.random.default_rng(0).uniform(0, 30 * 24, 300)
    start = pd.Timestamp("2024-06-03", tz=zone)
    axis = axis_of(start + pd.to_timedelta(hours, unit="h"), start + pd.Timedelta("40D"))
    times = pd.DatetimeIndex(num2date(axis.get_ticklocs())).tz_convert(zone)
    assert len(times) >= 3
    assert set(times.strftime("%H:%M")) == {"00:00"}
