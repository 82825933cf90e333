"""Time from a click in the notebook to the new picture."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import Any

from pyod_aspects import AspectExplainer, SGBeam
from pyod_aspects.exceptions import MissingPackageError

from .. import tables
from ..registry import Run, benchmark
from ..results import Disagreement, Outcome, Skipped, at_most
from ..timing import seconds, shown


def choose(browser: Any, name: str, value: int) -> float:
    """Seconds from setting a trait, as a click does, to the new picture in the widget."""
    picture = browser.view.answer.picture
    before = picture.value
    took = seconds(lambda: setattr(browser, name, value))
    if picture.value == before or "<svg" not in picture.value:
        raise Disagreement(f"{name}={value}: no new picture")
    return took


@benchmark("click", "click to new picture in the notebook, 50,000 rows")
def click(run: Run) -> Outcome:
    """Every row and every aspect of it, one after the other."""
    X = tables.hics(run.pick(50_000, 500), run.pick(12, 6))
    explainer = AspectExplainer(
        tables.detector_for(X), SGBeam(score="zscore", n_jobs=2), n_queries=10
    )
    explanation = explainer.fit(X).explain()
    try:
        browser = explanation.explore()
    except MissingPackageError as error:
        raise Skipped(str(error)) from error
    browser.redundant_shown = True
    times, sizes = [], Counter[int]()
    for query in [*explanation[1:], explanation[0]]:
        times.append(choose(browser, "row", query.row))
        others = [i for i in range(len(query.aspects)) if i != browser.aspect]
        times += [choose(browser, "aspect", i) for i in others]
        sizes.update(len(aspect.subspace) for aspect in query.aspects)
        run.say(f"row {query.row}: {shown(times[-1])}")
    drawn = ", ".join(f"{n} with {size} features" for size, n in sorted(sizes.items()))
    note = f"HiCS, generated, {X.shape[1]} columns; aspects: {drawn}; slowest {shown(max(times))}"
    what = f"Click to new picture, {len(X):,} rows, median"
    return Outcome([at_most(what, median(times), 0.2, "s", note)])
