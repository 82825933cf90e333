"""Measurements in a process of their own: python child.py memory|first ...

The script stands alone, so that it imports the package and nothing else.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time


def environment(env: dict[str, str] | None) -> dict[str, str]:
    """Return the environment of this process, extended so that a child finds this package."""
    import pyod_aspects

    parent = str(Path(pyod_aspects.__file__).resolve().parents[1])
    path = os.pathsep.join([parent, *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, **(env or {})}


def run_child(*args: str, env: dict[str, str] | None = None) -> str:
    """Run this file as a script and return its output."""
    with TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, str(Path(__file__).resolve()), *args],
            env=environment(env),
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(f"child {args}: {done.stderr.strip()}")
    return done.stdout


def cpu_of_demo(env: dict[str, str] | None = None) -> float:
    """CPU seconds, user and system, of one run of the command "pyod-aspects demo"."""
    before = os.times()
    with TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "pyod_aspects", "demo"],
            env=environment(env),
            cwd=folder,
            capture_output=True,
            check=True,
        )
    after = os.times()
    return (after.children_user - before.children_user) + (
        after.children_system - before.children_system
    )


def peak_memory() -> int:
    """Peak memory of this process in bytes."""
    status = Path("/proc/self/status")
    if status.is_file():  # getrusage starts from the peak of the parent process
        for line in status.read_text(encoding="utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _memory(path: str, miner: str, max_dim: str, n_queries: str) -> dict[str, float]:
    import numpy as np

    import pyod_aspects

    before = peak_memory()
    X = np.load(path)
    name, _, score = miner.partition(" by ")
    settings = {"max_dim": int(max_dim)} | ({"score": score.lower()} if score else {})
    mine = getattr(pyod_aspects, name)(**settings)
    if "n_jobs" in mine.get_params():
        mine.set_params(n_jobs=2)
    mine.fit(X).mine(X[: int(n_queries)])
    return {"peak": peak_memory() - before}


def _first(kind: str, n_rows: str = "") -> dict[str, float]:
    import numpy as np
    from pyod.models.iforest import IForest

    from pyod_aspects import AspectExplainer
    from pyod_aspects.datasets import load_demo, make_hics

    if kind == "demo":
        X = load_demo().frame.select_dtypes("number").to_numpy()
    else:
        X = make_hics(int(n_rows), 12, random_state=0).X
    if kind == "mixed":  # needs the kernels for cells as well
        X[:, ::3] = np.floor(5.0 * X[:, ::3])
        X[:, 1::3] *= np.random.default_rng(0).random(X[:, 1::3].shape) < 0.3
    detector = IForest(random_state=0).fit(X)
    begin, cpu = perf_counter(), process_time()
    AspectExplainer(detector, n_queries=5).fit(X).explain()
    return {"seconds": perf_counter() - begin, "cpu": process_time() - cpu}


if __name__ == "__main__":
    what, *arguments = sys.argv[1:]
    print(json.dumps(_memory(*arguments) if what == "memory" else _first(*arguments)))
