"""PyOD's detectors by name, set up and fitted with a seed; their errors become one sentence."""

from __future__ import annotations

import inspect
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from ..exceptions import DetectorError
from .printing import printing_logged

log = logging.getLogger(__name__)

_COMMON = ("IForest", "ECOD", "COPOD", "KNN", "LOF", "HBOS", "PCA", "OCSVM")


def detector_modules() -> dict[str, str]:
    """PyOD's detectors, each with its module.

    Reads PyOD's source: importing all of PyOD takes long and needs every extra package.
    """
    spec = find_spec("pyod")
    folders = spec.submodule_search_locations if spec is not None else None
    detectors: dict[str, str] = {}
    for folder in folders or ():
        # Sorted, so that so_gaal.py comes before the draft so_gaal_new.py.
        for file in sorted(Path(folder, "models").glob("*.py"), key=lambda file: file.stem):
            source = file.read_text(encoding="utf-8", errors="replace")
            for name in re.findall(r"^class (\w+)\(Base\w*Detector\)", source, re.MULTILINE):
                if not name.startswith("Base"):
                    detectors.setdefault(name, f"pyod.models.{file.stem}")
    return detectors


def make_pyod_detector(
    name: str,
    seed: int = 0,
    contamination: float | None = None,
    count_features: Callable[[], int] | None = None,
) -> Any:
    """Set up a detector by its class name, in any case.

    Detectors such as DeepSVDD need the number of columns: `count_features` returns it.
    """
    detectors = detector_modules()
    match = {candidate.lower(): candidate for candidate in detectors}.get(name.lower())
    if match is None:
        raise DetectorError(f"PyOD has no detector {name!r}{_suggestion(name, detectors)}")
    with one_sentence(match, "cannot be set up"):
        cls = getattr(import_module(detectors[match]), match)
    needed = [
        *_required_parameters(cls.__init__),
        *(p for p in _required_parameters(cls.fit) if p != "X"),
    ]
    settings: dict[str, Any] = {"random_state": seed, "contamination": contamination}
    if count_features is not None and "n_features" in needed:
        needed.remove("n_features")
        settings["n_features"] = count_features()
    if needed:
        raise DetectorError(
            f"{match} needs the argument {needed[0]!r}: set it up and fit it in Python."
        )
    accepted = inspect.signature(cls).parameters
    if contamination is None:
        del settings["contamination"]
    elif "contamination" not in accepted:
        raise DetectorError(f"contamination does not apply to {match}.")
    with one_sentence(match, "cannot be set up"):
        return cls(**{key: value for key, value in settings.items() if key in accepted})


def fit_seeded(detector: Any, X: Any, seed: int, name: str) -> None:
    """Fit the detector. The seed also sets NumPy's global state, which some detectors use."""
    begin, state = monotonic(), np.random.get_state()  # noqa: NPY002
    np.random.seed(seed)  # noqa: NPY002
    try:
        with one_sentence(name, "cannot be fitted to this table"):
            detector.fit(X)
    finally:
        np.random.set_state(state)  # noqa: NPY002
    log.info("fitted %s to %d rows in %.2f s", name, len(X), monotonic() - begin)


@contextmanager
def one_sentence(name: str, what: str) -> Iterator[None]:
    """Run a detector's code, log its prints, and turn its errors into one sentence."""
    try:
        with printing_logged(name):
            yield
    except ImportError as error:
        if error.name is None:
            raise DetectorError(f"{name} needs a missing package: {error}") from error
        package = error.name.partition(".")[0]
        raise DetectorError(
            f"{name} needs the package {package}, which is not installed: pip install {package}"
        ) from error
    except Exception as error:
        if isinstance(error, NameError) and find_spec("torch") is None:
            # PyOD imports without torch where it can. A name such as nn is missing later.
            raise DetectorError(
                f"{name} needs the package torch, which is not installed: pip install torch"
            ) from error
        reason = str(error).strip() or type(error).__name__
        raise DetectorError(f"{name} {what}: {reason}") from error


def _suggestion(name: str, detectors: dict[str, str]) -> str:
    """End of a sentence: the closest name, or the common names."""
    names = {candidate.lower(): candidate for candidate in detectors}
    close = get_close_matches(name.lower(), names, n=1)
    if close:
        return f": did you mean {names[close[0]]!r}?"
    known = [repr(common) for common in _COMMON if common in detectors]
    return f": there is {', '.join(known)}, ..."


def _required_parameters(function: Any) -> list[str]:
    """Parameters without a default."""
    return [
        parameter.name
        for parameter in list(inspect.signature(function).parameters.values())[1:]
        if parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    ]
