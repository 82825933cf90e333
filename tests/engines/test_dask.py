"""The partitions of a Dask DataFrame, also on workers in processes of their own, some killed."""

from __future__ import annotations

import os
import signal
import time

import numpy as np
import pandas as pd
import pytest

dask = pytest.importorskip("dask")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")
from pyod_aspects.binning.cuts import CodedColumn  # noqa: E402
from pyod_aspects.engines import client as on_client  # noqa: E402
from pyod_aspects.engines.cutting import code_rows, count_bins, cut_columns  # noqa: E402
from pyod_aspects.engines.dask import DaskParts  # noqa: E402
from pyod_aspects.engines.reading import read_values, survey  # noqa: E402
from pyod_aspects.exceptions import PartsError  # noqa: E402
from pyod_aspects.tables import read_table  # noqa: E402

FRAME = pd.DataFrame({"a": np.arange(50.0), "b": ["x", "y"] * 25})


@pytest.mark.parametrize(
    "scheduler",
    ["synchronous", "threads", pytest.param("processes", marks=pytest.mark.slow)],
)
def test_partitions_of_a_frame_on_every_scheduler(scheduler):
    ddf = dd.from_pandas(FRAME, npartitions=3)
    with dask.config.set(scheduler=scheduler, num_workers=2):
        parts = DaskParts(ddf)
        assert len(parts) == 3
        assert sum(parts.each(len)) == 50
        assert parts.total(lambda frame: float(frame["a"].sum())) == 1225.0


def test_unknown_divisions_are_welcome():
    ddf = dd.from_pandas(FRAME, npartitions=3).clear_divisions()
    assert DaskParts(ddf).total(lambda frame: float(frame["a"].sum())) == 1225.0


def test_partitions_on_a_client(client):
    parts = DaskParts(dd.from_pandas(FRAME, npartitions=7))
    ticks = []
    assert sum(parts.each(len, tick=ticks.append)) == 50
    assert ticks[-1] == 7
    assert ticks == sorted(ticks)
    assert parts.keep().total(lambda frame: float(frame["a"].sum())) == 1225.0


def test_workers_are_asked_to_keep_equal_shares_of_neighbours():
    parts = DaskParts(dd.from_pandas(FRAME, npartitions=7)).map(len)
    tasks = parts._recipe.tasks(["one", "two"])
    notes = [task.dask.layers[task.key].annotations for task in tasks]
    assert [note["workers"] for note in notes] == [["one"]] * 4 + [["two"]] * 3
    assert all(note["allow_other_workers"] for note in notes)


def test_a_partition_that_cannot_be_read_names_itself(client, tmp_path):
    dd.from_pandas(FRAME, npartitions=3).to_parquet(tmp_path)
    parts = DaskParts(dd.read_parquet(tmp_path))
    (tmp_path / "part.1.parquet").write_bytes(b"PAR1 is no table")
    for scheduler in (client, "threads"):
        with dask.config.set(scheduler=scheduler), pytest.raises(PartsError, match="partition 1 "):
            parts.total(len)


def test_an_error_on_a_worker_names_the_partition(client):
    parts = DaskParts([dask.delayed(i) for i in (1, 0, 2)])
    with pytest.raises(PartsError, match=r"partition 1 .* failed: ZeroDivisionError"):
        parts.total(lambda i: 1 / i)
    with pytest.raises(PartsError, match="could not be combined"):
        parts.total(lambda i: None)


@pytest.mark.parametrize("n_parts", [1, 3, 7])
def test_a_frame_is_cut_as_on_one_machine(client, n_parts):
    rng = np.random.default_rng(n_parts)
    frame = pd.DataFrame(
        {
            "bell": rng.normal(size=5000),
            "tail": rng.standard_cauchy(5000),
            "an atom": np.where(rng.random(5000) < 0.5, 0.0, rng.random(5000)),
            "id": 2**60 + rng.permutation(5000),
            "text": rng.choice(["x", "y", None], 5000),
            "at": pd.to_datetime("2024-01-01") + pd.to_timedelta(rng.integers(0, 10**6, 5000), "s"),
        }
    )
    parts = DaskParts(dd.from_pandas(frame, npartitions=n_parts))
    whole = read_table(frame)
    seen = survey(parts)
    assert seen.columns == whole.columns
    values = read_values(parts, seen.columns)
    cuts = cut_columns(values, seen.columns, "auto", seen.overviews)
    occupied = count_bins(values, cuts, 1)
    codes = np.hstack(values.each(code_rows, cuts, occupied))
    for a, column in enumerate(seen.columns):
        coded = CodedColumn.of(whole.values[:, a].copy(), "auto", 1, column.kind == "category")
        assert cuts[a].bins == coded.cut.bins
        np.testing.assert_array_equal(cuts[a].own, coded.cut.own)
        np.testing.assert_array_equal(occupied[a].filled, coded.occupied.filled)
        np.testing.assert_array_equal(codes[a], coded.codes)


def left_tasks(client):
    """Tasks that the scheduler still knows."""
    return client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.tasks))


def test_a_cancelled_run_leaves_no_tasks(client):
    parts = DaskParts([dask.delayed(i) for i in range(40)])

    def tick(done):
        if done >= 2:
            raise KeyboardInterrupt

    for run in (parts.each, parts.total):
        with pytest.raises(KeyboardInterrupt):
            run(lambda i: time.sleep(0.05) or i, tick=tick)
        give_up = time.monotonic() + 10
        while left_tasks(client) and time.monotonic() < give_up:
            time.sleep(0.05)
        assert left_tasks(client) == []


def test_a_worker_that_is_killed_changes_nothing(client):
    killed = []

    def tick(done):
        if done >= 4 and not killed:
            pid = next(iter(client.run(os.getpid).values()))
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

    parts = DaskParts([dask.delayed(i) for i in range(30)])
    assert parts.total(lambda i: time.sleep(0.05) or i, tick=tick) == sum(range(30))
    assert killed


def test_no_worker_left_is_one_clear_error(monkeypatch):
    monkeypatch.setattr(on_client, "PATIENCE", 1.0)
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0", processes=False) as cluster,
        distributed.Client(cluster),
        pytest.raises(PartsError, match="no Dask worker has been available for 1 s"),
    ):
        DaskParts([dask.delayed(1)]).total(abs)


def test_a_client_that_is_closed_is_one_clear_error():
    with distributed.LocalCluster(n_workers=1, dashboard_address=":0", processes=False) as cluster:
        client = distributed.Client(cluster)

        def tick(done):
            client.close()

        parts = DaskParts([dask.delayed(i) for i in range(30)])
        with pytest.raises(PartsError, match="Client"):
            parts.total(lambda i: time.sleep(0.05), tick=tick)


def test_what_may_be_kept_depends_on_the_memory_of_the_workers(client, monkeypatch):
    parts = DaskParts([dask.delayed(1)])
    limits = [worker["memory_limit"] for worker in client.scheduler_info()["workers"].values()]
    assert parts.room() == sum(limits) // 4
    monkeypatch.setattr("pyod_aspects.engines.parts.memory", lambda: 800)
    with dask.config.set(scheduler="threads"):
        assert parts.room() == 100
