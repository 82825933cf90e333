"""docs/compatibility.md says what is so: it is made of what the tests find."""

from __future__ import annotations

import compatibility
import pytest
import table_cases
from table_cases import REFUSED, TABLES


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_any_kind_is_explained_or_refused_in_one_sentence(name):
    if name == "polars DataFrame":
        pytest.importorskip("polars")
    explained, words = table_cases.outcome(name)
    assert explained is (name not in REFUSED)
    assert "\n" not in words
    if explained:
        assert "row 7 stands out" in words
        assert words.split(":")[0].endswith(("`odd`", "`x0`", "`0`"))


@pytest.mark.slow
def test_the_page_is_what_the_tests_find():
    kept = compatibility.PAGE.read_text(encoding="utf-8")
    here = compatibility.environment()
    if compatibility.made_with(kept) != here:
        pytest.skip(f"the page was made with {compatibility.made_with(kept)}; here is {here}")
    assert kept == compatibility.page(), "write it anew: python tests/compatibility.py"


def test_the_page_names_its_environment():
    assert compatibility.made_with(compatibility.PAGE.read_text(encoding="utf-8"))
