"""AspectBrowser: set a trait and look, or press a button and wait."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest
from pyod.models.ecod import ECOD
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import IsolationForest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from pyod_aspects import (
    AspectExplainer,
    Explanation,
    InvalidInputError,
    KDEBeam,
    MissingPackageError,
    NotFittedError,
    OAMiner,
    QueryError,
    SGBeam,
    SGrid,
)
from pyod_aspects.datasets import make_hics
from pyod_aspects.miners import Miner

pytest.importorskip("ipywidgets")

from pyod_aspects.widgets import AspectBrowser, pictures

LONG = 60.0
"""Seconds that a short search may take on a busy machine, compiling included."""


@pytest.fixture(scope="module")
def X():
    pandas = pytest.importorskip("pandas")
    data = make_hics(n_rows=300, n_features=8, random_state=1).X
    return pandas.DataFrame(data, columns=[f"<x-{letter}>" for letter in "abcdefgh"])


@pytest.fixture(scope="module")
def detector(X):
    return ECOD().fit(X.to_numpy())


@pytest.fixture(scope="module")
def explainer(X, detector):
    return AspectExplainer(detector, SGBeam(max_dim=3, width=20), n_queries=4).fit(X)


@pytest.fixture(scope="module")
def explanation(explainer):
    return explainer.explain()


@pytest.fixture
def browser(explanation):
    browser = explanation.explore()
    yield browser
    browser.cancel()
    assert browser.wait(LONG)


def picture(browser):
    return browser._view.picture.value


def words(browser):
    """What the picture shows, in words."""
    return re.search(r'aria-label="(Row [^"]*)"', picture(browser))[1]


def status(browser):
    return re.sub("<[^>]*>", "", browser._view.status.value)


# ---------------------------------------------------------------- choosing


def test_it_opens_with_the_best_aspect_of_the_first_row(browser, explanation):
    assert (browser.row, browser.aspect) == (explanation[0].row, 0)
    assert words(browser).startswith(f"Row {browser.row} lies")
    assert "<svg" in browser._view.scores.value
    assert len(browser._view.rows.options) == 4
    assert len(browser._view.aspects.options) == len(explanation[0].aspects)


def test_setting_the_row_chooses_it_everywhere(browser, explanation):
    before = picture(browser)
    browser.row = explanation[2].row
    assert browser._view.rows.value == explanation[2].row
    assert browser._view.row_place.value == 3
    assert len(browser._view.aspects.options) == len(explanation[2].aspects)
    assert picture(browser) != before
    assert f"Row {browser.row} " in browser._view.scores.value


def test_setting_the_aspect_draws_it(browser, explanation):
    browser.aspect = 1
    assert browser._view.aspects.value == 1
    assert browser._view.aspect_place.value == 2
    for feature in explanation[0].aspects[1].features:
        assert feature.replace("<", "&lt;").replace(">", "&gt;") in words(browser)


def test_the_lists_and_the_numbers_set_the_traits(browser, explanation):
    browser._view.rows.value = explanation[1].row
    assert browser.row == explanation[1].row
    browser._view.row_place.value = 4
    assert browser.row == explanation[3].row
    browser._view.aspects.value = 2
    assert browser.aspect == 2
    browser._view.aspect_place.value = 1
    assert browser.aspect == 0


def test_another_row_begins_with_its_best_aspect(browser, explanation):
    browser.aspect = 3
    browser.row = explanation[1].row
    assert browser.aspect == 0


def test_clicks_in_two_threads_are_both_heard(browser, explanation, monkeypatch):
    """Notebooks may handle a click while another thread still shows the last one."""
    inside, go_on = threading.Event(), threading.Event()
    real = browser._view.show_status

    def slow():
        inside.set()
        assert go_on.wait(LONG)
        real()

    monkeypatch.setattr(browser._view, "show_status", slow)
    first = threading.Thread(target=setattr, args=(browser, "row", explanation[1].row))
    first.start()
    assert inside.wait(LONG)
    second = threading.Thread(target=setattr, args=(browser._view.aspects, "value", 3))
    second.start()
    go_on.set()
    first.join(LONG)
    second.join(LONG)
    assert (browser.row, browser.aspect) == (explanation[1].row, 3)


def test_each_choice_is_drawn_once(browser, explanation, monkeypatch):
    drawn = []
    monkeypatch.setattr(pictures, "aspect_html", lambda *choice: str(drawn.append(choice)))
    browser.row = explanation[1].row
    browser._view.aspects.value = 2
    browser._view.row_place.value = 1
    assert [choice[1:] for choice in drawn] == [
        (explanation[1].row, 0),
        (explanation[1].row, 2),
        (explanation[0].row, 0),
    ]


def test_the_scores_are_up_to_date_when_the_aspect_is_drawn(browser, explanation):
    seen = []
    browser._view.picture.observe(lambda _: seen.append(browser._view.scores.value), "value")
    browser.row = explanation[1].row
    assert seen == [browser._view.scores.value]
    assert f"Row {browser.row} has" in seen[0]


def test_a_row_that_was_not_explained_is_refused_and_nothing_changes(browser):
    before = browser.row
    with pytest.raises(QueryError, match="was not explained"):
        browser.row = 299 if before != 299 else 298
    assert browser.row == before


def test_an_aspect_that_is_not_there_is_refused(browser):
    with pytest.raises(InvalidInputError, match="counted from 0"):
        browser.aspect = 99
    assert browser.aspect == 0


def test_the_words_of_the_caption_are_explained_under_it(browser, X, detector):
    terms = picture(browser).split('<p class="terms">')[1]
    assert "Nearby: in the same bin or the next one" in terms
    assert "z: number of standard deviations" in terms
    assert "bandwidth" not in terms
    kernel = AspectExplainer(detector, KDEBeam(max_dim=1), n_queries=1).fit(X).explain()
    assert "The band in a picture reaches one bandwidth" in picture(kernel.explore())
    assert "The band in a picture reaches one bandwidth" in kernel.to_html()
    assert "bandwidth" not in kernel.summary() + kernel._repr_html_()


def test_names_from_the_data_are_escaped(browser):
    for widget in (browser._view.picture, browser._view.scores, browser._view.heading):
        assert "<x-" not in widget.value
    browser.code_shown = True
    assert "<pre" in browser._view.code.value


# ---------------------------------------------------------------- searching


def test_find_searches_with_the_settings(browser, detector, X):
    browser.miner = "KDEBeam"
    browser.max_dim = 2
    browser.n_queries = 3
    browser.find()
    assert browser.wait(LONG)
    assert browser.state == "ready"
    assert status(browser) == "Done: 3 rows explained."
    want = AspectExplainer(detector, KDEBeam(max_dim=2, width=20)).fit(X).explain(n_queries=3)
    assert browser.explanation == want
    assert "KDEBeam" in browser._view.heading.value


@pytest.mark.parametrize("miner", ["SGBeam", "GBeam", "KDEBeam", "OAMiner"])
def test_every_miner_can_be_chosen(browser, miner):
    browser._view.miner.value = miner
    assert browser._view.width.disabled == (miner == "OAMiner")
    browser.max_dim = 2
    browser._view.find.click()
    assert browser.wait(LONG)
    assert browser.explanation.miner == miner
    assert "<svg" in picture(browser)


def test_settings_of_the_source_carry_over(X, detector):
    miner = SGBeam(max_dim=2, bins=7, tau=-0.5)
    browser = AspectExplainer(detector, miner, n_queries=2).fit(X).explain().explore()
    assert (browser.max_dim, browser.n_queries) == (2, 2)
    browser.miner = "gbeam"
    browser.find()
    assert browser.wait(LONG)
    assert browser.explanation.miner == "GBeam"
    assert browser.explanation.settings["bins"] == 7
    assert browser.explanation.settings["tau"] == -0.5


def test_a_miner_of_ones_own_can_be_used_again(X, detector):
    miner = Miner(SGrid(bins=5))
    browser = AspectExplainer(detector, miner, n_queries=1).fit(X).explain().explore()
    assert browser.miner == "Miner"
    assert browser._view.max_dim.disabled
    before = browser.explanation
    browser.n_queries = 2
    browser.find()
    assert browser.wait(LONG)
    assert browser.explanation[:1] == before


def test_the_row_stays_chosen_when_a_new_search_finds_it_too(browser, explanation):
    browser.row = explanation[3].row
    browser.top_k = 3
    browser.find()
    assert browser.wait(LONG)
    assert browser.row == explanation[3].row
    assert len(browser._view.aspects.options) == 3


def test_an_explainer_opens_with_a_search(explainer, explanation):
    browser = explainer.explore()
    assert browser.wait(LONG)
    assert browser.explanation == explanation
    assert browser.row == explanation[0].row


def test_rows_appear_as_they_are_finished(explainer, explanation):
    seen = []
    browser = AspectBrowser(explanation[:0])
    browser.n_queries = 4
    browser.observe(lambda change: seen.append(len(change["new"])), "explanation")
    browser.find()
    assert browser.wait(LONG)
    assert seen[0] == 1
    assert seen == sorted(set(seen))
    assert seen[-1] == 4


def test_progress_names_the_level_and_what_was_tried(browser):
    seen = []
    browser.observe(lambda change: seen.append(change["new"]), "message")
    browser.top_k = 5
    browser.find()
    assert browser.wait(LONG)
    assert any(re.search(r"sets of \d \(up to 3\) features?: [\d,]+ tried", text) for text in seen)


@pytest.fixture
def long_browser(X, detector):
    """A search that would take very long."""
    wide = np.hstack([X.to_numpy()] * 6)
    other = ECOD().fit(wide)
    browser = AspectExplainer(other, OAMiner(max_dim=6), n_queries=5).fit(wide).explore()
    yield browser
    browser.cancel()
    assert browser.wait(LONG)


def running(browser):
    """Wait for the first words of a search."""
    heard = threading.Event()
    browser.observe(lambda _: heard.set(), "message")
    assert heard.wait(LONG)


def test_a_search_can_be_cancelled(long_browser):
    running(long_browser)
    assert not long_browser._view.cancel.disabled
    assert "pyod-aspects-busy" in long_browser._dom_classes
    long_browser._view.cancel.click()
    assert long_browser.wait(LONG)
    assert status(long_browser) == "Cancelled; 0 rows shown."
    assert long_browser._view.cancel.disabled
    assert "pyod-aspects-busy" not in long_browser._dom_classes
    assert "No rows were explained" in picture(long_browser)


def test_closing_ends_the_search(long_browser):
    running(long_browser)
    long_browser.close()
    assert long_browser.wait(LONG)
    assert long_browser.state == "ready"


def test_the_last_search_wins(long_browser):
    running(long_browser)
    long_browser.miner = "SGBeam"
    long_browser.max_dim = 1
    long_browser.find()
    assert long_browser.wait(LONG)
    assert long_browser.explanation.miner == "SGBeam"
    assert status(long_browser) == "Done: 5 rows explained."


def test_one_can_choose_while_a_search_runs(browser, explanation, monkeypatch):
    go_on, begun = threading.Event(), threading.Event()
    real = AspectExplainer._iter_scored

    def slow(self, *args, **kwargs):
        begun.set()
        assert go_on.wait(LONG)
        yield from real(self, *args, **kwargs)

    monkeypatch.setattr(AspectExplainer, "_iter_scored", slow)
    browser.find()
    assert begun.wait(LONG)
    before = picture(browser)
    browser._view.rows.value = explanation[2].row
    assert picture(browser) != before
    assert browser.state == "running"
    go_on.set()
    assert browser.wait(LONG)
    assert browser.state == "ready"


def test_who_reads_an_aspect_while_a_search_runs_is_left_to_it(browser, explanation, monkeypatch):
    go_on, shown = threading.Event(), threading.Event()
    real = AspectExplainer._iter_scored

    def slow(self, *args, **kwargs):
        found = real(self, *args, **kwargs)
        yield next(found)
        shown.set()
        assert go_on.wait(LONG)
        yield from found

    monkeypatch.setattr(AspectExplainer, "_iter_scored", slow)
    browser.row = explanation[3].row
    browser.find()
    assert shown.wait(LONG)
    assert browser.row == explanation[0].row
    browser.aspect = 1
    go_on.set()
    assert browser.wait(LONG)
    assert len(browser.explanation) == 4
    assert (browser.row, browser.aspect) == (explanation[0].row, 1)


def test_errors_go_to_the_status_line(browser, monkeypatch):
    monkeypatch.setattr(SGBeam, "fit", lambda *args: 1 / 0)
    browser.max_dim = 4
    browser.find()
    assert browser.wait(LONG)
    assert browser.state == "failed"
    assert status(browser) == "Not done: ZeroDivisionError: division by zero"
    assert "<svg" in picture(browser)


def test_changed_settings_ask_for_a_search(browser):
    browser._view.max_dim.value = 4
    assert browser.max_dim == 4
    assert "press Find" in status(browser)


def test_a_wrong_miner_is_refused(browser):
    with pytest.raises(InvalidInputError, match="expected one of 'SGBeam'"):
        browser.miner = "SGBeem"


# ---------------------------------------------------------------- one more row


def test_any_row_can_be_explained(browser, explainer, explanation):
    row = int(np.argsort(explainer.scores_)[0])
    browser._view.other.value = row
    browser._view.ask.click()
    assert browser.wait(LONG)
    assert browser.row == row
    rows = [query.row for query in explanation]
    assert browser.explanation == explainer.explain(rows=[*rows, row])


def test_a_row_that_is_there_is_only_chosen(browser, explanation):
    browser.explain_row(explanation[2].row)
    assert browser.row == explanation[2].row
    assert browser.explanation is explanation


def test_new_rows_are_searched_in_their_own_table(explainer, X):
    browser = explainer.explain(X.iloc[:20], n_queries=2).explore()
    assert browser._view.other.max == 19
    browser.n_queries = 3
    browser.find()
    assert browser.wait(LONG)
    assert browser.explanation == explainer.explain(X.iloc[:20], n_queries=3)


def test_a_search_keeps_to_the_table_that_is_shown(X, detector):
    explainer = AspectExplainer(detector, SGBeam(max_dim=1), n_queries=2).fit(X)
    shown = explainer.explain()
    browser = shown.explore()
    explainer.fit(2.0 * X.iloc[:, ::-1] ** 3)
    browser.find()
    assert browser.wait(LONG)
    assert browser.explanation == shown
    assert not browser.explanation.new_rows


def test_searches_keep_the_scores_of_a_pipeline_that_reads_text(X):
    """What is kept of the table has codes in place of text, which only the pipeline can read."""
    frame = X.assign(kind=["x", "y", "z"] * 100)
    encode = ColumnTransformer(
        [("numbers", StandardScaler(), list(X)), ("text", OneHotEncoder(), ["kind"])]
    )
    pipeline = make_pipeline(encode, IsolationForest(random_state=0)).fit(frame)
    explainer = AspectExplainer(pipeline, SGBeam(max_dim=1), n_queries=2).fit(frame)
    browser = explainer.explore()
    assert browser.wait(LONG)
    assert browser.explanation == explainer.explain()
    browser.explain_row(5)
    assert browser.wait(LONG)
    assert browser.explanation.row(5) == explainer.explain(rows=5)[0]
    new = explainer.explain(frame[:20], n_queries=1).explore()
    new.n_queries = 3
    new.find()
    assert new.wait(LONG)
    assert new.explanation == explainer.explain(frame[:20], n_queries=3)


# ---------------------------------------------------------------- copy as code


def run_code(browser, **names):
    exec(browser.code(), names)
    return names


def test_the_code_gives_what_is_shown(browser, detector, X):
    browser.aspect = 2
    names = run_code(browser, detector=detector, X=X)
    assert names["explanation"] == browser.explanation
    assert names["aspect"] == browser.explanation.row(browser.row).aspects[2]
    assert "n_queries=4" in browser.code()
    browser._view.show_code.click()
    assert "plot_aspect" in browser._view.code.value


def test_the_code_knows_added_rows_new_tables_and_settings(browser, explainer, detector, X):
    browser.explain_row(int(np.argsort(explainer.scores_)[0]))
    assert browser.wait(LONG)
    assert run_code(browser, detector=detector, X=X)["explanation"] == browser.explanation
    assert "SGBeam(max_dim=3, width=20)" in browser.code()
    new = explainer.explain(X.iloc[:20], n_queries=2).explore()
    names = run_code(new, detector=detector, X=X, X_new=X.iloc[:20])
    assert names["explanation"] == new.explanation


def test_the_code_of_a_miner_of_ones_own_asks_for_it(X, detector):
    miner = Miner(SGrid(bins=5))
    browser = AspectExplainer(detector, miner, n_queries=1).fit(X).explain().explore()
    names = run_code(browser, detector=detector, X=X, miner=miner)
    assert names["explanation"] == browser.explanation


def test_the_code_of_plain_scores_asks_for_the_scores(X):
    scores = np.arange(300.0)
    for told in ({}, {"threshold": 290.0, "name": "the\ngateway"}):
        made = AspectExplainer.from_scores(scores, SGBeam(max_dim=1), 2, **told).fit(X).explain()
        names = run_code(made.explore(), scores=scores, X=X)
        assert names["explanation"] == made
        assert names["explanation"].detector == made.detector


def test_a_name_of_two_lines_stays_in_its_comment(explanation, detector, X):
    browser = replace(explanation, detector="A\nraise").explore()
    assert "# detector: your fitted A\\nraise" in browser.code()
    run_code(browser, detector=detector, X=X)


def test_the_code_is_written_when_something_else_is_shown_and_not_with_each_message(
    browser, explanation, monkeypatch
):
    written = []
    real = AspectBrowser.code
    monkeypatch.setattr(AspectBrowser, "code", lambda self: written.append(1) or real(self))
    browser.code_shown = True
    for share in (0.1, 0.2, 0.3):
        browser.share, browser.message = share, f"{share} done"
    assert len(written) == 1
    browser.row = explanation[1].row
    assert f"explanation.row({browser.row})" in browser._view.code.value
    browser.aspect = 1
    assert "query.aspects[1]" in browser._view.code.value
    assert len(written) == 3
    browser.code_shown = False
    assert browser._view.code.value == ""


# ---------------------------------------------------------------- odd explanations


def test_an_explanation_without_its_table_shows_lists_and_words(explanation):
    browser = Explanation.from_json(explanation.to_json()).explore()
    assert len(browser._view.rows.options) == 4
    assert f"Row {browser.row} stands" in picture(browser)
    assert "did not come along" in picture(browser)
    assert "<svg" not in picture(browser)
    assert browser._view.find.disabled
    assert (browser._view.miner.value, browser._view.max_dim.value) == ("SGBeam", 3)
    other = replace(explanation, miner="GBeam", background=None)
    assert other.explore()._view.miner.value == "GBeam"
    with pytest.raises(InvalidInputError, match="did not come along"):
        browser.find()
    assert "did not come along" in browser.code()


def test_nothing_explained_is_said_in_words(explanation):
    browser = explanation[:0].explore()
    assert (browser.row, browser.aspect) == (None, None)
    assert "No rows were explained" in picture(browser)
    assert browser._view.row_place.disabled


def test_a_row_without_aspects_is_said_in_words(explanation):
    bare = replace(explanation[0], aspects=())
    browser = replace(explanation, queries=(bare,)).explore()
    assert browser.aspect is None
    assert "no aspect" in picture(browser)
    assert browser._view.aspect_place.disabled
    assert f"explanation.row({bare.row})" in browser.code()


def test_it_takes_explanations_and_fitted_explainers_only(detector):
    with pytest.raises(InvalidInputError, match="not ECOD"):
        AspectBrowser(detector)
    with pytest.raises(NotFittedError, match="call fit"):
        AspectExplainer(detector).explore()


# ---------------------------------------------------------------- where there are no widgets


def test_the_bundle_carries_the_explanation_for_pages_without_widgets(browser, explanation):
    bundle = browser._repr_mimebundle_()
    assert bundle["text/plain"] == str(explanation)
    assert bundle["text/html"] == explanation._repr_html_()
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == browser.model_id


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """IPython, as a notebook has it."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    yield InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
    InteractiveShell.clear_instance()


@pytest.mark.usefixtures("shell")
def test_displaying_it_sends_the_whole_bundle(browser):
    from IPython.display import display
    from IPython.utils.capture import capture_output

    with capture_output() as captured:
        display(browser)
    data = captured.outputs[0].data
    assert {"text/plain", "text/html"} < set(data)
    assert any("widget-view" in kind for kind in data)


def test_without_ipywidgets_the_command_that_installs_it_is_named(tmp_path):
    script = """
import sys
sys.modules["ipywidgets"] = None
from pyod_aspects import Explanation, MissingPackageError
try:
    Explanation((), "ECOD", "SGBeam", {}, "zscore", True, 5, ("a",)).explore()
except MissingPackageError as error:
    print(error)
"""
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "pip install pyod_aspects[widgets]" in run.stdout
    assert issubclass(MissingPackageError, ImportError)
