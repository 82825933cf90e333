"""The score, the reference rows and what is convincing are options."""

from __future__ import annotations

import pytest
from command_line import X, write_file

from pyod_aspects.cli import explain as command
from pyod_aspects.explanation import Explanation

ROWS = ("--rows", "3,7,40", "--max-dim", "1")


def explained(run, table, *options):
    code, output, _ = run("explain", table, *ROWS, "--json", "-", *options)
    assert code == 0
    return Explanation.from_json(output)


def p_values(made):
    return [query.aspects[0].p_value for query in made if query.aspects]


def test_the_score_can_be_chosen(run, table):
    assert explained(run, table).score_name == "lift"
    assert explained(run, table, "--score", "zscore").score_name == "zscore"
    assert explained(run, table, "--miner", "gbeam").score_name == "zscore"


def test_reference_rows_are_drawn_by_number_and_state(run, table):
    assert set(p_values(explained(run, table, "--n-reference", "0"))) == {None}
    told = ("--n-reference", "40")
    assert explained(run, table, *told) == explained(run, table, *told, "--random-state", "0")
    drawn = {
        tuple(p_values(explained(run, table, *told, "--random-state", str(state))))
        for state in range(3)
    }
    assert len(drawn) > 1


def test_only_what_is_convincing_is_shown(run, table, tmp_path):
    page, file = tmp_path / "page.html", tmp_path / "why.json"
    argv = ("explain", table, *ROWS, "--alpha", "0.2", "--html", str(page), "--json", str(file))
    code, output, errors = run(*argv)
    assert (code, errors) == (0, "")
    assert "\n      b = " in output
    assert output.count("nearby,") == 1
    assert output.count("Nothing convincing") == 2
    assert "stronger than in ordinary rows, convincing at 20 %" in output
    assert page.read_text().count("nothing convincing") >= 2
    everything = Explanation.from_json(file.read_text())
    assert all(query.aspects for query in everything)


def test_where_nothing_is_convincing_every_row_says_so(run, table):
    code, output, _ = run("explain", table, "--rows", "3,7", "--max-dim", "1", "--alpha", "0.01")
    assert code == 0
    assert output.count("Nothing convincing") == 2
    assert "nearby," not in output


def test_a_table_without_enough_rows_for_p_values_is_refused_early(
    complaint, tmp_path, monkeypatch
):
    monkeypatch.setattr(command, "_make_detector", None)  # It does not come to that.
    lines = [",".join(map(str, row)) for row in X[:39]]
    path = write_file(tmp_path, "a,b,c\n" + "\n".join(lines))
    said = complaint("explain", path, "--alpha", "0.05")
    assert said.endswith(f"these need more than 39 rows: {path} has 39.")


def test_p_values_that_would_take_too_long_are_asked_for(complaint, table, monkeypatch):
    from pyod_aspects.miners import SGBeam

    monkeypatch.setattr(SGBeam, "seconds", lambda self: 1000.0)
    assert "give a number of rows with --n-reference" in complaint(
        "explain", table, "--rows", "3", "--alpha", "0.05"
    )


@pytest.mark.parametrize("alpha", ["0.05", "0.5"])
def test_more_is_shown_if_more_may_be_wrong(run, table, alpha):
    _, output, _ = run("explain", table, "--max-dim", "1", "--alpha", alpha)
    assert output.count("Nothing convincing") == {"0.05": 10, "0.5": 0}[alpha]
