"""Fitted explainers and detectors in files; the command loads them only if trusted.

A saved explainer begins with two lines of text: a mark, and the versions that made it. The command
can read these without running any code. A pickle follows, and the maker of the file decides which
code runs on loading it.
"""

from __future__ import annotations

import io
import json
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from .messages import CommandError

MARK = b"pyod_aspects explainer 1\n"
"""First line of a saved explainer; the number is the version of the file layout."""

_LONGEST = 10_000  # bytes of the second line

_PACKAGES = ("pyod_aspects", "pyod", "scikit-learn", "numpy", "numba", "pandas")


def save_explainer(explainer: Any) -> bytes:
    """Content of a file that `load_model` reads."""
    import joblib

    stream = io.BytesIO()
    joblib.dump(explainer, stream, compress=3)
    return MARK + json.dumps(_versions()).encode() + b"\n" + stream.getvalue()


def load_model(path: str, trusted: bool) -> tuple[Any, str]:
    """Read an explainer that `save_explainer` wrote, or a detector that joblib or pickle did.

    Parameters
    ----------
    path : str
    trusted : bool
        Whether the user trusts the maker of the file; if not, no code of it runs.

    Returns
    -------
    tuple
        The explainer or detector, and a remark on versions that differ from the installed ones.
    """
    try:
        with open(path, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        raise CommandError(f"there is no file {path}.") from None
    except OSError as error:
        raise CommandError(f"--model {path} cannot be read: {error.strerror or error}.") from None
    made_by, body = _split(path, content)
    if not trusted:
        what = f"an explainer, saved by {_words(made_by)}" if made_by else "a pickle"
        raise CommandError(
            f"{path} is {what}. Loading it runs the code in it: add --trust if you know who made "
            "it."
        )
    import joblib

    from ..detectors.by_name import one_sentence
    from ..exceptions import DetectorError

    others = {
        name: (made, here)
        for name, made in made_by.items()
        if (here := _versions().get(name)) != made
    }
    differ = ", ".join(f"{name} {made} (here {here})" for name, (made, here) in others.items())
    what = f"the explainer in {path}" if made_by else f"the detector in {path}"
    try:
        with one_sentence(what, "cannot be loaded"):
            model = joblib.load(io.BytesIO(body))
    except DetectorError as error:
        hint = differ and f"; it was made with {differ}: install these, or save it anew"
        raise CommandError(f"{str(error).rstrip('.')}{hint}.") from error
    remark = f"{path} was made with {differ}; if scores or results are off, save it anew."
    return model, remark if differ else ""


def _split(path: str, content: bytes) -> tuple[dict[str, str], bytes]:
    """Return the versions that made a saved explainer, {} for another file, and the pickle."""
    if not content.startswith(MARK):
        if content.startswith(MARK[:22]):
            raise CommandError(
                f"{path} was saved in a layout that this pyod_aspects does not know: upgrade "
                "pyod_aspects, or save the explainer anew."
            )
        return {}, content
    line, _, body = content[len(MARK) :].partition(b"\n")
    try:
        versions = json.loads(line[:_LONGEST])
        return {str(name): str(value) for name, value in versions.items()}, body
    except (ValueError, AttributeError):
        raise CommandError(f"{path} is damaged: save the explainer anew.") from None


def _versions() -> dict[str, str]:
    versions = {"Python": platform.python_version()}
    for package in _PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return versions


def _words(versions: dict[str, str]) -> str:
    from ..explanation.writing.wording import printable

    return printable(f"pyod_aspects {versions.get('pyod_aspects', 'unknown')}")
