"""Parquet files as the parts of a table."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from part_tables import mixed

pytest.importorskip("dask")
pa = pytest.importorskip("pyarrow")
import pyarrow.parquet as pq  # noqa: E402

from pyod_aspects.engines import files as engine  # noqa: E402
from pyod_aspects.engines.files import ParquetFiles  # noqa: E402
from pyod_aspects.exceptions import PartsError  # noqa: E402


@pytest.fixture
def paths(tmp_path):
    """Two files, the first of 300 rows in row groups of 100, the second with columns turned."""
    frame = mixed(350).reset_index(drop=True)
    names = [str(tmp_path / name) for name in ("a.parquet", "b.parquet")]
    frame[:300].to_parquet(names[0], row_group_size=100)
    frame[300:].iloc[:, ::-1].to_parquet(names[1])
    return frame, names


def whole(parts):
    return pd.concat(parts.each(pd.DataFrame.copy), ignore_index=True)


@pytest.mark.parametrize(("part_bytes", "lengths"), [(1, [100, 100, 100, 50]), (2**25, [300, 50])])
def test_row_groups_of_a_file_make_up_parts(paths, monkeypatch, part_bytes, lengths):
    monkeypatch.setattr(engine, "PART_BYTES", part_bytes)
    frame, names = paths
    files = ParquetFiles(names)
    assert files.n_rows == 350
    assert files.names == list(frame.columns)
    assert files.n_bytes >= 8 * frame.size
    assert files.read().each(len) == lengths
    pd.testing.assert_frame_equal(whole(files.read()), frame)
    assert whole(files.read(frame.columns[:1])).shape == (350, 1)


def test_a_sample_is_always_the_same_and_knows_its_rows(paths, monkeypatch):
    monkeypatch.setattr(engine, "PART_BYTES", 1)
    frame, names = paths
    sample = ParquetFiles(names).sample(40)
    assert len(sample) == 40
    pd.testing.assert_frame_equal(sample, frame.loc[sample.index], check_index_type=False)
    assert sample.index.equals(ParquetFiles(names).sample(40).index)
    assert len(ParquetFiles(names).sample(1000)) == 350


def test_a_column_can_name_the_rows(tmp_path):
    frame = pd.DataFrame({"a": [1.0, 2.0], "who": [7, 8]})
    frame.to_parquet(tmp_path / "a.parquet")
    (part,) = ParquetFiles([str(tmp_path / "a.parquet")]).read(["a"], "who").each(pd.DataFrame.copy)
    assert part.index.tolist() == ["7", "8"]
    assert part.columns.tolist() == ["a"]


def test_what_pandas_kept_as_index_is_no_column(tmp_path):
    frame = pd.DataFrame({"a": [1.0, 2.0]}, index=pd.Index(["x", "y"], name="who"))
    frame.to_parquet(tmp_path / "a.parquet")
    assert ParquetFiles([str(tmp_path / "a.parquet")]).names == ["a"]


def test_infinities_are_missing_and_decimals_and_days_are_numbers_and_times(tmp_path):
    table = pa.table(
        {
            "far": [1.0, np.inf, -np.inf],
            "price": pa.array([Decimal("1.50"), None, Decimal("2.25")]),
            "day": pa.array([0, 1, None], pa.date32()),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    (part,) = ParquetFiles([str(tmp_path / "a.parquet")]).read().each(pd.DataFrame.copy)
    np.testing.assert_array_equal(part["far"], [1.0, np.nan, np.nan])
    np.testing.assert_array_equal(part["price"], [1.5, np.nan, 2.25])
    assert part["day"].dtype.kind == "M"


def test_files_with_other_columns_and_without_rows_are_refused(tmp_path):
    for name, columns in (("a", {"x": [1.0]}), ("b", {"y": [1.0]}), ("c", {"x": [0.0][:0]})):
        pd.DataFrame(columns).to_parquet(tmp_path / f"{name}.parquet")
    a, b, c = (str(tmp_path / f"{name}.parquet") for name in "abc")
    with pytest.raises(PartsError, match=r"b\.parquet (lacks 'x'|has another column, 'y')"):
        ParquetFiles([a, b])
    with pytest.raises(PartsError, match="has no rows"):
        ParquetFiles([c])
    assert ParquetFiles([c, a]).n_rows == 1


def test_threads_are_as_many_as_half_of_the_memory_has_room_for(paths, monkeypatch):
    import dask

    files = ParquetFiles(paths[1])
    monkeypatch.setattr(engine.os, "cpu_count", lambda: 16)
    part = max(part.n_bytes for part in files.parts)
    for room, n_threads in ((2**40, 16), (2 * 3 * 8 * part, 3), (1, 1)):
        monkeypatch.setattr(engine, "memory", lambda room=room: room)
        with files.on_threads():
            assert dask.config.get("num_workers") == n_threads
            assert dask.config.get("scheduler") == "threads"
