"""Explanations of Dask DataFrames: on threads, and on two workers of which one is killed."""

from __future__ import annotations

import os
import signal
import time

import numpy as np
import pandas as pd
import pytest
from part_tables import mixed, numbers, scores_of, split

dask = pytest.importorskip("dask")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")
from pyod.models.ecod import ECOD  # noqa: E402
from pyod.models.iforest import IForest  # noqa: E402

from pyod_aspects import AspectExplainer, SGBeam  # noqa: E402
from pyod_aspects.counting.counter import LevelCounter  # noqa: E402
from pyod_aspects.exceptions import (  # noqa: E402
    DetectorError,
    InvalidInputError,
    PartitionsWarning,
    PartsError,
)

pytestmark = pytest.mark.usefixtures("small_samples")


def make(frame, miner="sgbeam"):
    return AspectExplainer.from_scores(scores_of(frame), miner, n_queries=4, n_reference=40)


def delayed(frame, begins):
    """A Dask DataFrame of delayed parts, with unknown divisions."""
    parts = [dask.delayed(part) for part in split(frame, begins)]
    return dd.from_delayed(parts, meta=frame.iloc[:0], verify_meta=False)


class During:
    """A progress callback that acts once: when the first partition is done in a kind of pass."""

    def __init__(self, what, act):
        self.what, self.act, self.acted = what, act, False

    def __call__(self, progress):
        now = progress.reading
        if now is not None and now.what == self.what and now.done and not self.acted:
            self.acted = True
            self.act()


@pytest.mark.parametrize("scheduler", ["threads", "synchronous"])
def test_a_frame_is_explained_as_on_one_machine(scheduler):
    frame = mixed()
    want = make(frame).fit(frame).explain()
    with dask.config.set(scheduler=scheduler):
        assert make(frame).fit(delayed(frame, [300, 300, 301])).explain() == want


def test_categories_that_differ_between_partitions():
    frame = mixed(300).reset_index(drop=True)
    frame["colour"] = np.sort(frame["colour"].to_numpy(dtype=object))
    parts = [part.astype({"colour": "category"}) for part in split(frame, [100, 200])]
    assert len({tuple(part["colour"].cat.categories) for part in parts}) > 1
    meta = parts[0].iloc[:0].astype({"colour": "object"})
    ddf = dd.from_delayed(list(map(dask.delayed, parts)), meta=meta, verify_meta=False)
    whole = frame.astype({"colour": "category"})
    got, want = make(frame).fit(ddf).explain(), make(frame).fit(whole).explain()
    assert [query.aspects for query in got] == [query.aspects for query in want]


def test_files_are_explained(tmp_path):
    frame = numbers(400)
    dd.from_pandas(frame, npartitions=3).to_parquet(tmp_path)
    detector = IForest(10, random_state=0).fit(frame.iloc[:200].to_numpy())
    explainer = AspectExplainer(detector, n_queries=2, n_reference=0).fit(dd.read_parquet(tmp_path))
    scores = detector.decision_function(frame.to_numpy())
    want = AspectExplainer.from_scores(scores, n_queries=2, n_reference=0).fit(frame).explain()
    got = explainer.explain()
    assert [(q.row, q.aspects) for q in got] == [(q.row, q.aspects) for q in want]


def test_scores_with_another_index_are_refused():
    frame = mixed(300)
    scores = pd.Series(scores_of(frame), index=frame.index)
    explainer = AspectExplainer.from_scores(scores, n_queries=2, n_reference=0)
    in_order = dd.from_pandas(frame, npartitions=3, sort=False)
    assert explainer.fit(in_order).explain() == explainer.fit(frame).explain()
    sorted_by_label = dd.from_pandas(frame, npartitions=3)
    with pytest.raises(DetectorError, match="different indexes"):
        explainer.fit(sorted_by_label)


def test_scores_and_files_that_just_count_rows():
    frame = numbers(300)
    parts = [part.reset_index(drop=True) for part in split(frame, [100])]
    ddf = dd.from_delayed(list(map(dask.delayed, parts)), meta=frame.iloc[:0], verify_meta=False)
    scores = pd.Series(scores_of(frame))
    assert AspectExplainer.from_scores(scores).fit(ddf).scores_.tolist() == scores.tolist()


class TestScoresThatDependOnPartitions:
    frame = numbers(300)

    def test_a_detector_that_compares_rows_is_told_of(self):
        detector = ECOD().fit(self.frame.iloc[:100])
        with pytest.warns(PartitionsWarning, match="ECOD compares the rows that it scores"):
            AspectExplainer(detector).fit(delayed(self.frame, [1, 120]))
        AspectExplainer(detector).fit(delayed(self.frame, [0, 300]))  # all rows in one of three

    def test_a_detector_that_needs_many_rows_is_told_of(self):
        class Greedy(IForest):
            def decision_function(self, X):
                if len(X) < 50:
                    raise ValueError("too few rows")
                return super().decision_function(X)

        detector = Greedy(5, random_state=0).fit(self.frame)
        with pytest.warns(PartitionsWarning, match="Greedy compares"):
            AspectExplainer(detector).fit(delayed(self.frame, [120]))


@pytest.mark.parametrize(
    ("choose", "instead"), [(lambda ddf: ddf["a"], "to_frame"), (lambda ddf: ddf.values, "array")]
)
def test_what_is_no_frame_is_refused(choose, instead):
    frame = numbers(100)
    with pytest.raises(InvalidInputError, match=instead):
        make(frame).fit(choose(delayed(frame, [50])))


def test_z_scores_without_workers_use_n_jobs(monkeypatch):
    monkeypatch.setattr("pyod_aspects.density.parts._WORTH_IT", 0.0)
    counters = []

    class Counter(LevelCounter):
        def __init__(self, table, n_jobs=None):
            counters.append(n_jobs)
            super().__init__(table, n_jobs)

    monkeypatch.setattr("pyod_aspects.density.parts.LevelCounter", Counter)
    frame = numbers(300)
    make(frame, SGBeam(score="zscore", max_dim=2, n_jobs=2)).fit(delayed(frame, [99])).explain()
    assert set(counters) == {2}


class TestWorkers:
    frame = numbers(2000)

    def test_two_workers_give_the_answer_of_one_machine(self, client):
        frame = mixed()
        assert (
            make(frame).fit(delayed(frame, [1, 500])).explain() == make(frame).fit(frame).explain()
        )

    def test_a_worker_killed_while_rows_are_counted_changes_nothing(self, client):
        explainer = make(self.frame).fit(delayed(self.frame, [300, 600, 900, 1200, 1500]))
        pids = list(client.run(os.getpid).values())
        kill = During("counting rows", lambda: os.kill(pids[0], signal.SIGKILL))
        got = explainer.explain(progress=kill)
        assert kill.acted
        assert got == make(self.frame).fit(self.frame).explain()

    def test_a_cancelled_run_leaves_no_tasks(self, client):
        explainer = make(self.frame).fit(delayed(self.frame, [500, 1000]))

        def stop():
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            explainer.explain(progress=During("counting rows", stop))
        end = time.monotonic() + 10
        while any(client.processing().values()) and time.monotonic() < end:
            time.sleep(0.1)
        assert not any(client.processing().values())
        assert explainer.explain() == make(self.frame).fit(self.frame).explain()

    def test_z_scores_are_split_among_workers(self, client, monkeypatch):
        monkeypatch.setattr("pyod_aspects.density.parts._WORTH_IT", 0.0)
        miner = SGBeam(score="zscore", max_dim=3)
        explainer = make(self.frame, miner).fit(delayed(self.frame, [700]))
        got = explainer.explain()
        assert explainer.miner_.density_.rows_._shared.n_workers == 2
        assert got == make(self.frame, miner).fit(self.frame).explain()

    def test_codes_that_fit_on_no_worker_are_counted_here(self, client, monkeypatch):
        monkeypatch.setattr("pyod_aspects.density.parts._WORTH_IT", 0.0)
        monkeypatch.setattr("pyod_aspects.engines.dask.limits_of", lambda client: [2**30, 999])
        miner = SGBeam(score="zscore", max_dim=2)
        explainer = make(self.frame, miner).fit(delayed(self.frame, [700]))
        assert explainer.explain() == make(self.frame, miner).fit(self.frame).explain()
        assert explainer.miner_.density_.rows_._shared is None

    def test_a_partition_that_cannot_be_read_names_itself(self, client):
        @dask.delayed
        def broken():
            raise OSError("no such file")

        parts = [dask.delayed(self.frame.iloc[:50]), broken()]
        ddf = dd.from_delayed(parts, meta=self.frame.iloc[:0], verify_meta=False)
        with pytest.raises(PartsError, match=r"partition 1 .*no such file"):
            make(self.frame).fit(ddf)


@pytest.mark.parametrize("screen", [True, False])
def test_screened_z_scores(screen):
    frame = pd.concat([numbers(400)] * 2, ignore_index=True)
    miner = SGBeam(score="zscore", screen=screen, max_dim=4, width=5)
    assert make(frame, miner).fit(delayed(frame, [99])).explain() == (
        make(frame, miner).fit(frame).explain()
    )
