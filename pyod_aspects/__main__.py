"""`python -m pyod_aspects` is `pyod-aspects`."""

from .cli import run

if __name__ == "__main__":
    run()
