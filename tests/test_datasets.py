"""HiCS tables keep what they promise, the demo is what it says, and files are read with care."""

from __future__ import annotations

import copy
import gzip
import json
import pickle
import re
import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pyod_aspects import datasets
from pyod_aspects.datasets import Demo, HiCS, load_demo, load_hics, make_hics
from pyod_aspects.exceptions import InvalidInputError

NEAR_ZERO = 0.06  # six standard deviations


def outliers_of(data, block):
    return [row for row, subspaces in data.truth.items() if block in subspaces]


def inliers_of(data, block):
    return np.setdiff1d(np.arange(len(data.X)), outliers_of(data, block))


# ---------------------------------------------------------------- make_hics


def test_by_default_the_table_has_the_size_of_the_smallest_set_of_the_paper():
    data = make_hics(random_state=0)
    assert isinstance(data, HiCS)
    assert data.X.shape == (1000, 10)
    assert data.X.dtype == np.float64
    assert all(len(outliers_of(data, block)) == 5 for block in data.blocks)


@pytest.mark.parametrize("n_features", [2, 3, 4, 5, 6, 7, 11, 50, 101])
def test_blocks_of_two_to_five_follow_each_other_and_cover_all_attributes(n_features):
    for seed in range(10):
        blocks = make_hics(20, n_features, random_state=seed).blocks
        assert [j for block in blocks for j in block] == list(range(n_features))
        assert all(2 <= len(block) <= 5 for block in blocks)


def test_every_block_size_occurs():
    assert {len(block) for block in make_hics(10, 200, random_state=0).blocks} == {2, 3, 4, 5}


def test_blocks_have_the_sizes_that_were_asked_for():
    data = make_hics(50, 13, block_sizes=(2, 7, 4), random_state=0)
    assert data.blocks == [(0, 1), (2, 3, 4, 5, 6, 7, 8), (9, 10, 11, 12)]


@pytest.mark.parametrize("seed", range(5))
def test_an_inlier_has_an_attribute_near_zero_and_an_outlier_has_none(seed):
    data = make_hics(400, 17, random_state=seed)
    for block in data.blocks:
        assert np.abs(data.X[np.ix_(inliers_of(data, block), block)]).min(axis=1).max() < NEAR_ZERO
        outlying = data.X[np.ix_(outliers_of(data, block), block)]
        assert outlying.min() >= 0.5
        assert outlying.max() <= 1.0


def test_truth_lists_every_row_and_block_without_near_zero_value_and_no_other():
    data = make_hics(300, 12, outliers_per_block=20, random_state=1)
    expected = {}
    for row in range(300):
        standing_out = [b for b in data.blocks if np.abs(data.X[row, b]).min() > NEAR_ZERO]
        if standing_out:
            expected[row] = standing_out
    assert data.truth == expected
    assert list(data.truth) == sorted(data.truth)
    assert any(len(subspaces) > 1 for subspaces in data.truth.values())


def test_truth_and_blocks_are_plain_numbers_that_json_takes():
    data = make_hics(30, 6, random_state=0)
    again = json.loads(json.dumps([list(data.truth.items()), data.blocks]))
    assert {row: [tuple(s) for s in found] for row, found in again[0]} == data.truth
    assert [tuple(block) for block in again[1]] == data.blocks


def test_each_attribute_alone_hides_the_outliers():
    data = make_hics(1000, 10, random_state=0)
    for block in data.blocks:
        ordinary = data.X[inliers_of(data, block)]
        for row in outliers_of(data, block):
            for j in block:
                assert (np.abs(ordinary[:, j] - data.X[row, j]) < 0.1).sum() > 20


@pytest.mark.parametrize("kind", [int, np.int64, np.random.default_rng, np.random.RandomState])
def test_the_same_random_state_gives_the_same_table(kind):
    one, two = (make_hics(60, 9, random_state=kind(5)) for _ in range(2))
    assert_array_equal(one.X, two.X)
    assert (one.truth, one.blocks) == (two.truth, two.blocks)


def test_another_random_state_gives_another_table():
    assert not np.array_equal(make_hics(random_state=0).X, make_hics(random_state=1).X)
    assert not np.array_equal(make_hics().X, make_hics().X)


@pytest.mark.parametrize("source", [np.random.default_rng(0), np.random.RandomState(0)])
def test_a_generator_moves_on_from_table_to_table(source):
    first, second = (make_hics(60, 8, random_state=source) for _ in range(2))
    assert not np.array_equal(first.X, second.X)


@pytest.mark.parametrize("random_state", [None, 0])
def test_the_global_random_state_is_left_alone(random_state):
    before = np.random.get_state()  # noqa: NPY002 - this is what must not change
    make_hics(30, 6, random_state=random_state)
    after = np.random.get_state()  # noqa: NPY002
    assert_array_equal(before[1], after[1])
    assert before[2:] == after[2:]


@pytest.mark.parametrize(
    ("n_rows", "n_features", "outliers_per_block"), [(1, 2, 0), (2, 2, 1), (5, 64, 4), (3000, 3, 9)]
)
def test_any_size_works(n_rows, n_features, outliers_per_block):
    data = make_hics(n_rows, n_features, outliers_per_block, random_state=0)
    assert data.X.shape == (n_rows, n_features)
    assert np.isfinite(data.X).all()
    assert all(len(outliers_of(data, block)) == outliers_per_block for block in data.blocks)


def test_a_table_without_outliers_has_no_truth():
    assert make_hics(20, 4, outliers_per_block=0, random_state=0).truth == {}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_features": 1}, "n_features=1: expected a whole number, 2 or more"),
        ({"n_features": 2.5}, "n_features=2.5: expected a whole number"),
        ({"n_rows": 0}, "n_rows=0: expected a whole number, 1 or more"),
        ({"n_rows": "many"}, "n_rows='many': expected a whole number"),
        ({"outliers_per_block": -1}, "outliers_per_block=-1: expected"),
        ({"n_rows": 4}, "outliers_per_block=5: a table of 4 rows has room for at most 3"),
        ({"n_rows": 5}, "outliers_per_block=5: a table of 5 rows has room for at most 4"),
        ({"block_sizes": [2, 3]}, "has 5 attributes, n_features=10.*Pass n_features=5"),
        ({"block_sizes": [9, 1]}, "each 2 or more"),
        ({"block_sizes": []}, "each 2 or more"),
        ({"block_sizes": 5}, "block_sizes=5: expected"),
        ({"block_sizes": [5.0, 5.0]}, "expected whole numbers"),
        ({"random_state": -1}, "random_state=-1: expected"),
        ({"random_state": "seed"}, "random_state='seed': expected"),
    ],
)
def test_impossible_settings_are_refused_with_a_reason(settings, message):
    with pytest.raises(InvalidInputError, match=message):
        make_hics(**settings)


def test_a_hics_table_is_a_frozen_value_with_a_short_repr():
    data = make_hics(1000, 10, block_sizes=[2, 4, 2, 2], random_state=0)
    assert repr(data).startswith("HiCS: 1000 rows, 10 attributes in 4 blocks, ")
    with pytest.raises(FrozenInstanceError):
        data.X = None
    for twin in (pickle.loads(pickle.dumps(data)), copy.deepcopy(data)):
        assert_array_equal(twin.X, data.X)
        assert (twin.truth, twin.blocks) == (data.truth, data.blocks)


# ------------------------------------------- against the sets of the paper


@pytest.fixture(scope="module", params=["hics_010", "hics_020", "hics_040"])
def published(request, shared_data):
    if not (shared_data / "hics").is_dir():
        pytest.skip("needs the HiCS sets in ../shared/data/hics")
    return load_hics(shared_data / "hics", request.param)


@pytest.fixture(scope="module")
def generated(published):
    """A table with the published blocks, and ten times the rows to see small differences."""
    sizes = [len(block) for block in published.blocks]
    return make_hics(10_000, sum(sizes), 50, block_sizes=sizes, random_state=0)


def test_a_published_set_has_the_structure_that_is_generated(published, generated):
    assert published.blocks == generated.blocks
    assert published.X.dtype == generated.X.dtype
    assert all(len(outliers_of(published, block)) == 5 for block in published.blocks)


def sorted_inlier_values(data, size):
    """The inliers' values within the blocks of one size, each row sorted."""
    blocks = [block for block in data.blocks if len(block) == size]
    return np.sort(np.vstack([data.X[np.ix_(inliers_of(data, b), b)] for b in blocks]), axis=1)


def test_inliers_are_distributed_as_in_a_published_set(published, generated):
    from scipy.stats import ks_2samp

    # Compare the smallest, second smallest, ... value of a block. A wrong number of values near
    # zero, a wrong spread there or a dependence between the others shows in one of them.
    for size in {len(block) for block in published.blocks}:
        ours, theirs = (sorted_inlier_values(data, size) for data in (generated, published))
        for order in range(size):
            assert ks_2samp(ours[:, order], theirs[:, order]).pvalue > 1e-3


def test_each_attribute_is_near_zero_as_often_as_in_a_published_set(published, generated):
    ours, theirs = ((np.abs(data.X) < NEAR_ZERO).mean(axis=0) for data in (generated, published))
    assert np.abs(ours - theirs).max() < 4 * np.sqrt(0.25 / 1000)


def test_outliers_are_distributed_as_in_a_published_set(published, generated):
    from scipy.stats import ks_2samp

    ours, theirs = (
        np.concatenate([data.X[np.ix_(outliers_of(data, b), b)].ravel() for b in data.blocks])
        for data in (generated, published)
    )
    assert theirs.min() >= 0.5
    assert ks_2samp(ours, theirs).pvalue > 1e-3


# ---------------------------------------------------------------- load_hics


@pytest.fixture
def folder(tmp_path):
    np.savez(tmp_path / "tiny.npz", X=np.arange(12).reshape(4, 3), y=[0, 0, 0, 1])
    np.savez(tmp_path / "other.npz", X=np.zeros((2, 2)))
    truth = {"tiny": {"3": [[2, 0], [1, 2]], "1": [[0, 2]]}, "gone": {}}
    (tmp_path / "ground_truth.json").write_text(json.dumps(truth))
    return tmp_path


def test_a_set_is_read_with_its_truth(folder):
    data = load_hics(folder, "tiny")
    assert data.X.dtype == np.float64
    assert_array_equal(data.X, np.arange(12.0).reshape(4, 3))
    assert list(data.truth.items()) == [(1, [(0, 2)]), (3, [(0, 2), (1, 2)])]
    assert data.blocks == [(0, 2), (1, 2)]


def test_the_folder_may_be_text(folder):
    assert_array_equal(load_hics(str(folder), "tiny").X, load_hics(folder, "tiny").X)


@pytest.mark.parametrize(
    ("name", "shape", "queries"),
    [("hics_010", (1000, 10), 19), ("hics_020", (1000, 20), 25), ("hics_040", (1000, 40), 53)],
)
def test_the_published_sets_have_the_queries_of_the_paper(shared_data, name, shape, queries):
    if not (shared_data / "hics").is_dir():
        pytest.skip("needs the HiCS sets in ../shared/data/hics")
    data = load_hics(shared_data / "hics", name)
    assert data.X.shape == shape
    assert len(data.truth) == queries


def test_an_absent_set_is_named_beside_those_that_exist(folder):
    with pytest.raises(InvalidInputError, match=r"gone\.npz does not exist.*there: other, tiny\."):
        load_hics(folder, "gone")


def test_an_absent_folder_is_named(tmp_path):
    with pytest.raises(InvalidInputError, match=r"nowhere.*does not exist.*Sets there: none"):
        load_hics(tmp_path / "nowhere", "tiny")


def test_an_absent_ground_truth_is_named(folder):
    (folder / "ground_truth.json").unlink()
    with pytest.raises(InvalidInputError, match=r"ground_truth\.json does not exist"):
        load_hics(folder, "tiny")


def test_a_set_without_truth_is_named_beside_those_that_have_one(folder):
    with pytest.raises(InvalidInputError, match=r"no set 'other'.*there: gone, tiny\."):
        load_hics(folder, "other")


@pytest.mark.parametrize(
    "truth",
    [
        "{",
        "[]",
        '{"tiny": [1]}',
        '{"tiny": {"a": [[0]]}}',
        '{"tiny": {"1": [0, 1]}}',
        '{"tiny": {"1": [["a"]]}}',
    ],
)
def test_a_broken_ground_truth_is_refused(folder, truth):
    (folder / "ground_truth.json").write_text(truth)
    with pytest.raises(InvalidInputError, match=r"ground_truth\.json cannot be read.*expected set"):
        load_hics(folder, "tiny")


@pytest.mark.parametrize("rows", [{"4": [[0, 1]]}, {"-1": [[0, 1]]}, {"0": [[0, 3]]}])
def test_a_ground_truth_that_does_not_fit_the_table_is_refused(folder, rows):
    (folder / "ground_truth.json").write_text(json.dumps({"tiny": rows}))
    with pytest.raises(InvalidInputError, match="its table has 4 rows and 3 attributes"):
        load_hics(folder, "tiny")


def test_a_file_that_is_no_npz_is_refused(folder):
    (folder / "tiny.npz").write_bytes(b"not a zip file")
    with pytest.raises(InvalidInputError, match=r"tiny\.npz cannot be read"):
        load_hics(folder, "tiny")


def test_a_truncated_npz_is_refused(folder):
    whole = (folder / "tiny.npz").read_bytes()
    (folder / "tiny.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InvalidInputError, match=r"tiny\.npz cannot be read"):
        load_hics(folder, "tiny")


def test_a_bare_array_under_the_name_of_an_npz_is_refused(folder):
    with (folder / "tiny.npz").open("wb") as file:
        np.save(file, np.zeros((4, 3)))
    with pytest.raises(InvalidInputError, match=r"tiny\.npz cannot be read"):
        load_hics(folder, "tiny")


@pytest.mark.parametrize(
    "arrays",
    [{"Y": np.zeros((4, 3))}, {"X": np.array([["a"]])}, {"X": np.array([[{}]], dtype=object)}],
    ids=["no X", "text", "pickled objects"],
)
def test_a_table_without_numbers_is_refused_and_nothing_is_unpickled(folder, arrays):
    np.savez(folder / "tiny.npz", **arrays)
    with pytest.raises(InvalidInputError, match=r"tiny\.npz cannot be read.*array X of numbers"):
        load_hics(folder, "tiny")


def test_a_table_of_one_dimension_is_refused(folder):
    np.savez(folder / "tiny.npz", X=np.zeros(4))
    with pytest.raises(InvalidInputError, match="X has 1 dimensions, expected 2"):
        load_hics(folder, "tiny")


# ---------------------------------------------------------------- load_demo


@pytest.fixture(scope="module")
def demo():
    return load_demo()


def test_the_demo_has_numbers_and_text_of_5000_diamonds(demo):
    assert isinstance(demo, Demo)
    assert demo.X.shape == (5000, 10)
    assert demo.feature_names[1:4] == ("cut", "color", "clarity")
    for name, column in zip(demo.feature_names, demo.X.T, strict=True):
        kinds = {type(value) for value in column}
        assert kinds == {str if name in {"cut", "color", "clarity"} else type(column[0])}
        if kinds != {str}:
            assert np.isfinite(column.astype(np.float64)).all()


def test_the_demo_is_the_same_each_time_and_its_own_copy(demo):
    again = load_demo()
    assert_array_equal(again.X, demo.X)
    assert_array_equal(again.y, demo.y)
    again.X[:] = 0
    assert load_demo().X.any()


def test_known_errors_of_the_demo_contradict_themselves(demo):
    """By arithmetic of its own: the rules of the docstring, column by column."""
    table = dict(zip(demo.feature_names, demo.X.T, strict=True))
    carat, depth, size, x, y, z = (
        table[name].astype(np.float64) for name in ["carat", "depth", "table", "x", "y", "z"]
    )
    with np.errstate(all="ignore"):
        wrong = (np.minimum(np.minimum(x, y), z) == 0) | (size > 90)
        wrong |= np.abs(x / y - 1) > 0.1
        wrong |= np.abs(200 * z / (x + y) - depth) > 3
        wrong |= np.abs(carat / (0.0061 * x * y * z) - 1) > 0.4
    assert_array_equal(demo.y == 1, wrong)
    assert list(demo.errors) == demo.rows[wrong].tolist()
    assert len(demo.errors) == 66


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (2274, "x is 6.79, y is 4.24"),
        (24067, "x is 8.09, y is 58.9"),
        (49189, "x is 5.15, y is 31.8"),
        (4518, "depth is 43, but x, y and z give 63.1"),
        (24932, "table is 95"),
        (2207, "z is 0"),
        (11182, "x and z are 0"),
        (49556, "x, y and z are 0"),
    ],
)
def test_an_error_of_the_demo_says_what_is_wrong(demo, row, reason):
    assert demo.errors[row].startswith(reason)


def test_the_demo_is_drawn_as_its_page_says(demo, shared_data, tmp_path, monkeypatch):
    """The lines on the page make the very file from the whole table."""
    whole = shared_data / "real" / "diamonds.csv.gz"
    if not whole.is_file():
        pytest.skip("needs the whole table, ../shared/data/real/diamonds.csv.gz")
    folder = Path(datasets.__file__).parent
    (tmp_path / "diamonds.csv").write_bytes(gzip.decompress(whole.read_bytes()))
    monkeypatch.chdir(tmp_path)
    [lines] = re.findall(r"```python\n(.*?)```", (folder / "README.md").read_text(), re.DOTALL)
    exec(lines, {})
    drawn, kept = (tmp_path / "sample.csv.gz", folder / "diamonds.csv.gz")
    assert gzip.decompress(drawn.read_bytes()) == gzip.decompress(kept.read_bytes())


def test_the_licence_of_the_demo_is_beside_it():
    page = (Path(datasets.__file__).parent / "README.md").read_text(encoding="utf-8")
    assert "MIT" in page
    assert "Copyright (c) 2024 ggplot2 core developer team" in page


def test_a_detector_finds_errors_of_the_demo_first(demo):
    from pyod.models.knn import KNN
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    columns = make_column_transformer(
        (OneHotEncoder(), ["cut", "color", "clarity"]), remainder=StandardScaler()
    )
    scores = make_pipeline(columns, KNN()).fit(demo.frame)[-1].decision_scores_
    assert demo.y[np.argsort(-scores)[:20]].mean() > 0.9


def test_the_frame_has_the_same_values_under_their_names(demo):
    frame = demo.frame
    assert tuple(frame.columns) == demo.feature_names
    assert frame.index.tolist() == demo.rows.tolist()
    assert_array_equal(frame.to_numpy(dtype=object), demo.X)
    assert frame.select_dtypes("number").columns.tolist() == [
        *("carat", "depth", "table", "price", "x", "y", "z")
    ]
    frame.iloc[0, 0] = -1.0
    assert demo.X[0, 0] != -1.0
    assert demo.frame.iloc[0, 0] == demo.X[0, 0]


def test_the_array_of_the_demo_is_read_like_its_frame(demo):
    from pyod_aspects import AspectExplainer

    scores = demo.y.astype(np.float64)
    array, frame = (
        AspectExplainer.from_scores(scores, n_queries=2, n_reference=0).fit(X).explain()
        for X in (demo.X, demo.frame)
    )
    for one, other in zip(array, frame, strict=True):
        assert [a.subspace for a in one.aspects] == [a.subspace for a in other.aspects]
    assert frame[0].label == str(demo.rows[frame[0].row])


def test_the_demo_is_a_frozen_value_with_a_short_repr(demo):
    assert repr(demo) == "Demo: 5000 rows, 10 named columns, 66 known errors"
    with pytest.raises(FrozenInstanceError):
        demo.y = None
    assert_array_equal(pickle.loads(pickle.dumps(demo)).X, demo.X)


def test_the_demo_is_read_without_pandas(tmp_path):
    code = "import sys; sys.modules['pandas'] = None; "
    code += "from pyod_aspects.datasets import load_demo; print(load_demo())"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert run.stdout.startswith("Demo: 5000 rows")


def test_importing_the_module_does_not_load_the_tables_of_scikit_learn():
    code = "import sys, pyod_aspects.datasets; print('sklearn.datasets' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
