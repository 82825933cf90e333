"""Ctrl-C: it stops soon, says what was done, and leaves everything usable."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import redirect_stderr

import numpy as np
import pytest

from pyod_aspects import AspectExplainer, KDEBeam, OAMiner, Progress, SGBeam
from pyod_aspects.cli import status
from pyod_aspects.cli.background import in_background

X = np.random.default_rng(0).normal(size=(400, 8))
SCORES = np.abs(X).max(axis=1)


def interrupt(progress):
    if progress.level == 2:
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    "miner",
    [SGBeam(n_jobs=1), SGBeam(n_jobs=2), KDEBeam(max_dim=3), OAMiner(max_dim=3)],
    ids=["sgbeam", "two threads", "kdebeam", "oaminer"],
)
def test_an_interrupted_explainer_explains_as_if_nothing_had_happened(miner):
    expected = AspectExplainer.from_scores(SCORES, miner, 2).fit(X).explain()
    explainer = AspectExplainer.from_scores(SCORES, miner, 2).fit(X)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            explainer.explain(progress=interrupt)
    assert explainer.explain() == expected


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_signal_at_any_moment_leaves_the_explainer_usable(n_jobs):
    miner = SGBeam(max_dim=4, n_jobs=n_jobs)
    explainer = AspectExplainer.from_scores(SCORES, miner, 3).fit(X)
    expected = AspectExplainer.from_scores(SCORES, miner, 3).fit(X).explain()
    interrupted = 0
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        for delay in np.linspace(0.0, 0.1, 10):
            heard = threading.Event()
            sender = threading.Thread(target=_press_ctrl_c, args=(delay, heard))
            try:
                sender.start()
                while True:
                    explainer.explain()
            except KeyboardInterrupt:
                interrupted += 1
                heard.set()
            sender.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert interrupted == 10
    assert explainer.explain() == expected


def test_an_interrupted_fit_leaves_the_last_one_in_place(monkeypatch):
    explainer = AspectExplainer.from_scores(SCORES, SGBeam(max_dim=2), 2).fit(X)
    expected = explainer.explain()

    def fit(self, X):
        raise KeyboardInterrupt

    monkeypatch.setattr(SGBeam, "fit", fit)
    with pytest.raises(KeyboardInterrupt):
        explainer.fit(X[::-1] * 2.0)
    assert explainer.explain() == expected


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_stops_a_long_search_within_a_second_and_says_how_far_it_was(tmp_path):
    """One second on a machine with nothing else to do: the best of a few tries counts."""
    table = np.random.default_rng(0).normal(size=(20_000, 40))
    header = ",".join(f"x{i}" for i in range(40))
    np.savetxt(tmp_path / "data.csv", table, "%.4f", delimiter=",", header=header, comments="")
    waits = []
    for _ in range(4):
        wait, errors = _interrupted_search(tmp_path)
        said = (
            r"pyod-aspects: interrupted while searching at sets of \d \(up to 5\) features, "
            r"[\d,]+ sets tried; nothing was written\n"
        )
        assert re.fullmatch(said, errors)
        assert os.listdir(tmp_path) == ["data.csv"]
        waits.append(wait)
        if wait < 1.0:
            break
    assert min(waits) < 1.0


def test_work_that_nobody_waits_for_ends_at_its_next_report():
    with status.Status() as line:
        line.progress(Progress(1, 5, 1, 1, 1))
    with pytest.raises(KeyboardInterrupt):
        line.progress(Progress(2, 5, 1, 1, 1))


def test_what_background_work_raises_or_returns_comes_back():
    def fail():
        raise ZeroDivisionError("here")

    assert in_background(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError, match="here"):
        in_background(fail)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_signal_is_heard_while_background_work_is_busy_and_has_turned_the_streams_away():
    go = threading.Event()

    def work():
        with redirect_stderr(io.StringIO()):
            os.kill(os.getpid(), signal.SIGINT)
            go.wait(60)

    streams = sys.stdout, sys.stderr
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            in_background(work)
        assert (sys.stdout, sys.stderr) == streams
    finally:
        go.set()
        signal.signal(signal.SIGINT, before)


def _press_ctrl_c(delay, heard) -> None:
    """Send a signal, and again if nobody heard it: numba's C code drops one now and then."""
    while not heard.wait(delay):
        os.kill(os.getpid(), signal.SIGINT)
        delay = 5.0


def _interrupted_search(folder) -> tuple[float, str]:
    """Seconds from the signal to the end of the process, and what it said."""
    script = (
        "import sys\n"
        "from pyod_aspects.cli import run, status\n"
        "shown = status.Status.progress\n"
        "def progress(self, reached):\n"
        "    shown(self, reached)\n"
        "    if reached.scored > 100:\n"
        "        print('searching', file=sys.__stdout__, flush=True)\n"
        "status.Status.progress = progress\n"
        "sys.argv[1:] = ['explain', 'data.csv', '--detector', 'ECOD', '--json', 'why.json']\n"
        "run()\n"
    )
    # A child of a shell's background job would ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", script],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        assert process.stdout.readline() == "searching\n"
        threading.Thread(target=process.stdout.read, daemon=True).start()
        time.sleep(0.3)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        wait = time.monotonic() - begin
        return wait, process.stderr.read()
    finally:
        process.kill()
        process.stdout.close()
        process.stderr.close()
