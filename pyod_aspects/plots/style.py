"""Tools of all pictures: colours, names made safe for matplotlib, and SVG for pages.

They use no pyplot and no global style, so that any thread can draw.
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
from matplotlib.ticker import MaxNLocator
from PIL import Image  # matplotlib needs it anyway

from .._util.numbers import set_minus
from .._util.types import AnyArray, FloatArray
from ..explanation.writing.wording import elide, printable

ROWS = "#5c8fbf"
QUERY = "#D55E00"
NEAR = "#E69F00"
NEAR_EDGE = "#7a4b00"
EXPECTED = "#009E73"
FAINT = "#808080"
"""Colours for white and black backgrounds, and for colour-blind readers."""

THIN = 0.7
"""Width of axes, in points."""

QUERY_STAR: dict[str, Any] = {
    "marker": "*",
    "color": QUERY,
    "markeredgecolor": "white",
    "markeredgewidth": 0.7,
    "linestyle": "none",
}
"""Style of the explained row: its shape, not only its colour, sets it apart."""

_GAP = 0.06  # between bars, as a share of their width
_TITLE, _TITLE_POINTS = "title", 34.0  # id of the two lines over a picture, and their height

_MOST_BARS = 300  # more are indistinguishable

# matplotlib keeps its settings and its font cache in one place for all threads.
_DRAWING = threading.RLock()


class Picture(Figure):
    """Figure that notebooks show by itself, without pyplot."""

    def _repr_png_(self) -> bytes:
        with _DRAWING, warnings.catch_warnings():
            # matplotlib draws a box for a letter that the font lacks, which is enough.
            warnings.filterwarnings("ignore", "Glyph")
            buffer = BytesIO()
            self.savefig(buffer, format="png", dpi=110)
        return buffer.getvalue()


def new_figure(width: float, height: float) -> Picture:
    """Figure of a size in inches."""
    return Picture(figsize=(width, height))


def label(text: str, most: int = 28) -> str:
    r"""Name for matplotlib: shortened, with dollars escaped so that they start no formula.

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
    """Set margins in inches: a fixed layout takes half the time of an automatic one."""
    width, height = inches(figure)
    figure.subplots_adjust(
        left=min(left / width, 0.45),
        right=max(1 - right / width, 0.55),
        top=max(1 - top / height, 0.55),
        bottom=min(bottom / height, 0.45),
    )


def fit(figure: Any, *texts: Any) -> None:
    """Shrink the letters of lines that would leave the picture on the right."""
    for text, (width, _) in zip(texts, measure(figure, *texts), strict=True):
        room = figure.bbox.width * (0.98 - text.get_position()[0])
        if width > room:
            text.set_fontsize(text.get_fontsize() * room / width)


def write_title(figure: Any, title: str, words: str) -> None:
    """Write two lines over a picture, in smaller letters if they are too wide."""
    width, height = inches(figure)
    margin, top = 0.16 / width, 1 - 0.1 / height
    first = figure.text(
        margin, top, label(set_minus(title), 200), va="top", fontweight="bold", fontsize="medium"
    )
    second = figure.text(
        margin,
        top - 0.22 / height,
        label(set_minus(words), 200),
        va="top",
        fontsize="small",
        alpha=0.8,
    )
    for line in (first, second):
        line.set_gid(_TITLE)
    fit(figure, first, second)


def measure(figure: Any, *texts: Any) -> list[tuple[float, float]]:
    """Width and height of texts, in pixels."""
    # Measure on a sheet of our own: the figure keeps its canvas.
    sheet = FigureCanvasAgg(Figure(figsize=(1, 1), dpi=figure.dpi)).get_renderer()
    with _DRAWING, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")
        boxes = [text.get_window_extent(sheet) for text in texts]
    return [(box.width, box.height) for box in boxes]


def hide_frame(ax: Any) -> None:
    """Hide the top and right of the frame, and make the rest thin."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["bottom", "left"]].set_linewidth(THIN)
    ax.tick_params(labelsize="small", width=THIN, length=3)
    for axis in (ax.xaxis, ax.yaxis):
        axis.label.set_size("small")


def draw_bars(ax: Any, lefts: FloatArray, widths: FloatArray, heights: AnyArray) -> None:
    """Draw all bars as one artist: ninety of them take as long as one.

    With more bars than an eye can tell apart, neighbours merge to one, as high as the highest. A
    category with 100,000 levels would take 6 s and 20 MB of SVG.
    """
    if len(lefts) > _MOST_BARS:
        first = np.arange(0, len(lefts), -(-len(lefts) // _MOST_BARS))
        first = np.union1d(first, [len(lefts) - 1])  # the last one may hold missing values
        rights = np.maximum.reduceat(lefts + widths, first)
        lefts, heights = lefts[first], np.maximum.reduceat(heights, first)
        widths = rights - lefts
    gaps, bottoms = _GAP / 2 * widths, np.zeros(len(lefts))
    lefts, rights = lefts + gaps, lefts + widths - gaps
    corners = [(lefts, bottoms), (lefts, heights), (rights, heights), (rights, bottoms)]
    shapes = np.stack([np.column_stack(corner) for corner in corners], axis=1)
    shapes = shapes[np.asarray(heights) > 0]
    ax.add_collection(PolyCollection(list(shapes), facecolor=ROWS, linewidth=0), autolim=False)


def write_counts(ax: Any, tallest: int, most: int = 4) -> None:
    """Write numbers of rows along the bars, none above them."""
    ticks = MaxNLocator(most, integer=True).tick_values(0, tallest)
    ax.set_yticks([tick for tick in ticks if 0 <= tick <= tallest])
    ax.yaxis.set_major_formatter(lambda rows, _: f"{rows:,.0f}")


def to_svg(figure: Figure | SubFigure, description: str, titled: bool = True) -> str:
    """Return a picture as SVG for a page: text and axes take the colour of its text.

    Parameters
    ----------
    figure : matplotlib Figure
        A SubFigure gives its whole figure.
    description : str
        Text for readers who cannot see the picture.
    titled : bool, default=True
        Whether to keep the two lines over a picture of an aspect or of a group. Without them the
        picture is lower.

    Returns
    -------
    str
        One ``<svg>`` element. It has no script and loads nothing from the network.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> to_svg(Figure(figsize=(2, 1)), "an empty picture")[:46]
    '<svg role="img" aria-label="an empty picture" '
    """
    settings: Any = {"svg.fonttype": "none", "svg.hashsalt": "pyod_aspects"}
    whole: Any = figure.figure
    cut = 0.0
    if not titled:
        lines = whole.findobj(lambda artist: artist.get_gid() == _TITLE)
        cut = _TITLE_POINTS if lines else 0.0
        for line in lines:
            line.set_visible(False)
    buffer = StringIO()
    with _DRAWING, mpl.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # the reader's browser has more letters
        nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
        whole.savefig(buffer, format="svg", transparent=True, dpi=130, metadata=nothing)
    text = buffer.getvalue()
    head = re.search(r'<svg\b[^>]*viewBox="([^"]*)"[^>]*>', text)
    assert head is not None
    body = text[head.end() :]
    # Keep only ids that something refers to: the page has other pictures.
    used = set(re.findall(r'(?:url\(|href=")#([^")]+)', body))
    body = re.sub(r' id="([^"]*)"', lambda id_: id_[0] if id_[1] in used else "", body)
    body = re.sub(r"<metadata>.*?</metadata>", "", body, count=1, flags=re.DOTALL)
    body = re.sub(r"<style\b.*?</style>", "", body, count=1, flags=re.DOTALL)
    # Use the reader's system font: none is wider than the measured one.
    body = re.sub(r"'DejaVu Sans',[^;\"]*sans-serif", "system-ui, sans-serif", body)
    body = re.sub(r'(style="[^"]*stroke: )#000000', r"\1currentColor", body)
    body = re.sub(r"(?<=data:image/png;base64,)[^\"]+", lambda points: _quantize(points[0]), body)
    left, top, width, height = (float(side) for side in head[1].split())
    box = f"{left:g} {top + cut:g} {width:g} {height - cut:g}"
    words = escape(printable(description))
    return (
        f'<svg role="img" aria-label="{words}" xmlns="http://www.w3.org/2000/svg" '
        f'xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="{box}" '
        f'width="{width * 4 / 3:.0f}" height="{(height - cut) * 4 / 3:.0f}" fill="currentColor" '
        'stroke-linejoin="round" style="max-width:100%;height:auto">'
        f"<title>{words}</title>{body.strip()}"
    )


def _quantize(points: str) -> str:
    """Reduce rasterised points to 64 colours: a quarter of the bytes, without a visible change."""
    image = Image.open(BytesIO(b64decode(points)))
    buffer = BytesIO()
    image.quantize(64, Image.Quantize.FASTOCTREE).save(buffer, format="png")
    return b64encode(buffer.getvalue()).decode()
