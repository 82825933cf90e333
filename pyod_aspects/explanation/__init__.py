"""The result, and every way to write it: as text, HTML, a DataFrame or JSON."""

from .background import Background
from .values import Aspect, Explanation, QueryExplanation

__all__ = ["Aspect", "Background", "Explanation", "QueryExplanation"]
