"""What all pictures share: colours, names made safe for matplotlib, and SVG for pages.

No pyplot and no global style, so that pictures can be drawn in any thread.
"""

from __future__ import annotations

import re
import textwrap
import threading
import warnings
from base64 import b64decode, b64encode
from html import escape
from io import BytesIO, StringIO
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure, SubFigure
from PIL import Image  # matplotlib cannot do without it either

from .._util.types import AnyArray, FloatArray
from ..explanation.wording import elide, printable

ROWS = "#3d8fc7"
ROWS_EDGE = "#2a6a96"
QUERY = "#D55E00"
NEAR = "#E69F00"
NEAR_EDGE = "#7a4b00"
FAINT = "#808080"
"""Colours that hold on white and on black, and for colour-blind readers."""

QUERY_STAR: dict[str, Any] = {
    "marker": "*",
    "color": QUERY,
    "markeredgecolor": "white",
    "markeredgewidth": 0.8,
    "linestyle": "none",
}
"""How the explained row is drawn: told apart by its shape, not by its colour alone."""

# matplotlib keeps its settings and its font cache in one place for all threads.
_DRAWING = threading.RLock()


class Picture(Figure):
    """Figure that notebooks show by itself, without pyplot."""

    def _repr_png_(self) -> bytes:
        with _DRAWING, warnings.catch_warnings():
            # A letter that the font lacks is drawn as a box: seen, and nothing to do about here.
            warnings.filterwarnings("ignore", "Glyph")
            buffer = BytesIO()
            self.savefig(buffer, format="png", dpi=110)
        return buffer.getvalue()


def new_figure(width: float, height: float) -> Picture:
    """Figure of a size in inches."""
    return Picture(figsize=(width, height))


def label(text: str, most: int = 28) -> str:
    r"""Name as matplotlib shall show it: elide, and dollars not taken for a formula.

    >>> print(label("price_$ of $"))
    price_\$ of \$
    """
    return elide(text, most).replace("$", r"\$")


def wrap(text: str, width: int, lines: int = 2) -> str:
    """Name in at most so many lines, cut in the middle if it needs more."""
    text = elide(text, width * lines - (lines - 1) * 2)
    broken = textwrap.wrap(text, width, break_long_words=True)
    if len(broken) > lines:
        broken = [*broken[: lines - 1], elide(" ".join(broken[lines - 1 :]), width)]
    return "\n".join(broken).replace("$", r"\$")


def inches(figure: Any) -> tuple[float, float]:
    """Width and height of a figure, or of a part of one."""
    return figure.bbox.width / figure.dpi, figure.bbox.height / figure.dpi


def margins(figure: Any, left: float, right: float, top: float, bottom: float) -> None:
    """Set margins in inches: a fixed layout takes half the time of a computed one."""
    width, height = inches(figure)
    figure.subplots_adjust(
        left=min(left / width, 0.45),
        right=max(1 - right / width, 0.55),
        top=max(1 - top / height, 0.55),
        bottom=min(bottom / height, 0.45),
    )


def fit(figure: Any, *texts: Any) -> None:
    """Make the letters of a line smaller where it would leave the picture on the right."""
    # Measured on a sheet of our own: the figure keeps the canvas that it came with.
    sheet = FigureCanvasAgg(Figure(figsize=(1, 1), dpi=figure.dpi)).get_renderer()
    with _DRAWING, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")
        for text in texts:
            width = text.get_window_extent(sheet).width
            room = figure.bbox.width * (0.98 - text.get_position()[0])
            if width > room:
                text.set_fontsize(text.get_fontsize() * room / width)


def hide_frame(ax: Any) -> None:
    """Leave out the frame that says nothing."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize="small")


def draw_bars(ax: Any, lefts: FloatArray, widths: FloatArray, heights: AnyArray) -> None:
    """Draw bars as one thing: ninety of them take as long as one."""
    rights, bottoms = lefts + widths, np.zeros(len(lefts))
    corners = [(lefts, bottoms), (lefts, heights), (rights, heights), (rights, bottoms)]
    shapes = np.stack([np.column_stack(corner) for corner in corners], axis=1)
    shapes = shapes[np.asarray(heights) > 0]
    ax.add_collection(
        PolyCollection(list(shapes), facecolor=ROWS, edgecolor=ROWS_EDGE, linewidth=0.5),
        autolim=False,
    )


def to_svg(figure: Figure | SubFigure, description: str) -> str:
    """Picture as SVG to be put into a page: text and axes take the colour of its text.

    Parameters
    ----------
    figure : matplotlib Figure
        If it is a part of one, the whole is taken.
    description : str
        What it shows, for those who do not see it.

    Returns
    -------
    str
        One ``<svg>`` element. It has no script and asks for nothing from elsewhere.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> to_svg(Figure(figsize=(2, 1)), "an empty picture")[:46]
    '<svg role="img" aria-label="an empty picture" '
    """
    settings: Any = {"svg.fonttype": "none", "svg.hashsalt": "pyod_aspects"}
    whole: Any = figure.figure
    buffer = StringIO()
    with _DRAWING, mpl.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # the reader's browser has more letters
        nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
        whole.savefig(buffer, format="svg", transparent=True, dpi=130, metadata=nothing)
    text = buffer.getvalue()
    head = re.search(r'<svg\b[^>]*viewBox="([^"]*)"[^>]*>', text)
    assert head is not None
    body = text[head.end() :]
    # Ids are kept where something refers to them: there will be other pictures on the page.
    used = set(re.findall(r'(?:url\(|href=")#([^")]+)', body))
    body = re.sub(r' id="([^"]*)"', lambda id_: id_[0] if id_[1] in used else "", body)
    body = re.sub(r"<metadata>.*?</metadata>", "", body, count=1, flags=re.DOTALL)
    body = re.sub(r"<style\b.*?</style>", "", body, count=1, flags=re.DOTALL)
    body = re.sub(r'(style="[^"]*stroke: )#000000', r"\1currentColor", body)
    body = re.sub(r"(?<=data:image/png;base64,)[^\"]+", lambda points: _quantize(points[0]), body)
    width, height = (float(side) for side in head[1].split()[2:])
    words = escape(printable(description))
    return (
        f'<svg role="img" aria-label="{words}" xmlns="http://www.w3.org/2000/svg" '
        f'xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="{head[1]}" '
        f'width="{width * 4 / 3:.0f}" height="{height * 4 / 3:.0f}" fill="currentColor" '
        'stroke-linejoin="round" style="max-width:100%;height:auto">'
        f"<title>{words}</title>{body.strip()}"
    )


def _quantize(points: str) -> str:
    """Rasterised points in 64 colours: a quarter of the bytes, and nobody sees it."""
    image = Image.open(BytesIO(b64decode(points)))
    buffer = BytesIO()
    image.quantize(64, Image.Quantize.FASTOCTREE).save(buffer, format="png")
    return b64encode(buffer.getvalue()).decode()
