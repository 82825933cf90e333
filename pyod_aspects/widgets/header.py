"""The line on top: the outcome, the progress of a search, and a button for the settings."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ..explanation.writing.wording import outcome_words, subject_words
from . import controls
from .controls import FOLD, button, fold, html, line, see

if TYPE_CHECKING:
    from .browser import AspectBrowser


class Header:
    """The outcome, the status, and buttons for a search and its settings.

    Parameters
    ----------
    browser : AspectBrowser

    Attributes
    ----------
    box : widget
    """

    def __init__(self, browser: AspectBrowser) -> None:
        self.browser = browser
        self.found = html(css="pa-found", flex="1 1 180px", width="auto")
        self.status = html('<div role="status"></div>', flex="1 1 auto", width="auto")
        self.bar = controls.bar()
        self.cancel = button("Cancel", "end the search; what has come stays")
        self.settings = button("Settings", "how to search: miner, score, rows and more", *FOLD)
        running = line(
            self.status, self.bar, self.cancel, self.settings, css="pa-running", flex="0 1 auto"
        )
        running.layout.flex_flow = "row nowrap"
        self.box = line(self.found, running, css="pa-header")
        self.cancel.on_click(lambda _: browser.cancel())
        self.settings.on_click(lambda _: browser.toggle("settings_shown"))

    def show(self) -> None:
        """Show the outcome."""
        explanation = self.browser.explanation
        if explanation is None:
            strong, *rest = "Nothing is explained yet", ""
        else:
            strong, _, among = _parted(subject_words(explanation))
            known = "" if self.browser.awaits_p_values else outcome_words(explanation)
            rest = [among, known]
        said = " &nbsp;·&nbsp; ".join(escape(part) for part in rest if part)
        self.found.value = f"<b>{escape(strong)}</b> <span>{said}</span>"

    def show_status(self) -> None:
        """Show the progress of the search, and enable its buttons."""
        browser = self.browser
        running = browser.state == "running"
        text = escape(browser.message)
        if browser.state == "failed":
            text = f'<span class="failed">Not done: {text}</span>'
        self.status.value = f'<div role="status">{text}</div>'
        self.bar.value = browser.share
        # Until there are counts, the bar only moves: preparation is work, too.
        (self.bar.add_class if running and not browser.share else self.bar.remove_class)("pa-beat")
        see(self.bar, running)
        self.cancel.disabled = not running
        see(self.cancel, running)
        fold(self.settings, browser.settings_shown)
        (browser.add_class if running else browser.remove_class)("pyod-aspects-busy")


def _parted(subject: str) -> tuple[str, str, str]:
    """Split "60 anomalies of KNN among 53,940 rows" before its "among" or "in"."""
    for word in (" among ", " in a new table"):
        if word in subject:
            place = subject.rindex(word)
            return subject[:place].rstrip(","), word, subject[place + 1 :]
    return subject, "", ""
