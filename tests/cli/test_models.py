"""Saved detectors are used as they are, and one line says which will not do."""

from __future__ import annotations

import io
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
    code, output, errors = explain_file(capsys, "--model", "model")
    assert (code, errors) == (0, "")
    assert "  row 40 " in output
    assert "{b}" in output


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
    code, output, errors = explain_file(capsys, "--model", "model", *options)
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
    code, output, errors = explain_file(capsys, "--model", "model", "--top-k", "4")
    assert (code, errors) == (0, "")
    assert "  row 40 " in output
    assert "{kind}" in output
    code, _, errors = explain_file(capsys)
    assert code == 2
    assert "holds text" in errors or "has missing values" in errors


@pytest.mark.parametrize("model", [KNN(), make_pipeline(StandardScaler(), KNN())], ids=repr)
@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["1,5", "2"] * 30, "column 'b' has decimal commas instead of points ('1,5' in row 0"),
        (["1.5", "2"] * 29 + ["?", "3"], "('?' in row 58, 1 in all)"),
    ],
    ids=["decimal commas", "text among numbers"],
)
def test_numbers_that_are_not_read_as_such_are_refused_with_a_model_too(
    folder, capsys, model, values, message
):
    (folder / "model").write_bytes(pickle.dumps(model.fit(X)))
    pd.DataFrame({"a": X[:, 0], "b": values, "c": X[:, 2]}).to_csv("data.csv", index=False)
    code, output, errors = explain_file(capsys, "--model", "model")
    assert (code, output) == (2, "")
    assert message in errors
    assert errors.count("\n") == 1


def test_text_goes_to_no_model_but_a_pipeline(folder, capsys):
    (folder / "model").write_bytes(pickle.dumps(KNN().fit(X)))
    pd.DataFrame(X, columns=["a", "b", "c"]).assign(c="x").to_csv("data.csv", index=False)
    code, _, errors = explain_file(capsys, "--model", "model")
    assert code == 2
    assert "column 'c' holds text ('x' in row 0, 60 in all)" in errors


def test_gaps_go_to_a_saved_detector_that_takes_them(folder, capsys):
    gaps = np.where(np.arange(60) == 3, np.nan, X.T).T
    pd.DataFrame(gaps, columns=["a", "b", "c"]).to_csv("data.csv", index=False)
    (folder / "model").write_bytes(pickle.dumps(KNN().fit(X)))
    code, output, errors = explain_file(capsys, "--model", "model")
    assert (code, errors) == (0, "")
    assert "  row 40 " in output


def test_a_folder_is_no_model(folder, capsys):
    assert "cannot be read: Is a directory" in explain_file(capsys, "--model", str(folder))[2]


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


def test_the_help_says_what_loading_a_model_means(capsys):
    cli.main(["explain", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "Loading such a file runs the code in it: only load files from people you trust" in said
