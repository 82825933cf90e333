"""Tables as people have them, with rows that are plainly wrong."""

from __future__ import annotations

import numpy as np
import pandas as pd


def bank(n=3000):
    """Payments of nine columns; row 1234 is a large one, by night, abroad, without the card."""
    rng = np.random.default_rng(5)
    category = rng.choice(["food", "fuel", "rent", "clothes"], n, p=[0.5, 0.25, 0.05, 0.2])
    usual = {"food": 30.0, "fuel": 60.0, "rent": 900.0, "clothes": 80.0}
    amount = np.array([usual[c] for c in category]) * rng.lognormal(0, 0.25, n)
    hour = np.clip(rng.normal(14, 3, n), 7, 22)
    day = rng.integers(0, 90, n)
    when = pd.Timestamp("2024-03-01") + pd.to_timedelta(day * 24 + hour, "h")
    frame = pd.DataFrame(
        {
            "id": [f"TX{i:05}" for i in range(n)],
            "time": when.round("s"),
            "category": category,
            "country": rng.choice(["DE", "AT", "CH"], n, p=[0.8, 0.1, 0.1]),
            "amount": amount.round(2),
            "balance": rng.normal(2000, 600, n).round(2),
            "hour": hour.round(1),
            "card_present": rng.random(n) < 0.9,
            "rating": np.where(rng.random(n) < 0.1, np.nan, rng.integers(1, 6, n)),
        }
    )
    frame.loc[1234, ["category", "country", "amount"]] = ["food", "XK", 2890.0]
    frame.loc[1234, "time"] = pd.Timestamp("2024-04-02 03:12:00")
    frame.loc[1234, ["hour", "card_present"]] = [3.2, False]
    frame.loc[17, "amount"] = np.nan
    return frame, 1234, {"amount", "country", "hour", "time"}


def sensors(n=2000):
    """A log of thirty columns, one of them constant; at row 777 two that go together do not."""
    rng = np.random.default_rng(6)
    load = rng.normal(size=n)
    frame = pd.DataFrame({"time": pd.date_range("2024-05-01", periods=n, freq="min")})
    for i in range(28):
        frame[f"s{i:02}"] = (0.6 * load + rng.normal(size=n)).round(4)
    frame["s05"] = (load + rng.normal(0, 0.05, n)).round(4)
    frame["s09"] = (load + rng.normal(0, 0.05, n)).round(4)
    frame["firmware"] = 7
    frame.loc[777, ["s05", "s09"]] = [9.5, -9.5]
    return frame, 777, {"s05", "s09"}


def european(n=1500):
    """Prices with decimal commas and a label; row 321 has the price in cents."""
    rng = np.random.default_rng(7)
    weight = rng.uniform(0.2, 3.0, n)
    frame = pd.DataFrame(
        {
            "Größe": rng.choice(["klein", "groß"], n),
            "Gewicht": weight.round(3),
            "Preis": (12.5 * weight + rng.normal(0, 0.4, n)).round(2),
            "Datum": pd.date_range("2023-01-01", periods=n, freq="D").strftime("%d.%m.%Y"),
            "Fehler": 0,
        }
    )
    frame.loc[321, "Preis"] *= 100
    frame.loc[321, "Fehler"] = 1
    return frame, 321, {"Preis"}
