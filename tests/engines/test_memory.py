"""A table is explained in a quarter of the memory that it would take."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pyod_aspects

pytest.importorskip("dask")
pytest.importorskip("pyarrow")
pytest.importorskip("resource")

N_ROWS, N_COLUMNS, N_FILES = 2_000_000, 40, 100

CHILD = """
import json, resource, sys
from pathlib import Path
from sklearn.covariance import EllipticEnvelope
from pyod_aspects import AspectExplainer
from pyod_aspects._util.memory import memory
from pyod_aspects.engines.files import ParquetFiles

folder, quarter = sys.argv[1], int(sys.argv[2])

def explain(pattern):
    files = ParquetFiles(sorted(map(str, Path(folder).glob(pattern))))
    with files.on_threads():
        detector = EllipticEnvelope(random_state=0).fit(files.sample(1000))
        explainer = AspectExplainer(detector, n_queries=2, n_reference=0).fit(files.read())
        return files, explainer, explainer.explain()

def status(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith(name)).split()[1])

explain("warm-*.parquet")  # imports, compiles, starts threads
before, limit = status("VmRSS"), status("VmData") + quarter
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
Path("/proc/self/clear_refs").write_text("5")  # the peak from here on
assert memory() <= quarter
files, explainer, explanation = explain("part-*.parquet")
print(json.dumps({
    "used": status("VmHWM") - before,
    "n_bytes": files.n_bytes,
    "n_rows": explanation.n_rows,
    "rows": [query.row for query in explanation],
    "aspect": explanation[0].aspects[0].features,
}))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="reads the peak from /proc")
def test_files_are_explained_in_a_quarter_of_their_memory(tmp_path):
    rng = np.random.default_rng(0)
    names = [f"x{j}" for j in range(N_COLUMNS)]
    for i in range(N_FILES):
        values = rng.standard_normal((N_ROWS // N_FILES, N_COLUMNS))
        if i == 7:
            values[123] = 8.0
        frame = pd.DataFrame(values, columns=names)
        frame.to_parquet(tmp_path / f"part-{i:02}.parquet", compression=None)
        if i < 2:
            frame.to_parquet(tmp_path / f"warm-{i}.parquet")
    table = 8 * N_ROWS * N_COLUMNS
    parent = str(Path(pyod_aspects.__file__).resolve().parents[1])
    # One arena: what a thread has freed, another can take.
    env = {**os.environ, "PYTHONPATH": parent, "MALLOC_ARENA_MAX": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CHILD, str(tmp_path), str(table // 4)],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    print(found)
    assert found["n_bytes"] >= table
    assert found["n_rows"] == N_ROWS
    assert 7 * (N_ROWS // N_FILES) + 123 in found["rows"]
    assert found["used"] < table / 4, f"{found['used'] / 1e6:.0f} MB"
