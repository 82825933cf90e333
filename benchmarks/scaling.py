"""`python -m benchmarks scaling`: tables in partitions, and the figures of docs/scaling.md.

Wall times are valid on an idle machine only; CPU time and memory always are. So the benchmark also
judges two workers by the CPU time of the busiest process, and stores the load.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import numpy as np

from . import machine, markdown
from .child import environment
from .results import Figure, Outcome, Store, at_most, finished
from .tables import REPOSITORY, correlated_pairs
from .timing import shown

PARTS = ("workers", "memory", "growth")
ROWS_PER_FILE = 200_000

PAGE = """---
orphan: true
---
# Large tables

Measured by `python -m benchmarks scaling`.
"""

Say = Callable[[str], None]


def write_files(folder: Path, n_rows: int, n_columns: int, rows_per_file: int) -> list[str]:
    """Write correlated pairs as Parquet files, one at a time; return the names of the files."""
    import pandas as pd

    paths = []
    for i, begin in enumerate(range(0, n_rows, rows_per_file)):
        X = correlated_pairs(min(rows_per_file, n_rows - begin), n_columns, seed=i)
        path = folder / f"part-{i:05}.parquet"
        pd.DataFrame(X, columns=[f"x{a}" for a in range(n_columns)]).to_parquet(path)
        paths.append(str(path))
    return paths


def in_child(folder: Path, n_files: int) -> dict[str, Any]:
    """Explain the first files in a separate process."""
    script = Path(__file__).with_name("scaling_child.py")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(script), str(folder), str(n_files)],
        env=environment(None),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"scaling_child: {done.stderr.strip()}")
    return dict(json.loads(done.stdout))


def measure_memory(n_rows: int, n_columns: int, per_file: int, say: Say) -> Outcome:
    """Peak memory of a process that explains files on threads, and the cost of its passes."""
    with TemporaryDirectory() as folder:
        paths = write_files(Path(folder), n_rows, n_columns, per_file)
        say(f"{n_rows:,} × {n_columns} in {len(paths)} files")
        found = in_child(Path(folder), len(paths))
    what = f"Peak memory, {n_rows:,} × {n_columns} in Parquet on threads"
    note = f"{found['before'] / 1e9:.2f} GB after a first file; the table has "
    note += f"{8e-9 * n_rows * n_columns:.2f} GB; {shown(found['cpu'])} of CPU, "
    note += f"{shown(found['wall'])}; load {machine.load():.0f}"
    figures = [at_most(what, found["peak"] / 1e9, 3.0, "GB", note)]
    for name, one in found["passes"].items():
        figures.append(
            finished(
                f"`{name}`, {one['passes']} pass{'es' * (one['passes'] > 1)}",
                f"{1e3 * one['cpu'] / one['tasks']:.3g} ms of CPU a partition and pass, "
                f"{one['bytes'] / 1e3:,.1f} kB an answer",
            )
        )
    return Outcome(figures)


def measure_growth(sizes: Sequence[int], n_columns: int, per_file: int, say: Say) -> Outcome:
    """CPU time over rows, on threads."""
    times = []
    with TemporaryDirectory() as folder:
        write_files(Path(folder), sizes[-1], n_columns, per_file)
        for n in sizes:
            times.append(in_child(Path(folder), n // per_file)["cpu"])
            say(f"{n:,} rows: {shown(times[-1])} of CPU")
    exponent = float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
    what = f"Growth of CPU time from {sizes[0]:,} to {sizes[-1]:,} rows: exponent"
    note = f"{n_columns} columns; {', '.join(map(shown, times))}; load {machine.load():.0f}"
    curve = {"on threads": list(zip(map(float, sizes), times, strict=True))}
    return Outcome([at_most(what, exponent, 1.1, "", note)], curve)


def measure_workers(n_rows: int, n_columns: int, per_file: int, say: Say) -> Outcome:
    """Two workers against one: wall time, CPU of the busiest process, bytes, memory."""
    runs = []
    with TemporaryDirectory() as folder:
        paths = write_files(Path(folder), n_rows, n_columns, per_file)
        for n_workers in (1, 2):
            runs.append(_on_workers(paths, n_workers, folder))
            say(f"{n_workers} workers: {shown(runs[-1]['wall'])}")
    one, two = runs
    if one["answer"] != two["answer"]:
        raise RuntimeError("one worker and two give different answers")
    size = f"{n_rows:,} × {n_columns}, ten queries"
    busiest = [run["client_cpu"] + max(run["cpu"]) for run in runs]
    load = f"load {machine.load():.0f}"
    return Outcome(
        [
            at_most(
                f"Two workers against one, {size}: wall time",
                two["wall"] / one["wall"],
                0.65,
                "times as long",
                f"{shown(two['wall'])} and {shown(one['wall'])}; {load}",
            ),
            at_most(
                f"Two workers against one, {size}: CPU of the client and the busiest worker",
                busiest[1] / busiest[0],
                0.65,
                "times as much",
                f"{shown(busiest[1])} and {shown(busiest[0])}, of which the client, with the "
                f"scheduler, {shown(two['client_cpu'])} and {shown(one['client_cpu'])}; {load}",
            ),
            Figure(
                f"Sent by two workers, to each other and to the client, {size}",
                f"{sum(two['moved']) / 1e6:.1f} MB",
                "",
                note=f"of a table of {8e-6 * n_rows * n_columns:,.0f} MB",
            ),
            Figure(
                f"Peak memory with two workers, {size}",
                f"{two['client_peak'] / 1e9:.2f} GB the client with the scheduler, "
                f"{max(two['peak']) / 1e9:.2f} GB a worker",
                "",
            ),
        ]
    )


def _on_workers(paths: list[str], n_workers: int, folder: str) -> dict[str, Any]:
    """Explain files on a cluster of this machine."""
    from distributed import Client, LocalCluster

    from .scaling_child import explain

    with (
        LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            dashboard_address=":0",
            local_directory=folder,
        ) as cluster,
        Client(cluster) as client,
    ):
        client.wait_for_workers(n_workers)
        explain(paths[:2])  # imports and compiles
        before = client.run(_worker_facts)
        begin, cpu = perf_counter(), process_time()
        explanation = explain(paths)
        wall, client_cpu = perf_counter() - begin, process_time() - cpu
        after = client.run(_worker_facts)
        return {
            "wall": wall,
            "client_cpu": client_cpu,
            "client_peak": _peak(),
            "cpu": [after[w]["cpu"] - before[w]["cpu"] for w in after],
            "moved": [after[w]["moved"] - before[w]["moved"] for w in after],
            "peak": [after[w]["peak"] for w in after],
            "answer": [(query.row, query.aspects) for query in explanation],
        }


def _worker_facts(dask_worker: Any) -> dict[str, float]:
    return {
        "cpu": process_time(),
        "moved": dask_worker.transfer_outgoing_bytes_total,
        "peak": _peak(),
    }


def _peak() -> int:
    """Peak memory of this process; also runs in a worker, which may not know this folder."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("VmHWM:")).split()[1])


def main(arguments: Sequence[str]) -> int:
    """Run the chosen measurements, and write the figures into the page."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks scaling",
        description="Measure tables in partitions, and write the figures into docs/scaling.md.",
    )
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument(
        "--quick", action="store_true", help="small sizes for a trial; into build/benchmarks"
    )
    parser.add_argument("--report", action="store_true", help="only rewrite the page")
    parser.add_argument("--output", type=Path, metavar="FOLDER")
    options = parser.parse_args(arguments)
    folder = options.output or REPOSITORY / ("build/benchmarks" if options.quick else "docs")
    kept = folder if options.output or options.quick else REPOSITORY / "benchmarks"
    store = Store(kept / "scaling.json")
    per_file = 2_000 if options.quick else ROWS_PER_FILE

    def say(text: str) -> None:
        print(f"    {text}", flush=True)

    sizes = [8_000, 16_000] if options.quick else [1_200_000 * 2**i for i in range(4)]
    measures: dict[str, Callable[[], Outcome]] = {
        "workers": lambda: measure_workers(
            *((10_000, 6) if options.quick else (5_000_000, 20)), per_file, say
        ),
        "memory": lambda: measure_memory(
            *((10_000, 6) if options.quick else (20_000_000, 10)), per_file, say
        ),
        "growth": lambda: measure_growth(sizes, 6 if options.quick else 10, per_file, say),
    }
    for name in [] if options.report else options.only:
        print(name, flush=True)
        outcome = measures[name]()
        store.put(name, outcome, machine.about(options.quick))
        for figure in outcome.figures:
            print(f"    {figure.what}\n        {figure.measured} {figure.note}".rstrip())
    page = folder / "scaling.md"
    markdown.renew(page, {"scaling": generated(store)}, PAGE)
    print(f"{page} is written")
    return 0


def generated(store: Store) -> str:
    """The figures as tables."""
    sign = {True: "yes", False: "**no**", None: "–"}
    outcomes = [store.outcome(name) for name in PARTS if name in store.entries]
    figures = [f for outcome in outcomes for f in outcome.figures]
    asked = [f for f in figures if f.target != "finishes"]
    passes = [f for f in figures if f.target == "finishes"]
    parts = [
        markdown.circumstances([store.entries[n] for n in PARTS if n in store.entries]),
        markdown.table(
            ["what", "measured", "asked", "met", "how"],
            ([f.what, f.measured, f.target, sign[f.met], f.note] for f in asked),
        ),
    ]
    if passes:
        parts.append(markdown.table(["pass", "cost"], ([f.what, f.measured] for f in passes)))
    return "\n\n".join(parts)
