"""Workers in processes of their own, and explanations on samples small enough for quick tests."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """Two workers in processes of their own; one that is killed is started again."""
    dask, distributed = pytest.importorskip("dask"), pytest.importorskip("distributed")
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 5}),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=":0",
            local_directory=tmp_path_factory.mktemp("dask"),
        ) as cluster,
    ):
        yield cluster


@pytest.fixture
def client(cluster):
    """The Client that is active; both workers are there."""
    distributed = pytest.importorskip("distributed")
    with distributed.Client(cluster) as client:
        client.wait_for_workers(2)
        yield client


@pytest.fixture
def small_samples(monkeypatch):
    """Samples of 200 rows, so that small tables are explored on a sample, too."""
    for name in ("scoring.lift_counts.EXPLORED", "miners.base.EXPLORED"):
        monkeypatch.setattr(f"pyod_aspects.{name}", 200)
    for name in ("explanation.judging.evidence.SAMPLE", "explaining.questions.SAMPLE"):
        monkeypatch.setattr(f"pyod_aspects.{name}", 200)
