"""docs/schema.md and its schema describe what is written, field by field."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest
import schema_page
from explanation_cases import explanations, told
from hypothesis import given, settings
from user_tables import bank

from pyod_aspects import AspectExplainer, Explanation, cli
from pyod_aspects.detectors import make_detector
from pyod_aspects.explanation.writing.json import FORMAT, FORMAT_VERSION

jsonschema = pytest.importorskip("jsonschema", reason="the test extra brings jsonschema")
VALIDATOR = jsonschema.Draft202012Validator(schema_page.SCHEMA)


def check(text: str, ranges: bool = True) -> dict:
    """Validate what was written, and see that each object has exactly the fields of the page."""
    content = json.loads(text)
    errors = [
        f"{error.json_path}: {error.message}"
        for error in VALIDATOR.iter_errors(content)
        if ranges or error.validator not in ("minimum", "maximum")
    ]
    assert not errors
    check_fields(content, "explanation", optional={"groups"})
    for row in content["queries"]:
        check_fields(row, "row")
        if row["repair"] is not None:
            check_fields(row["repair"], "replacement")
        for aspect in row["aspects"]:
            check_fields(aspect, "aspect", optional={"error"})
            for one in aspect["evidence"]:
                check_fields(one, "evidence")
            for name in ("agreement", "repair"):
                if aspect[name] is not None:
                    check_fields(aspect[name], "replacement")
    for group in content.get("groups", []):
        check_fields(group, "group")
    return content


def check_fields(written: dict, name: str, optional: frozenset = frozenset()) -> None:
    fields = list(schema_page.parts()[name]["properties"])
    assert [*written, *(optional - set(written))] == fields


@pytest.fixture(scope="module")
def mixed():
    """Payments with text, times, truth values and gaps, and new ones of them."""
    frame, _, _ = bank(1300)
    frame = frame.set_index("id")
    return frame.iloc[1000:1280], frame.iloc[1280:]


@pytest.fixture(scope="module")
def detector(mixed):
    return make_detector("ECOD", mixed[0])


@pytest.mark.parametrize("miner", ["sgbeam", "gbeam", "kdebeam", "oaminer"])
@pytest.mark.parametrize("n_reference", [0, 39])
def test_what_a_miner_writes_is_valid(miner, n_reference):
    X = np.random.default_rng(0).normal(size=(60, 3))
    X[7, 1] = 9.0
    frame = pd.DataFrame(X, columns=list("abc"))
    explainer = AspectExplainer(make_detector("ECOD", frame), miner, 2, n_reference).fit(frame)
    explanation = explainer.explain().with_agreement()
    content = check(explanation.to_json())
    assert (content["queries"][0]["p_value"] is None) is (n_reference == 0)
    assert content["queries"][0]["aspects"][0]["agreement"] is not None


def test_mixed_tables_and_new_rows_are_valid(mixed, detector):
    explainer = AspectExplainer(detector, n_queries=5, n_reference=39).fit(mixed[0])
    old, new = explainer.explain(), explainer.explain(mixed[1])
    assert check(old.with_agreement().to_json())["new_rows"] is False
    assert check(new.to_json())["new_rows"] is True
    kept = check(old.convincing(0.2).to_json())
    assert kept["alpha"] == 0.2
    values = {
        type(one["value"])
        for row in check(explainer.explain(n_queries=20).to_json())["queries"]
        for aspect in row["aspects"]
        for one in aspect["evidence"]
    }
    assert {float, str} <= values


def test_plain_scores_are_valid():
    X = np.arange(60.0).reshape(30, 2)
    explainer = AspectExplainer.from_scores([*[0.0] * 29, 1.0], n_queries=1).fit(X)
    row = check(explainer.explain().to_json())["queries"][0]
    assert row["is_anomaly"] is None
    assert row["label"] is None


@settings(max_examples=30)
@given(explanations())
def test_whatever_can_be_written_is_valid(explanation):
    # p-values and percentiles of an explanation that was made by hand can be any numbers.
    check(explanation.to_json(), ranges=False)


def test_all_that_the_command_line_writes_is_valid(mixed, tmp_path, capsys):
    path, out = tmp_path / "bank.csv", tmp_path / "why.json"
    mixed[0].to_csv(path)
    options = ["--max-dim", "2", "--detector", "HBOS", "--groups", "--agreement"]
    options += ["--id", "id", "--n-reference", "0"]
    assert cli.main(["explain", str(path), *options, "--json", str(out), "--quiet"]) == 0
    content = check(out.read_text(encoding="utf-8"))
    assert content["groups"]
    assert cli.main(["explain", str(path), *options, "--format", "json", "--quiet"]) == 0
    assert check(capsys.readouterr().out) == content
    assert Explanation.from_json(out.read_text(encoding="utf-8"))[0].label


def test_the_schema_refuses_other_things():
    content = json.loads(told().to_json())
    for field in content:
        assert not VALIDATOR.is_valid({k: v for k, v in content.items() if k != field}), field
    assert not VALIDATOR.is_valid(content | {"format_version": 2})
    assert not VALIDATOR.is_valid(content | {"n_rows": -1})
    content["queries"][0]["aspects"][0]["evidence"][0]["direction"] = "sideways"
    assert not VALIDATOR.is_valid(content)


def test_the_schema_is_one_and_has_our_version():
    jsonschema.Draft202012Validator.check_schema(schema_page.SCHEMA)
    assert schema_page.SCHEMA["properties"]["format"]["const"] == FORMAT
    assert schema_page.SCHEMA["properties"]["format_version"]["const"] == FORMAT_VERSION


def test_the_page_has_the_fields_of_the_schema():
    text = schema_page.PAGE.read_text(encoding="utf-8")
    assert re.findall(r"<!-- fields of (\w+) -->", text) == list(schema_page.parts())
    assert text == schema_page.page(text), "write it anew: python tests/schema_page.py"


def test_a_reader_ignores_fields_that_it_does_not_know():
    explanation = told()
    content = json.loads(explanation.to_json())
    places = [content, content["queries"][0], content["queries"][0]["aspects"][0]]
    places += [places[-1]["evidence"][0], places[-1]["agreement"]]
    for place in places:
        place["new in a later version"] = {"anything": [1, 2]}
    assert VALIDATOR.is_valid(content)
    assert Explanation.from_json(json.dumps(content)) == explanation
