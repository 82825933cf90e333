"""The explanation or explainer behind a browser: table, scores, and explainers for searches."""

from __future__ import annotations

from copy import copy
from numbers import Integral
from typing import Any

from sklearn.base import clone

from .._util.types import FloatArray
from ..engines.table import TableInParts
from ..exceptions import InvalidInputError, NotFittedError
from ..explainer import AspectExplainer
from ..explanation import Explanation
from ..explanation.writing.wording import plural, row_name
from ..miners import MINERS, BaseMiner
from ..miners.grids import SCORES, has_named_score
from ..tables import Table
from .pictures import NO_TABLE

_MINERS = {miner.__name__: miner for miner in MINERS.values()}

SETTINGS = ("max_dim", "width", "top_k")
"""Parameters of miners that are traits of a browser, besides the score."""


class Source:
    """An explanation or an explainer, in its state when the browser opened.

    Parameters
    ----------
    source : Explanation or AspectExplainer

    Attributes
    ----------
    table : Table, TableInParts or None
        The explained table; None if the explanation came without it.
    """

    def __init__(self, source: Explanation | AspectExplainer) -> None:
        self.source = source
        self.first: AspectExplainer | None = None
        self.table: Table | TableInParts | None = None
        self._scores: FloatArray | None = None
        if isinstance(source, Explanation):
            if source.background is not None:
                background = source.background
                self.first = background.explainer
                self.table, self._scores = background.table, background.explained_scores
        elif isinstance(source, AspectExplainer):
            if not hasattr(source, "miner_"):
                raise NotFittedError("this AspectExplainer is not fitted yet: call fit(X) first.")
            self.first = copy(source)  # the user may fit it anew
            self.table, self._scores = source.table_, source.scores_
        else:
            raise InvalidInputError(
                f"AspectBrowser takes an Explanation or an AspectExplainer, "
                f"not {type(source).__name__}."
            )
        self._fitted = self.first

    def settings(self) -> dict[str, Any]:
        """Return the settings of the source, by the names of the traits."""
        source, first = self.source, self.first
        n_queries = len(source) if isinstance(source, Explanation) else source.n_queries
        settings: dict[str, Any] = {"n_queries": max(1, int(n_queries))}
        if first is not None:
            parameters = first.miner_.get_params(deep=False)
            settings["miner"] = type(first.miner_).__name__
            n_reference = first.n_reference
            settings["n_reference"] = "auto" if n_reference == "auto" else int(n_reference)
        else:
            assert isinstance(source, Explanation)
            parameters = dict(source.settings)
            if source.miner in _MINERS:
                settings["miner"] = source.miner
        for name in SETTINGS:
            if isinstance(parameters.get(name), Integral):
                settings[name] = int(parameters[name])
        if isinstance(parameters.get("score"), str) and parameters["score"] in SCORES:
            settings["score"] = parameters["score"]
        return settings

    @property
    def known(self) -> tuple[Table | TableInParts, FloatArray]:
        """The explained table, and the detector's scores of its rows."""
        if self.table is None or self._scores is None:
            raise InvalidInputError(NO_TABLE)
        return self.table, self._scores

    @property
    def miner_names(self) -> list[str]:
        """Miners to choose from: ours, and the one of the source."""
        source = [] if self.first is None else [type(self.first.miner_).__name__]
        return list(dict.fromkeys([*_MINERS, *source]))

    def make_miner(self, name: str, score: str, changed: dict[str, int]) -> BaseMiner:
        """Make a miner by its name; unchanged parameters come from the first miner.

        Parameters
        ----------
        name : str
            Class name.
        score : str
            "lift" or "zscore"; for SGBeam.
        changed : mapping of str to int
            Parameters by name; ignores those that the miner does not have.

        Returns
        -------
        miner
        """
        if self.first is None:
            raise InvalidInputError(NO_TABLE)
        first = self.first.miner_
        miner = clone(first) if type(first).__name__ == name else _MINERS[name]()
        names = miner.get_params(deep=False)
        settings = first.get_params(deep=False) | changed
        settings.pop("score", None)
        if has_named_score(miner):
            settings["score"] = score
        tau = settings.pop("tau", None)
        miner.set_params(**{k: value for k, value in settings.items() if k in names})
        # A threshold for Z-scores means nothing for lifts; None is the default of the score.
        if "tau" in names and miner.score_name != first.score_name and has_named_score(miner):
            miner.set_params(tau=None)
        elif "tau" in names and miner.score_name == first.score_name and tau is not None:
            miner.set_params(tau=tau)
        return miner

    def explainer(self, miner: BaseMiner, n_reference: int | str) -> AspectExplainer:
        """Make an explainer; fit it anew if the settings differ from the last ones."""
        if self.first is None:
            raise InvalidInputError(NO_TABLE)
        last = self._fitted
        if last is None or _settings(last.miner_) != _settings(miner):
            last = self._fitted = self.first.with_miner(miner)
        explainer = copy(last)  # both share the reference rows searched so far
        explainer.n_reference = n_reference
        return explainer

    def position(self, row: int | str) -> int:
        """Position of a row of the table, given as a label or a position."""
        if not isinstance(row, str):
            return row
        if self.table is None:
            raise InvalidInputError(NO_TABLE)
        return int(self.table.positions(row)[0])

    def name(self, row: int) -> str:
        """Name of a row of the table, explained or not."""
        if self.table is None or self.missing_row(row):
            return str(row)
        return row_name(row, self.table.label(row))

    def missing_row(self, row: int) -> str:
        """Say which rows there are, if this is none of them; else ""."""
        n_rows = 0 if self.table is None else self.table.n_rows
        if self.table is None or 0 <= row < n_rows:
            return ""
        return f"There is no row {row}: the table has {plural(n_rows, 'row')}, 0 to {n_rows - 1}."


def _settings(miner: BaseMiner) -> tuple[type, dict[str, Any]]:
    return type(miner), miner.get_params(deep=False)
