"""The controls, built so that they look and read alike in every notebook.

Each list has a number beside it: notebooks take the arrow keys away from a list, never from a
number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ipywidgets as ipw

STYLE = """<style>
.pyod-aspects { color: var(--jp-ui-font-color1, inherit); }
.pyod-aspects select { font-family: var(--jp-code-font-family, monospace); font-size: 12px;
  padding: 2px; }
.pyod-aspects select option { padding: 1px 2px; }
.pyod-aspects .widget-html-content, .pyod-aspects .jupyter-widgets .widget-html-content {
  line-height: 1.4; }
.pyod-aspects .heading { font-weight: bold; font-size: 14px; margin: 0; }
.pyod-aspects .columns { font-family: var(--jp-code-font-family, monospace); font-size: 12px;
  white-space: pre; opacity: .8; padding-left: 5px; margin: 0; }
.pyod-aspects .caption { margin: 2px 0 0; font-size: 13px; overflow-wrap: anywhere; }
.pyod-aspects .terms { margin: 2px 0 0; font-size: 11px; line-height: 1.3; opacity: .8; }
.pyod-aspects .sure { margin: 0; font-size: 13px; padding-left: 5px; min-height: 36px; }
.pyod-aspects .note { margin: 1em .5em; font-size: 14px; max-width: 34em; }
.pyod-aspects .failed { display: block; border-left: 4px solid #D55E00; padding-left: 6px; }
.pyod-aspects pre.code { margin: 4px 0; padding: 8px; font-size: 12px;
  white-space: pre-wrap; word-break: normal; overflow-wrap: anywhere;
  color: inherit; background: transparent;
  border: 1px solid rgba(127,127,127,.5); }
.pyod-aspects :is(button, select, input):focus-visible { outline: 2px solid #3d8fc7;
  outline-offset: 1px; }
.pyod-aspects .mod-active { text-decoration: underline; font-weight: bold; }
.pyod-aspects .widget-toggle-buttons { display: flex; flex-flow: row nowrap;
  align-items: center; }
.pyod-aspects .widget-select > label { position: absolute; width: 1px; height: 1px;
  overflow: hidden; clip-path: inset(50%); }
.pyod-aspects .widget-toggle-buttons > label { margin-right: 6px; }
.pyod-aspects .widget-toggle-button { padding: 0 8px; }
.pyod-aspects .widget-toggle-buttons ~ .widget-text { margin-left: 8px; }
.pyod-aspects svg { width: 100%; max-width: 640px !important; height: auto; display: block; }
.pyod-aspects [role=status] { font-size: 13px; min-height: 36px; padding-left: 8px;
  display: flex; align-items: center; }
</style>"""


def tip(widget: Any, text: str) -> Any:
    """Give a control its explanation, under the name that this version of ipywidgets has for it."""
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
    """Whole number that stays as it was typed: whoever reads it says what is wrong with it."""
    return tip(
        ipw.IntText(
            0,
            description=description,
            style={"description_width": "initial"},
            layout=ipw.Layout(width=f"{width}px", flex="0 0 auto"),
        ),
        text,
    )


def listing(description: str, rows: int) -> Any:
    """List to choose one from; its name is for those who hear it, the number beside it shows it."""
    return ipw.Select(
        description=description,
        rows=rows,
        style={"description_width": "0"},
        layout=ipw.Layout(width="auto", margin="0"),
    )


def button(description: str, text: str, width: int = 80, style: str = "") -> Any:
    """Button with its explanation."""
    layout = ipw.Layout(width=f"{width}px", flex="0 0 auto")
    return ipw.Button(description=description, tooltip=text, button_style=style, layout=layout)


def html(text: str = "", **layout: str) -> Any:
    """Piece of page."""
    return ipw.HTML(text, layout=ipw.Layout(**layout))


def line(*children: Any, wrap: bool = True, **layout: str) -> Any:
    """Controls side by side, in two lines if there is no room."""
    flow = "row wrap" if wrap else "row nowrap"
    layout = {"flex_flow": flow, "align_items": "center", "width": "auto"} | layout
    return ipw.HBox(list(children), layout=ipw.Layout(**layout))


def bar() -> Any:
    """How far it is; the words beside it say the same."""
    return ipw.FloatProgress(
        min=0.0,
        max=1.0,
        bar_style="info",
        layout=ipw.Layout(width="130px", flex="0 0 auto", margin="0 8px"),
    )


def choice(description: str, options: Sequence[str], tips: Sequence[str]) -> Any:
    """One of a few, all in sight."""
    return ipw.ToggleButtons(
        options=list(options),
        description=description,
        tooltips=list(tips),
        style={"description_width": "initial", "button_width": "auto"},
        layout=ipw.Layout(width="auto", flex="0 0 auto", margin="0 6px 0 0"),
    )


def align(cells: Sequence[Sequence[str]], right: Sequence[bool]) -> list[str]:
    """Rows of cells as aligned lines, with spaces that a list does not swallow."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "\u00a0\u00a0".join(
            (cell.rjust(width) if to_right else cell.ljust(width)).replace(" ", "\u00a0")
            for cell, width, to_right in zip(row, widths, right, strict=True)
        ).rstrip("\u00a0")
        for row in cells
    ]
