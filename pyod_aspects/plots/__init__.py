"""Pictures of an explanation, drawn with matplotlib.

Each function takes the axes or the figure to draw on, and returns it. None shows or saves
anything, touches pyplot, or changes a global setting.
"""

from .aspect import plot_aspect
from .comparison import plot_comparison
from .group import describe_group, plot_group
from .overview import plot_overview
from .ranking import plot_aspects
from .scores import plot_scores
from .style import to_svg
from .words import describe_aspect, describe_overview, describe_scores

__all__ = [
    "describe_aspect",
    "describe_group",
    "describe_overview",
    "describe_scores",
    "plot_aspect",
    "plot_aspects",
    "plot_comparison",
    "plot_group",
    "plot_overview",
    "plot_scores",
    "to_svg",
]
