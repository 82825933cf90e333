"""Times are shown on the clocks of their zone, durations in days, hours and minutes."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import pytest

from pyod_aspects import AspectExplainer, Evidence
from pyod_aspects.explanation.judging.evidence import in_units
from pyod_aspects.explanation.writing.sentences import headline
from pyod_aspects.tables import Column, read_table
from pyod_aspects.tables.clock import duration_text, zone_of, zone_shift

SUMMER = pd.Timestamp("2024-07-01", tz="UTC").timestamp()


@pytest.mark.parametrize(
    ("zone", "name", "winter", "summer"),
    [
        ("Europe/Vienna", "Europe/Vienna", 1, 2),
        ("UTC", "UTC", 0, 0),
        (dt.timezone.utc, "UTC", 0, 0),
        (dt.timezone(dt.timedelta(hours=-3, minutes=-30)), "UTC-03:30", -3.5, -3.5),
        ("+05:30", "+05:30", 5.5, 5.5),
        ("Atlantis/Capital", "UTC", 0, 0),
        ("../../etc/passwd", "UTC", 0, 0),
    ],
)
def test_a_zone_is_known_by_its_name(zone, name, winter, summer):
    assert zone_of(zone) == name
    assert zone_shift(name, 0.0) == 3600 * winter
    assert zone_shift(name, SUMMER) == 3600 * summer


@pytest.mark.parametrize("seconds", [-1e15, 1e15, np.inf])
def test_times_beyond_the_calendar_are_not_shifted(seconds):
    assert zone_shift("Europe/Vienna", seconds) == 0.0


def test_all_kinds_of_zones_are_read_from_a_frame():
    stamps = pd.to_datetime(["2024-07-05 12:00", "2024-01-05 12:00"]).tz_localize("UTC")
    fixed = dt.timezone(dt.timedelta(hours=2))
    frame = pd.DataFrame(
        {
            "vienna": stamps.tz_convert("Europe/Vienna"),
            "fixed": stamps.tz_convert(fixed),
            "objects": pd.Series(list(stamps.tz_convert(fixed).to_pydatetime()), dtype=object),
        }
    )
    table = read_table(frame)
    texts = [[c.text(v) for c, v in zip(table.columns, row, strict=True)] for row in table.values]
    assert texts == [
        ["2024-07-05 14:00 CEST", "2024-07-05 14:00 UTC+02:00", "2024-07-05 14:00 UTC+02:00"],
        ["2024-01-05 13:00 CET", "2024-01-05 14:00 UTC+02:00", "2024-01-05 14:00 UTC+02:00"],
    ]


def test_days_begin_at_midnight_of_the_zone():
    column = Column("sold", "time", zone="Europe/Vienna")
    value, low, high = (
        pd.Timestamp(day, tz="Europe/Vienna").timestamp()
        for day in ("2024-07-05 15:00", "2023-01-01 00:30", "2023-12-20 23:30")
    )
    assert in_units(column, value, [(low, high)]) == (
        "2024-07-05 CEST",
        [("2023-01-01 CET", "2023-12-20 CET")],
    )


@pytest.mark.parametrize(
    ("duration", "text"),
    [
        ("90h", "3 d 18 h"),
        ("1min", "1 min"),
        ("0s", "0 s"),
        ("-75s", "-1 min 15 s"),
        ("1500ms", "1.5 s"),
        ("24000h", "1,000 d"),
    ],
)
def test_durations_have_units(duration, text):
    seconds = pd.Timedelta(duration).total_seconds()
    assert duration_text(seconds) == duration_text(np.float64(seconds)) == text


def test_durations_beyond_all_measure_are_seconds():
    assert duration_text(1e13) == "10,000,000,000,000 s"


@pytest.mark.parametrize("kind", ["pandas", "array", "objects"])
def test_a_long_wait_is_told_in_hours(kind):
    minutes = np.random.default_rng(0).integers(5, 40, 200)
    minutes[7] = 200
    waits = pd.to_timedelta(minutes, unit="min")
    X = {
        "pandas": pd.DataFrame({"wait": waits}),
        "array": waits.to_numpy()[:, None],
        "objects": pd.DataFrame({"wait": pd.Series(list(waits.to_pytimedelta()), dtype=object)}),
    }[kind]
    scores = (minutes == 200).astype(float)
    made = AspectExplainer.from_scores(scores, n_queries=1).fit(X).explain()
    (one,) = made[0].aspects[0].evidence
    name = one.feature
    assert one == Evidence(name, "3 h 20 min", one.typical, None, "high", one.outside)
    words = headline(made[0], made.score_name)
    assert words.startswith(f"{name} = 3 h 20 min is high (most rows ")
    assert words.endswith(" min)")
