"""Columns in parts are cut to the last bit as on one machine, however the rows are split."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_tables

from pyod_aspects.binning import facts
from pyod_aspects.binning.cuts import CodedColumn
from pyod_aspects.engines import cutting
from pyod_aspects.engines.cutting import code_rows, count_bins, cut_columns
from pyod_aspects.engines.parts import ListParts
from pyod_aspects.tables import Column

RULES = ["auto", "fd", "scott", "sturges", 7]


def split(values, ends):
    """A table in parts, which end before these rows."""
    return ListParts(np.split(values, sorted(ends)))


def same_as_one_machine(values, columns, rule, parts, reach=1):
    """Whether cuts, occupied bins and codes are those of the whole columns."""
    cuts = cut_columns(parts, columns, rule)
    occupied = count_bins(parts, cuts, reach)
    codes = np.hstack(parts.each(code_rows, cuts, occupied))
    for a, column in enumerate(columns):
        whole = np.ascontiguousarray(values[:, a])
        want = CodedColumn.of(whole, rule, reach, column.kind == "category")
        assert cuts[a].bins == want.cut.bins, column
        assert cuts[a].origin == want.cut.origin
        assert cuts[a].capped == want.cut.capped
        np.testing.assert_array_equal(cuts[a].own, want.cut.own)
        for name in ("bins", "codes", "filled", "reach"):
            found, wanted = getattr(occupied[a], name), getattr(want.occupied, name)
            np.testing.assert_array_equal(found, wanted)
            assert np.asarray(found).dtype == np.asarray(wanted).dtype
        np.testing.assert_array_equal(codes[a], want.codes)


def long_columns(n=6000):
    """Columns with all that makes columns hard to cut."""
    rng = np.random.default_rng(0)
    bell = rng.normal(size=n)
    return {
        "bell": bell,
        "skewed": rng.lognormal(0, 2, n),
        "tail": rng.standard_cauchy(n),
        "an atom": np.where(rng.random(n) < 0.6, 0.0, np.abs(bell)),
        "atoms in atoms": np.select([rng.random(n) < 0.9, rng.random(n) < 0.6], [5.5, -3.25], bell),
        "an atom at the end": np.append(np.full(n // 2, 7.0), bell[: n - n // 2]),
        "nearly all atom": np.where(rng.random(n) < 0.98, 1.5, bell),
        "an atom in the rest": rng.permutation(
            np.concatenate([np.full(n - 120, 1.5), np.full(70, 2.25), bell[:50]])
        ),
        "signed zeros": np.where(rng.random(n) < 0.5, -0.0, rng.integers(0, 2, n) * bell),
        "whole": rng.integers(0, 20_000, n).astype(float),
        "few values": rng.integers(0, 9, n).astype(float),
        "decimals": rng.integers(0, 3000, n) / 100,
        "constant": np.full(n, 2.5),
        "two": rng.integers(0, 2, n) * 1e9,
        "missing": np.where(rng.random(n) < 0.3, np.nan, bell),
        "all missing": np.full(n, np.nan),
        "one present": np.where(np.arange(n) == 77, 3.0, np.nan),
        "epoch": 1.7e9 + 1e-6 * rng.integers(0, 60, n),
        "epoch tail": 1.7e9 + 1e-5 * rng.standard_cauchy(n),
        "large": 2.0**60 + 4096 * rng.integers(0, 900, n),
        "tiny": 1e-310 * rng.integers(0, 9, n),
        "tiny bell": 1e-200 * bell,
        "huge bell": 1e200 * bell,
        "far": np.where(np.arange(n) == 5, 1e200, bell),
        "sorted": np.sort(bell),
        "steps": np.repeat(rng.normal(size=n // 4), 4),
    }


LONG = long_columns()
VALUES = np.column_stack(list(LONG.values()))
COLUMNS = [Column(name) for name in LONG]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_parts", [1, 3, 7])
def test_long_columns_in_equal_parts(rule, n_parts):
    parts = ListParts(np.array_split(VALUES, n_parts))
    same_as_one_machine(VALUES, COLUMNS, rule, parts)


def test_unequal_empty_and_one_row_parts():
    parts = split(VALUES, [0, 1, 2, 2, 3000, 3001, 5990, 6000])
    for rule in ("auto", "scott"):
        same_as_one_machine(VALUES, COLUMNS, rule, parts)


def test_groups_are_refined_again_where_many_values_are_close(monkeypatch):
    monkeypatch.setattr(facts, "_FEW", 8)
    monkeypatch.setattr(facts, "_MANY", 16)
    monkeypatch.setattr(facts, "_BITS", 3)
    monkeypatch.setattr(facts, "_ENTRIES", 20)
    asked, answer = set(), cutting._answer
    monkeypatch.setattr(
        cutting,
        "_answer",
        lambda part, questions: (
            asked.update(map(type, questions.values())) or answer(part, questions)
        ),
    )
    for n_parts in (1, 5):
        parts = ListParts(np.array_split(VALUES, n_parts))
        same_as_one_machine(VALUES, COLUMNS, "auto", parts)
    wanted = {facts.AskOverview, facts.AskBrackets, facts.AskCounts, facts.AskFrequent}
    assert asked == wanted


@settings(max_examples=60)
@given(table_and_categories=any_tables(max_rows=60), data=st.data())
def test_any_table_in_any_parts(table_and_categories, data):
    table, _ = table_and_categories
    ends = data.draw(st.lists(st.integers(0, len(table.values)), max_size=6))
    parts = split(table.values, ends)
    for rule in RULES:
        for reach in (0, 2):
            same_as_one_machine(table.values, table.columns, rule, parts, reach)


def test_codes_take_32_bits_where_16_are_too_few():
    values = np.column_stack([np.arange(70_000.0), np.zeros(70_000)])
    parts = ListParts(np.array_split(values, 3))
    same_as_one_machine(values, [Column("a"), Column("b")], 70_000, parts)
    cuts = cut_columns(parts, [Column("a"), Column("b")], 70_000)
    assert parts.each(code_rows, cuts, count_bins(parts, cuts, 1))[0].dtype == np.uint32


def passes(values, rule, n_parts=3):
    """How often the parts are looked at to cut the columns."""
    columns = [Column(f"x{a}") for a in range(values.shape[1])]
    ticks = []
    cut_columns(ListParts(np.array_split(values, n_parts)), columns, rule, tick=ticks.append)
    assert ticks == list(range(1, len(ticks) + 1))
    return len(ticks) / n_parts


@pytest.mark.parametrize(("rule", "n_passes"), [("auto", 2), ("sturges", 1), ("scott", 3)])
def test_small_tables_need_few_passes(rule, n_passes):
    usual = ["bell", "skewed", "tail", "an atom", "missing", "whole", "few values"]
    assert passes(np.column_stack([LONG[name] for name in usual]), rule) == n_passes


def test_many_values_close_together_need_three_passes():
    rng = np.random.default_rng(1)
    n = 100_000
    bell = rng.normal(100.0, 1.0, n)
    atom = np.where(rng.random(n) < 0.3, 0.0, bell)
    assert passes(np.column_stack([bell, atom]), "auto") == 3


def test_few_values_and_categories_need_one_pass():
    assert passes(LONG["few values"][:, None], "auto") == 1
    parts = ListParts([np.array([[0.0], [2.0], [np.nan]]), np.array([[2.0]])])
    ticks = []
    cut_columns(parts, [Column("c", "category", ("a", "b", "c"))], "auto", tick=ticks.append)
    assert ticks == [1, 2]
