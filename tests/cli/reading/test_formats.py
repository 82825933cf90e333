"""The same table in every kind of file is the same table."""

from __future__ import annotations

import io
import sys
import zipfile

import numpy as np
import pandas as pd
import pytest

from pyod_aspects.cli.messages import CommandError
from pyod_aspects.cli.reading import Options, Wanted, read_table


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "amount": rng.normal(size=30).round(3),
            "city": rng.choice(["Kiel", "Köln", "Ulm"], 30),
            "when": pd.date_range("2024-03-01 06:30", periods=30, freq="7h"),
            "n": rng.integers(0, 9, 30),
        }
    )


WRITERS = {
    "data.csv": lambda frame, path: frame.to_csv(path, index=False),
    "data.tsv": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "data.csv.gz": lambda frame, path: frame.to_csv(path, index=False),
    "data.csv.bz2": lambda frame, path: frame.to_csv(path, index=False),
    "data.csv.xz": lambda frame, path: frame.to_csv(path, index=False),
    "data.zip": lambda frame, path: frame.to_csv(path, index=False),
    "european.csv": lambda frame, path: frame.to_csv(
        path, index=False, sep=";", decimal=",", encoding="cp1252"
    ),
    "data.jsonl": lambda frame, path: frame.to_json(
        path, orient="records", lines=True, date_format="iso"
    ),
    "data.json": lambda frame, path: frame.to_json(path, orient="records", date_format="iso"),
    "data.parquet": lambda frame, path: frame.to_parquet(path),
    "data.feather": lambda frame, path: frame.to_feather(path),
    "data.xlsx": lambda frame, path: frame.to_excel(path, index=False),
}
NEEDS = {"data.parquet": "pyarrow", "data.feather": "pyarrow", "data.xlsx": "openpyxl"}


@pytest.mark.parametrize("name", WRITERS)
def test_every_kind_of_file_gives_the_same_table(tmp_path, frame, name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name], reason="an extra package reads this kind of file")
    WRITERS[name](frame, tmp_path / name)
    read = read_table([str(tmp_path / name)]).frame
    assert list(read.columns) == list(frame.columns)
    assert read["city"].tolist() == frame["city"].tolist()
    assert read["n"].tolist() == frame["n"].tolist()
    assert np.allclose(read["amount"], frame["amount"], atol=0.0, rtol=1e-15)
    assert (read["when"].dt.round("s") == frame["when"]).all()


@pytest.mark.parametrize(("name", "package"), NEEDS.items())
def test_a_package_that_is_missing_is_named_with_its_remedy(
    tmp_path, frame, name, package, monkeypatch
):
    pytest.importorskip(package, reason="it writes the file")
    WRITERS[name](frame, tmp_path / name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(CommandError, match=rf'{package}: pip install "pyod_aspects\[files\]"'):
        read_table([str(tmp_path / name)])


def test_sheets_by_name_and_by_number(tmp_path, frame):
    pytest.importorskip("openpyxl", reason="an extra package reads this kind of file")
    path = str(tmp_path / "book.xlsx")
    with pd.ExcelWriter(path) as book:
        pd.DataFrame({"note": [1, 2]}).to_excel(book, sheet_name="About", index=False)
        frame.to_excel(book, sheet_name="Sales", index=False)
    notes = []
    assert list(read_table([path], note=notes.append).frame.columns) == ["note"]
    assert notes == [f"{path}: sheet 'About' of 2; --sheet names another."]
    for sheet in ("Sales", "2"):
        assert "city" in read_table([path], Options(sheet=sheet)).frame.columns
    with pytest.raises(CommandError, match="has no sheet 'sale': did you mean 'Sales'"):
        read_table([path], Options(sheet="sale"))


def test_several_files_are_one_table_in_the_order_of_the_first_columns(tmp_path, frame):
    frame[:10].to_csv(tmp_path / "p1.csv", index=False)
    frame[10:].to_csv(tmp_path / "p2.csv", index=False, columns=["n", "when", "city", "amount"])
    read = read_table([str(tmp_path / "p*.csv")])
    assert read.frame["amount"].tolist() == frame["amount"].tolist()
    assert list(read.frame.columns) == list(frame.columns)
    frame.drop(columns="n").to_csv(tmp_path / "p3.csv", index=False)
    with pytest.raises(CommandError, match=r"p3.csv lacks 'n': expected the columns of .*p1.csv"):
        read_table([str(tmp_path / "p*.csv")])


def test_a_column_of_names_and_a_constant_are_left_out_and_named(tmp_path, frame):
    frame["customer"] = [f"C{i:03}" for i in range(30)]
    frame["currency"] = "EUR"
    frame.insert(0, "id", range(1000, 1030))
    path, notes = str(tmp_path / "data.csv"), []
    frame.to_csv(path, index=False)
    read = read_table([path], note=notes.append).frame
    assert list(read.columns) == ["amount", "city", "when", "n"]
    [said] = notes
    assert "left out: 'id', 'customer' (names rows); 'currency' (constant)" in said
    chosen = read_table([path], wanted=Wanted(columns=["currency", "n"])).frame
    assert list(chosen.columns) == ["currency", "n"]


def test_names_and_labels_of_rows_stand_apart(tmp_path, frame):
    frame["customer"] = [f"C{i:03}" for i in range(30)]
    frame["fraud"] = [1, *[0] * 29]
    path = str(tmp_path / "data.csv")
    frame.to_csv(path, index=False)
    read = read_table([path], wanted=Wanted(id="customer", label="fraud"))
    assert list(read.frame.columns) == ["amount", "city", "when", "n"]
    assert read.frame.index.tolist() == frame["customer"].tolist()
    assert read.labels.tolist() == frame["fraud"].tolist()
    with pytest.raises(CommandError, match="has no column 'froud': did you mean 'fraud'"):
        read_table([path], wanted=Wanted(label="froud"))


def test_what_was_found_out_is_said_unless_it_is_plain(tmp_path, frame):
    path, notes = str(tmp_path / "data.csv"), []
    frame.to_csv(path, index=False)
    read_table([path], note=notes.append)
    assert notes == []
    frame.to_csv(path, index=False, sep=";", decimal=",", encoding="cp1252")
    read_table([path], note=notes.append)
    assert notes == [
        f"{path}: columns separated by ';', decimal commas, names in the first line, Windows-1252."
    ]


@pytest.mark.parametrize(
    ("content", "message"), [("{broken", "cannot be read as JSON"), ("[]", "has no rows")]
)
def test_json_that_is_no_table_is_refused(tmp_path, content, message):
    path = tmp_path / "data.json"
    path.write_text(content)
    with pytest.raises(CommandError, match=message):
        read_table([str(path)])


def test_objects_within_objects_are_text(tmp_path):
    path = tmp_path / "data.json"
    path.write_text('{"a": {"b": 1}}\n{"a": {"b": 2}}\n{"a": {"b": 2}}\n')
    assert read_table([str(path)]).frame["a"].tolist()[1] == "{'b': 2}"


def test_a_wrong_encoding_is_said(tmp_path):
    path = tmp_path / "data.csv"
    path.write_bytes("größe,b\n1,2\n".encode("cp1252"))
    with pytest.raises(CommandError, match="is not text in utf-8: --encoding names another"):
        read_table([str(path)], Options(encoding="utf-8"))
    with pytest.raises(CommandError, match="expected the name of an encoding"):
        read_table([str(path)], Options(encoding="utf-99"))


@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_text_that_is_not_utf_8_is_refused(tmp_path, kind):
    path = tmp_path / "data"
    frame = pd.DataFrame({"a": [1, 2], "kind": ["wwwwarm", "cccold"]})
    if kind == "parquet":
        frame.to_parquet(path, compression=None, use_dictionary=False, write_statistics=False)
    else:
        frame.to_feather(path, compression="uncompressed")
    path.write_bytes(path.read_bytes().replace(b"wwwwarm", b"ww\xff\xfe\xffrm"))
    with pytest.raises(CommandError, match=rf"(?i)data cannot be read as {kind}: .*utf"):
        read_table([str(path)])


def test_columns_of_the_same_name_are_refused_in_any_file(tmp_path):
    path = tmp_path / "data"
    pd.DataFrame({"a": [1, 2], "a ": [3, 4]}).to_excel(path, index=False, engine="openpyxl")
    with pytest.raises(CommandError, match=r"has several columns 'a', apart from spaces"):
        read_table([str(path)])


def test_a_zip_file_whose_directory_makes_no_sense_is_refused(tmp_path):
    path, stream = tmp_path / "data", io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        file.writestr("data.csv", "a,b\n1,2\n3,4\n")
    content = stream.getvalue()
    path.write_bytes(content[:4] + content[20:])
    with pytest.raises(CommandError, match=r"is damaged and cannot be unpacked"):
        read_table([str(path)])
