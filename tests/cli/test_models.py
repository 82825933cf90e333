"""Saved detectors are used as they are, and one line says which will not do."""

from __future__ import annotations

import io
import json
import os
import pickle
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
from command_line import X
from pyod.models.knn import KNN
from sklearn.compose import make_column_transformer
from sklearn.ensemble import IsolationForest
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from pyod_aspects import cli


def dumped_by_joblib(detector):
    file = io.BytesIO()
    joblib.dump(detector, file)
    return file.getvalue()


def explain_file(capsys, *options):
    code = cli.main(["explain", "data.csv", "--max-dim", "1", "--n-queries", "1", *options])
    output, errors = capsys.readouterr()
    return code, output, errors


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("dumps", [pickle.dumps, dumped_by_joblib])
@pytest.mark.parametrize(
    "detector",
    [KNN(), IsolationForest(random_state=0), make_pipeline(StandardScaler(), KNN())],
    ids=["PyOD", "scikit-learn", "pipeline"],
)
def test_a_saved_detector_is_used_as_it_is(capsys, dumps, detector):
    Path("model").write_bytes(dumps(detector.fit(X)))
    code, output, errors = explain_file(capsys, "--model", "model", "--trust")
    assert (code, errors) == (0, "")
    assert "  row 40 " in output
    assert "\n      b = " in output


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (None, [], "there is no file model."),
        (b"", [], "the detector in model cannot be loaded: "),
        (b"junk", [], "the detector in model cannot be loaded: "),
        (pickle.dumps("IForest"), [], "detector='IForest': expected a fitted detector"),
        (pickle.dumps(None), [], "detector=None: expected a fitted detector"),
        (pickle.dumps(KNN()), [], "KNN has no decision_scores_"),
        (pickle.dumps(KNN().fit(X[1:])), [], "KNN was fitted on 59 rows, X has 60"),
        (b"cnowhere\nThing\n.", [], "needs the package nowhere, which is not installed"),
        (pickle.dumps(KNN().fit(X)), ["--detector", "KNN"], "not allowed with argument"),
        (pickle.dumps(KNN().fit(X)), ["--contamination", "0.1"], "does not apply to --model"),
    ],
    ids=str,
)
def test_a_model_that_will_not_do_is_refused_in_one_line(folder, capsys, content, options, message):
    if content is not None:
        (folder / "model").write_bytes(content)
    code, output, errors = explain_file(capsys, "--model", "model", "--trust", *options)
    assert (code, output) == (2, "")
    assert message in errors
    assert errors.count("\n") == 1


def test_text_and_gaps_go_to_a_saved_pipeline_that_takes_them(folder, capsys):
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(kind=["x", "y", None] * 20)
    frame.loc[40, "kind"] = "rare"
    frame.loc[3, "a"] = np.nan
    frame.to_csv(folder / "data.csv", index=False)
    encode = make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()), ["a", "b", "c"]),
        (OneHotEncoder(handle_unknown="ignore"), ["kind"]),
    )
    pipeline = make_pipeline(encode, KNN()).fit(pd.read_csv(folder / "data.csv"))
    (folder / "model").write_bytes(pickle.dumps(pipeline))
    code, output, errors = explain_file(capsys, "--model", "model", "--trust", "--top-k", "4")
    assert (code, errors) == (0, "")
    assert "  row 40 " in output
    assert "\n      kind = " in output


def test_text_goes_to_no_model_but_a_pipeline(folder, capsys):
    (folder / "model").write_bytes(pickle.dumps(IsolationForest(random_state=0).fit(X)))
    pd.DataFrame(X, columns=["a", "b", "c"]).assign(c="x").to_csv("data.csv", index=False)
    code, _, errors = explain_file(capsys, "--model", "model", "--trust")
    assert code == 2
    assert "cannot score X" in errors


def test_gaps_go_to_a_saved_detector_that_takes_them(folder, capsys):
    gaps = np.where(np.arange(60) == 3, np.nan, X.T).T
    pd.DataFrame(gaps, columns=["a", "b", "c"]).to_csv("data.csv", index=False)
    (folder / "model").write_bytes(pickle.dumps(KNN().fit(X)))
    code, output, errors = explain_file(capsys, "--model", "model", "--trust")
    assert (code, errors) == (0, "")
    assert "  row 40 " in output


def test_a_folder_is_no_model(folder, capsys):
    assert (
        "cannot be read: Is a directory"
        in explain_file(capsys, "--model", str(folder), "--trust")[2]
    )


class Trap:
    """A pickle that leaves a trace when it is loaded."""

    def __reduce__(self):
        return (os.mkdir, ("trace",))


def test_a_pickle_is_loaded_only_if_it_is_named_as_a_model(folder, capsys):
    for name in ("data.csv", "other.csv", "other.json"):
        (folder / name).write_bytes(pickle.dumps(Trap()))
    for argv in (
        ["data.csv"],
        ["other.csv", "--json", "other.json"],
        ["trap", "--detector", "KNN"],
    ):
        assert cli.main(["explain", *argv]) == 2
    assert not (folder / "trace").exists()
    capsys.readouterr()


def test_nothing_of_a_model_is_run_unless_it_is_trusted(folder, capsys):
    (folder / "model").write_bytes(pickle.dumps(Trap()))
    code, output, errors = explain_file(capsys, "--model", "model")
    assert (code, output) == (2, "")
    assert "model is a pickle. Loading it runs the code in it: add --trust" in errors
    assert not (folder / "trace").exists()
    explain_file(capsys, "--model", "model", "--trust")
    assert (folder / "trace").exists()


def test_a_saved_explainer_explains_new_rows_and_names_its_versions(folder, capsys):
    code, _, errors = explain_file(capsys, "--save", "model")
    assert (code, errors) == (0, "")
    new = pd.DataFrame([[0.1, 25.0, 0.2], [0.0, 0.1, 0.1]], columns=["a", "b", "c"])
    new.to_csv("new.csv", index=False)
    argv = ["explain", "new.csv", "--model", "model", "--n-queries", "1"]
    assert cli.main(argv) == 2
    said = capsys.readouterr().err
    assert "model is an explainer, saved by pyod_aspects " in said
    assert "add --trust" in said
    assert cli.main([*argv, "--trust"]) == 0
    output = capsys.readouterr().out
    assert "in a new table, compared with 60 rows" in output
    assert "b = 25" in output


def test_an_explainer_of_other_versions_says_so(folder, capsys):
    explain_file(capsys, "--save", "model")
    content = Path("model").read_bytes()
    mark, versions, body = content.split(b"\n", 2)
    changed = json.loads(versions) | {"numpy": "0.1"}
    Path("model").write_bytes(b"\n".join([mark, json.dumps(changed).encode(), body]))
    code, _, errors = explain_file(capsys, "--model", "model", "--trust")
    assert code == 0
    assert "note: model was made with numpy 0.1 (here " in errors
    Path("model").write_bytes(b"\n".join([mark, json.dumps(changed).encode(), body[:99]]))
    code, _, errors = explain_file(capsys, "--model", "model", "--trust")
    assert code == 2
    assert "it was made with numpy 0.1" in errors
    for broken in (mark + b"\n{broken\n" + body, b"pyod_aspects explainer 9\n"):
        Path("model").write_bytes(broken)
        assert explain_file(capsys, "--model", "model", "--trust")[0] == 2


@pytest.mark.usefixtures("folder")
def test_new_rows_are_compared_with_the_table(capsys):
    new = pd.DataFrame([["n1", 25.0, 0.2, 0.1]], columns=["name", "b", "c", "a"])
    new.to_csv("new.csv", index=False)
    code, output, errors = explain_file(capsys, "--new", "new.csv")
    assert (code, errors) == (0, "")
    assert "in a new table, compared with 60 rows" in output
    assert "b = 25" in output
