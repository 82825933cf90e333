"""Explanations written by hand, and any that hypothesis can think of."""

from __future__ import annotations

from hypothesis import strategies as st

from pyod_aspects.explanation import (
    Aspect,
    Evidence,
    Explanation,
    QueryExplanation,
    Replacement,
)

NAMES = ("alcohol", "colour intensity", "hue", "proline")


def aspect(*subspace, score=-3.41, names=NAMES, **figures):
    features = tuple(names[i] for i in subspace)
    figures = {"density": 2.0, "mean": 31.2, "std": 8.5} | figures
    return Aspect(subspace, features, score=score, **figures)


def query(row=22, *aspects, score=0.7123456, is_anomaly=True, percentile=99.2, label=None):
    return QueryExplanation(row, score, is_anomaly, aspects, percentile, label)


def explanation(*queries, **changes):
    fields = {
        "queries": queries,
        "detector": "IForest",
        "miner": "SGBeam",
        "settings": {"max_dim": 5, "bins": "fd", "tau": 0.0},
        "score_name": "zscore",
        "measure": "count",
        "n_rows": 178,
        "feature_names": NAMES,
        "new_rows": False,
        "version": "0.1.0",
        "nearby": "in the same bin or the next one, in each of the features",
    }
    return Explanation(**(fields | changes))


def told():
    """An explanation whose aspects have all figures and evidence."""
    alone = Aspect(
        (3,),
        ("proline",),
        score=0.05,
        density=1.0,
        expected=40.0,
        lift=0.05,
        reach=(1,),
        evidence=(Evidence("proline", 1680.0, (380.0, 1300.0), None, "high", 0.413),),
        p_value=0.005,
        agreement=Replacement(("proline",), 0.3, 0.8, 71.5),
        repair=Replacement(("proline",), 0.2, 0.97, 55.0),
    )
    pair = Aspect(
        (0, 2),
        ("alcohol", "hue"),
        score=0.2,
        density=2.0,
        expected=31.2,
        lift=0.2,
        reach=(1, 4),
        evidence=(
            Evidence("alcohol", 14.2, (11.7, 14.2), (11.6, 13.1), "high", 0.733, rough=True),
            Evidence("hue", 1.71, (0.58, 1.25), (0.55, 1.2), "high", 0.785),
        ),
        p_value=0.03,
        agreement=Replacement(("alcohol", "hue"), 0.75, -0.1, 99.4),
    )
    return explanation(query(22, alone, pair), query(7), score_name="lift")


numbers = st.floats(allow_nan=False, allow_infinity=False)


texts = st.text(max_size=8)


def evidence_of(names):
    any_value = st.none() | numbers | texts
    values = st.lists(any_value, max_size=3).map(tuple)
    one = st.tuples(
        any_value,
        values,
        st.none() | values,
        st.sampled_from(["high", "low", "between", "rare"]),
        numbers,
        st.booleans(),
        st.none() | st.tuples(any_value, any_value),
    )
    return st.tuples(*(one for _ in names)).map(
        lambda rest: tuple(Evidence(name, *r) for name, r in zip(names, rest, strict=True))
    )


@st.composite
def explanations(draw):
    names = tuple(draw(st.lists(texts, min_size=1, max_size=4)))
    subspaces = st.sets(st.integers(0, len(names) - 1), min_size=1).map(sorted).map(tuple)

    @st.composite
    def aspects_of(draw):
        s = draw(subspaces)
        features, figures = tuple(names[i] for i in s), [numbers] * 3
        return Aspect(
            s,
            features,
            score=draw(numbers),
            density=draw(numbers),
            mean=draw(st.just(float("nan")) | numbers),
            std=draw(numbers),
            expected=draw(st.just(float("nan")) | numbers),
            lift=draw(st.just(float("nan")) | numbers),
            reach=draw(st.just(()) | st.tuples(*(st.integers(0, 99) for _ in s))),
            evidence=draw(st.just(()) | evidence_of(features)),
            p_value=draw(st.none() | numbers),
            agreement=draw(st.none() | st.builds(Replacement, st.just(features), *figures)),
            repair=draw(st.none() | st.builds(Replacement, st.just(features[:1]), *figures)),
        )

    aspects = aspects_of()
    queries = st.builds(
        QueryExplanation,
        row=st.integers(0, 10**9),
        score=numbers,
        is_anomaly=st.none() | st.booleans(),
        aspects=st.lists(aspects, max_size=3, unique_by=lambda a: a.subspace).map(tuple),
        percentile=st.none() | numbers,
        label=st.none() | texts,
        p_value=st.none() | numbers,
        repair=st.none() | st.builds(Replacement, st.just(names), *[numbers] * 3),
    )
    values = st.none() | st.booleans() | st.integers() | st.floats() | texts
    return Explanation(
        queries=tuple(draw(st.lists(queries, max_size=3))),
        detector=draw(texts),
        miner=draw(texts),
        settings=draw(st.dictionaries(texts, values | st.lists(values, max_size=2), max_size=3)),
        score_name=draw(st.sampled_from(["zscore", "rank", "own"])),
        measure=draw(st.sampled_from(["count", "density"])),
        n_rows=draw(st.integers(0, 10**9)),
        feature_names=names,
        new_rows=draw(st.booleans()),
        version=draw(texts),
        nearby=draw(texts),
        duplicate_columns=draw(st.dictionaries(texts, texts, max_size=3)),
        n_reference=draw(st.integers(0, 10**6)),
    )


def told_in_three_lines():
    """A row that is odd in three ways: a number is high, another one low, a label rare."""
    odd = (
        Evidence("proline", 1680.0, (380.0, 1300.0), None, "high", 0.413),
        Evidence("hue", 0.1, (0.5, 0.9), None, "low", 0.3),
        Evidence("alcohol", "wood", ("grape",), None, "rare", 0.2),
    )
    aspects = [
        Aspect(
            (NAMES.index(one.feature),),
            (one.feature,),
            score=0.01,
            density=1.0,
            expected=40.0,
            lift=0.01,
            evidence=(one,),
        )
        for one in odd
    ]
    return explanation(query(22, *aspects), score_name="lift")


FURTHER = (
    "also: hue = 0.1 is low (most rows 0.5 to 0.9); "
    "alcohol = wood occurs in no other row (most rows grape)"
)
"""What else is odd about this row, beside its proline."""
