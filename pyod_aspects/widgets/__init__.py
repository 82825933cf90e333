"""The live view of an explanation in a notebook, built with ipywidgets."""

from ..exceptions import MissingPackageError

try:
    import ipywidgets as _ipywidgets  # noqa: F401
except ImportError as error:
    raise MissingPackageError(
        "the browser of aspects needs ipywidgets, which is not installed: "
        "pip install pyod_aspects[widgets] (or pip install ipywidgets)."
    ) from error

from .browser import AspectBrowser

__all__ = ["AspectBrowser"]
