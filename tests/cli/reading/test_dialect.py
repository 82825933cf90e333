"""How a text file is written is found out from the file itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyod_aspects.cli.reading.dialect import SPACES, Dialect, find_dialect, is_number


@pytest.mark.parametrize(
    ("text", "separator", "decimal", "header"),
    [
        ("a,b\n1,2\n3,4\n", ",", ".", True),
        ("1,2\n3,4\n", ",", ".", False),
        ("a;b\n1,5;2\n3;4,25\n", ";", ",", True),
        ("1,5;2,5\n3,5;4,5\n", ";", ",", False),
        ("a;b\n1.5;2\n3;4\n", ";", ".", True),
        ("a;b\n1.234,50;2\n12.345,00;4\n", ";", ",", True),
        ("a\tb\n1,5\tx y\n2,5\tz\n", "\t", ",", True),
        ("a|b\n1|2\n", "|", ".", True),
        ("a  b\n1 2\n 3   4\n", SPACES, ".", True),
        ('a,b\n1,"1,5"\n2,"2,25"\n', ",", ",", True),
        ('a,b\n1,"1,500"\n2,"2,250"\n', ",", ".", True),
        ('name;text\nx;"a;b;c"\ny;"d"\n', ";", ".", True),
        ('"a, b";c\n1;2\n3;4\n', ";", ".", True),
        ("name,city\nann,kiel\nbob,ulm\n", ",", ".", True),
        (",a,b\n0,5,2\n1,3,4\n", ",", ".", True),
        ("2019;2020\n1;2\n3;4\n", ";", ".", False),
        ("a\n1\n2\n", ",", ".", True),
        ("a,b\n1,\n,2\n", ",", ".", True),
        ("when;v\n01.02.2024;1\n02.02.2024;2\n", ";", ".", True),
    ],
)
def test_separator_decimal_and_header_are_found(text, separator, decimal, header):
    found = find_dialect(text.encode())
    assert (found.separator, found.decimal, found.header) == (separator, decimal, header)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_encoding_is_found(encoding):
    data = "größe,b\n1,2\n".encode(encoding)
    found = find_dialect(data).encoding
    assert found == encoding
    assert data.decode(found).startswith("größe")


def test_bytes_that_windows_does_not_have_are_latin_1():
    assert find_dialect(b"a,b\n\x81,\xe9\n").encoding == "latin-1"


def test_what_the_user_says_is_believed():
    given = find_dialect(b"a;b\n1,5;2,5\n", ",", ".", False, "latin-1")
    assert given == Dialect("latin-1", ",", ".", False)


def test_an_umlaut_at_the_end_of_a_long_file_counts():
    assert find_dialect(b"a,b\n" + b"1,2\n" * 2**18 + b"\xe4,1\n").encoding == "cp1252"
    assert find_dialect(b"a,b\n" + b"1,2\n" * 2**18 + "ä,1\n".encode()).encoding == "utf-8"


@pytest.mark.parametrize("text", ["1", "-1.5", "+.5", "1e-3", "1,5", "1.234,5", "inf", "NaN"])
def test_numbers_are_numbers(text):
    assert is_number(text)


@pytest.mark.parametrize("text", ["", "x", "1_000", "12 kg", "0x10", "1e", "2024-01-01", "١"])
def test_other_cells_are_none(text):
    assert not is_number(text)


@given(st.binary(max_size=300))
def test_any_bytes_have_a_dialect_in_which_they_can_be_decoded(data):
    found = find_dialect(data)
    data.decode(found.encoding, errors="replace")
    assert len(found.separator) == 1 or found.separator == SPACES
    assert found.words()
