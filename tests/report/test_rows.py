"""A row is a line that says what is odd, with a card to unfold; a few cards are open."""

from __future__ import annotations

import re
from dataclasses import replace

import explanation_cases as cases
from html_page import Page

from pyod_aspects import Evidence, SGBeam
from pyod_aspects._util.numbers import score_text, set_minus
from pyod_aspects.explanation import Replacement
from pyod_aspects.explanation.judging.findings import find
from pyod_aspects.explanation.judging.significance import ALPHA
from pyod_aspects.explanation.writing.sentences import (
    alike_words,
    evidence_words,
    finding_words,
    headline,
    row_sentence,
)
from pyod_aspects.explanation.writing.wording import sure_words
from pyod_aspects.report import report
from pyod_aspects.report.limits import MOST_ASPECTS, OPEN_ROWS, PICTURED_ROWS


def cards(source):
    """Source of each row, by number."""
    found = re.findall(
        r'<details class="row" id="row-(\d+)".*?(?=<details class="row"|</section>)', source, re.S
    )
    parts = re.split(r'(?=<details class="row" id="row-\d+")', source)[1:]
    return dict(zip(map(int, found), [part.split("</section>")[0] for part in parts], strict=True))


def words_of(source):
    return " ".join(re.sub("<[^>]*>", " ", source).split())


def is_open(card):
    return card.split(">")[0].endswith(" open")


def test_every_row_is_there_once_with_its_sentence_and_score(planted, page):
    found = cards(page)
    assert sorted(found) == sorted(query.row for query in planted)
    seen = Page(page).words
    for query in planted[:11]:  # those with an answer
        sentence = set_minus(row_sentence(planted.distinct(), query))
        assert f"{query.row} {sentence} {score_text(query.score)}" in seen


def test_rows_of_a_group_stand_under_its_heading(planted, page):
    first, second = (group for group in planted.groups() if len(group) > 1)
    section = page[page.index('id="group-1"') : page.index('id="group-2"')]
    assert sorted(cards(section)) == sorted(first.rows)
    section = page[page.index('id="group-2"') : page.index('id="alone"')]
    assert sorted(cards(section)) == sorted(second.rows)


def test_of_many_rows_the_first_of_each_group_is_open(planted, page):
    assert len(planted) > OPEN_ROWS
    opened = [row for row, card in cards(page).items() if is_open(card)]
    groups = planted.groups()
    unsure = {q.row for q in planted if q.p_value > planted.convincing_p()}
    assert sorted(opened) == sorted(g.rows[0] for g in groups if g.rows[0] not in unsure)


def test_of_few_rows_two_of_each_group_are_open_with_a_picture(planted):
    few = planted[: OPEN_ROWS - 2]
    found = cards(few.to_html())
    opened = [row for row, card in found.items() if is_open(card)]
    assert opened == [row for group in few.groups() for row in group.rows[:2]]
    assert all("<svg" in card for card in found.values())


def test_rows_that_have_nothing_in_common_are_listed_and_open():
    aspects = [replace(cases.aspect(i), evidence=()) for i in range(4)]
    made = cases.explanation(*(cases.query(10 + i, a) for i, a in enumerate(aspects)))
    page = made.to_html()
    assert all(is_open(card) for card in cards(page).values())
    top = words_of(page[page.index("At a glance") : page.index('id="alone"')])
    for i, name in enumerate(cases.NAMES):
        assert f"{10 + i} stands out in {name}" in top


def test_if_nothing_is_convincing_the_first_rows_are_open(planted):
    queries = [replace(query, p_value=0.8, features={}) for query in planted]
    found = cards(replace(planted, queries=tuple(queries)).to_html())
    assert [is_open(card) for card in found.values()] == [True] * 3 + [False] * 13


def test_rows_with_nothing_convincing_are_in_a_list_of_their_own_and_folded(planted, page):
    unsure = [q.row for q in planted if q.p_value > planted.convincing_p()]
    assert len(unsure) == 5
    found = cards(page[page.index('id="unsure"') :])
    assert list(found) == unsure
    assert not any(map(is_open, found.values()))
    for row, card in found.items():
        query = planted.row(row)
        doubt = sure_words(planted, query).removeprefix("nothing ")
        line = words_of(card.split("</summary>")[0])
        strongest = find(query, planted.score_name, convincing=False)[0]
        guess = set_minus(finding_words(strongest))
        assert line == f"{row} {guess}; not {doubt} {score_text(query.score)}"
        assert "How sure" not in card  # once is enough


def test_a_share_too_small_for_one_row_only_says_among_how_many(planted):
    p_values = [0.6 * ALPHA, *[0.9] * 15]
    queries = [
        replace(query, p_value=p, features={}) for query, p in zip(planted, p_values, strict=True)
    ]
    found = cards(replace(planted, queries=tuple(queries)).to_html())
    line = words_of(found[planted[0].row].split("</summary>")[0])
    assert "; not convincing among 16 rows: 3 % of ordinary rows have" in line
    assert line.index(" is high") < line.index("not convincing")


def test_rows_with_nothing_convincing_are_counted_at_the_top_and_told_below():
    high = Evidence("alcohol", 15.0, (11.0, 14.0), None, "high", outside=0.3)
    odd = replace(cases.aspect(0), evidence=(high,), p_value=0.005)
    rare = Evidence("hue", 0.1, (0.5, 0.9), None, "low", outside=0.3)
    guess = replace(cases.aspect(2), evidence=(rare,), p_value=0.55)
    unsure = [replace(cases.query(i, guess), p_value=0.55) for i in (3, 4)]
    sure = replace(cases.query(5, odd), p_value=0.005, features={"alcohol": 1.0})
    page = cases.explanation(*unsure, sure, n_reference=400).to_html()
    top = words_of(page[page.index("At a glance") : page.index('id="alone"')])
    assert top.startswith("At a glance 5 alcohol = 15 is high (most rows 11 to 14)")
    assert "Nothing convincing 2 rows" in top
    assert "hue" not in top
    below = words_of(page[page.index('id="unsure"') :])
    assert below.count("hue = 0.1 is low") == 2


def test_a_card_has_the_facts(planted, page):
    query = planted[0]
    card = words_of(cards(page)[query.row])
    assert headline(query, planted.score_name) in card
    assert "Most rows have price between" in card
    assert "1 row nearby" in card or "rows nearby" in card
    sure = sure_words(planted, query)
    assert sure[1:] in card
    assert "5 other rows are odd in the same way" in card
    names = alike_words(planted, query, planted.groups()).split(": ")[1]
    assert names in card


def test_what_else_is_odd_stands_below_the_sentence_without_unfolding():
    page = cases.told_in_three_lines().to_html()
    line = words_of(cards(page)[22].split("</summary>")[0])
    first = "proline = 1,680 is high (most rows 380 to 1,300)"
    assert line.replace("\xa0", " ") == f"22 {first} {cases.FURTHER} 0.7123"


def test_what_else_is_odd_is_not_told_of_a_row_with_nothing_convincing():
    made = cases.told_in_three_lines()
    aspects = tuple(replace(aspect, p_value=0.5) for aspect in made[0].aspects)
    query = replace(made[0], aspects=aspects, p_value=0.5)
    page = replace(made, queries=(query,), n_reference=200).to_html()
    assert "also:" not in page


def test_a_card_says_whether_the_detector_agrees():
    agrees = Replacement(("proline",), score=0.3, share=0.8, percentile=71.5)
    made = cases.told()
    first = replace(made[0].aspects[0], repair=agrees)
    made = replace(made, queries=(replace(made[0], aspects=(first,)),))
    words = Page(made.to_html()).words
    assert "IForest's score falls to 0.3, higher than 71.5 % of rows" in words
    assert 'style="width:80%"' in made.to_html()
    assert "80 % of the score's excess is gone" in words


def test_every_aspect_is_told_those_after_the_first_folded(planted, page):
    found = cards(page)
    for query in planted.distinct():
        card = found[query.row]
        folded = card.partition('<details class="more')[2]
        assert folded.count("<li>") == max(0, len(query.aspects) - 1)
        for aspect in query.aspects[1:]:
            words = set_minus(evidence_words(aspect, query.features))
            assert words in words_of(card) or headline(query, planted.score_name)


def test_redundant_aspects_are_counted_and_shown_if_asked_for(planted):
    by_zscore = planted.background.explainer.with_miner(SGBeam(score="zscore"))
    one = by_zscore.explain(n_queries=1)
    redundant = len(one[0].aspects) - len(one.distinct()[0].aspects)
    assert redundant > 1
    few, all_of_them = Page(one.to_html()), Page(one.to_html(redundant=True))
    assert f"{redundant} redundant not shown" in few.words
    assert "Redundant: adds little to a smaller set that it contains." in few.words
    assert len(all_of_them.all("li")) == len(few.all("li")) + redundant
    assert "edundant" not in all_of_them.words


def test_pictures_go_to_the_first_rows_only(mixed):
    few = replace(mixed[1], aspects=mixed[1].aspects[:1])
    queries = tuple(replace(few, row=i) for i in range(PICTURED_ROWS + 5))
    found = cards(replace(mixed, queries=queries).to_html(agreement=False))
    pictured = [row for row, card in found.items() if "<svg" in card]
    assert sorted(pictured) == list(range(PICTURED_ROWS))


def test_of_very_many_aspects_some_are_told_and_the_rest_counted():
    aspects = [cases.aspect(0, score=-i) for i in range(3 * MOST_ASPECTS)]
    page = report(cases.explanation(cases.query(1, *aspects)), redundant=True)
    assert page.count("<li>") == MOST_ASPECTS + 1
    assert f"and {2 * MOST_ASPECTS - 1} more: see explanation.to_frame()" in page
