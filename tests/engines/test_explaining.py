"""Explanations of a table in parts are those of one machine."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from part_tables import SPLITS, TABLES, numbers, scores_of, split
from pyod.models.iforest import IForest

from pyod_aspects import AspectExplainer, Explanation, GBeam, KDEBeam, OAMiner, SGBeam
from pyod_aspects.density import SGrid
from pyod_aspects.engines.parts import ListParts
from pyod_aspects.exceptions import InvalidInputError, QueryError
from pyod_aspects.explaining.questions import read_new_rows
from pyod_aspects.explanation.writing.wording import score_words

pytestmark = pytest.mark.usefixtures("small_samples")


def explain(X, frame, miner="sgbeam", **settings):
    explainer = AspectExplainer.from_scores(scores_of(frame), miner, n_queries=4, n_reference=40)
    return explainer.fit(X).explain(**settings)


@pytest.fixture(scope="module")
def whole():
    """Explanations by one machine, by table."""
    return {}


@pytest.mark.parametrize("n_parts", SPLITS)
@pytest.mark.parametrize("name", TABLES)
def test_an_explanation_in_parts_is_that_of_one_machine(name, n_parts, whole):
    frame = TABLES[name]()
    if name not in whole:
        whole[name] = explain(frame, frame)
    got = explain(ListParts(split(frame, SPLITS[n_parts])), frame)
    assert got == whole[name]
    assert got.n_reference == 40
    assert any(query.aspects for query in got)


@pytest.mark.parametrize("miner", [SGBeam(bins="fd", max_dim=3), SGBeam(bins=7, top_k=3)])
def test_with_other_settings(miner):
    frame = numbers()
    assert explain(ListParts(split(frame, [5, 600])), frame, miner) == explain(frame, frame, miner)


@settings(max_examples=10)
@given(begins=st.lists(st.integers(0, 300), max_size=5), digits=st.integers(0, 2))
def test_any_split_gives_the_same(begins, digits):
    frame = numbers(300, digits=digits)
    parts = ListParts(split(frame, sorted(begins)))
    assert explain(parts, frame) == explain(frame, frame)


def test_all_rows_at_hand_are_the_same_too(monkeypatch):
    for name in ("scoring.lift_counts", "miners.base"):
        monkeypatch.setattr(f"pyod_aspects.{name}.EXPLORED", 10_000)
    for name in ("explanation.judging.evidence", "explaining.questions"):
        monkeypatch.setattr(f"pyod_aspects.{name}.SAMPLE", 10_000)
    frame = numbers()
    assert explain(ListParts(split(frame, [100])), frame) == explain(frame, frame)


class TestWithADetector:
    frame = TABLES["mixed"]().drop(columns=["colour", "day"]).fillna(0.0)

    @pytest.fixture
    def detector(self):
        return IForest(20, random_state=0).fit(self.frame.iloc[:400].to_numpy())

    @pytest.fixture
    def explainer(self, detector):
        parts = ListParts(split(self.frame, [300, 310]))
        return AspectExplainer(detector, n_queries=3, n_reference=40).fit(parts)

    def test_it_scores_the_partitions(self, explainer, detector):
        np.testing.assert_array_equal(
            explainer.scores_, detector.decision_function(self.frame.to_numpy())
        )
        rows = [query.row for query in explainer.explain()]
        assert rows == np.argsort(-explainer.scores_, kind="stable")[:3].tolist()

    def test_rows_by_label_and_by_position(self, explainer):
        explanation = explainer.explain(rows=["row 7", 799])
        assert {query.row: query.label for query in explanation} == {7: "row 7", 799: "row 799"}
        with pytest.raises(QueryError, match="no row has the label 'nowhere'"):
            explainer.explain(rows="nowhere")
        with pytest.raises(QueryError, match="row 800 does not exist"):
            explainer.explain(rows=800)

    def test_new_rows(self, explainer, detector):
        new = self.frame.iloc[:2].copy()
        new.iloc[0, 2] = 50.0
        local = AspectExplainer.from_scores(explainer.scores_).fit(self.frame)
        [query] = explainer.explain(new, n_queries=1)
        assert query.aspects[0].features == ("c",)
        points = read_new_rows(new, explainer.table_).take(np.array([0]))
        assert explainer.miner_.mine(points) == local.miner_.mine(points)
        with pytest.raises(InvalidInputError, match="new table in partitions"):
            explainer.explain(ListParts(split(self.frame, [3])))

    def test_agreement_groups_report_and_pictures(self, explainer, tmp_path):
        explanation = explainer.explain().with_agreement(n_samples=10)
        assert any(aspect.agreement for query in explanation for aspect in query.aspects)
        assert explanation.groups() is not None
        assert explanation.cover() is not None
        page = explanation.to_html(tmp_path / "page.html")
        assert page is None or "<svg" in str(page) or (tmp_path / "page.html").stat().st_size > 9000
        frame = explanation.to_frame()
        assert (frame["label"].str.removeprefix("row ").astype(int) == frame["row"]).all()

    def test_the_picture_has_the_query_where_it_is(self, explainer):
        from pyod_aspects.plots.view import View

        explanation = explainer.explain(rows=[7, 100])
        for query in explanation:
            view = View.of(explanation, query, query.aspects[0])
            columns = list(query.aspects[0].subspace)
            np.testing.assert_array_equal(
                view.points[0], self.frame.iloc[query.row, columns].to_numpy()
            )
            np.testing.assert_array_equal(view.values[view.own[0]], view.points[0])

    def test_the_browser_searches(self, explainer):
        explanations = list(explainer.iter_scored(explainer.table_, explainer.scores_, rows=[7]))
        assert explanations[-1][0].row == 7

    def test_another_miner_of_the_same_table(self, explainer):
        local = AspectExplainer.from_scores(explainer.scores_, n_reference=40).fit(self.frame)
        miner = SGBeam(max_dim=2)
        want, got = (one.with_miner(miner).explain(rows=7) for one in (local, explainer))
        assert got[0].aspects == want[0].aspects


@pytest.mark.parametrize("miner", [KDEBeam(), OAMiner()])
def test_miners_that_compare_all_pairs_refuse(miner):
    frame = numbers(60)
    with pytest.raises(InvalidInputError, match=r"in partitions.*use SGBeam"):
        explain(ListParts(split(frame, [10])), frame, miner)


def test_no_rows_at_all_are_refused():
    frame = numbers(40).iloc[:0]
    with pytest.raises(InvalidInputError, match="0 row"):
        AspectExplainer.from_scores([]).fit(ListParts([frame, frame]))


@pytest.mark.parametrize("miner", [GBeam(max_dim=3), SGBeam(score="zscore", max_dim=3)])
@pytest.mark.parametrize("n_parts", SPLITS)
def test_z_scores_of_codes_that_fit_are_those_of_one_machine(miner, n_parts):
    frame = TABLES["mixed"]()
    got = explain(ListParts(split(frame, SPLITS[n_parts])), frame, miner)
    assert got == explain(frame, frame, miner)


def test_the_index_of_files_does_not_name_rows():
    frame = numbers(100)
    parts = [part.reset_index(drop=True) for part in split(frame, [50])]
    explanation = explain(ListParts(parts), frame)
    assert [query.label for query in explanation] == [None] * 4
    assert pd.concat(parts).index.duplicated().any()


class TestCodesThatDoNotFit:
    miner = SGBeam(score="zscore", max_dim=3)

    @pytest.fixture(autouse=True)
    def nothing_fits(self, monkeypatch):
        monkeypatch.setattr("pyod_aspects.density.parts.GATHERED_BYTES", 0)

    def explain(self, frame, monkeypatch, judged):
        monkeypatch.setattr("pyod_aspects.density.parts.JUDGED", judged)
        return explain(ListParts(split(frame, [300, 310])), frame, self.miner)

    def test_a_sample_of_all_rows_gives_the_z_scores(self, monkeypatch):
        frame = numbers(400)
        exact = explain(frame, frame, self.miner)
        for one, other in zip(self.explain(frame, monkeypatch, 400), exact, strict=True):
            assert [a.score for a in one.aspects] == pytest.approx([a.score for a in other.aspects])

    def test_a_sample_comes_with_its_error(self, monkeypatch):
        frame = numbers(800)
        explanation = self.explain(frame, monkeypatch, 200)
        exact = self.miner.fit(frame)
        assert all(query.aspects for query in explanation)
        away = []
        for query in explanation:
            subspaces = [aspect.subspace for aspect in query.aspects]
            [true] = exact.evaluate(frame.iloc[[query.row]], subspaces, new_rows=False)
            for aspect, other in zip(query.aspects, true, strict=True):
                assert aspect.density == other.density
                away.append((aspect.score - other.score) / aspect.error)
        assert 0.0 < np.sqrt(np.mean(np.square(away))) < 3.0

    def test_the_error_is_told(self, monkeypatch):
        explanation = self.explain(numbers(400), monkeypatch, 100)
        assert "Z-scores are estimates" in str(explanation)
        assert " ± 0." in score_words(explanation, explanation[0].aspects[0])
        assert Explanation.from_json(explanation.to_json()) == explanation
        frame = explanation.to_frame()
        assert frame["error"].iloc[0] == explanation[0].aspects[0].error > 0.0


def test_the_sample_of_parts_is_that_of_the_whole():
    """Rows that repeat within parts and across them."""
    rng = np.random.default_rng(2)
    values = rng.integers(0, 3, size=(900, 4)) * rng.integers(0, 2, size=(900, 1))
    frame = pd.DataFrame(values.astype(float), columns=list("abcd"))
    local, parted = SGrid().fit(frame), SGrid().fit(ListParts(split(frame, [2, 500])))
    for n in (1, 17, 300, 899, 900):
        some = local.rows_.sample(n)
        want = some.table.codes[:, some.rows]
        rows = parted.rows_.sample(n).table
        got = rows.codes[:, rows.row_of]
        order = np.lexsort(want), np.lexsort(got)
        np.testing.assert_array_equal(want[:, order[0]], got[:, order[1]])


def test_counts_travel_in_four_bytes():
    frame = numbers(300)
    sent = []

    class Weighed(ListParts):
        def total(self, function, *args, **settings):
            if function.__name__ == "_count_all":
                sent.extend(self.each(function, *args))
            return super().total(function, *args, **settings)

    explainer = AspectExplainer.from_scores(scores_of(frame), n_queries=1, n_reference=0)
    explainer.fit(ListParts(split(frame, [100])))
    rows = explainer.miner_.density_.rows_
    rows.codes = Weighed(rows.codes.each(np.asarray))
    explainer.explain()
    counts = [array for part in sent for one in part for array in one.values()]
    assert counts
    assert {array.dtype for array in counts} == {np.dtype(np.uint32)}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["shuttle.npz", "diamonds.csv.gz"])
def test_real_tables_in_parts(name, shared_data):
    path = shared_data / "real" / name
    if name.endswith("npz"):
        with np.load(path) as arrays:
            frame = pd.DataFrame(arrays["X"]).rename(columns=str)
    else:
        frame = pd.read_csv(path)
    want = explain(frame, frame)
    for begins in ([], [100, 20_000], [1, 5, 9_000, 9_000, 30_000, 40_000]):
        assert explain(ListParts(split(frame, begins)), frame) == want
