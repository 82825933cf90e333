"""The result, and every way to write it: as text, HTML, a DataFrame or JSON."""

from .values import Aspect, Background, Explanation, QueryExplanation

__all__ = ["Aspect", "Background", "Explanation", "QueryExplanation"]
