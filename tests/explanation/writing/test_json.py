"""JSON gives back what was written, and one sentence says what is wrong in it."""

from __future__ import annotations

import copy
import json
import math
from dataclasses import replace

import bad_inputs
import pytest
from explanation_cases import aspect, explanation, explanations, query, told
from hypothesis import given

from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.explanation import Explanation
from pyod_aspects.explanation.writing import json as _json
from pyod_aspects.explanation.writing.json import FORMAT_VERSION, MOST_ASPECTS


@given(explanations())
def test_json_gives_back_what_was_written_to_the_last_bit(made):
    text = made.to_json()
    assert Explanation.from_json(text) == made
    assert Explanation.from_json(text.encode()) == made
    assert Explanation.from_json(text).to_json() == text


def test_numbers_that_are_not_finite_become_null_and_come_back_as_nan():
    made = explanation(query(1, aspect(0, std=math.inf), score=math.nan))
    text = made.to_json()
    assert "NaN" not in text
    assert "Infinity" not in text
    back = Explanation.from_json(text)
    assert math.isnan(back[0].score)
    assert math.isnan(back[0].aspects[0].std)


def test_fields_of_a_later_version_are_ignored(wine):
    content = json.loads(wine.to_json())
    content["mood"] = content["queries"][0]["mood"] = "good"
    assert Explanation.from_json(json.dumps(content)) == wine


@pytest.mark.parametrize(
    ("text", "message"), [pytest.param(*case[1:], id=case[0]) for case in bad_inputs.JSON]
)
def test_junk_is_refused_in_one_sentence(text, message):
    with pytest.raises(InvalidInputError, match=message) as error:
        Explanation.from_json(text)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 250


def test_a_text_that_is_too_long_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr(_json, "LONGEST", 1000)
    for text in ("[" + "1," * 1000 + "1]", b" " * 1001):
        with pytest.raises(InvalidInputError, match="characters: expected at most 1,000, as"):
            Explanation.from_json(text)


def test_a_text_with_too_many_aspects_for_a_row_is_refused():
    many = explanation(query(1, *[aspect(0)] * (MOST_ASPECTS + 1)))
    with pytest.raises(
        InvalidInputError, match=r"queries\[0\]\.aspects has 10,001 entries, at most"
    ):
        Explanation.from_json(many.to_json())


def test_lists_in_settings_come_back(wine):
    made = replace(wine, settings={"bins": ((1, (2, 3)), "fd")})
    assert Explanation.from_json(made.to_json()) == made


def test_a_newer_format_asks_for_an_upgrade(wine):
    content = json.loads(wine.to_json()) | {"format_version": FORMAT_VERSION + 1}
    with pytest.raises(InvalidInputError, match="upgrade pyod_aspects"):
        Explanation.from_json(json.dumps(content))


def nest(depth):
    return [nest(depth - 1)] if depth else 1


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["duplicate_columns"], [], r"duplicate_columns is a list, expected an object"),
        (
            ["duplicate_columns"],
            {"a": 1},
            r"duplicate_columns\['a'\] is a whole number",
        ),
        (["format_version"], "1", "format_version is a text, expected a whole number"),
        (["n_rows"], True, "n_rows is true or false, expected a whole number"),
        (["n_rows"], 1.5, "n_rows is a number, expected a whole number"),
        (["n_rows"], -1, "n_rows is negative"),
        (["n_rows"], 2**63, "n_rows is too large"),
        (["queries", 0, "row"], 10**400, r"queries\[0\]\.row is too large"),
        (["settings"], {"a": nest(20)}, r"settings\['a'\] is too deep"),
        (["settings"], {"a": [{}]}, r"settings\['a'\] is a list of an object, expected"),
        (["detector"], 3, "detector is a whole number, expected a text"),
        (["measure"], True, "measure is true or false, expected a text"),
        (["measure"], "weight", "measure is 'weight', expected 'count' or 'density'"),
        (["settings"], [], "settings is a list, expected an object"),
        (["settings"], {"a": {}}, r"settings\['a'\] is an object, expected a plain value"),
        (["feature_names"], "abcd", "feature_names is a text, expected a list"),
        (["feature_names", 1], 5, r"feature_names\[1\] is a whole number, expected a text"),
        (["queries"], {}, "queries is an object, expected a list"),
        (["queries", 1], None, r"queries\[1\] is null, expected an object"),
        (["queries", 1, "row"], None, r"queries\[1\]\.row is null, expected a whole number"),
        (["queries", 0, "score"], "high", r"queries\[0\]\.score is a text, expected a number"),
        (["queries", 0, "score"], 10**400, r"queries\[0\]\.score is too large"),
        (["queries", 0, "is_anomaly"], 1, r"\.is_anomaly is a whole number, expected true or"),
        (["queries", 0, "aspects", 1, "std"], [], r"queries\[0\]\.aspects\[1\]\.std is a list"),
        (["queries", 0, "aspects", 0, "subspace"], [0, 9], "numbers from 0 to 3"),
        (["queries", 0, "aspects", 0, "subspace"], [-1], "numbers from 0 to 3"),
        (["queries", 0, "aspects", 0, "subspace"], [], "numbers from 0 to 3"),
        (["queries", 0, "aspects", 0, "subspace", 0], True, r"subspace\[0\] is true or false"),
        (["queries", 0, "aspects", 0, "features"], ["hue", "x"], "does not fit its subspace"),
    ],
)
def test_an_ill_typed_field_is_named(wine, path, value, message):
    content = json.loads(wine.to_json())
    *way, last = path
    place = content
    for step in way:
        place = place[step]
    place[last] = value
    with pytest.raises(InvalidInputError, match=message) as error:
        Explanation.from_json(json.dumps(content))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        (["reach"], [1, 1], "reach does not fit its subspace"),
        (["reach"], [-1], "reach does not fit its subspace"),
        (["p_value"], "small", "p_value is a text, expected a number"),
        (["evidence"], {}, "evidence is an object, expected a list"),
        (["evidence", 0, "feature"], "hue", "evidence does not fit its features"),
        (["evidence", 0, "value"], True, r"evidence\[0\]\.value is true or false, expected a text"),
        (["evidence", 0, "gap"], 3, r"\.gap is a whole number, expected a list"),
        (["evidence", 0, "gap"], [3], r"\.gap has 1 entries, expected 2"),
        (["evidence", 0, "value"], 10**400, r"evidence\[0\]\.value is too large"),
        (["evidence", 0, "typical"], None, r"\.typical is null, expected a list"),
        (["evidence", 0, "typical", 1], [], r"\.typical\[1\] is a list, expected a text or a"),
        (["evidence", 0, "expected"], 3, r"\.expected is a whole number, expected a list"),
        (["evidence", 0, "direction"], "up", r"\.direction is 'up', expected 'high' or 'low'"),
        (["evidence", 0, "outside"], "far", r"\.outside is a text, expected a number"),
        (["repair"], 0.9, "repair is a number, expected an object or null"),
        (["repair", "features"], ["hue"], r"repair\.features does not fit the features of"),
        (["repair", "features"], [], r"repair\.features does not fit the features of"),
        (["agreement", "share"], "all", r"agreement\.share is a text, expected a number"),
        (["evidence", 0, "rough"], 0, r"\.rough is a whole number, expected true or false"),
    ],
)
def test_ill_typed_evidence_is_named(field, value, message):
    content = json.loads(told().to_json())
    place = content["queries"][0]["aspects"][0]
    for step in field[:-1]:
        place = place[step]
    place[field[-1]] = value
    with pytest.raises(InvalidInputError, match=message):
        Explanation.from_json(json.dumps(content))


@pytest.mark.parametrize("value", [10**400, -(2**63), [1, [2, 10**400]]])
def test_settings_that_no_figure_could_be_are_refused(value):
    content = json.loads(told().to_json())
    content["settings"]["tau"] = value
    with pytest.raises(InvalidInputError, match=r"settings\['tau'\] is too large"):
        Explanation.from_json(json.dumps(content))


def test_evidence_of_all_features_or_of_none():
    content = json.loads(told().to_json())
    content["queries"][0]["aspects"][1]["evidence"].pop()
    with pytest.raises(InvalidInputError, match="evidence does not fit its features"):
        Explanation.from_json(json.dumps(content))


def every_field(content, path=()):
    if isinstance(content, dict):
        for key, value in content.items():
            yield (*path, key)
            yield from every_field(value, (*path, key))
    elif isinstance(content, list):
        for i, value in enumerate(content):
            yield from every_field(value, (*path, i))


def test_each_field_is_missed_when_it_is_missing():
    content = json.loads(told().to_json())
    for path in every_field(content):
        if path == ("format",) or (path[0] == "settings" and len(path) > 1):
            continue
        broken = copy.deepcopy(content)
        place = broken
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]
        with pytest.raises(InvalidInputError, match=f"{path[-1]} is missing"):
            Explanation.from_json(json.dumps(broken))


def test_labels_go_to_json_and_back():
    made = explanation(query(7, aspect(0), label="<b>\n年\ud800"), query(3))
    content = json.loads(made.to_json())
    assert [q["label"] for q in content["queries"]] == ["<b>\n年\ud800", None]
    assert Explanation.from_json(made.to_json()) == made
    content["queries"][0]["label"] = 7
    with pytest.raises(InvalidInputError, match=r"queries\[0\]\.label is a whole number"):
        Explanation.from_json(json.dumps(content))
