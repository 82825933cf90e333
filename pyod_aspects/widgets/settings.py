"""Settings of a search: miner, score and figures, folded by default."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

from ..miners.grids import SCORES, has_named_score
from . import controls
from .controls import any_number, button, column, html, line, number, see

if TYPE_CHECKING:
    from .browser import AspectBrowser

_TIPS = (
    "SGBeam: counts rows in the bins around the row; good for tables of all sizes",
    "GBeam: counts rows in the row's own bins",
    "KDEBeam: kernel density; slow on large tables",
    "OAMiner: ranks by kernel density, all sets of features; small tables only",
    "the miner that you made",
)

_SCORE_TIPS = (
    "score, of SGBeam: rows nearby, compared with the number that independent features would give",
    "score, of SGBeam: rows nearby, compared with their average over all rows",
)

SETTINGS = ("miner", "score", "max_dim", "width", "top_k", "n_queries", "n_reference")


class SettingsPane:
    """Settings of the next search, and a field to explain any row.

    Parameters
    ----------
    browser : AspectBrowser

    Attributes
    ----------
    box : widget
    """

    def __init__(self, browser: AspectBrowser) -> None:
        self.browser = browser
        names = browser.miner_names
        self.miner = controls.choice("Miner", names, _TIPS[: len(names)])
        self.score = controls.choice("Score", list(SCORES), _SCORE_TIPS)
        self.max_dim = number("Features up to", "max_dim: most features of an aspect", 150)
        self.width = number("Beam width", "width: sets of each size to extend", 140)
        self.top_k = number("Aspects", "top_k: most aspects of a row", 115, most=1000)
        self.n_queries = number("Rows", "n_queries: how many of the most anomalous rows", 110)
        sizes = _reference_options(browser.n_reference)
        tips = [f"n_reference: {_reference_tip(value)}" for _, value in sizes]
        self.n_reference = controls.choice("Ordinary rows for p-values", sizes, tips)
        self.find = button("Find", "search with these settings", "pa-find", style="primary")
        self.other = any_number("Another row", "position of a row in the table, from 0", 160)
        self.ask = button("Explain", "add this row to the list")
        self.no_row = html()
        self.box = column(
            line(self.miner, self.score),
            line(self.max_dim, self.width, self.top_k, self.n_queries),
            line(self.n_reference),
            line(self.find, self.other, self.ask, self.no_row),
            css="pa-settings",
            width="auto",
        )
        self._wire()

    def _wire(self) -> None:
        """Connect the controls to the state."""
        browser = self.browser
        for name in SETTINGS:
            on_change(browser, getattr(self, name), partial(setattr, browser, name))
        on_change(browser, self.other, lambda _: setattr(browser, "no_row", ""))
        self.find.on_click(lambda _: browser.find())
        self.ask.on_click(lambda _: browser.explain_row(self.other.value))

    def show(self) -> None:
        """Show the settings of the next search, and which of them the miner has."""
        browser = self.browser
        enabled: set[str] = set()
        table = browser.table
        if table is not None:
            miner = browser.make_miner()
            enabled = {"n_queries", "miner", "n_reference"} | set(miner.get_params(deep=False))
            if not has_named_score(miner):
                enabled.discard("score")
            self.n_queries.max = table.n_rows
        sizes = _reference_options(browser.n_reference)
        if list(self.n_reference.options) != sizes:
            self.n_reference.options = sizes
        for name in SETTINGS:
            control = getattr(self, name)
            control.value = getattr(browser, name)
            control.disabled = name not in enabled
        self.find.disabled = self.ask.disabled = self.other.disabled = table is None
        no_row = escape(browser.no_row)
        self.no_row.value = no_row and f'<p class="failed" role="alert">{no_row}</p>'
        see(self.box, browser.settings_shown)


def on_change(browser: AspectBrowser, control: Any, act: Callable[[Any], None]) -> None:
    """Run `act` when the user changes a control, not when the browser does."""

    def handle(change: Any) -> None:
        if not browser.quiet and change["new"] is not None:
            with browser.exclusive():
                act(change["new"])

    control.observe(handle, "value")


def _reference_options(n_reference: int | str) -> list[tuple[str, int | str]]:
    """Numbers of reference rows to choose from, with the present one."""
    numbers = sorted({0, 200, 1000} | ({n_reference} if isinstance(n_reference, int) else set()))
    return [("auto", "auto"), *((f"{n:,}" if n else "none", n) for n in numbers)]


def _reference_tip(value: int | str) -> str:
    if value == "auto":
        return "as many as the rows need, if that does not take long"
    return f"search {value:,} ordinary rows, to tell how sure an answer is" if value else "none"
