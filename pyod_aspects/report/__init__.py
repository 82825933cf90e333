"""An explanation as one page to hand to others: what was found first, settings last.

The page is a single file without scripts, which asks for nothing from elsewhere. Its pictures
are SVG in the colour of its text, so it reads on a light screen, on a dark one and on paper.
"""

from .page import report

__all__ = ["report"]
