"""Version of the installed package."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("pyod_aspects")
except PackageNotFoundError:  # a source tree without installation
    __version__ = "0+unknown"
