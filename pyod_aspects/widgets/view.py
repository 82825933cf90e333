"""The view of an `AspectBrowser`: panes that follow its state."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import pictures
from .answer import AnswerPane, code_html
from .controls import html, line
from .header import Header
from .lists import ListPane
from .settings import SettingsPane
from .style import STYLE

if TYPE_CHECKING:
    from .browser import AspectBrowser


class View:
    """The panes of a browser. Their controls set its traits, and show the traits.

    Parameters
    ----------
    browser : AspectBrowser

    Attributes
    ----------
    children : list of widgets
        From top to bottom.
    header, settings, lists, answer : Header, SettingsPane, ListPane, AnswerPane
    """

    def __init__(self, browser: AspectBrowser) -> None:
        self.browser = browser
        self._drawn: dict[str, object] = {}
        self.header = Header(browser)
        self.settings = SettingsPane(browser)
        self.lists = ListPane(browser)
        self.answer = AnswerPane(browser)
        body = line(self.lists.box, self.answer.box, css="pa-body", flex_flow="row wrap-reverse")
        body.layout.align_items = "stretch"
        self.children: list[Any] = [
            html(STYLE, display="none"),
            self.header.box,
            self.settings.box,
            body,
        ]

    def show(self) -> None:
        """Make the whole view follow the state."""
        with self.browser.quietly():
            self.header.show()
            self.lists.show()
            self.answer.show()
            self.show_pictures()
            self.settings.show()
            self.show_status()

    def show_pictures(self) -> None:
        """Draw the chosen row or group, unless its picture is there."""
        browser = self.browser
        with browser.quietly():
            explanation, query = browser.explanation, browser.query
            group = browser.chosen_group
            scores: object = None
            picture: object = None
            if explanation is not None:
                background = explanation.background
                density = None if background is None else background.density
                scores = (density, tuple(one.row for one in browser.listed), browser.row)
                if query is not None:
                    shown = pictures.without_p_values(query)
                    blamed = next(iter(query.features), None)
                    picture = (density, browser.aspect, shown, blamed)
                elif group is not None:
                    picture = (density, group)
            if picture is None:
                picture = browser.state == "running"
            # The quick one first: the scores never lag behind the aspect.
            self._draw("scores", self.lists.scores, scores, self.lists.show_scores)
            self._draw("picture", self.answer.picture, picture, self.answer.draw)

    def _draw(self, name: str, target: Any, key: object, draw: Callable[[], str]) -> None:
        """Draw, unless the last drawing had the same key."""
        if self._drawn.get(name, self) != key:
            try:
                target.value = draw()
            except Exception as error:  # the lists still work
                target.value = pictures.note(f"This could not be drawn: {error}")
            self._drawn[name] = key

    def show_facts(self) -> None:
        """Show the facts again, with the detector's answer."""
        with self.browser.quietly():
            self.answer.show_facts()

    def show_settings(self) -> None:
        """Show the settings of the next search."""
        with self.browser.quietly():
            self.settings.show()

    def show_folded(self) -> None:
        """Show or hide the folded parts."""
        browser = self.browser
        with browser.quietly():
            self.answer.show()
            self.settings.show()
            self.show_status()

    def show_status(self) -> None:
        """Show the progress of the search, and the code of the view."""
        browser = self.browser
        with browser.quietly():
            self.header.show_status()
            chosen = (browser.explanation, browser.row, browser.aspect, browser.group)
            self._draw(
                "code",
                self.answer.code,
                chosen if browser.code_shown else None,
                lambda: code_html(browser.code()) if browser.code_shown else "",
            )
