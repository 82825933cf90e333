"""The left column: the groups, the rows, and the detector's scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..explanation.writing.wording import printable, row_name
from . import facts, pictures
from .controls import Entry, Listing, button, cap_html, column, html, line, see

if TYPE_CHECKING:
    from .browser import AspectBrowser

_GROUPS, _ROWS = 5, 10  # lines of a page


class ListPane:
    """Groups and rows to choose from.

    Parameters
    ----------
    browser : AspectBrowser

    Attributes
    ----------
    box : widget
    """

    def __init__(self, browser: AspectBrowser) -> None:
        self.browser = browser
        self.groups_cap = html(cap_html("What they have in common"))
        self.groups = Listing("pa-group", _GROUPS, self._press_group, browser.exclusive)
        self.rows_cap = html()
        self.rows = Listing("pa-row", _ROWS, self._press_row, browser.exclusive)
        self.all = button("Show all rows", "leave this group", "pa-quiet", "pa-bare")
        self.all.on_click(lambda _: setattr(browser, "group", None))
        self.scores_cap = html()
        self.scores = html(css="pa-scores")
        self.box = column(
            self.groups_cap,
            self.groups.box,
            self.rows_cap,
            self.rows.box,
            line(self.all),
            self.scores_cap,
            self.scores,
            css="pa-left",
            flex="1 1 27%",
            width="auto",
            min_width="min(248px, 100%)",
        )

    def _press_group(self, place: int) -> None:
        browser = self.browser
        if browser.group == place and browser.row is None:
            browser.group = None
        else:
            browser.choose_group(place)

    def _press_row(self, place: int) -> None:
        self.browser.row = self.browser.listed[place].row

    def show(self) -> None:
        """Show the lists, and the choice in them."""
        browser = self.browser
        explanation, listed, groups = browser.explanation, browser.listed, browser.groups
        see(self.groups_cap, bool(groups))
        see(self.groups.box, bool(groups))
        self.groups.show(len(groups), lambda i: facts.group_entry(groups[i]), browser.group)
        awaited = browser.awaits_p_values
        rows = [query.row for query in listed]
        chosen = rows.index(browser.row) if browser.row in rows else None
        if explanation is not None:
            names = (len(row_name(one.row, one.label)) for one in listed)
            width = min(max(names, default=0), 14) + 1
            self.rows.show(
                len(listed),
                lambda i: facts.row_entry(explanation, listed[i], awaited, width),
                chosen,
            )
            grouped = browser.group is not None
            cap = f"{len(listed):,} of {len(explanation):,} rows" if grouped else "All rows"
            figures = [f"{printable(explanation.detector)} score"]
            figures += ["percentile"] * any(one.percentile is not None for one in listed)
            figures += ["p"] * any(one.p_value is not None for one in listed)
            self.rows_cap.value = cap_html(cap, " · ".join(figures))
        else:
            self.rows.show(0, lambda i: Entry("", ""), None)
        see(self.rows_cap, bool(listed))
        see(self.all, browser.group is not None)

    def show_scores(self) -> str:
        """Draw the scores; called after each choice of a row."""
        browser, drawn = self.browser, ""
        if browser.explanation is not None:
            drawn = pictures.scores_html(browser.explanation, browser.row, browser.listed)
        self.scores_cap.value = cap_html("Scores of all rows") if drawn else ""
        return drawn
