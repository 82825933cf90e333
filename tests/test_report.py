"""The page is one file that stands alone, shows everything and trusts nothing in the data."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from html import escape
from html.parser import HTMLParser

import explanation_cases as cases
import numpy as np
import pytest
from mixed import explain, mixed_table

from pyod_aspects import AspectExplainer, Evidence, Explanation, SGBeam
from pyod_aspects._util.numbers import set_minus
from pyod_aspects.cli import main
from pyod_aspects.datasets import load_demo
from pyod_aspects.exceptions import AspectsError, InvalidInputError
from pyod_aspects.explanation.sentences import evidence_words
from pyod_aspects.report import PICTURED_ASPECTS, PICTURED_ROWS, report
from pyod_aspects.tables import Column

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """What is on a page: elements, text, and that every element is closed in its turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)

    def all(self, tag):
        return [attrs for name, attrs in self.elements if name == tag]

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())


@pytest.fixture(scope="module")
def demo() -> Explanation:
    from pyod.models.iforest import IForest

    X = load_demo().frame
    return AspectExplainer(IForest(random_state=0).fit(X)).fit(X).explain()


@pytest.fixture(scope="module")
def page(demo) -> str:
    return demo.to_html()


@pytest.fixture(scope="module")
def mixed() -> Explanation:
    return explain(mixed_table(), [(0, 1), (2,), (1, 2), (0, 1, 2), (3,), (0,)])


def test_the_page_tells_the_evidence_of_pictures_and_of_other_aspects(demo, page):
    words = Page(page).words
    for query in demo.distinct():
        for aspect in query.aspects:
            assert set_minus(evidence_words(aspect)) in words


def test_a_page_without_pictures_tells_the_evidence_and_escapes_it():
    evidence = (Evidence("alcohol", "<b>14</b>", ("<i>",), None, "rare"),)
    made = cases.told()
    odd = replace(cases.aspect(0), evidence=evidence)
    made = replace(made, queries=(*made.queries, cases.query(3, odd)))
    seen = Page(made.to_html())
    assert "hue = 1.71 is too high for alcohol = 14.2: rows like it have 0.55 to 1.2" in seen.words
    assert "Expected" in seen.words
    assert "alcohol = <b>14</b> is rare (most rows <i>)" in seen.words
    assert not seen.all("b") + seen.all("i")


def test_the_list_of_rows_says_which_are_sure(demo, page):
    """A row with nothing convincing would read as any other there."""

    def rows_by_word(text):
        listed = text[text.index("<h2>The rows</h2>") : text.index("</table>")]
        found = re.findall(r'#row-(\d+)".*?</tr>', listed)
        sure = re.findall(r"<td>(yes|no)</td>", listed)
        return dict(zip(map(int, found), sure, strict=bool(sure)))

    queries = [replace(q, p_value=0.005 if i == 0 else 0.7) for i, q in enumerate(demo)]
    tested = report(replace(demo, queries=queries, n_reference=200))
    assert rows_by_word(tested) == {q.row: "no" if q.row != demo[0].row else "yes" for q in demo}
    untested = report(replace(demo, queries=[replace(q, p_value=None) for q in demo]))
    assert rows_by_word(untested) == {}
    assert "Sure" not in untested


def test_the_page_shows_every_row_with_its_score_and_pictures(demo, page):
    seen = Page(page)
    cards = [a["id"] for a in seen.all("section") if a.get("class") == "card"]
    assert cards == [f"row-{query.row}" for query in demo]
    assert {a["href"] for a in seen.all("a")} == {f"#{card}" for card in cards}
    pictured = sum(min(PICTURED_ASPECTS, len(query.aspects)) for query in demo.distinct())
    assert len(seen.all("svg")) == 2 + pictured  # scores, overview, up to five aspects each
    assert "10 anomalies of IForest among 378 rows, explained by SGBeam." in seen.words
    for query in demo:
        assert f"score {query.score:.4g} , higher than" in seen.words  # in two elements


def test_every_aspect_is_there_as_a_picture_or_in_a_table(demo, page):
    words = Page(page).words
    for each in demo.distinct():
        for found in each.aspects:
            assert " × ".join(found.features) in words


def test_redundant_aspects_are_counted_and_shown_if_asked_for(demo):
    by_zscore = demo.background.explainer.with_miner(SGBeam(score="zscore"))
    one = by_zscore.explain(n_queries=1)
    redundant = len(one[0].aspects) - len(one.distinct()[0].aspects)
    assert redundant > 1
    few, all_of_them = Page(one.to_html()), Page(one.to_html(redundant=True))
    assert f"Not shown: {redundant} redundant aspects." in few.words
    assert "Redundant: adds little to a smaller set that it contains." in few.words
    for aspect in one[0].aspects:
        assert " × ".join(aspect.features) in all_of_them.words
    assert len(all_of_them.all("tr")) == len(few.all("tr")) + redundant
    assert "Not shown" not in all_of_them.words
    assert "Redundant:" not in all_of_them.words


def test_the_page_says_how_it_was_made(demo, page):
    words = Page(page).words
    assert "miner SGBeam" in words
    for name, value in demo.settings.items():
        assert f"{name} {value}" in words
    assert "random_state 0" in words  # the detector's
    assert f"pyod_aspects {demo.version}" in words
    assert re.search(r"pyod \d+\.\d+\.\d+, numpy \d", words)


def test_the_page_loads_nothing_and_runs_nothing(page):
    seen = Page(page)
    assert not {"script", "iframe", "link", "object", "embed", "form"} & {
        t for t, _ in seen.elements
    }
    for _, attrs in seen.elements:
        assert not [name for name in attrs if name.startswith("on")]
        for name in ("src", "href", "xlink:href"):
            assert re.match(r"#|data:image/png;base64,", attrs.get(name) or "#")
    assert not re.search(r"url\((?!#)", page)
    assert "@import" not in page
    policy = [a["content"] for a in seen.all("meta") if "http-equiv" in a]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]


def test_every_picture_is_described(demo, page):
    for svg in Page(page).all("svg"):
        assert svg["role"] == "img"
        assert len(svg["aria-label"]) > 40


def test_the_page_is_made_for_light_dark_and_paper(page):
    assert "@media screen and (prefers-color-scheme: dark)" in page
    assert re.search(r"@media print {.*break-inside: avoid", page, re.S)
    assert '<meta name="color-scheme" content="light dark">' in page
    assert "#000000" not in page


def test_ids_are_given_once(page):
    """Pictures may share a definition under one id, if it is the same to the letter."""
    sections = re.findall(r'<section class="card" id="([^"]+)"', page)
    assert len(sections) == len(set(sections))
    clips = re.findall(r'<clipPath id="([^"]+)">(.*?)</clipPath>', page, re.S)
    assert len(dict(clips)) == len(set(clips))


def test_the_same_explanation_gives_the_same_page(mixed):
    assert mixed.to_html() == mixed.to_html()


HOSTILE = (
    "<script>alert('x')</script>",
    '"><img src=x onerror=alert(1)>',
    "$\\frac{a}{b}$ & <b>",
    "tab\tline\nnull\x00escape\x1b[31m",
    "</svg></style></title><!-- --> ]]> \ud800",
)


def test_names_from_the_data_are_text_and_nothing_else():
    columns = tuple(Column(name) for name in HOSTILE)
    columns = (*columns[:2], Column(HOSTILE[2], "category", HOSTILE[:4]), *columns[3:])
    table = replace(mixed_table(missing=False), columns=columns)
    subspaces = [(0,), (1,), (2,), (0, 1), (2, 3), (0, 1, 2), (0, 1, 2, 3, 4), (3,), (4,)]
    made = explain(
        table, subspaces, detector=HOSTILE[0], miner=HOSTILE[1], settings={HOSTILE[0]: HOSTILE[4]}
    )
    text = made.to_html()
    seen = Page(text)
    clean = Page(explain(mixed_table(missing=False), subspaces).to_html())
    kinds = {tag for tag, _ in clean.elements}
    assert {tag for tag, _ in seen.elements} <= kinds
    assert not [n for _, attrs in seen.elements for n in attrs if n.startswith("on")]
    for name in HOSTILE[:3]:
        assert " ".join(name.split()) in seen.words
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]", text)


EVIL = "<x-evil a=\"1\" b='2'>&amp;"


@pytest.mark.parametrize(
    "changes",
    [
        {"detector": EVIL},
        {"miner": EVIL},
        {"score_name": EVIL},
        {"nearby": EVIL},
        {"duplicate_columns": {EVIL: "hue"}},
        {"duplicate_columns": {"ash": EVIL}},
        {"settings": {EVIL: 1}},
        {"settings": {"bins": EVIL}},
        {"version": EVIL},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_every_word_of_the_page_is_escaped(changes):
    page = report(cases.explanation(cases.query(1, cases.aspect(0)), **changes))
    assert "<x-evil" not in page
    assert escape(EVIL) in page


def test_title_heading_and_aspects_are_escaped():
    row = cases.query(1, cases.aspect(0, names=(EVIL,)))
    made = cases.explanation(row, feature_names=(EVIL,), detector=EVIL)
    page = report(made)
    assert f"<title>1 anomaly of {escape(EVIL)} among" in page
    assert f"<p class='lead'>1 anomaly of {escape(EVIL)} among" in page
    assert page.count(f'<span class="name">{escape(EVIL)}</span>') == 2
    assert "<x-evil" not in page


def test_without_its_table_the_page_says_so_and_has_words(demo):
    seen = Page(Explanation.from_json(demo.to_json()).to_html())
    assert "There are no pictures of the rows: this explanation was read from a file" in seen.words
    assert len(seen.all("svg")) == 1  # the overview
    for each in demo.distinct():
        for found in each.aspects:
            assert " × ".join(found.features) in seen.words
    assert "numpy" not in seen.words  # what made it, elsewhere, is not known


def test_rows_without_aspects_and_no_rows_make_a_page(mixed):
    empty = replace(mixed, queries=(replace(mixed[0], aspects=()),))
    assert "no aspect was found" in Page(empty.to_html()).words
    assert "No row was explained." in Page(mixed[:0].to_html()).words


def test_of_many_rows_the_first_get_pictures(mixed):
    few = replace(mixed[1], aspects=mixed[1].aspects[:1])
    queries = tuple(replace(few, row=i) for i in range(PICTURED_ROWS + 5))
    seen = Page(replace(mixed, queries=queries).to_html())
    assert len(seen.all("svg")) == 2 + PICTURED_ROWS
    assert f"The first {PICTURED_ROWS} rows have pictures, the other 5 words only." in seen.words
    assert len([a for a in seen.all("section") if a.get("class") == "card"]) == PICTURED_ROWS + 5


def test_a_detector_that_does_not_tell_its_settings_is_no_obstacle(mixed):
    class Shy:
        def get_params(self, deep=True):
            raise RuntimeError("no")

    class Holder:
        detector = Shy()

    background = replace(mixed.background, explainer=Holder())
    assert (
        "The detector detector Distance"
        in Page(replace(mixed[:1], background=background).to_html()).words
    )


def test_a_file_is_written_whole_or_not_at_all(mixed, tmp_path):
    target = tmp_path / "page.html"
    assert mixed[:1].to_html(target) is None
    assert target.read_text(encoding="utf-8") == report(mixed[:1])
    assert [p.name for p in tmp_path.iterdir()] == ["page.html"]
    with pytest.raises(InvalidInputError, match="there is no folder"):
        mixed.to_html(tmp_path / "nowhere" / "page.html")
    with pytest.raises(AspectsError, match="it is a folder"):
        mixed.to_html(tmp_path)


@pytest.mark.slow
def test_ten_anomalies_with_five_aspects_of_a_large_table_stay_small_and_quick():
    from pyod.models.ecod import ECOD

    rng = np.random.default_rng(0)
    X = rng.normal(size=(50_000, 8)) @ rng.normal(size=(8, 8))
    explainer = AspectExplainer(ECOD().fit(X)).fit(X)
    made = explainer.explain(n_queries=10)
    # Pictures with many panels take longest.
    deep = sorted((a for q in made for a in q.aspects), key=lambda a: -len(a.subspace))[:5]
    made = replace(made, queries=tuple(replace(q, aspects=tuple(deep)) for q in made))
    start = time.process_time()
    page = made.to_html()
    assert len(page) < 3_000_000
    assert time.process_time() - start < 20  # 10 s on a machine with nothing else to do


# ---------------------------------------------------------------- from the command line


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "data.csv"
    load_demo().frame.iloc[:, :4].to_csv(path, index=False)
    return str(path)


def test_the_command_line_writes_the_page(table, tmp_path, capsys):
    target = tmp_path / "report.html"
    assert main(["explain", table, "--n-queries", "2", "--html", str(target)]) == 0
    assert f"A page with pictures is in {target}: open it in a browser." in capsys.readouterr().out
    assert len(Page(target.read_text(encoding="utf-8")).all("svg")) > 4


def test_the_command_line_writes_redundant_aspects_if_asked_for(table, tmp_path, capsys):
    pages = []
    for options in ([], ["--redundant"]):
        target = tmp_path / "report.html"
        assert main(["explain", table, "--n-queries", "3", "--html", str(target), *options]) == 0
        pages.append(Page(target.read_text(encoding="utf-8")).words)
    assert "Not shown: " in pages[0]
    assert "Not shown: " not in pages[1]


def test_quiet_with_a_page_prints_nothing(table, tmp_path, capsys):
    target = tmp_path / "report.html"
    assert main(["explain", table, "--n-queries", "1", "--quiet", "--html", str(target)]) == 0
    assert capsys.readouterr() == ("", "")
    assert target.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--html", "nowhere/r.html"], "cannot write nowhere/r.html: there is no folder nowhere"),
        (["--html", "data.csv"], "--html data.csv would replace the data: name another file."),
        (["--html", "-"], "'-': expected the name of a file, such as report.html"),
        (["--html", "x", "--json", "./x"], "--json and --html name the same file: name two."),
    ],
)
def test_pages_that_cannot_be_are_refused_before_the_work(
    table, tmp_path, monkeypatch, capsys, options, message
):
    monkeypatch.chdir(tmp_path)
    assert main(["explain", "data.csv", *options]) == 2
    assert message in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


def test_the_demo_writes_a_page(tmp_path, capsys):
    target = tmp_path / "demo.html"
    assert main(["demo", "--html", str(target)]) == 0
    assert str(target) in capsys.readouterr().out
    assert "IForest" in target.read_text(encoding="utf-8")


def test_the_page_calls_rows_by_their_labels_and_has_their_positions(mixed):
    labels = ("<b>$1$</b>\n", "TX7")
    queries = tuple(replace(q, label=label) for q, label in zip(mixed, labels, strict=True))
    source = report(replace(mixed, queries=queries))
    seen = Page(source)
    assert not seen.all("b")
    assert "Row <b>$1$</b>\\n" in seen.words
    assert "Row TX7" in seen.words
    assert "Row 1" not in seen.words
    assert "Rows are named by the table's index." in seen.words
    assert "Row Position Score" in seen.words
    assert 'href="#row-1">TX7</a></th><td class="figure">1</td>' in source
    assert "Position" not in Page(report(mixed)).words
