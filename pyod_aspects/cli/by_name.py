"""Detectors of PyOD and miners found by name, and detectors loaded from a file."""

from __future__ import annotations

import inspect
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .messages import CommandError, suggestion

if TYPE_CHECKING:
    from .._util.types import FloatArray
    from ..miners import BaseMiner


def detector_modules() -> dict[str, str]:
    """PyOD's detectors and the modules that they live in.

    Read from PyOD's source: importing all of it would take long and need every extra package.
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


def make_detector(name: str, seed: int = 0, contamination: float | None = None) -> Any:
    """Set up a detector by its class name, in whatever case."""
    detectors = detector_modules()
    match = {candidate.lower(): candidate for candidate in detectors}.get(name.lower())
    if match is None:
        common = ["IForest", "ECOD", "COPOD", "KNN", "LOF", "HBOS", "PCA", "OCSVM"]
        names = [*(c for c in common if c in detectors), *detectors]
        raise CommandError(f"PyOD has no detector {name!r}{suggestion(name, names)}")
    with _guard(match, "cannot be set up"):
        cls = getattr(import_module(detectors[match]), match)
    needed = [
        *_required_parameters(cls.__init__),
        *(p for p in _required_parameters(cls.fit) if p != "X"),
    ]
    if needed:
        raise CommandError(
            f"{match} needs {needed[0]!r}, which the command line cannot give: use it from Python."
        )
    settings: dict[str, Any] = {"random_state": seed, "contamination": contamination}
    accepted = inspect.signature(cls).parameters
    if contamination is None:
        del settings["contamination"]
    elif "contamination" not in accepted:
        raise CommandError(f"--contamination does not apply to {match}.")
    with _guard(match, "cannot be set up"):
        return cls(**{key: value for key, value in settings.items() if key in accepted})


def load_detector(path: str) -> Any:
    """Load a fitted detector that the user named; this runs whatever the file says."""
    try:
        with open(path, "rb") as file:
            file.peek(1)
    except FileNotFoundError:
        raise CommandError(f"there is no file {path}.") from None
    except OSError as error:
        raise CommandError(f"--model {path} cannot be read: {error.strerror or error}.") from None
    import joblib

    with _guard(f"the detector in {path}", "cannot be loaded"):
        return joblib.load(path)


def fit_detector(detector: Any, X: FloatArray, seed: int = 0) -> None:
    """Fit it; the seed is also for detectors that draw from NumPy's global state."""
    import numpy as np

    state = np.random.get_state()  # noqa: NPY002
    np.random.seed(seed)  # noqa: NPY002
    try:
        with _guard(type(detector).__name__, "cannot be fitted to this table"):
            detector.fit(X)
    finally:
        np.random.set_state(state)  # noqa: NPY002


def _required_parameters(function: Any) -> list[str]:
    """Parameters without a default."""
    return [
        parameter.name
        for parameter in list(inspect.signature(function).parameters.values())[1:]
        if parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    ]


@contextmanager
def _guard(name: str, what: str) -> Iterator[None]:
    """Run a detector's code: what it prints is dropped, what it raises becomes one line."""
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            yield
    except ImportError as error:
        if error.name is None:
            raise CommandError(f"{name} needs a package that is not there: {error}") from error
        package = error.name.partition(".")[0]
        raise CommandError(
            f"{name} needs the package {package}, which is not installed: pip install {package}"
        ) from error
    except Exception as error:
        if isinstance(error, NameError) and find_spec("torch") is None:
            # PyOD goes on without torch where it can, until a name such as nn is missing.
            raise CommandError(
                f"{name} needs the package torch, which is not installed: pip install torch"
            ) from error
        reason = str(error).strip() or type(error).__name__
        raise CommandError(f"{name} {what}: {reason}") from error


def make_miner(name: str, **settings: int | str | None) -> BaseMiner:
    """Set up a miner by name; settings that are None keep their defaults."""
    from ..miners import MINERS

    if name.lower() not in MINERS:
        raise CommandError(f"there is no miner {name!r}{suggestion(name, MINERS)}")
    miner = MINERS[name.lower()]
    given = {key: value for key, value in settings.items() if value is not None}
    for key in given:
        if key not in inspect.signature(miner).parameters:
            raise CommandError(f"--{key.replace('_', '-')} does not apply to {name.lower()}.")
    return miner(**given)
