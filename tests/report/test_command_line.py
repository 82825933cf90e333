"""The page from the command line."""

from __future__ import annotations

import pytest
from html_page import Page
from sklearn.datasets import load_wine

from pyod_aspects.cli import main


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "data.csv"
    load_wine(as_frame=True).data.iloc[:, :4].to_csv(path, index=False)
    return str(path)


def test_the_command_line_writes_the_page(table, tmp_path, capsys):
    target = tmp_path / "report.html"
    assert main(["explain", table, "--n-queries", "2", "--html", str(target)]) == 0
    assert f"A page with pictures is in {target}: open it in a browser." in capsys.readouterr().out
    assert len(Page(target.read_text(encoding="utf-8")).all("svg")) > 2


def test_the_command_line_writes_redundant_aspects_if_asked_for(table, tmp_path, capsys):
    pages = []
    for options in ([], ["--redundant"]):
        target = tmp_path / "report.html"
        assert main(["explain", table, "--n-queries", "3", "--html", str(target), *options]) == 0
        pages.append(Page(target.read_text(encoding="utf-8")).words)
    assert "redundant not shown" in pages[0]
    assert "redundant not shown" not in pages[1]


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
    assert "anomalies of KNN among 5,000 rows: " in target.read_text(encoding="utf-8")
