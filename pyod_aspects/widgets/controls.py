"""The controls, built so that they look and read alike in every notebook.

A line of a list is a button with a piece of page under it. Notebooks leave Tab and Enter to a
button, but take the arrow keys away from a list. Number fields keep these keys.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from html import escape
from typing import Any, NamedTuple

import ipywidgets as ipw


def tip(widget: Any, text: str) -> Any:
    """Set the tooltip of a control, under the name that this version of ipywidgets uses."""
    name = "tooltip" if widget.has_trait("tooltip") else "description_tooltip"
    setattr(widget, name, text)
    return widget


def number(
    description: str, text: str, width: int, value: int = 1, least: int = 1, most: int = 10**6
) -> Any:
    """Whole number."""
    return tip(
        ipw.BoundedIntText(
            value,
            min=least,
            max=most,
            description=description,
            style={"description_width": "initial"},
            layout=ipw.Layout(width=f"{width}px", flex="0 0 auto"),
        ),
        text,
    )


def any_number(description: str, text: str, width: int) -> Any:
    """Field that keeps a number as typed; its reader reports errors."""
    return tip(
        ipw.IntText(
            0,
            description=description,
            style={"description_width": "initial"},
            layout=ipw.Layout(width=f"{width}px", flex="0 0 auto"),
        ),
        text,
    )


def button(description: str, text: str, *classes: str, style: str = "") -> Any:
    """Button with its tooltip."""
    layout = ipw.Layout(width="auto", flex="0 0 auto")
    made = ipw.Button(description=description, tooltip=text, button_style=style, layout=layout)
    for name in classes or ("pa-quiet",):
        made.add_class(name)
    return made


def html(text: str = "", css: str = "", **layout: str) -> Any:
    """Piece of page."""
    made = ipw.HTML(text, layout=ipw.Layout(**layout))
    if css:
        made.add_class(css)
    return made


def line(*children: Any, css: str = "pa-line", **layout: str) -> Any:
    """Controls side by side, in two lines if they do not fit."""
    layout = {"flex_flow": "row wrap", "align_items": "center", "width": "auto"} | layout
    box = ipw.HBox(list(children), layout=ipw.Layout(**layout))
    box.add_class(css)
    return box


def column(*children: Any, css: str, **layout: str) -> Any:
    """Controls one below the other."""
    box = ipw.VBox(list(children), layout=ipw.Layout(**layout))
    box.add_class(css)
    return box


def bar() -> Any:
    """Progress bar; the words beside it say the same."""
    return ipw.FloatProgress(
        min=0.0,
        max=1.0,
        bar_style="info",
        layout=ipw.Layout(width="110px", height="6px", flex="0 0 auto"),
    )


def choice(description: str, options: Sequence[Any], tips: Sequence[str]) -> Any:
    """Choice of one option, with all options visible."""
    return ipw.ToggleButtons(
        options=list(options),
        description=description,
        tooltips=list(tips),
        style={"description_width": "initial", "button_width": "auto"},
        layout=ipw.Layout(width="auto", flex="0 1 auto"),
    )


def see(widget: Any, seen: bool) -> None:
    """Show a control or hide it."""
    widget.layout.display = None if seen else "none"


FOLD = ("pa-quiet", "pa-fold")
"""Classes of a button that unfolds a part."""


def fold(button: Any, open_: bool) -> None:
    """Show on a button whether its part is unfolded."""
    (button.add_class if open_ else button.remove_class)("pa-open")


def cap_html(left: str, right: str = "") -> str:
    """Heading of a list, with text at its other end."""
    more = f"<span>{escape(right)}</span>" if right else ""
    return f'<div class="pa-cap"><span>{escape(left)}</span>{more}</div>'


class Entry(NamedTuple):
    """One line of a list: its HTML, its text for screen readers, and its tooltip."""

    face: str
    name: str
    tip: str = ""


class Item:
    """Button with a piece of page under it."""

    def __init__(self, css: str, press: Callable[[], None]) -> None:
        self.face = html()
        self.button = ipw.Button(layout=ipw.Layout(width="auto", height="auto"))
        self.button.on_click(lambda _: press())
        self.box = ipw.Box([self.face, self.button], layout=ipw.Layout(width="auto"))
        self.box.add_class("pa-item")
        self.box.add_class(css)

    @property
    def chosen(self) -> bool:
        """Whether this line is the chosen one."""
        return "pa-chosen" in self.box._dom_classes

    def show(self, entry: Entry, chosen: bool) -> None:
        """Show a line."""
        self.face.value = f'<div class="pa-face" aria-hidden="true">{entry.face}</div>'
        self.button.description = f"{entry.name}, chosen" if chosen else entry.name
        self.button.tooltip = entry.tip
        (self.box.add_class if chosen else self.box.remove_class)("pa-chosen")
        see(self.box, True)


class Listing:
    """List to choose one line from, page by page.

    It has buttons for one page only, for a list of any length.

    Parameters
    ----------
    css : str
        Class of its lines.
    size : int
        Lines of a page.
    choose : callable
        Receives the place, from 0, of a pressed line.
    exclusive : callable
        Makes a context in which no other thread changes the view.
    """

    def __init__(
        self,
        css: str,
        size: int,
        choose: Callable[[int], None],
        exclusive: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self.css, self.size, self.choose, self.exclusive = css, size, choose, exclusive
        self.items: list[Item] = []
        self.n, self.first = 0, 0
        self._chosen: int | None = None
        self._entry: Callable[[int], Entry] = lambda place: Entry("", "")
        self.earlier = button("‹ Earlier", "the lines before these", "pa-quiet", "pa-bare")
        self.later = button("Later ›", "the lines after these", "pa-quiet", "pa-bare")
        self.earlier.on_click(lambda _: self.turn(-1))
        self.later.on_click(lambda _: self.turn(1))
        self.where = html()
        self.pager = line(self.earlier, self.where, self.later, css="pa-pager")
        self.lines = column(css="pa-lines", width="auto")
        self.box = column(self.lines, self.pager, css="pa-listing", width="auto")

    def show(self, n: int, entry: Callable[[int], Entry], chosen: int | None) -> None:
        """Show the page with the chosen line; stay on the page if the choice did not change.

        Parameters
        ----------
        n : int
            Number of lines.
        entry : callable
            Returns the `Entry` of a place; called for the lines of the page only.
        chosen : int or None
            Place of the line to mark.
        """
        if chosen is not None and (chosen != self._chosen or n != self.n):
            self.first = chosen - chosen % self.size
        if self.first >= n:
            self.first = 0
        self.n, self._entry, self._chosen = n, entry, chosen
        self._fill()

    def turn(self, pages: int) -> None:
        """Show a page before or after this one."""
        with self.exclusive():
            first = self.first + pages * self.size
            if 0 <= first < self.n:
                self.first = first
                self._fill()

    @property
    def shown(self) -> list[Item]:
        """The visible lines."""
        return self.items[: max(0, min(self.size, self.n - self.first))]

    def _fill(self) -> None:
        last = min(self.first + self.size, self.n)
        while len(self.items) < last - self.first:
            self.items.append(Item(self.css, partial(self._press, len(self.items))))
            self.lines.children = [item.box for item in self.items]
        for place, item in enumerate(self.items, self.first):
            if place < last:
                item.show(self._entry(place), place == self._chosen)
            else:
                see(item.box, False)
        self.where.value = f"{self.first + 1:,} to {last:,} of {self.n:,}"
        self.earlier.disabled, self.later.disabled = self.first == 0, last == self.n
        see(self.pager, self.n > self.size)

    def _press(self, i: int) -> None:
        with self.exclusive():
            if self.first + i < self.n:
                self.choose(self.first + i)
