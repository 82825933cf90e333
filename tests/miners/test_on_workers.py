"""Rows of a table that fits, split among two workers in processes of their own."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest
from part_tables import mixed, numbers, scores_of

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
from pyod.models.iforest import IForest  # noqa: E402

from pyod_aspects import AspectExplainer, KDEBeam, SGBeam  # noqa: E402
from pyod_aspects.exceptions import InvalidInputError  # noqa: E402


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 5}),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=":0",
            local_directory=tmp_path_factory.mktemp("dask"),
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        client.wait_for_workers(2)
        yield client


def make(frame, miner="sgbeam"):
    return AspectExplainer.from_scores(scores_of(frame), miner, n_queries=12, n_reference=60)


@pytest.mark.parametrize("miner", ["sgbeam", SGBeam(score="zscore", max_dim=3), KDEBeam(max_dim=2)])
def test_two_workers_give_the_local_answer(client, miner):
    frame = mixed(400)
    got = make(frame, miner).fit(frame).explain(client=client)
    assert got == make(frame, miner).fit(frame).explain()
    assert got.n_reference == 60


def test_new_rows_too(client):
    frame = numbers(500)
    explainer = AspectExplainer(IForest(10, random_state=0).fit(frame.to_numpy()))
    new = numbers(40) * 1.5
    got = explainer.fit(frame.to_numpy()).explain(new.to_numpy(), n_queries=7, client=client)
    assert got == explainer.fit(frame.to_numpy()).explain(new.to_numpy(), n_queries=7)


def test_both_workers_work_and_the_miner_is_sent_once(client, monkeypatch):
    frame = numbers(500)
    sent = []
    scatter = client.scatter
    monkeypatch.setattr(client, "scatter", lambda *a, **k: sent.append(1) or scatter(*a, **k))
    with distributed.get_task_stream(client) as stream:
        make(frame).fit(frame).explain(client=client)
    assert sent == [1]
    assert len({task["worker"] for task in stream.data}) == 2


def test_a_killed_worker_changes_nothing(client):
    frame = numbers(1500)
    killed = []

    def kill(progress):
        if not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    got = make(frame).fit(frame).explain(client=client, progress=kill)
    assert killed
    assert got == make(frame).fit(frame).explain()
    client.wait_for_workers(2)


def test_progress_never_goes_back_and_can_end_the_search(client):
    frame = numbers(300)
    seen = []
    make(frame).fit(frame).explain(client=client, progress=lambda p: seen.append(p.share))
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(1.0)

    def stop(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(frame).fit(frame).explain(client=client, progress=stop)


def test_what_is_no_client_and_tables_in_partitions_are_refused(client):
    frame = numbers(100)
    with pytest.raises(InvalidInputError, match=r"client is a str: expected a dask\.distributed"):
        make(frame).fit(frame).explain(client="tcp://localhost")
    dd = pytest.importorskip("dask.dataframe")
    explainer = make(frame).fit(dd.from_pandas(frame, npartitions=2))
    with pytest.raises(InvalidInputError, match="leave client out"):
        explainer.explain(client=client)
    assert np.isfinite(explainer.scores_).all()
