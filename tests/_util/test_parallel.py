"""Threads change the time, never the result."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from pyod_aspects import GBeam, KDEBeam, OAMiner, SGBeam
from pyod_aspects._util import parallel
from pyod_aspects._util.parallel import run
from pyod_aspects.datasets import make_hics
from pyod_aspects.exceptions import InvalidInputError


@pytest.mark.parametrize("screen", [True, False])
@pytest.mark.parametrize("miner", [SGBeam, GBeam])
def test_grid_miners_say_the_same_with_any_number_of_jobs(miner, screen):
    X = make_hics(n_rows=9000, n_features=10, random_state=1).X
    results = [miner(width=30, n_jobs=n, screen=screen).fit(X).mine(X[:4]) for n in (None, 2, -1)]
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("miner", [KDEBeam, OAMiner])
def test_kernel_miners_say_the_same_with_any_number_of_jobs(miner):
    X = make_hics(n_rows=300, n_features=6, random_state=1).X
    results = [miner(n_jobs=n).fit(X).mine(X[:4]) for n in (None, 2, 3)]
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("n_jobs", [0, 1.5, "2"])
def test_a_number_of_jobs_that_means_nothing_is_refused(n_jobs):
    X = np.random.default_rng(0).normal(size=(50, 2))
    with pytest.raises(InvalidInputError, match=f"n_jobs={n_jobs!r}: expected a number of threads"):
        SGBeam(n_jobs=n_jobs).fit(X).mine(X[:1])


def test_many_queries_say_what_batches_of_them_say():
    X = make_hics(n_rows=400, n_features=8, random_state=2).X
    together = SGBeam(max_dim=3).fit(X).mine(X[:150])
    assert together == [SGBeam(max_dim=3).fit(X).mine(X[i : i + 1])[0] for i in range(150)]


def test_progress_over_batches_counts_on():
    X = make_hics(n_rows=300, n_features=6, random_state=2).X
    seen = []
    SGBeam(max_dim=3).fit(X).mine(X[:100], seen.append)
    assert [p.scored for p in seen] == sorted(p.scored for p in seen)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_ticks_add_up_and_an_exception_stops_the_work(n_jobs):
    seen = []
    run(lambda n: n, [(i,) for i in range(10)], n_jobs, seen.append)
    assert seen[-1] == sum(range(10))
    assert seen == sorted(seen)

    def stop(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(lambda n: n, [(i,) for i in range(10)], n_jobs, stop)


def test_what_a_thread_raises_is_raised_and_no_other_piece_is_begun():
    both, begun = threading.Barrier(2, timeout=30), []

    def work(i):
        begun.append(i)
        if i < 2:
            both.wait()  # one of the first two pieces is on another thread
        if threading.current_thread() is not threading.main_thread():
            raise ValueError("on a thread")
        time.sleep(0.001)
        return 1

    with pytest.raises(ValueError, match="on a thread"):
        run(work, [(i,) for i in range(1000)], 2)
    assert len(begun) < 1000


def test_work_inside_work_does_not_wait_for_threads_that_are_busy(monkeypatch):
    monkeypatch.setattr(parallel, "_MOST_THREADS", 1)
    parallel._pool.cache_clear()
    seen = []

    def outer(i):
        run(lambda j: seen.append((i, j)) or 1, [(j,) for j in range(5)], 4)
        return 1

    try:
        run(outer, [(i,) for i in range(20)], 4)
    finally:
        parallel._pool.cache_clear()
    assert sorted(seen) == [(i, j) for i in range(20) for j in range(5)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_has_threads_of_its_own():
    code = """
import os, threading, time
from pyod_aspects._util.parallel import run
both = threading.Barrier(2, timeout=30)
def work(i):
    both.wait()  # two threads are at work
    return 1
run(work, [(0,), (1,)], 2)
time.sleep(0.1)  # the other thread waits for more
child = os.fork()
run(work, [(0,), (1,)], 2)
if child == 0:
    os._exit(0)
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, timeout=120)


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_an_interrupted_miner_stays_usable(n_jobs):
    X = make_hics(n_rows=500, n_features=8, random_state=2).X
    miner = SGBeam(n_jobs=n_jobs).fit(X)
    want = SGBeam().fit(X).mine(X[:2])

    def stop(progress):
        if progress.level == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        miner.mine(X[:2], stop)
    assert miner.mine(X[:2]) == want


IN_A_POOL = """
from multiprocessing import get_context
from pyod_aspects._util.parallel import n_threads

if __name__ == "__main__":
    with get_context("spawn").Pool(1) as pool:
        print(pool.map(n_threads, [2, -1, None]))
"""


def test_a_worker_process_uses_one_thread_without_a_warning(tmp_path):
    (tmp_path / "work.py").write_text(IN_A_POOL)
    done = subprocess.run(
        [sys.executable, "work.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert (done.stdout.strip(), done.stderr) == ("[1, 1, 1]", "")
