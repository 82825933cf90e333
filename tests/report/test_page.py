"""The page is one file that stands alone: what was found first, how it was made last."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape
from itertools import pairwise

import explanation_cases as cases
import numpy as np
import pytest
from html_page import Page

from pyod_aspects import AspectExplainer, Explanation, KDEBeam, Miner, OAMiner
from pyod_aspects.density import Density
from pyod_aspects.exceptions import AspectsError, InvalidInputError
from pyod_aspects.plots import describe_group
from pyod_aspects.report import report
from pyod_aspects.search import BeamSearch


def test_the_page_opens_with_what_was_found(planted, page):
    found = "16 rows scored by your model among 800 rows: 11 explained, 5 nothing convincing"
    assert f"<title>{found}</title>" in page
    assert f"<h1>{found}</h1>" in page


def test_groups_come_before_rows_and_rows_before_definitions_and_settings(page):
    order = [
        "<h1>",
        "What they have in common",
        'class="wall"',
        'id="group-1"',
        'id="group-2"',
        'id="alone"',
        'id="unsure"',
        "What the words mean",
        "How it was made",
    ]
    places = [page.index(words) for words in order]
    assert places == sorted(places)


def test_one_row_alone_is_odd_in_its_own_way(page):
    assert "<b>Odd in its own way</b>" in page
    assert '<h2>Odd in its own way <span class="count">1 row</span>' in page


def test_headings_are_in_order(page):
    levels = [int(tag[1]) for tag, _ in Page(page).elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_the_groups_are_listed_with_counts_and_links_to_their_rows(planted, page):
    seen = Page(page)
    groups = [group for group in planted.groups() if len(group) > 1]
    assert [len(group) for group in groups] == [6, 4]
    for number, group in enumerate(groups, start=1):
        assert f"{group.sentence} {len(group)} rows" in seen.words
        assert [a for a in seen.all("section") if a.get("id") == f"group-{number}"]
    ids = {attrs["id"] for _, attrs in seen.elements if "id" in attrs}
    assert {a["href"].removeprefix("#") for a in seen.all("a")} <= ids


@pytest.mark.parametrize("n", [16, 10])
def test_the_picture_of_a_group_stands_once_at_the_top_so_that_cards_look_alike(planted, n):
    some = planted[:n]
    source = some.to_html()
    top, *sections = source.split('<section class="panel group"')
    groups = [group for group in some.groups() if len(group) > 1]
    assert len(groups) == 2
    for number, group in enumerate(groups, start=1):
        label = escape(describe_group(some, replace(group, features=group.features[:2])))
        assert source.count(f'aria-label="{label}"') == top.count(f'aria-label="{label}"') == 1
        assert f'<figcaption><a href="#group-{number}">' in top
    for section in sections:
        cards = section.count('<details class="row"')
        assert section.count("<svg") == section.count('<div class="card pictured"') <= cards


def test_how_sure_the_answers_are_is_said_at_the_top(page):
    words = page[: page.index('id="group-1"')]
    assert "11 of 16 rows stand out more than" in words


def test_every_row_has_a_link_from_the_top(planted, page):
    links = [a["href"] for a in Page(page).all("a") if a["href"].startswith("#row-")]
    assert links == [f"#row-{query.row}" for query in planted]


def test_the_page_says_how_it_was_made(planted, page):
    words = Page(page).words
    assert "miner SGBeam" in words
    for name, value in planted.settings.items():
        assert f"{name} {value}" in words
    assert f"pyod_aspects {planted.version}" in words
    assert re.search(r"pyod \d+\.\d+\.\d+, numpy \d", words)


def test_the_settings_of_the_detector_are_told():
    from pyod.models.iforest import IForest

    X = np.random.default_rng(0).normal(size=(60, 2))
    made = AspectExplainer(IForest(random_state=7).fit(X), n_reference=0).fit(X).explain()
    assert "random_state 7" in Page(made.to_html()).words


def test_a_detector_that_does_not_tell_its_settings_is_no_obstacle(mixed):
    class Shy:
        def get_params(self, deep=True):
            raise RuntimeError("no")

    class Holder:
        detector = Shy()

    shy = replace(mixed[:1], background=replace(mixed.background, explainer=Holder()))
    assert "detector Distance" in Page(shy.to_html(agreement=False)).words


def test_every_picture_is_described(page):
    pictures = Page(page).all("svg")
    assert len(pictures) > 5
    for svg in pictures:
        assert svg["role"] == "img"
        assert len(svg["aria-label"]) > 30


def test_the_page_is_made_for_light_dark_paper_and_telephones(page):
    assert "@media screen and (prefers-color-scheme: dark)" in page
    assert re.search(r"@media print {.*break-inside: avoid", page, re.S)
    assert "@media screen and (max-width: 44rem)" in page
    assert '<meta name="color-scheme" content="light dark">' in page
    assert "#000000" not in page


def test_ids_are_given_once(page):
    """Pictures may share a definition under one id, if it is the same to the letter."""
    own = [
        attrs["id"]
        for tag, attrs in Page(page).elements
        if tag in ("section", "details") and "id" in attrs
    ]
    assert len(own) == len(set(own))
    clips = re.findall(r'<clipPath id="([^"]+)">(.*?)</clipPath>', page, re.S)
    assert len(dict(clips)) == len(set(clips))


def test_the_same_explanation_gives_the_same_page(planted, page, mixed):
    assert planted.to_html() == page
    assert mixed.to_html() == mixed.to_html()


def test_without_its_table_the_page_says_so_and_has_words(planted):
    seen = Page(Explanation.from_json(planted.to_json()).to_html())
    assert "There are no pictures of the rows: this explanation was read from a file" in seen.words
    assert not seen.all("svg")
    for query in planted.distinct():
        for aspect in query.aspects:
            for feature in aspect.features:
                assert feature in seen.words
    assert [a["id"] for a in seen.all("section")].count("group-1") == 1
    assert "numpy" not in seen.words  # what made it, elsewhere, is not known


def test_rows_without_aspects_and_no_rows_make_a_page(mixed):
    empty = replace(mixed, queries=(replace(mixed[0], aspects=()),))
    assert "no aspect was found" in Page(empty.to_html()).words
    seen = Page(mixed[:0].to_html())
    assert "No row was explained." in seen.words
    assert not seen.all("section")


def test_without_p_values_the_page_says_why(planted):
    explainer = AspectExplainer.from_scores(planted.background.scores, n_queries=3, n_reference=0)
    made = explainer.fit(planted.background.reference.values).explain()
    words = Page(made.to_html()).words
    assert "3 rows scored by your model among 800 rows: all explained" in words
    assert "convincing" not in words
    small = AspectExplainer.from_scores(np.arange(20.0)).fit(
        np.random.default_rng(0).normal(size=(20, 2))
    )
    assert "No p-values: they take a table of more than" in Page(small.explain().to_html()).words


class DistanceFromZero(Density):
    """Density of your own, which has no neighbourhoods."""

    def _fit(self, values):
        self.values = values

    def density(self, subspace, points=None):
        points = self.values if points is None else points
        return np.exp(-np.abs(points[:, list(subspace)]).sum(axis=1))


@pytest.mark.parametrize(
    "miner",
    [
        KDEBeam(max_dim=2),
        OAMiner(max_dim=2),
        Miner(DistanceFromZero(), search=BeamSearch(max_dim=2)),
    ],
    ids=["KDEBeam", "OAMiner", "own"],
)
def test_every_miner_makes_a_page(miner):
    X = np.random.default_rng(0).normal(size=(120, 3))
    X[:3] += 6
    made = AspectExplainer.from_scores(np.abs(X).sum(1), miner, n_queries=4).fit(X).explain()
    seen = Page(made.to_html())
    assert len(seen.all("details", "row")) == 4
    assert len(seen.all("svg")) > 4


def test_new_rows_make_a_page(planted):
    from pyod.models.knn import KNN

    X = planted.background.reference.values
    explainer = AspectExplainer(KNN().fit(X), n_queries=3).fit(X)
    made = explainer.explain(np.full((3, 4), 500.0) + np.arange(3)[:, None])
    seen = Page(made.to_html())
    assert "in a new table, compared with 800 rows" in seen.words
    assert len(seen.all("details", "row")) == 3


def test_a_file_is_written_whole_or_not_at_all(mixed, tmp_path):
    target = tmp_path / "page.html"
    assert mixed[:1].to_html(target) is None
    assert target.read_text(encoding="utf-8") == report(mixed[:1])
    assert [p.name for p in tmp_path.iterdir()] == ["page.html"]
    with pytest.raises(InvalidInputError, match="there is no folder"):
        mixed.to_html(tmp_path / "nowhere" / "page.html")
    with pytest.raises(AspectsError, match="it is a folder"):
        mixed.to_html(tmp_path)


def test_labels_of_rows_are_shown_with_their_positions(mixed):
    labels = ("TX3", "TX7")
    queries = tuple(replace(q, label=label) for q, label in zip(mixed, labels, strict=True))
    source = report(replace(mixed, queries=queries))
    assert '<span class="id" title="position 1">TX7</span>' in source
    assert "Rows are named by the table's index." in Page(source).words


def test_a_page_of_one_row_tells_it_and_has_no_groups():
    seen = Page(cases.explanation(cases.query(22, *cases.told()[0].aspects)).to_html())
    assert "1 anomaly of IForest among 178 rows: explained" in seen.words
    assert "in common" not in seen.words
    assert "proline = 1,680 is high (most rows 380 to 1,300)" in seen.words
