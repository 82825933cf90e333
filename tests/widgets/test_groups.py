"""Rows that are odd in the same way can be read together, and one after the other."""

from __future__ import annotations

from html import unescape

import pytest
from widget_parts import LONG, chosen, headline, lines, picture, read, seen

from pyod_aspects import AspectExplainer, SGBeam
from pyod_aspects.exceptions import InvalidInputError
from pyod_aspects.plots import describe_group

pytest.importorskip("ipywidgets")

FAR = [5, 17, 80, 81]
"""Rows with the same fault."""


@pytest.fixture(scope="module")
def planted(X, detector):
    table = X.copy()
    table.iloc[FAR, 0] = [40.0, 41.0, 42.0, 43.0]
    table.iloc[[30, 31], 3] = [-30.0, -31.0]
    explainer = AspectExplainer(detector, SGBeam(max_dim=1)).fit(table)
    return explainer.explain(rows=[*FAR, 30, 31, 100])


@pytest.fixture
def browser(planted):
    browser = planted.explore()
    yield browser
    browser.close()
    assert browser.wait(LONG)


def test_groups_are_listed_with_their_sentence_and_size(browser, planted):
    groups = [group for group in planted.groups() if len(group) > 1]
    assert [set(group.rows) for group in groups] == [set(FAR), {30, 31}]
    assert lines(browser.view.lists.groups) == [
        f"{group.sentence}, {len(group)} rows" for group in groups
    ]


def test_a_group_shows_its_rows_together_and_lists_only_them(browser, planted):
    before = picture(browser)
    browser.view.lists.groups.items[0].button.click()
    assert picture(browser) != before
    assert describe_group(planted, browser.groups[0]) in unescape(picture(browser))
    assert (browser.group, browser.row, browser.aspect) == (0, None, None)
    assert headline(browser) == browser.groups[0].sentence
    assert "4 of 7 rows" in read(browser.view.answer.which)
    assert "<svg" in picture(browser)
    assert len(browser.view.lists.rows.shown) == 4
    assert chosen(browser.view.lists.rows) == []
    assert not seen(browser.view.answer.aspects_box)
    assert "plot_group(explanation, group)" in browser.code()


def test_one_walks_through_a_group(browser):
    browser.group = 0
    place = browser.view.answer.row_place
    assert (place.value, place.min, place.max) == (0, 0, 4)
    walked = []
    for i in range(1, 5):
        place.value = i
        walked.append(browser.row)
    assert walked == list(browser.groups[0].rows)
    assert browser.group == 0
    browser.view.lists.groups.items[0].button.click()
    assert browser.row is None
    browser.view.lists.groups.items[0].button.click()
    assert (browser.group, browser.row) == (None, browser.explanation[0].row)
    assert len(browser.view.lists.rows.shown) == 7


def test_all_rows_can_be_seen_again(browser):
    assert not seen(browser.view.lists.all)
    browser.group = 1
    browser.row = 31
    assert seen(browser.view.lists.all)
    browser.view.lists.all.click()
    assert (browser.group, browser.row) == (None, 31)


def test_a_row_of_another_group_leaves_the_group(browser):
    browser.group = 0
    browser.row = 30
    assert (browser.group, browser.row) == (None, 30)


def test_the_others_of_a_group_are_links(browser):
    browser.row = 17
    answer = browser.view.answer
    assert read(answer.others) == "3 other rows are odd in the same way"
    links = [link for link in answer.links if seen(link)]
    assert {link.description for link in links} == {"5", "80", "81"}
    links[0].click()
    assert str(browser.row) == links[0].tooltip.removeprefix("show row ") or browser.row in FAR
    assert browser.row != 17
    answer.to_group.click()
    assert (browser.group, browser.row) == (0, None)
    browser.choose_group(None)
    browser.row = 100
    assert not seen(answer.others_box)
    assert not seen(answer.links_line)


def test_a_group_that_is_not_there_is_refused(browser):
    with pytest.raises(InvalidInputError, match="there are 2 groups, counted from 0"):
        browser.group = 2
    assert browser.group is None


def test_a_new_search_keeps_the_group_if_it_is_found_again(browser):
    browser.group = 1
    sentence = browser.groups[1].sentence
    browser.explain_row(7)
    assert browser.wait(LONG)
    assert browser.row == 7
    browser.group = 1
    browser.explanation = browser.explanation[:0]
    assert browser.group is None
    assert sentence


def test_without_groups_there_is_no_list_of_them(explanation):
    browser = explanation[:1].explore()
    assert browser.groups == ()
    assert not seen(browser.view.lists.groups_cap)
