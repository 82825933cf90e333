"""The command as a process: its exit codes, signals and streams."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress

import pytest
from command_line import COUNTED, QUICK, write_file

from pyod_aspects.explanation import Explanation


def start(folder, *argv, **options):
    command = [sys.executable, "-m", "pyod_aspects", *argv]
    return subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.PIPE,
        **options,
    )


def test_the_module_runs_as_a_command_and_reads_its_input(tmp_path, table):
    process = start(tmp_path, "explain", "-", *QUICK)
    with open(table, "rb") as file:
        output, errors = process.communicate(file.read(), timeout=120)
    assert (process.returncode, errors) == (0, b"")
    assert output.startswith(b"Explanation: 2 anomalies of KNN among 60 rows")


def test_a_mistake_gives_exit_code_2_and_no_traceback(tmp_path):
    process = start(tmp_path, "explain", "nowhere.csv")
    output, errors = process.communicate(timeout=120)
    assert (process.returncode, output) == (2, b"")
    assert errors.splitlines() == [b"pyod-aspects: there is no file nowhere.csv."]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_a_reader_that_leaves_early_is_no_error(tmp_path, table):
    process = start(tmp_path, "explain", table, *QUICK)
    process.stdout.close()
    errors = process.stderr.read()
    process.stdin.close()
    process.stderr.close()
    assert (process.wait(timeout=120), errors) == (141, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes of POSIX")
def test_ctrl_c_ends_the_process_in_one_line(tmp_path):
    os.mkfifo(tmp_path / "data.csv")
    # A child of a shell's background job would ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = start(tmp_path, "explain", "data.csv")
    finally:
        signal.signal(signal.SIGINT, before)
    with open(tmp_path / "data.csv", "w"):  # waits until the process reads
        for _ in range(12):  # again if it comes at a moment in which nobody hears it
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                output, errors = process.communicate(timeout=10)
                break
    assert (process.returncode, output) == (130, b"")
    said = b"interrupted while reading data.csv; nothing was written"
    assert errors == b"pyod-aspects: " + said + b"\n"


def shell(folder, line):
    """Run a line of the shell in which $RUN is the command."""
    command = f'RUN="{sys.executable} -m pyod_aspects"; {line}'
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, capture_output=True, timeout=120, check=False
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


posix = pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")


@posix
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("$RUN explain - <&-", "the standard input is closed."),
        ("$RUN explain data.csv >&-", "the standard output is closed."),
        ("$RUN explain data.csv --quiet --json - >&-", "the standard output is closed."),
        ("$RUN demo >&-", "the standard output is closed."),
        ("$RUN --help >&-", "the standard output is closed."),
        ("$RUN --version >&-", "the standard output is closed."),
        (
            "$RUN explain - --json data.csv < data.csv",
            "--json data.csv would replace the data: name another file.",
        ),
    ],
)
def test_a_stream_that_is_closed_or_wrong_is_one_line(tmp_path, table, line, message):
    assert shell(tmp_path, line) == (2, "", f"pyod-aspects: {message}\n")


@posix
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has it")
@pytest.mark.parametrize(
    "command", ["explain data.csv --n-queries 2", "explain data.csv --json -", "explain --help"]
)
def test_a_full_disk_behind_the_output_is_one_line(tmp_path, table, command):
    code, _, errors = shell(tmp_path, f"$RUN {command} > /dev/full")
    message = "the standard output cannot be written: No space left on device."
    assert (code, errors) == (2, f"pyod-aspects: {message}\n")


@posix
def test_what_needs_no_output_works_without_one(tmp_path, table):
    line = "$RUN explain data.csv --n-queries 2 --quiet --json why.json >&- <&-"
    assert shell(tmp_path, line) == (0, "", "")
    assert len(Explanation.from_json((tmp_path / "why.json").read_text())) == 2


@posix
def test_without_an_error_stream_all_is_silent(tmp_path, table):
    code, output, _ = shell(tmp_path, "$RUN explain data.csv --n-queries 2 2>&-")
    assert code == 0
    assert output.startswith("Explanation: 2 anomalies")
    write_file(tmp_path, COUNTED)
    assert shell(tmp_path, "$RUN explain other.csv --n-queries 2 2>&-")[0] == 0
    assert shell(tmp_path, "$RUN explain nowhere.csv 2>&-") == (2, "", "")
    if os.path.exists("/dev/full"):
        assert shell(tmp_path, "$RUN explain nowhere.csv 2> /dev/full") == (2, "", "")
