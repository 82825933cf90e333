"""Time zones and durations in words."""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from .._util.numbers import value_text

_FIXED = re.compile(r"(?:UTC)?([+-])(\d\d):(\d\d)")
_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"))
_LONGEST = 1e12  # from so many seconds on a duration reads as a plain number


def zone_of(zone: Any) -> str:
    """Name of a time zone, given as text or as a tzinfo; "UTC" for an unknown zone.

    >>> zone_of(dt.timezone(dt.timedelta(hours=2))), zone_of(None), zone_of("a place")
    ('UTC+02:00', '', 'UTC')
    """
    if zone is None:
        return ""
    name = str(zone)
    return name if _FIXED.fullmatch(name) or clocks(name) is not dt.timezone.utc else "UTC"


def zone_shift(zone: str, seconds: float) -> float:
    """Seconds by which clocks of a zone are ahead of UTC, at a time in seconds since 1970.

    >>> zone_shift("Europe/Vienna", 0.0), zone_shift("UTC-03:30", 0.0)
    (3600.0, -12600.0)
    """
    there = _at(zone, seconds)
    ahead = there.utcoffset() if there else None
    return ahead.total_seconds() if ahead else 0.0


def zone_name(zone: str, seconds: float) -> str:
    """Short name of the time of a zone, in winter or in summer.

    >>> zone_name("Europe/Vienna", 0.0), zone_name("Europe/Vienna", 1.72e9)
    ('CET', 'CEST')
    """
    there = _at(zone, seconds)
    return (there.tzname() if there else None) or "UTC"


def duration_text(seconds: float) -> str:
    """Duration in days, hours, minutes and seconds.

    >>> duration_text(9000.0), duration_text(-90061.5), duration_text(0.0), duration_text(0.0123)
    ('2 h 30 min', '-1 d 1 h 1 min 1.5 s', '0 s', '0.0123 s')
    """
    size = abs(seconds)
    if not size < _LONGEST:
        return f"{value_text(seconds)} s"
    words = []
    for unit, name in _UNITS:
        n, size = divmod(size, unit)
        words += [f"{n:,.0f} {name}"] if n else []
    if size or not words:
        words.append(f"{value_text(size)} s")
    return ("-" if seconds < 0 else "") + " ".join(words)


def duration_unit(span: float) -> tuple[float, str]:
    """Return the largest unit that fits three times into a span: its seconds and its name.

    >>> duration_unit(9000.0), duration_unit(1e6), duration_unit(2.0)
    ((60.0, 'min'), (86400.0, 'd'), (1.0, 's'))
    """
    for unit, name in _UNITS:
        if span >= 3 * unit:
            return float(unit), name
    return 1.0, "s"


def _at(zone: str, seconds: float) -> dt.datetime | None:
    """A time on the clocks of a zone; None beyond the years of `datetime`."""
    try:
        return dt.datetime.fromtimestamp(seconds, dt.timezone.utc).astimezone(clocks(zone))
    except (OverflowError, ValueError, OSError):
        return None


@lru_cache(maxsize=256)
def clocks(zone: str) -> dt.tzinfo:
    """Return the clocks of a time zone; UTC if the zone has no name or is unknown."""
    fixed = _FIXED.fullmatch(zone)
    if fixed:
        sign, hours, minutes = fixed.groups()
        ahead = dt.timedelta(hours=int(hours), minutes=int(minutes))
        return dt.timezone(ahead if sign == "+" else -ahead)
    try:
        return ZoneInfo(zone)
    except (ValueError, OSError, KeyError):  # no such zone, or no list of zones
        return dt.timezone.utc
