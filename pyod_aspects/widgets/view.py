"""What is seen of an `AspectBrowser`: its controls, lists and pictures, as its state says."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from .._util.numbers import aspect_score_text, percent_text, score_text, set_minus
from ..explanation import Explanation, QueryExplanation
from ..explanation.wording import heading, is_convincing, printable, row_name, sure_words
from ..miners.grids import SCORES, has_named_score
from . import controls, pictures
from .controls import any_number, button, html, line, listing, number

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
    "score, of SGBeam: rows nearby, compared with those that the features apart let expect",
    "score, of SGBeam: rows nearby, compared with those of all rows in the same features",
)

_SETTINGS = ("miner", "score", "max_dim", "width", "top_k", "n_queries")


_ROOM = 33
"""Letters of an aspect that the list has room for."""


_NAME_ROOM = 12
"""Letters of a row's label that the list has room for."""


class View:
    """The controls of a browser. They set its traits, and show what its traits say.

    Parameters
    ----------
    browser : AspectBrowser

    Attributes
    ----------
    children : list of widgets
        From top to bottom.
    """

    def __init__(self, browser: AspectBrowser) -> None:
        self.browser = browser
        self._drawn: dict[str, object] = {}
        names = browser.miner_names
        self.heading = html()
        self.miner = controls.choice("Miner", names, _TIPS[: len(names)])
        self.score = controls.choice("Score", list(SCORES), _SCORE_TIPS)
        self.max_dim = number("Features up to", "max_dim: most features of an aspect", 150)
        self.width = number("Beam width", "width: sets of each size that are extended", 135)
        self.top_k = number("Top k", "top_k: most aspects of a row", 95, most=1000)
        self.n_queries = number("Rows", "n_queries: how many of the most anomalous rows", 95)
        self.find = button("Find", "search with these settings", 60, "primary")
        self.cancel = button("Cancel", "end the search; what has come stays", 70)
        self.bar = controls.bar()
        self.status = html(flex="1 1 0", width="auto", min_height="36px")
        self.row_place = number("Anomaly", "place in the list; arrow keys go through it", 135)
        self.row_count, self.rows_head, self.rows = html(), html(), listing("Anomalies", 6)
        self.other = any_number("Row", "position of a row in the table, from 0", 135)
        self.no_row, self.sure = html(), html()
        self.ask = button("Explain row", "add this row to the list", 100)
        self.aspect_place = number("Aspect", "place in the list; arrow keys go through it", 135)
        self.aspect_count, self.aspects_head, self.aspects = html(), html(), listing("Aspects", 8)
        self.scores, self.picture = html(), html()
        self.show_code = button("Copy as code", "the lines of Python that give this", 120)
        self.code = html(width="auto")
        self.children = self._arrange()
        self._wire()
        self.show()

    def _arrange(self) -> list[Any]:
        left = ipw.VBox(
            [
                line(self.row_place, self.row_count),
                self.rows_head,
                self.rows,
                line(self.other, self.ask),
                self.no_row,
                self.sure,
                line(self.aspect_place, self.aspect_count),
                self.aspects_head,
                self.aspects,
                self.scores,
            ],
            layout=ipw.Layout(flex="0 0 352px", margin="0 10px 0 0"),
        )
        right = ipw.VBox(
            [self.picture, line(self.show_code), self.code],
            layout=ipw.Layout(flex="1 1 0", min_width="300px"),
        )
        return [
            html(controls.STYLE, display="none"),
            self.heading,
            line(self.miner, self.score, self.max_dim, self.width, self.top_k),
            line(self.n_queries, self.find, self.cancel, self.bar, self.status, wrap=False),
            line(left, right, wrap=False, align_items="flex-start"),
        ]

    def _wire(self) -> None:
        """Let the controls set the state."""
        browser = self.browser

        def on_change(control: Any, act: Callable[[Any], None]) -> None:
            def handle(change: Any) -> None:
                if not browser.quiet and change["new"] is not None:
                    with browser.exclusive():
                        act(change["new"])

            control.observe(handle, "value")

        for name in _SETTINGS:
            on_change(getattr(self, name), partial(setattr, browser, name))
        on_change(self.rows, partial(setattr, browser, "row"))
        on_change(self.aspects, partial(setattr, browser, "aspect"))
        on_change(
            self.row_place,
            lambda place: setattr(browser, "row", (browser.explanation or ())[place - 1].row),
        )
        on_change(self.other, lambda _: setattr(browser, "no_row", ""))
        on_change(self.aspect_place, lambda place: setattr(browser, "aspect", place - 1))
        self.find.on_click(lambda _: browser.find())
        self.cancel.on_click(lambda _: browser.cancel())
        self.ask.on_click(lambda _: browser.explain_row(self.other.value))
        self.show_code.on_click(lambda _: setattr(browser, "code_shown", not browser.code_shown))

    # ------------------------------------------------------------ follow the state

    def show(self) -> None:
        """Make everything that is seen follow the state."""
        self.show_lists()
        self.show_pictures()
        self.show_settings()
        self.show_status()

    def show_lists(self) -> None:
        """Rows and aspects, and which of them are chosen."""
        with self.browser.quietly():
            explanation, query = self.browser.explanation, self.browser.query
            title = "Nothing is explained yet" if explanation is None else heading(explanation)
            self.heading.value = f'<p class="heading">{escape(title)}</p>'
            rows = [query.row for query in explanation or ()]
            place = None if query is None else rows.index(query.row)
            head, lines = _row_lines(explanation)
            self.rows_head.value = f'<p class="columns">{head}</p>'
            _fill(self.rows, list(zip(lines, rows, strict=True)), self.browser.row)
            _count(self.row_place, self.row_count, place, len(rows))
            head, lines = _aspect_lines(explanation, query)
            self.aspects_head.value = f'<p class="columns">{head}</p>'
            places = list(range(len(lines)))
            _fill(self.aspects, list(zip(lines, places, strict=True)), self.browser.aspect)
            _count(self.aspect_place, self.aspect_count, self.browser.aspect, len(lines))

    def show_pictures(self) -> None:
        """Draw what is chosen, unless it is there."""
        with self.browser.quietly():
            browser = self.browser
            explanation, query, aspect = browser.explanation, browser.query, browser.aspect
            if explanation is None or query is None:
                waits = browser.state == "running"
                words = "The first row will be shown here as soon as it is finished."
                words = words if waits else "No rows were explained. Press Find to explain some."
                self._draw("picture", words, lambda: pictures.note(words))
                self._draw("scores", None, lambda: "")
                return
            density = None if explanation.background is None else explanation.background.density
            rows = tuple(query.row for query in explanation)
            # First what is quick: who sees the aspect sees its row among the scores, too.
            self._draw(
                "scores", (rows, query.row), lambda: pictures.scores_html(explanation, query.row)
            )
            self._draw(
                "picture",
                (density, aspect, pictures.without_p_values(query)),
                lambda: pictures.aspect_html(explanation, query.row, aspect),
            )

    def _draw(self, name: str, key: object, draw: Callable[[], str]) -> None:
        """Draw, if the last drawing was made from something else."""
        if self._drawn.get(name, self) != key:
            try:
                getattr(self, name).value = draw()
            except Exception as error:  # The lists still work.
                getattr(self, name).value = pictures.note(f"This could not be drawn: {error}")
            self._drawn[name] = key

    def show_settings(self) -> None:
        """Settings of the next search, and which of them the miner knows."""
        browser = self.browser
        with browser.quietly():
            enabled: set[str] = set()
            table = browser.table
            if table is not None:
                miner = browser.make_miner()
                enabled = {"n_queries", "miner"} | set(miner.get_params(deep=False))
                if not has_named_score(miner):
                    enabled.discard("score")
                self.n_queries.max = len(table.values)
            for name in _SETTINGS:
                control = getattr(self, name)
                control.value = getattr(browser, name)
                control.disabled = name not in enabled

    def show_status(self) -> None:
        """How far the search is, and what can be pressed."""
        browser = self.browser
        with browser.quietly():
            running, frozen = browser.state == "running", browser.table is None
            self.find.disabled = self.ask.disabled = self.other.disabled = frozen
            self.cancel.disabled = not running
            self.bar.value = browser.share
            self.bar.layout.display = "flex" if running else "none"
            text = escape(browser.message)
            if browser.state == "failed":
                text = f'<span class="failed">Not done: {text}</span>'
            self.status.value = f'<div role="status">{text}</div>'
            no_row = escape(browser.no_row)
            self.no_row.value = no_row and f'<p class="failed" role="alert">{no_row}</p>'
            self.sure.value = f'<p class="sure">{escape(_sure_line(browser))}</p>'
            (browser.add_class if running else browser.remove_class)("pyod-aspects-busy")
            chosen = (browser.explanation, browser.row, browser.aspect)
            self._draw(
                "code",
                chosen if browser.code_shown else None,
                lambda: _code_html(browser.code()) if browser.code_shown else "",
            )


# ---------------------------------------------------------------- lists


def _fill(control: Any, options: list[tuple[str, int]], value: int | None) -> None:
    with control.hold_sync():  # Nobody sees that new options choose the first.
        if list(control.options) != options:
            control.options = options
        control.value = value
    control.disabled = not options


def _count(control: Any, label: Any, place: int | None, n: int) -> None:
    """Show the place in a list, as people count."""
    control.max = max(n, 1)
    control.value = 1 if place is None else place + 1
    control.disabled = n == 0
    label.value = f"of {n:,}"


def _row_lines(explanation: Explanation | None) -> tuple[str, list[str]]:
    """Heading and lines of the list of rows."""
    cells = [("row", "score", "higher than", "anomaly", "sure")]
    for query in explanation or ():
        assert explanation is not None
        above = "" if query.percentile is None else percent_text(query.percentile)
        verdict = {True: "yes", False: "no", None: "?"}[query.is_anomaly]
        score = set_minus(score_text(query.score))
        sure = {True: "yes", False: "no", None: ""}[is_convincing(explanation, query)]
        cells.append((row_name(query.row, query.label, _NAME_ROOM), score, above, verdict, sure))
    head, *lines = controls.align(cells, (True, True, True, False, False))
    return head, lines


def _sure_line(browser: AspectBrowser) -> str:
    """How sure one can be of the chosen row."""
    explanation, query = browser.explanation, browser.query
    if explanation is None or query is None:
        return ""
    if browser.awaits_p_values:
        return "How sure? The search tells at its end, when it has looked at ordinary rows."
    words = sure_words(explanation, query)
    return f"{words[0].upper()}{words[1:]}."


def _aspect_lines(
    explanation: Explanation | None, query: QueryExplanation | None
) -> tuple[str, list[str]]:
    """Heading and lines of the list of aspects."""
    name = "zscore" if explanation is None else explanation.score_name
    cells = [("z" if name == "zscore" else printable(name), "features")]
    for aspect in query.aspects if query else ():
        figure = set_minus(aspect_score_text(aspect.score, name))
        features = " × ".join(printable(feature) for feature in aspect.features)
        if len(features) > _ROOM:  # The caption beside it has all of it.
            features = features[: _ROOM - 1] + "…"
        cells.append((figure, features))
    head, *lines = controls.align(cells, (True, False))
    return escape(head), lines


# ---------------------------------------------------------------- code

# Selecting the text first lets it be copied by hand where the page may not.
_COPY = (
    "const code = this.parentNode.querySelector('pre');"
    "getSelection().selectAllChildren(code); document.execCommand('copy');"
    "this.textContent = 'Copied'"
)


def _code_html(code: str) -> str:
    return (
        f'<div><button type="button" class="jupyter-button" onclick="{_COPY}">Copy</button>'
        f'<pre class="code">{escape(code)}</pre></div>'
    )
