"""Python code that reproduces the view."""

from __future__ import annotations

import inspect
import math
from numbers import Integral
from typing import Any

import numpy as np

from ..detectors import PlainScores
from ..explanation import Explanation
from ..explanation.writing.wording import printable
from ..miners import MINERS, BaseMiner


def code_for(
    explanation: Explanation, row: int | None, aspect: int | None, group: int | None = None
) -> str:
    """Code that makes the explanation again, chooses the row and draws the aspect, or a group.

    It needs the names ``X`` and ``detector``, or ``scores`` for plain scores, and ``X_new`` for new
    rows.
    """
    background = explanation.background
    if background is None:
        return (
            "# The table did not come along: this explanation was read from JSON or a pickle.\n"
            f"explanation.row({row})"
        )
    miner = background.explainer.miner_
    own_miner, miner_code = _miner_code(miner)
    names = "AspectExplainer" if own_miner else f"AspectExplainer, {type(miner).__name__}"
    table, detector = background.reference, background.explainer.detector
    arguments = ", ".join([miner_code, *_reference_arguments(explanation)])
    own_state = arguments.endswith("random_state=random_state")
    then = "" if explanation.alpha is None else f".convincing({literal(explanation.alpha)})"
    if any(query.was_asked for query in explanation):
        then += ".with_agreement()"
    plain, named = isinstance(detector, PlainScores), printable(explanation.detector)
    lines = [
        f"from pyod_aspects import {names}",
        "",
        f"# scores: those of {named}" if plain else f"# detector: your fitted {named}",
        f"# X: its table, {explanation.n_rows:,} rows, {len(table.columns):,} columns",
        *([f"# miner: your {own_miner}"] if own_miner else []),
        *(["# random_state: yours, as it was then"] if own_state else []),
        *(["# X_new: the table with the new rows"] if explanation.new_rows else []),
        f"explainer = {_explainer_code(detector, arguments)}.fit(X)",
        f"explanation = explainer.explain({_explain_arguments(explanation)}){then}",
    ]
    return "\n".join([*lines, *_picture_lines(row, aspect, group)])


def literal(value: object) -> str:
    """Write a value in Python: NumPy's numbers as plain ones, infinity as a call.

    >>> import numpy as np
    >>> literal(np.float64(0.5)), literal(float("inf")), literal(np.True_), literal("auto")
    ('0.5', "float('inf')", 'True', "'auto'")
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return f"float({str(value)!r})"
    return repr(value)


def _picture_lines(row: int | None, aspect: int | None, group: int | None) -> list[str]:
    """Lines that choose and draw the row or group of the view."""
    if row is None and group is not None:
        return [
            f"group = explanation.groups()[{group}]",
            "",
            "from pyod_aspects.plots import plot_group",
            "",
            "plot_group(explanation, group)",
        ]
    lines = [] if row is None else [f"query = explanation.row({row})"]
    if aspect is not None:
        lines += [
            f"aspect = query.aspects[{aspect}]",
            "",
            "from pyod_aspects.plots import plot_aspect",
            "",
            f"plot_aspect(explanation, {row}, {aspect})",
        ]
    return lines


def _reference_arguments(explanation: Explanation) -> list[str]:
    """Arguments of the explainer that give the same p-values, if the defaults would not."""
    assert explanation.background is not None
    explainer, n_queries = explanation.background.explainer, len(explanation)
    arguments = []
    # A cancelled search has no p-values, with any setting of the explainer.
    for n_reference in ("auto", explainer.n_reference, explanation.n_reference):
        if explainer.reference_.size(n_reference, n_queries) == explanation.n_reference:
            break
    if n_reference != "auto":
        arguments.append(f"n_reference={literal(n_reference)}")
    state = explainer.random_state
    if not (isinstance(state, Integral) and state == 0) and explanation.n_reference:
        plain = state is None or isinstance(state, Integral)
        arguments.append(f"random_state={literal(state) if plain else 'random_state'}")
    return arguments


def _explainer_code(detector: Any, arguments: str) -> str:
    """Explainer before its fit."""
    if not isinstance(detector, PlainScores):
        return f"AspectExplainer(detector, {arguments})"
    limit = "" if detector.limit is None else f", threshold={literal(detector.limit)}"
    usual = inspect.signature(PlainScores).parameters["name"].default
    name = "" if detector.name == usual else f", name={literal(detector.name)}"
    return f"AspectExplainer.from_scores(scores, {arguments}{limit}{name})"


def _explain_arguments(explanation: Explanation) -> str:
    """Arguments of `explain` that ask for these rows."""
    assert explanation.background is not None
    rows = [query.row for query in explanation]
    table = "X_new, " if explanation.new_rows else ""
    if not explanation.new_rows:
        best = np.argsort(-explanation.background.scores, kind="stable")[: len(rows)]
        if rows == best.tolist():
            return f"n_queries={len(rows)}"
    return f"{table}rows={rows}"


def _miner_code(miner: BaseMiner) -> tuple[str, str]:
    """Name of a miner that code cannot write, or else "", and its code."""
    settings: dict[str, Any] = miner.get_params(deep=False)
    plain = all(
        isinstance(value, (str, int, float, np.generic, type(None))) for value in settings.values()
    )
    name = type(miner).__name__
    if type(miner) not in MINERS.values() or not plain:
        return name, "miner"
    usual = inspect.signature(type(miner)).parameters
    changed = [f"{k}={literal(v)}" for k, v in settings.items() if v != usual[k].default]
    return "", f"{name}({', '.join(changed)})"
