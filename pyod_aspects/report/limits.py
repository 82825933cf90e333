"""Limits of the contents of a page, which keep it small and readable for any table."""

from __future__ import annotations

OPEN_ROWS = 12
"""Most rows with an open card."""

OPEN_OF_GROUP = 2
"""Most rows of a group with an open card, if all rows are few; else one."""

OPEN_UNSURE = 3
"""Most rows with nothing convincing with an open card, if there are no other rows."""

LISTED_ROWS = 12
"""Most rows in the list at the top, if no rows share a reason."""

PICTURED_ROWS = 30
"""Most rows with a picture in their card, open or folded."""

PICTURED_GROUPS = 6
"""Most groups with a picture of all their rows, at the top."""

FEW_GROUPS = 4
"""Most groups that leave space below their list."""

LISTED_GROUPS = 24
"""Most groups in the list at the top; the others have their sections only."""

MOST_ROWS = 1000
"""Most rows on the page; it gives the number of the others."""

MOST_ASPECTS = 20
"""Most aspects of a row."""

MOST_FEATURES = 8
"""Most features of an aspect to name one by one."""

MOST_SETTINGS = 40
"""Most settings of the miner and of the detector."""

LONGEST_NAME, LONGEST_TEXT, LONGEST_VALUE = 60, 600, 200
"""Most characters of a name, of a sentence and of a setting."""
