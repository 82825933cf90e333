"""Errors and warnings. Each error is also the builtin that a caller would expect.

Every message says what came, what was expected and what to do.
"""

from __future__ import annotations

from sklearn.exceptions import NotFittedError as _SklearnNotFittedError


class AspectsError(Exception):
    """Base of every error that pyod_aspects raises on purpose."""


class InvalidInputError(AspectsError, ValueError):
    """A table, a parameter or a file has the wrong form or value."""


class QueryError(AspectsError, IndexError):
    """The table has no such row."""


class DetectorError(AspectsError, ValueError):
    """The detector is unusable, or does not belong to the table."""


class NotFittedError(AspectsError, _SklearnNotFittedError):  # type: ignore[misc]
    """`fit` has not run yet."""


class TooLargeError(AspectsError, MemoryError):
    """The table needs more memory than the miner may take."""


class PartsError(AspectsError, RuntimeError):
    """Work on a partition of a table failed, or no Dask worker is left."""


class PrecisionWarning(UserWarning):
    """The values of a column are too large and too close together for float64."""


class TextWarning(UserWarning):
    """A text column looks like times or numbers, and counts as categories."""


class PartitionsWarning(UserWarning):
    """The detector's scores depend on how the table is partitioned."""


class MissingPackageError(AspectsError, ImportError):
    """A required package is missing."""
