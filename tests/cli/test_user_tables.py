"""Tables as people have them are explained by the bare command, whatever the file."""

from __future__ import annotations

import pytest
import user_tables

from pyod_aspects import Explanation

WRITERS = {
    "csv": lambda frame, path: frame.to_csv(path, index=False),
    "csv.gz": lambda frame, path: frame.to_csv(path, index=False),
    "parquet": lambda frame, path: frame.to_parquet(path),
    "xlsx": lambda frame, path: frame.to_excel(path, index=False),
}


@pytest.fixture(scope="module")
def tables():
    return {name: getattr(user_tables, name)() for name in ("bank", "sensors", "european")}


def explained(run, *argv):
    code, output, _ = run("explain", *argv, "--format", "json", "--n-queries", "5")
    assert code == 0
    return Explanation.from_json(output)


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize("name", ["bank", "sensors"])
def test_the_planted_row_is_found_and_its_features_are_named(run, tmp_path, tables, name, ending):
    if ending in {"parquet", "xlsx"}:
        pytest.importorskip("pyarrow" if ending == "parquet" else "openpyxl", reason="an extra")
    frame, row, odd = tables[name]
    path = tmp_path / f"table.{ending}"
    WRITERS[ending](frame, path)
    made = explained(run, str(path))
    assert row in [query.row for query in made]
    assert odd & set(made.row(row).aspects[0].features)
    assert not {"id", "firmware"} & set(made.feature_names)


def test_a_european_file_with_a_label(run, tmp_path, tables):
    frame, row, odd = tables["european"]
    path = tmp_path / "preise.csv"
    frame.to_csv(path, index=False, sep=";", decimal=",", encoding="cp1252")
    code, output, errors = run("explain", str(path), "--label", "Fehler", "--n-queries", "3")
    assert code == 0
    assert (
        "columns separated by ';', decimal commas, names in the first line, Windows-1252" in errors
    )
    assert "Fehler = 1: 1 of these 3 rows, 1 of all 1,500 rows" in output
    [line] = [line for line in output.splitlines() if line.startswith(f"  row {row} ")]
    assert line.endswith(", Fehler = 1")
    assert "Preis = " in output
    made = explained(run, str(path), "--label", "Fehler")
    assert made.feature_names == ("Größe", "Gewicht", "Preis", "Datum")
    assert odd & set(made.row(row).aspects[0].features)
    assert made.row(row).known == "1"


@pytest.mark.parametrize("labelled", [True, False])
def test_new_rows_show_their_label_if_they_have_one(run, tmp_path, tables, labelled):
    frame, row, _ = tables["european"]
    path, new = tmp_path / "preise.csv", tmp_path / "neu.csv"
    frame.to_csv(path, index=False)
    frame.loc[[row, 5]].drop(columns=[] if labelled else ["Fehler"]).to_csv(new, index=False)
    made = explained(run, str(path), "--label", "Fehler", "--new", str(new))
    assert [query.known for query in made] == (["1", "0"] if labelled else [None, None])


def test_names_of_rows_are_shown_and_can_be_asked_for(run, tmp_path, tables):
    frame = tables["bank"][0]
    path = tmp_path / "bank.csv"
    frame.to_csv(path, index=False)
    code, output, _ = run("explain", str(path), "--id", "id", "--rows", "TX01234,TX00007")
    assert code == 0
    assert "row TX01234" in output
    assert "Rows are counted" not in output
