"""A list of hundreds has as many buttons as a page of it."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from widget_parts import chosen, lines, read, seen

from pyod_aspects import AspectExplainer, SGBeam

pytest.importorskip("ipywidgets")

from pyod_aspects.widgets.controls import Entry, Listing


@pytest.fixture
def pressed():
    return []


@pytest.fixture
def listing(pressed):
    return Listing("some", 5, pressed.append, nullcontext)


def entry(place):
    return Entry(f"<b>{place}</b>", f"line {place}")


def test_a_list_shows_the_page_of_the_chosen_line(listing):
    listing.show(13, entry, 7)
    assert lines(listing) == [f"line {i}{', chosen' if i == 7 else ''}" for i in range(5, 10)]
    assert chosen(listing) == ["line 7, chosen"]
    assert read(listing.where) == "6 to 10 of 13"
    listing.show(13, entry, 12)
    assert lines(listing) == ["line 10", "line 11", "line 12, chosen"]
    assert [seen(item.box) for item in listing.items] == [True] * 3 + [False] * 2


def test_pages_are_turned_and_stay_while_the_choice_stays(listing):
    listing.show(13, entry, 0)
    assert listing.earlier.disabled
    listing.later.click()
    listing.later.click()
    assert lines(listing) == ["line 10", "line 11", "line 12"]
    assert listing.later.disabled
    listing.show(13, entry, 0)  # something else has changed
    assert lines(listing) == ["line 10", "line 11", "line 12"]
    listing.earlier.click()
    assert lines(listing)[0] == "line 5"
    listing.show(13, entry, 1)
    assert chosen(listing) == ["line 1, chosen"]


def test_a_button_stands_for_the_line_that_is_on_it(listing, pressed):
    listing.show(13, entry, 0)
    listing.later.click()
    listing.items[2].button.click()
    assert pressed == [7]
    listing.show(0, entry, None)
    assert lines(listing) == []
    listing.items[0].button.click()
    assert pressed == [7]


def test_a_short_list_has_no_pages(listing):
    listing.show(5, entry, None)
    assert not seen(listing.pager)
    listing.show(6, entry, None)
    assert seen(listing.pager)


def test_hundreds_of_rows_have_few_buttons(X, detector):
    explainer = AspectExplainer(detector, SGBeam(max_dim=1, top_k=3), 250, n_reference=0).fit(X)
    browser = explainer.explain().explore()
    assert len(browser.view.lists.rows.items) <= 12
    assert browser.view.answer.row_place.max == 250
    browser.view.answer.row_place.value = 200
    assert browser.row == browser.explanation[199].row
    assert chosen(browser.view.lists.rows)[0].startswith(f"Row {browser.row}: ")
