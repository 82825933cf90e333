"""What goes wrong on Dask: runs that are ended, workers that die, partitions that are odd."""

from __future__ import annotations

import gc
import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pandas as pd
import pytest
from part_tables import mixed, numbers, scores_of, split

dask = pytest.importorskip("dask")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")
from sklearn.ensemble import IsolationForest  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import OneHotEncoder  # noqa: E402

from pyod_aspects import AspectExplainer, SGBeam  # noqa: E402
from pyod_aspects.engines import client as on_client  # noqa: E402
from pyod_aspects.engines.dask import DaskParts  # noqa: E402
from pyod_aspects.exceptions import PartsError  # noqa: E402

pytestmark = pytest.mark.usefixtures("small_samples")

FRAME = numbers(1200)
ENDS = [200, 400, 600, 800, 1000]


def make(frame, miner="sgbeam", n_reference=40):
    return AspectExplainer.from_scores(scores_of(frame), miner, 2, n_reference=n_reference)


def delayed(frame, ends, seconds=0.0):
    """A Dask DataFrame with unknown divisions, of parts that take their time to be read."""

    @dask.delayed(pure=False)
    def read(part):
        time.sleep(seconds)
        return part

    parts = [read(part) for part in split(frame, ends)]
    return dd.from_delayed(parts, meta=frame.iloc[:0], verify_meta=False)


def states(client):
    """States of the tasks that the scheduler knows."""
    gc.collect()
    return client.run_on_scheduler(
        lambda dask_scheduler: {task.state for task in dask_scheduler.tasks.values()}
    )


def comes_true(condition, seconds=10.0):
    """Whether something becomes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


class TestProgress:
    def test_every_pass_of_explain_is_told(self):
        told = []
        explainer = make(FRAME).fit(delayed(FRAME, ENDS))
        explainer.explain(progress=told.append)
        assert told[0].reading == ("fetching rows", 0, told[0].reading.total)
        passes = {p.reading.what for p in told if p.reading is not None}
        assert {"fetching rows", "drawing a sample", "counting rows"} <= passes
        assert "finding rows nearby" in passes
        shares = [p.share for p in told]
        assert shares == sorted(shares)
        assert any(p.reading is None and p.level > 1 for p in told)

    def test_rows_one_by_one_tell_their_passes_too(self):
        told = []
        explainer = make(FRAME, n_reference=0).fit(delayed(FRAME, ENDS))
        for _ in explainer.iter_explain(progress=told.append):
            told.append(None)
            explainer.table_.take(np.array([3]))  # of the user, who did not ask for progress
            assert told[-1] is None
        assert told[0].reading.what == "fetching rows"

    def test_fit_logs_its_passes(self, caplog):
        with caplog.at_level(logging.INFO, "pyod_aspects"):
            make(FRAME).fit(delayed(numbers(1200, digits=8), ENDS))
        logged = [record.getMessage() for record in caplog.records]
        assert "looking over columns: a pass over 6 partitions" in logged
        assert "cutting columns: a pass over 6 partitions" in logged
        assert "counting bins: a pass over 6 partitions" in logged


class TestEnding:
    @pytest.mark.slow
    def test_explain_can_be_ended_in_every_kind_of_pass(self, client):
        told = []
        make(FRAME).fit(delayed(FRAME, ENDS)).explain(progress=told.append)
        kinds = list(dict.fromkeys(p.reading.what for p in told if p.reading is not None))
        for kind in kinds:
            explainer = make(FRAME).fit(delayed(FRAME, ENDS))

            def end(progress, kind=kind):
                if progress.reading is not None and progress.reading.what == kind:
                    raise KeyboardInterrupt

            with pytest.raises(KeyboardInterrupt):
                explainer.explain(progress=end)
            # The codes of the rows stay, and how they are made.
            assert comes_true(lambda: states(client) == {"memory", "released"}), kind
            del explainer
            assert comes_true(lambda: not states(client)), kind

    @pytest.mark.parametrize("on_client", [True, False])
    def test_ctrl_c_ends_fit_soon(self, on_client, request):
        client = request.getfixturevalue("client") if on_client else None
        ddf = delayed(FRAME, list(range(20, 1200, 20)), seconds=0.2)
        main = threading.main_thread().ident
        timer = threading.Timer(1.0, signal.pthread_kill, (main, signal.SIGINT))
        explainer = make(FRAME)
        # A background job of a shell would ignore the signal.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            with dask.config.set({} if on_client else {"scheduler": "threads", "num_workers": 2}):
                begin = time.monotonic()
                timer.start()
                with pytest.raises(KeyboardInterrupt):
                    explainer.fit(ddf)
                assert time.monotonic() - begin < 5.0  # a pass takes 6 s
        finally:
            signal.signal(signal.SIGINT, before)
        assert not hasattr(explainer, "miner_")
        if on_client:
            assert comes_true(lambda: not states(client))

    def test_codes_that_are_made_when_fit_is_ended_do_not_stay(self, client, monkeypatch):
        def keep(self):
            monkeypatch.setattr(on_client.OnClient, "_tell", stop)
            return kept(self)

        def stop(self):
            raise KeyboardInterrupt

        kept = DaskParts.keep
        monkeypatch.setattr(DaskParts, "keep", keep)
        with pytest.raises(KeyboardInterrupt):
            make(FRAME).fit(delayed(FRAME, ENDS))
        assert comes_true(lambda: not states(client))


class Kill:
    """A progress callback that kills a worker, once something is told of."""

    def __init__(self, client, when):
        self.pid, self.when, self.at = next(iter(client.run(os.getpid).values())), when, None

    def __call__(self, progress):
        if self.at is None and self.when(progress):
            os.kill(self.pid, signal.SIGKILL)
            self.at = time.monotonic()


class TestWorkersThatDie:
    def test_z_scores_with_a_worker_killed_within_a_level(self, client, monkeypatch):
        monkeypatch.setattr("pyod_aspects.density.parts._WORTH_IT", 0.0)
        miner = SGBeam(score="zscore", max_dim=3)
        explainer = make(FRAME, miner).fit(delayed(FRAME, ENDS))
        kill = Kill(client, lambda p: p.level == 2 and p.reading is None)
        got = explainer.explain(progress=kill)
        assert kill.at
        assert got == make(FRAME, miner).fit(FRAME).explain()

    @pytest.mark.slow
    def test_the_only_worker_dies_with_the_codes_of_a_level_and_comes_again(
        self, lone_worker, monkeypatch
    ):
        monkeypatch.setattr("pyod_aspects.density.parts._WORTH_IT", 0.0)
        client = lone_worker
        miner = SGBeam(score="zscore", max_dim=2)
        explainer = make(FRAME, miner, 0).fit(delayed(FRAME, [500]))
        kill = Kill(client, lambda p: p.level == 2 and p.reading is None)
        got = explainer.explain(progress=kill)
        assert kill.at
        assert got == make(FRAME, miner, 0).fit(FRAME).explain()

    def test_the_last_worker_dies_for_good(self, mortal_worker, monkeypatch):
        client = mortal_worker
        explainer = make(FRAME, n_reference=0).fit(delayed(FRAME, ENDS))
        monkeypatch.setattr(on_client, "PATIENCE", 1.0)
        kill = Kill(client, lambda p: p.reading is not None and p.reading.what == "counting rows")
        with pytest.raises(PartsError, match="no Dask worker has been available for 1 s"):
            explainer.explain(progress=kill)
        assert time.monotonic() - kill.at < 15.0

    @pytest.fixture
    def lone_worker(self, tmp_path):
        with (
            dask.config.set({"distributed.scheduler.allowed-failures": 5}),
            distributed.LocalCluster(
                n_workers=1,
                threads_per_worker=1,
                dashboard_address=":0",
                local_directory=tmp_path,
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            client.wait_for_workers(1)
            yield client

    @pytest.fixture
    def mortal_worker(self, tmp_path):
        """One worker that nobody starts again."""
        with (
            distributed.LocalCluster(n_workers=0, dashboard_address=":0") as cluster,
            distributed.Client(cluster) as client,
        ):
            options = [
                "--no-nanny",
                "--nthreads=1",
                "--no-dashboard",
                f"--local-directory={tmp_path}",
            ]
            module = "distributed.cli.dask_worker"
            command = [sys.executable, "-m", module, cluster.scheduler_address, *options]
            with subprocess.Popen(command, stderr=subprocess.DEVNULL) as worker:
                client.wait_for_workers(1)
                yield client
                worker.kill()


def test_a_file_that_is_gone_after_fit_names_its_partition(tmp_path):
    dd.from_pandas(FRAME, npartitions=3).to_parquet(tmp_path)
    explainer = make(FRAME, n_reference=0).fit(dd.read_parquet(tmp_path))
    (tmp_path / "part.1.parquet").unlink()
    with pytest.raises(PartsError, match=r"partition \d .*part\.1\.parquet"):
        explainer.explain(rows=500)


class TestCategoriesThatDiffer:
    frame = mixed(400).reset_index(drop=True)[["b", "d", "colour"]]
    frame["colour"] = np.sort(frame["colour"].to_numpy(dtype=object))

    @pytest.fixture
    def explainer(self):
        parts = [part.astype({"colour": "category"}) for part in split(self.frame, [1, 90, 90])]
        assert len({tuple(part["colour"].cat.categories) for part in parts}) == 3
        meta = parts[0].iloc[:0].astype({"colour": "object"})
        ddf = dd.from_delayed(list(map(dask.delayed, parts)), meta=meta, verify_meta=False)
        pipeline = make_pipeline(
            OneHotEncoder(handle_unknown="ignore", max_categories=9),
            IsolationForest(n_estimators=20, random_state=0),
        ).fit(self.frame.astype({"colour": "category"}))
        return AspectExplainer(pipeline, n_queries=2, n_reference=0).fit(ddf)

    def test_an_encoder_gets_categories(self, explainer):
        scores = -explainer.detector.score_samples(self.frame)
        np.testing.assert_allclose(explainer.scores_, scores)
        rows = explainer.table_.take(np.array([0, 50, 399]))
        colours = rows.form.restore(rows.values)["colour"]
        assert colours.dtype == "category"
        assert colours.tolist() == self.frame["colour"].iloc[[0, 50, 399]].tolist()

    def test_agreement_and_new_rows(self, explainer):
        explanation = explainer.explain().with_agreement(n_samples=5)
        assert any(aspect.agreement for query in explanation for aspect in query.aspects)
        new = self.frame.iloc[:2].assign(colour=pd.Categorical(["violet", "red"]))
        told = explainer.explain(new, rows=[0]).with_agreement(n_samples=5)
        assert told[0].aspects[0].features == ("colour",)


class TestPickles:
    def explanations(self, explainer):
        copy = pickle.loads(pickle.dumps(explainer))
        return copy.explain(), make(FRAME).fit(FRAME).explain()

    def test_an_explainer_of_a_dask_frame(self):
        got, want = self.explanations(make(FRAME).fit(delayed(FRAME, ENDS)))
        assert got == want

    def test_one_of_files(self, tmp_path):
        dd.from_pandas(FRAME, npartitions=3).to_parquet(tmp_path)
        got, want = self.explanations(make(FRAME).fit(dd.read_parquet(tmp_path)))
        assert [(q.row, q.p_value) for q in got] == [(q.row, q.p_value) for q in want]
        assert [q.aspects for q in got] == [q.aspects for q in want]

    def test_one_with_codes_on_workers(self, cluster, monkeypatch):
        monkeypatch.setattr("pyod_aspects.density.parts._WORTH_IT", 0.0)
        with distributed.Client(cluster):
            explainer = make(FRAME, SGBeam(score="zscore", max_dim=2)).fit(delayed(FRAME, ENDS))
            want = explainer.explain()
            saved = pickle.dumps(explainer)
        assert pickle.loads(saved).explain() == want
        assert explainer.explain() == want  # here without the Client that it was fitted on


class TestClientsThatChange:
    miner = SGBeam(score="zscore", max_dim=2)

    @pytest.fixture
    def other(self):
        """A Client of another scheduler, with one worker in this process."""
        with (
            distributed.LocalCluster(
                n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0"
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            yield client

    @pytest.mark.slow
    def test_a_restart_loses_nothing(self, client):
        explainer = make(FRAME).fit(delayed(FRAME, ENDS))
        client.restart()
        assert explainer.explain() == make(FRAME).fit(FRAME).explain()

    def test_another_client_or_scheduler_may_take_over(self, client, other):
        with client.as_current():
            explainer = make(FRAME).fit(delayed(FRAME, ENDS))
        want = make(FRAME).fit(FRAME).explain()
        assert explainer.explain() == want
        with dask.config.set(scheduler="threads"):
            assert explainer.explain() == want

    def test_z_scores_after_the_client_was_closed(self, cluster, monkeypatch):
        monkeypatch.setattr("pyod_aspects.density.parts._WORTH_IT", 0.0)
        with distributed.Client(cluster):
            explainer = make(FRAME, self.miner, 0).fit(delayed(FRAME, ENDS))
            explainer.explain()
        got = explainer.explain(rows=[3, 4, 5])  # features that were not counted before
        assert got == make(FRAME, self.miner, 0).fit(FRAME).explain(rows=[3, 4, 5])

    def test_a_persisted_table_whose_client_is_closed(self, cluster):
        with distributed.Client(cluster) as client:
            explainer = make(FRAME).fit(client.persist(delayed(FRAME, ENDS)))
        with pytest.raises(PartsError, match="persisted on a Client that is closed"):
            explainer.explain()


class TestSharedRows:
    """`explain(client=client)` where the client cannot help."""

    explainer = make(FRAME).fit(FRAME)

    def test_no_worker(self, monkeypatch):
        monkeypatch.setattr(on_client, "PATIENCE", 0.5)
        with (
            distributed.LocalCluster(n_workers=0, dashboard_address=":0") as cluster,
            distributed.Client(cluster) as client,
            pytest.raises(PartsError, match="no Dask worker has been available"),
        ):
            self.explainer.explain(client=client)

    def test_a_closed_client(self, cluster):
        with distributed.Client(cluster) as client:
            pass
        with pytest.raises(PartsError, match="connect a new Client"):
            self.explainer.explain(client=client)
