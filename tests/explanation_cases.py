"""Explanations written by hand, and any that hypothesis can think of."""

from __future__ import annotations

from hypothesis import strategies as st

from pyod_aspects.explanation import Aspect, Explanation, QueryExplanation

NAMES = ("alcohol", "colour intensity", "hue", "proline")


def aspect(*subspace, score=-3.41, density=2.0, mean=31.2, std=8.5, names=NAMES):
    features = tuple(names[i] for i in subspace)
    return Aspect(subspace, features, score=score, density=density, mean=mean, std=std)


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


numbers = st.floats(allow_nan=False, allow_infinity=False)


texts = st.text(max_size=8)


@st.composite
def explanations(draw):
    names = tuple(draw(st.lists(texts, min_size=1, max_size=4)))
    subspaces = st.sets(st.integers(0, len(names) - 1), min_size=1).map(sorted).map(tuple)
    aspects = st.builds(
        lambda s, **figures: Aspect(s, tuple(names[i] for i in s), **figures),
        subspaces,
        score=numbers,
        density=numbers,
        mean=numbers,
        std=numbers,
    )
    queries = st.builds(
        QueryExplanation,
        row=st.integers(0, 10**9),
        score=numbers,
        is_anomaly=st.none() | st.booleans(),
        aspects=st.lists(aspects, max_size=3, unique_by=lambda a: a.subspace).map(tuple),
        percentile=st.none() | numbers,
        label=st.none() | texts,
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
    )
