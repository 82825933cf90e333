"""Measure one explanation of Parquet files on threads: python scaling_child.py FOLDER N_FILES.

The script stands alone, so that its memory is that of the package. It prints JSON.
"""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

SAMPLE = 20_000
"""Rows for fitting the detector."""


def explain(paths: list[str]) -> Any:
    """Explain the ten top rows of files with PyOD's PCA, p-values included."""
    import dask.dataframe as dd
    from pyod.models.pca import PCA

    from pyod_aspects import AspectExplainer

    frame = dd.read_parquet(paths)
    sample = frame.get_partition(0).head(SAMPLE, npartitions=1)
    detector = PCA(random_state=0).fit(sample.to_numpy())
    return AspectExplainer(detector).fit(frame).explain()


class Passes:
    """Cost of each pass over the parts, by the function that the parts get."""

    def __init__(self) -> None:
        from pyod_aspects.engines import dask as engine
        from pyod_aspects.engines import graphs

        self.seen: dict[str, dict[str, float]] = {}
        self.answers: dict[str, int] = {}
        compute, call = graphs.compute, engine._Work.__call__
        name = ""

        def watched_call(work: Any, part: Any) -> Any:
            nonlocal name
            answer = call(work, part)
            name = getattr(work.function, "__qualname__", type(work.function).__name__)
            if name not in self.answers:
                self.answers[name] = len(pickle.dumps(answer))
            return answer

        def watched(tasks: Any, *args: Any) -> Any:
            begin = process_time()
            answer = compute(tasks, *args)
            one = self.seen.setdefault(name, {"passes": 0, "tasks": 0, "cpu": 0.0})
            one["passes"] += 1
            one["tasks"] += len(tasks)
            one["cpu"] += process_time() - begin
            return answer

        # By setattr, as mypy knows neither as something to replace.
        setattr(engine, "compute", watched)  # noqa: B010
        setattr(engine._Work, "__call__", watched_call)  # noqa: B010

    def result(self) -> dict[str, dict[str, float]]:
        """Passes, tasks and CPU seconds by function, and bytes of the first answer."""
        return {
            name: {**one, "bytes": self.answers.get(name, 0)} for name, one in self.seen.items()
        }


def measure(paths: list[str]) -> dict[str, Any]:
    """Peak memory, CPU and wall time of one explanation, and its passes."""
    sys.path.insert(0, str(Path(__file__).parent))  # PYTHONSAFEPATH omits it
    from child import peak_memory  # type: ignore[import-not-found]

    passes = Passes()
    explain(paths[:1])  # imports and compiles
    passes.seen.clear()
    before = peak_memory()
    begin, cpu = perf_counter(), process_time()
    explanation = explain(paths)
    return {
        "n_rows": explanation.n_rows,
        "peak": peak_memory(),
        "before": before,
        "wall": perf_counter() - begin,
        "cpu": process_time() - cpu,
        "passes": passes.result(),
        "rows": [query.row for query in explanation],
    }


if __name__ == "__main__":
    folder, n_files = Path(sys.argv[1]), int(sys.argv[2])
    print(json.dumps(measure(sorted(map(str, folder.glob("*.parquet")))[:n_files])))
