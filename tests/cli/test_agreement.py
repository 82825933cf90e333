"""The command asks the detector whether it agrees, if that is wished or cheap."""

from __future__ import annotations

from html import unescape

import pytest

from pyod_aspects._util.types import Progress
from pyod_aspects.cli.status import Interrupted, Status
from pyod_aspects.explanation import Explanation

ROWS = ("--rows", "3,7", "--max-dim", "1", "--n-reference", "0")


def asked(run, table, *options):
    code, output, errors = run("explain", table, *ROWS, "--json", "-", *options)
    assert (code, errors) == (0, "")
    aspects = [a for query in Explanation.from_json(output) for a in query.aspects]
    assert aspects
    return [a.agreement for a in aspects if a.agreement is not None]


def test_the_detector_is_asked_if_few_rows_have_to_be_scored(run, table):
    assert asked(run, table, "--detector", "KNN")
    assert asked(run, table, "--detector", "ECOD") == []  # scores the whole table for each


def test_the_detector_is_asked_if_that_is_wished_and_not_if_not(run, table):
    told = asked(run, table, "--agreement", "--detector", "KNN")
    assert told
    assert asked(run, table, "--agreement", "--detector", "KNN", "--random-state", "1") != told
    assert asked(run, table, "--no-agreement", "--detector", "KNN") == []


def test_the_page_is_not_asking_either(run, table, tmp_path):
    page = tmp_path / "page.html"
    argv = ("explain", table, *ROWS, "--detector", "KNN", "--quiet", "--html", str(page))
    for option, told in (("--agreement", True), ("--no-agreement", False)):
        assert run(*argv, option)[0] == 0
        assert ("KNN's score" in unescape(page.read_text("utf-8"))) is told


@pytest.mark.parametrize("form", ["text", "json", "html", "csv"])
def test_the_output_does_not_depend_on_how_fast_the_machine_is(run, table, monkeypatch, form):
    from pyod_aspects.explanation.judging.asking import Asked

    def output(seconds):
        monkeypatch.setattr(Asked, "estimate", lambda *_: seconds)
        code, text, _ = run("explain", table, *ROWS, "--detector", "KNN", "--format", form)
        assert code == 0
        return text

    assert output(0.0) == output(3600.0)


def test_a_detector_is_not_asked_by_itself_about_many_rows(run, table, monkeypatch):
    from pyod_aspects.explanation.judging import agreement

    monkeypatch.setattr(agreement, "MANY_ROWS", 10)
    assert asked(run, table, "--detector", "KNN") == []
    assert asked(run, table, "--detector", "KNN", "--agreement")


def test_an_interruption_says_how_many_rows_were_scored(capsys):
    def interrupted():
        with Status(wanted=False) as status:
            status.say("asking the detector")
            status.progress(Progress(1, 1, 50, 100, 1_250, whole=True, asking=True))
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="while asking the detector after 1,250 rows; nothing"):
        interrupted()
