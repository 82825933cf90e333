"""The progress line: drawn over itself, gone at the end, and for terminals only."""

from __future__ import annotations

import sys
import threading
import time

import pytest
from command_line import QUICK

from pyod_aspects import cli
from pyod_aspects._util.types import Progress
from pyod_aspects.cli.status import Status


class Terminal:
    def __init__(self):
        self.text = ""

    def isatty(self):
        return True

    def write(self, text):
        self.text += text

    def flush(self):
        pass

    def shown(self):
        """The last line as one sees it."""
        line = ""
        for piece in self.text.rpartition("\n")[2].split("\r"):
            line = piece + line[len(piece) :]
        return line.rstrip()


@pytest.fixture
def open_terminal(monkeypatch):
    """Puts a terminal in place of the error stream; in the test, as pytest does so before it."""

    def open_terminal():
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        return terminal

    return open_terminal


@pytest.fixture
def no_delay(monkeypatch):
    monkeypatch.setattr(Status, "delay", 0.0)
    monkeypatch.setattr(Status, "pause", 0.0)


@pytest.mark.usefixtures("no_delay")
def test_progress_is_drawn_over_itself_and_gone_at_the_end(open_terminal):
    terminal = open_terminal()
    with Status() as status:
        status.say("fitting IForest to 60 rows")
        assert terminal.shown() == "fitting IForest to 60 rows ..."
        status.progress(Progress(level=2, max_dim=5, done=50, total=100, scored=1234))
        expected = "sets of 2 (up to 5) features  [######..............]  30%  1,234 tried"
        assert terminal.shown() == expected
        status.say("x")
        assert terminal.shown() == "x ..."
    assert terminal.shown() == ""
    assert "\n" not in terminal.text


def test_quick_work_shows_no_progress(open_terminal):
    terminal = open_terminal()
    with Status() as status:
        status.say("fitting")
        status.progress(Progress(1, 5, 1, 1, 1))
    assert terminal.text == ""


def test_the_stage_is_shown_while_the_work_says_nothing(open_terminal, monkeypatch):
    monkeypatch.setattr(Status, "delay", 0.05)
    monkeypatch.setattr(Status, "tick", 0.05)
    terminal = open_terminal()

    def wait_for(text):
        end = time.monotonic() + 20
        while terminal.shown() != text and time.monotonic() < end:
            time.sleep(0.01)
        assert terminal.shown() == text

    before = threading.active_count()
    with Status() as status:
        status.say("fitting")
        wait_for("fitting ...")
        status.text = "searching"
        wait_for("searching")
        status.note("by the way")
        assert "pyod-aspects: note: by the way\n" in terminal.text
    assert threading.active_count() == before
    assert terminal.shown() == ""


def test_nothing_watches_without_a_terminal():
    before = threading.active_count()
    with Status():
        assert threading.active_count() == before


@pytest.mark.usefixtures("no_delay")
def test_the_line_is_not_longer_than_the_terminal(open_terminal, monkeypatch):
    terminal = open_terminal()
    monkeypatch.setenv("COLUMNS", "30")
    with Status() as status:
        status.progress(Progress(2, 5, 50, 100, 1234))
        assert terminal.shown() == "sets of 2 (up to 5) features"


@pytest.mark.usefixtures("no_delay")
def test_progress_is_for_terminals_that_are_not_told_to_be_quiet(open_terminal, table, monkeypatch):
    terminal = open_terminal()
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert cli.main(["explain", table, *QUICK]) == 0
    assert "features" in terminal.text
    assert terminal.shown() == ""
    terminal.text = ""
    assert cli.main(["explain", table, *QUICK, "--quiet"]) == 0
    assert terminal.text == ""


def test_without_a_terminal_there_is_no_progress(run, table, no_delay):
    assert run("explain", table, *QUICK)[2] == ""


def test_a_hostile_name_does_not_reach_the_terminal_raw(open_terminal):
    terminal = open_terminal()
    with Status() as status:
        status.next = 0.0
        status.say("reading \x1b[31mdata.csv")
        assert terminal.shown() == "reading \\x1b[31mdata.csv ..."
        status.note("\x1b]0;title\x07 is constant")
    assert "\x1b" not in terminal.text
