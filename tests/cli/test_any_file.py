"""Files from anywhere: one line says what is wrong, and nothing is left over."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pyod_aspects import Explanation, cli

QUICK = ("--detector", "ECOD", "--max-dim", "1", "--n-queries", "1")


def result(content, *options):
    """Exit code, what was said, and what lies beside the file afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        path, target = Path(folder, "data.csv"), Path(folder, "why.json")
        path.write_bytes(content)
        out, err = io.StringIO(), io.StringIO()
        before = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = out, err
        try:
            code = cli.main(["explain", str(path), "--json", str(target), *QUICK, *options])
        finally:
            sys.stdout, sys.stderr = before
        left = sorted(file.name for file in Path(folder).iterdir())
        if target.exists():
            Explanation.from_json(target.read_text())
    return code, err.getvalue(), left


def check(content, *options):
    code, said, left = result(content, *options)
    notes = [line for line in said.splitlines() if line.startswith("pyod-aspects: note: ")]
    if code == 0:
        assert said.splitlines() == notes
        assert left == ["data.csv", "why.json"]
    else:
        assert code == 2
        [line] = [line for line in said.splitlines() if line not in notes]
        assert line.startswith("pyod-aspects: ")
        assert "Traceback" not in said
        assert left == ["data.csv"]
    return code, said


fuzzed = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])


cells = st.one_of(
    st.integers(-(10**20), 10**20).map(str),
    st.floats(width=32).map(repr),
    st.sampled_from(["", " ", "NA", "nan", "inf", "1e999", "1,5", '"', '""', '"1"', "x", "1_000"]),
    st.text(max_size=6),
)


@st.composite
def nearly_csv(draw):
    """Lines of cells that go together, and a few mistakes."""
    separator = draw(st.sampled_from([",", ";", "\t", "|", ", "]))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    width = draw(st.integers(1, 4))
    lengths = st.just(width) | st.integers(0, 6)
    lines = draw(
        st.lists(lengths.flatmap(lambda n: st.lists(cells, min_size=n, max_size=n)), max_size=6)
    )
    text = end.join(separator.join(line) for line in lines) + draw(st.sampled_from(["", end]))
    encoding = draw(st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16", "latin-1"]))
    return text.encode(encoding, errors="replace")


@fuzzed
@given(st.binary(max_size=200))
@example(b"\xef\xbb\xbf")
@example(b'"')
@example(b'a,b\n"1')
@example(b"\r\r\r")
@example(b"a\n" + b"1," * 1000)
def test_any_bytes_are_explained_or_refused_in_one_line(content):
    check(content)


@fuzzed
@given(nearly_csv(), st.sampled_from([(), ("--no-header",), ("--sep", ";"), ("--sep", "tab")]))
def test_anything_like_csv_is_explained_or_refused_in_one_line(content, options):
    check(content, *options)


@fuzzed
@given(st.data())
def test_a_good_file_with_a_few_bytes_changed_is_explained_or_refused(data):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(8, 3)).round(3), columns=[*"abc"])
    content = bytearray(frame.to_csv(index=False).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    check(bytes(content))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_line_ends_marks_and_quotes_make_no_difference(end, mark, quote):
    lines = [["a", "b"], ["1", "2"], ["3", "4"], ["9", "9"]]
    text = mark + end.join(",".join(f"{quote}{c}{quote}" for c in line) for line in lines)
    assert check(text.encode())[0] == 0


def test_a_gigabyte_of_one_line_is_refused_at_once(tmp_path, capsys):
    path = tmp_path / "large.csv"
    with open(path, "wb") as file:
        file.write(b"1," * 2**23)
        file.truncate(2**30)  # The rest is a hole, which takes no room on the disk.
    begin = time.monotonic()
    assert cli.main(["explain", str(path)]) == 2
    assert time.monotonic() - begin < 10
    assert capsys.readouterr().err.startswith("pyod-aspects: ")


@pytest.mark.skipif(sys.platform == "win32", reason="locales of POSIX")
@pytest.mark.usefixtures("folder")
def test_no_locale_changes_the_result(folder):
    """In German a comma stands in numbers, in C there is nothing but ASCII."""
    (folder / "data.csv").write_text("größe,b\n1.5,2\n3.25,4\n9,9\n1,1\n", encoding="utf-8")

    def run(**environment):
        command = [sys.executable, "-m", "pyod_aspects", "explain", "data.csv", *QUICK]
        done = subprocess.run(
            [*command, "--json", "-"],
            cwd=folder,
            env=os.environ | environment,
            capture_output=True,
            check=True,
            timeout=120,
        )
        return json.loads(done.stdout)

    plain = run(LC_ALL="C.UTF-8")
    assert plain["feature_names"] == ["größe", "b"]
    for locale in ("C", "de_DE.UTF-8"):
        assert run(LC_ALL=locale, PYTHONCOERCECLOCALE="0", PYTHONUTF8="0") == plain
