"""How much goes into a page, so that it stays small and readable whatever the table holds."""

from __future__ import annotations

OPEN_ROWS = 12
"""Rows whose cards are open."""

OPEN_OF_GROUP = 2
"""Rows of a group whose cards are open, if all rows are few; else the first one."""

OPEN_UNSURE = 3
"""Rows with nothing convincing whose cards are open, if there are no other rows."""

LISTED_ROWS = 12
"""Rows that are listed at the top if they have nothing in common."""

PICTURED_ROWS = 30
"""Rows with a picture in their card, open or folded."""

PICTURED_GROUPS = 6
"""Groups with a picture of all their rows, at the top."""

FEW_GROUPS = 4
"""Groups that leave room below their list."""

LISTED_GROUPS = 24
"""Groups that the list at the top names; the others have their sections only."""

MOST_ROWS = 1000
"""Rows on the page; the others are counted."""

MOST_ASPECTS = 20
"""Aspects of a row that are told."""

MOST_FEATURES = 8
"""Features of an aspect that are named one by one."""

MOST_SETTINGS = 40
"""Settings that are listed, of the miner and of the detector."""

LONGEST_NAME, LONGEST_TEXT, LONGEST_VALUE = 60, 600, 200
"""Characters of a name, of a sentence and of a setting."""
