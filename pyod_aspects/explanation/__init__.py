"""The result, and every way to write it: as text, HTML, a DataFrame or JSON."""

from ..search.aspect import Aspect, Evidence, Replacement
from .background import Background
from .comparison import ComparedReason, ComparedRow, Comparison, compare
from .judging.cover import Cover, CoverPicture
from .judging.groups import Group, Groups
from .known import Known
from .query import QueryExplanation
from .values import Explanation

__all__ = [
    "Aspect",
    "Background",
    "ComparedReason",
    "ComparedRow",
    "Comparison",
    "Cover",
    "CoverPicture",
    "Evidence",
    "Explanation",
    "Group",
    "Groups",
    "Known",
    "QueryExplanation",
    "Replacement",
    "compare",
]
