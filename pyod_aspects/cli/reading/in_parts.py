"""Parquet files that exceed half of the memory: the command reads them part by part, on demand.

A sample of the rows serves to choose the columns and to fit the detector.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ..._util.memory import gigabytes, memory
from ..messages import CommandError
from .columns import Wanted, choose_columns
from .limits import too_large
from .opening import STDIN

if TYPE_CHECKING:
    import pandas as pd

    from ...engines.files import ParquetFiles

SAMPLE = 100_000
"""Rows of the sample for the detector's fit; above the limit up to which "auto" is KNN."""


def large_files(names: Sequence[str], most: int) -> ParquetFiles | None:
    """Open Parquet files that exceed half of the memory; None for all others.

    Refuses a part of more than `most` bytes.
    """
    if find_spec("pyarrow") is None or not all(map(_is_parquet, names)):
        return None
    from ...engines.files import ParquetFiles

    try:
        files = ParquetFiles(names)
    except Exception:  # the reader of the file will name the error
        return None
    if files.n_bytes <= memory() // 2:
        return None
    for part in files.parts:
        if part.n_bytes > most:
            raise too_large(part.path, most)
    return files


def _is_parquet(name: str) -> bool:
    with suppress(OSError):
        if name != STDIN:
            with open(name, "rb") as file:
                return file.read(4) == b"PAR1"
    return False


def choose_from_sample(
    name: str, files: ParquetFiles, wanted: Wanted, note: Callable[[str], None]
) -> tuple[list[str], pd.DataFrame]:
    """Names of the columns to search, chosen by a sample, and the sample.

    Columns that are constant in the sample stay: they may vary in other rows.
    """
    if find_spec("dask") is None:
        raise CommandError(
            f"{name} takes {gigabytes(files.n_bytes)}, more than half of the memory: to read it "
            'part by part takes Dask, pip install "pyod_aspects[dask]".'
        )
    note(
        f"{name}: {files.n_rows:,} rows take {gigabytes(files.n_bytes)}, more than half of the "
        f"memory ({gigabytes(memory())}); they are read in {len(files.parts):,} parts."
    )
    with files.on_threads():
        sample = files.sample(SAMPLE)
    chosen, left_out = choose_columns(name, sample, wanted, constant=False)
    if left_out:
        note(f"{name}: {left_out}.")
    return chosen, sample
