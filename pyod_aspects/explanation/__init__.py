"""The result, and every way to write it: as text, HTML, a DataFrame or JSON."""

from ..search.aspect import Aspect, Evidence
from .background import Background
from .values import Explanation, QueryExplanation

__all__ = ["Aspect", "Background", "Evidence", "Explanation", "QueryExplanation"]
