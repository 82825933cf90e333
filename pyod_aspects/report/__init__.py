"""An explanation as one page to hand to others: findings first, settings last.

The page is a single file without scripts, and loads nothing from the network. Its pictures
are SVG in the colour of its text, so it reads on a light screen, on a dark one and on paper.
"""

from .page import report

__all__ = ["report"]
