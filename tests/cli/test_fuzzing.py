"""Files, options, names, JSON and models that nobody should write: an answer, or one line."""

from __future__ import annotations

import argparse
import ast
import csv
import io
import json
import os
import pickle
import random
import re
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from html.parser import HTMLParser

import fuzzing
import numpy as np
import pandas as pd
import pytest
from explanation_cases import told
from fuzzing import HOSTILE, READERS, mutated
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyod_aspects import AspectExplainer, Explanation, cli
from pyod_aspects.cli.arguments import make_parser
from pyod_aspects.cli.messages import CommandError
from pyod_aspects.cli.models import load_model, save_explainer
from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.widgets.code import code_for

SHARED = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture]}

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What a terminal may take for a command; lines end with the character between."""


def seeded(n):
    """Give a test n numbers to make random things of."""

    def decorate(test):
        return settings(max_examples=n, **SHARED)(given(seed=st.integers(0, 2**32))(test))

    return decorate


# ---------------------------------------------------------------- files


@pytest.mark.parametrize("reader", READERS)
def test_a_file_is_read_or_refused_in_words(reader, tmp_path):
    """The first 500 files of the long run; some of them must be read."""
    found = Counter()
    for seed in range(500):
        try:
            found[fuzzing.read(reader, random.Random(f"{reader} {seed}"), tmp_path)] += 1
        except Exception as error:
            raise AssertionError(f"python tests/fuzzing.py 1 {reader!r} {seed}") from error
    assert found["read"] > 25
    assert found["refused"] > 25


# ---------------------------------------------------------------- options


def random_options(rng, folder):
    """Some options of `explain`, with values that fit, mostly, and small numbers."""
    [explain] = [
        action.choices["explain"]
        for action in make_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    ]
    actions = [a for a in explain._actions if a.option_strings and a.dest != "help"]
    chosen = []
    for action in rng.sample(actions, rng.randint(0, 4)):
        chosen.append(rng.choice(action.option_strings))
        if action.nargs == 0:
            continue
        values = ["1", "2", "0.1", "auto", "a", "a,b", "-", "-1", "1e9", "nan", "ECOD", *HOSTILE]
        values = list(action.choices or ()) * 9 + values
        if action.dest in ("json", "html", "save"):
            values = [str(folder / action.dest), str(folder / "no" / "folder"), str(folder)]
        elif action.dest in ("model", "new"):
            values = [str(folder / "data.csv"), str(folder / "nothing")]
        chosen.append(rng.choice(values))
    return chosen


@seeded(40)
def test_options_are_followed_or_refused_in_one_line(seed, tmp_path):
    rng = random.Random(seed)
    X = np.random.default_rng(0).normal(size=(45, 3)).round(2)
    pd.DataFrame(X, columns=["a", "b", HOSTILE[0]]).to_csv(tmp_path / "data.csv", index=False)
    quick = ["--max-dim", "1", "--n-queries", "2", "--n-reference", "0", "--detector", "ECOD"]
    argv = ["explain", str(tmp_path / "data.csv"), *quick, *random_options(rng, tmp_path)]
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        code = cli.main(argv)
    assert code in (0, 2)
    assert not CONTROL.search(err.getvalue())
    lines = err.getvalue().splitlines()
    assert all(line.startswith("pyod-aspects: ") for line in lines)
    if code == 2:
        assert lines
        assert "note: " not in lines[-1]
        assert out.getvalue() == ""
    elif not {"json", "html"} & set(re.findall(r"\w+", " ".join(argv))):
        assert not CONTROL.search(out.getvalue())


# ---------------------------------------------------------------- names


class Tags(HTMLParser):
    """The tags of a page, and attributes that run something."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.running = set(), []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.running += [name for name, _ in attributes if name.startswith("on")]


@pytest.fixture(scope="module")
def hostile_table():
    """Makes a table whose columns, levels and rows have hostile names."""

    def make(rng):
        names = rng.sample([name for name in HOSTILE if name.strip()], 4)
        values = np.random.default_rng(0).normal(size=(50, 3)).round(2)
        values[7] = 9.0
        frame = pd.DataFrame(values, columns=names[:3])
        levels = rng.sample(HOSTILE, 3)
        frame[names[3]] = [levels[i % 2] for i in range(49)] + levels[2:]
        frame.index = [f"{rng.choice(HOSTILE)}{i}" for i in range(50)]
        return frame

    return make


@seeded(15)
def test_hostile_names_stay_text_wherever_they_are_written(seed, hostile_table):
    rng = random.Random(seed)
    frame, scores = hostile_table(rng), np.r_[np.zeros(48), 1, 2]
    explainer = AspectExplainer.from_scores(
        scores, n_queries=2, n_reference=0, name=rng.choice(HOSTILE)
    )
    explanation = explainer.fit(frame).explain()
    code = ast.parse(code_for(explanation, explanation[0].row, 0))
    imported = [one.module for one in ast.walk(code) if isinstance(one, ast.ImportFrom)]
    assert set(imported) <= {"pyod_aspects", "pyod_aspects.plots"}
    assert not any(isinstance(one, ast.Import) for one in ast.walk(code))
    assert not CONTROL.search(explanation.summary(redundant=True))
    assert not CONTROL.search(str(explanation.groups()))
    assert Explanation.from_json(explanation.to_json()) == explanation
    for page in (explanation._repr_html_(), explanation.to_html()):
        found = Tags(page)
        assert not {"script", "img", "iframe"} & found.tags
        assert not found.running
    text = cli.output.to_csv(explanation)
    assert not CONTROL.search(text)
    for line in csv.DictReader(io.StringIO(text)):
        for name in ("label", "features", "evidence"):
            assert not line[name].startswith(("=", "+", "-", "@", "\t", "\r")), line[name]


# ---------------------------------------------------------------- JSON and models


def changed(value, rng):
    """JSON with one part replaced, somewhere."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        if rng.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        return value | {key: changed(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        i = rng.randrange(len(value))
        return [*value[:i], changed(value[i], rng), *value[i + 1 :]]
    odd = [None, True, 0, -1, 2**63, 10**400, 1e308, "", [], {}, [[]], [{}], *HOSTILE]
    return rng.choice(odd)


@seeded(100)
def test_hostile_json_is_refused_or_can_be_used(seed):
    rng = random.Random(seed)
    content = changed(json.loads(told().to_json()), rng)
    text = json.dumps(content)
    if rng.random() < 0.3:
        text = mutated(text.encode(), rng).decode("utf-8", "replace")
    try:
        explanation = Explanation.from_json(text)
    except InvalidInputError:
        return
    assert not CONTROL.search(explanation.summary())
    assert Explanation.from_json(explanation.to_json()) == explanation
    assert "<script" not in explanation._repr_html_()
    explanation.to_frame()
    explanation.groups()


class Bomb:
    """A pickle that makes a folder when it is loaded."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (self.path,)


@seeded(40)
def test_a_model_is_never_run_without_trust(seed, tmp_path):
    rng = random.Random(seed)
    exploded = tmp_path / "exploded"
    bomb = Bomb(str(exploded))
    content = rng.choice([pickle.dumps, save_explainer])(bomb)
    path = tmp_path / "model"
    path.write_bytes(mutated(content, rng))
    with pytest.raises(CommandError) as caught:
        load_model(str(path), trusted=False)
    assert str(caught.value).strip()
    assert not exploded.exists()


def test_the_bomb_explodes_if_it_is_trusted(tmp_path):
    """Guards the test above."""
    path = tmp_path / "model"
    path.write_bytes(save_explainer(Bomb(str(tmp_path / "exploded"))))
    load_model(str(path), trusted=True)
    assert (tmp_path / "exploded").exists()
