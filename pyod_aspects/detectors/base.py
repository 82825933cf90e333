"""The contract of an adapter, and the checks that all adapters share."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any

import numpy as np

from .._util.types import AnyArray, FloatArray
from ..engines.table import TableInParts
from ..exceptions import DetectorError, PartitionsWarning


class Adapter(ABC):
    """A fitted detector as the explainer sees it; higher scores are more anomalous.

    Attributes
    ----------
    name : str
        Name of the detector, for messages and explanations.
    only_finite : bool
        Whether the adapter refuses scores that are not finite.
    """

    name: str
    only_finite = True

    @abstractmethod
    def training_scores(self, X: Any, n_rows: int, n_features: int) -> FloatArray:
        """Scores of the rows of X, the table of the detector's fit."""

    @abstractmethod
    def new_scores(self, X: Any, n_rows: int) -> FloatArray:
        """Scores of new rows, all at once, without touching the user's detector."""

    def scores_in_parts(self, table: TableInParts) -> FloatArray:
        """Scores of a table in parts: the detector scores each part where it is, as new rows."""
        scores, compares_rows = table.scores(self.new_scores)
        if compares_rows:
            warnings.warn(
                f"{self.name} compares the rows that it scores with each other, so that scores "
                "depend on the partitions: use a detector that does not, such as IForest or KNN, "
                "or pass scores to AspectExplainer.from_scores.",
                PartitionsWarning,
                stacklevel=3,
            )
        return scores

    @abstractmethod
    def threshold(self) -> float | None:
        """Score above which a row counts as an anomaly; None if the detector has none."""

    def private(self) -> Adapter:
        """Return an adapter for many batches of rows; it also accepts scores that are not finite.

        It holds a copy of the detector if the detector changes itself while scoring.
        """
        private = copy(self)
        private.only_finite = False
        return private

    def check_rows(self, fitted: int, n_rows: int) -> None:
        """Refuse a table of another length than the fitted one."""
        if fitted != n_rows:
            raise DetectorError(
                f"{self.name} was fitted on {fitted} rows, X has {n_rows}: "
                "pass the X it was fitted on."
            )

    def check_columns(self, fitted: Any, n_features: int) -> None:
        """Refuse a table of another width than the fitted one, where that is known."""
        if isinstance(fitted, (int, np.integer)) and fitted != n_features:
            raise DetectorError(
                f"{self.name} was fitted on {fitted} columns, X has {n_features}: "
                "pass the X it was fitted on."
            )

    def as_scores(self, raw: Any, n_rows: int | None = None) -> FloatArray:
        """Scores as a flat float array, one for each row, finite if `only_finite`.

        Some detectors keep scores as a column of shape (n_rows, 1).
        """
        try:
            self._refuse_complex(np.asanyarray(raw))
            if isinstance(raw, np.ma.MaskedArray):  # a masked entry is no score
                raw = np.ma.filled(raw.astype(np.float64), np.nan)
            scores = np.array(raw, dtype=np.float64)
        except DetectorError:
            raise
        except (TypeError, ValueError) as error:
            raise DetectorError(f"{self.name} has scores that are not numbers: {error}.") from error
        if scores.ndim != 1 and scores.shape[1:] != (1,):
            raise DetectorError(
                f"{self.name} has scores of shape {scores.shape}: expected one for each row, "
                "shape (n_rows,); pass one number for each row to AspectExplainer.from_scores."
            )
        scores = scores.ravel()
        bad = ~np.isfinite(scores)
        if bad.any() and self.only_finite:
            raise DetectorError(
                f"{self.name} has {int(bad.sum())} scores that are not finite (first: row "
                f"{int(bad.argmax())}): "
                "rows without a score cannot be ranked; check the detector."
            )
        if n_rows is not None and len(scores) != n_rows:
            raise DetectorError(f"{self.name} gave {len(scores)} scores for {n_rows} rows.")
        return scores

    def _refuse_complex(self, scores: AnyArray) -> None:
        if scores.dtype.kind == "c":
            raise DetectorError(
                f"{self.name} has complex scores ({scores.dtype}): expected real numbers; pass one "
                "real number for each row to AspectExplainer.from_scores."
            )

    @contextmanager
    def scoring(self) -> Iterator[None]:
        """Run the detector's own code, and turn its errors into one sentence."""
        try:
            with warnings.catch_warnings():
                # LocalOutlierFactor itself drops the names between two of its methods.
                warnings.filterwarnings("ignore", "X does not have valid feature names")
                # The explanation names unknown categories itself.
                warnings.filterwarnings("ignore", "Found unknown categories")
                yield
        except DetectorError:
            raise
        except NotImplementedError as error:
            raise DetectorError(
                f"{self.name} cannot score new rows: explain rows of the fitted X."
            ) from error
        except Exception as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise DetectorError(f"{self.name} cannot score X: {reason.rstrip('.')}.") from error
