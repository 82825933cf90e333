"""What can go wrong, each also the builtin that a caller would expect.

Every message says what came, what was expected and what to do.
"""

from __future__ import annotations

from sklearn.exceptions import NotFittedError as _SklearnNotFittedError


class AspectsError(Exception):
    """Base of every error that pyod_aspects raises on purpose."""


class InvalidInputError(AspectsError, ValueError):
    """A table, a parameter or a file is not what was expected."""


class QueryError(AspectsError, IndexError):
    """The table has no such row."""


class DetectorError(AspectsError, ValueError):
    """The detector cannot be used, or does not belong to the table."""


class NotFittedError(AspectsError, _SklearnNotFittedError):  # type: ignore[misc]
    """`fit` has not been called yet."""


class TooLargeError(AspectsError, MemoryError):
    """The table needs more memory than the chosen miner may take."""


class PartsError(AspectsError, RuntimeError):
    """A partition of a table could not be worked on, or no Dask worker is left to do so."""


class PrecisionWarning(UserWarning):
    """The values of a column are too close together for float64, given how large they are."""


class TextWarning(UserWarning):
    """A column of text reads as times or numbers, and counts as categories."""


class PartitionsWarning(UserWarning):
    """The detector's scores depend on how the table is partitioned."""


class MissingPackageError(AspectsError, ImportError):
    """A required package is not installed."""
