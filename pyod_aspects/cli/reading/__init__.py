"""Read any file as a DataFrame of the wanted columns.

`opening` opens and unpacks a file, `dialect` detects the format of text, and pandas reads it in
`formats`. `kinds` turns columns of text into numbers, times or categories. `columns` chooses
the wanted columns that vary. `in_parts` reads Parquet files above half of the memory part by part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..messages import CommandError
from .columns import Wanted, choose_columns
from .formats import Options, Read, read_content
from .in_parts import choose_from_sample, large_files
from .kinds import align_kinds, read_kinds
from .opening import STDIN, expand, open_file

if TYPE_CHECKING:
    import pandas as pd

    from ...engines.files import ParquetFiles
    from ...tables import Column

__all__ = ["STDIN", "Input", "Options", "Wanted", "read_new_rows", "read_table"]


class Input(NamedTuple):
    """A table from files.

    Attributes
    ----------
    frame : DataFrame or Parts
        The columns to search; its index has the names of the rows, if there are any.
    labels : Series or None
        The column that says which rows are anomalies.
    header : bool
        Whether the file has a line of column names.
    name : str
        Name of the table in messages.
    n_rows : int
    sample : DataFrame
        The rows for the fit of a detector: the frame, or a sample of files in parts.
    files : ParquetFiles or None
        The files, if the command reads them part by part.
    """

    frame: Any
    labels: pd.Series | None
    header: bool
    name: str
    n_rows: int
    sample: pd.DataFrame
    files: ParquetFiles | None = None


def read_table(
    paths: Sequence[str],
    options: Options = Options(),  # noqa: B008 - a value that cannot be changed
    wanted: Wanted = Wanted(),  # noqa: B008
    note: Callable[[str], None] | None = None,
    in_parts: bool = False,
) -> Input:
    """Read the wanted columns from one file, or from several as one table.

    Parameters
    ----------
    paths : sequence of str
        Files and patterns; `STDIN` is stdin.
    options : Options
        Format of the files, as far as the user gave it.
    wanted : Wanted
        Which columns the user wants.
    note : callable, optional
        Receives sentences on the detected format, converted values and columns left out.
    in_parts : bool
        Whether to read files part by part if they exceed half of the memory.
    """
    remark = note or (lambda text: None)
    names = expand(paths)
    name = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more"
    files = large_files(names, options.most_bytes) if in_parts else None
    if files is not None:
        return _read_in_parts(name, files, wanted, remark)
    reads = [read_content(open_file(one, options.most_bytes), options) for one in names]
    for path, one in zip(names, reads, strict=True):
        if one.words:
            remark(f"{path}: {one.words}.")
    frame, remarks = read_kinds(_join(names, reads), reads[0].decimal)
    for text in remarks:
        remark(f"{name}: {text}.")
    chosen, left_out = choose_columns(name, frame, wanted)
    if left_out:
        remark(f"{name}: {left_out}.")
    labels = frame[wanted.label] if wanted.label in frame.columns else None
    searched = frame[chosen]
    if wanted.id is not None:
        searched = searched.set_axis(frame[wanted.id].astype(str), axis=0)
    return Input(searched, labels, reads[0].header, name, len(searched), searched)


def _read_in_parts(
    name: str, files: ParquetFiles, wanted: Wanted, note: Callable[[str], None]
) -> Input:
    """Leave the rows in their files, except for a sample and the column of labels."""
    import pandas as pd

    chosen, sample = choose_from_sample(name, files, wanted, note)
    labels = None
    if wanted.label is not None:
        with files.on_threads():
            columns = files.read([wanted.label]).each(_itself)
        labels = pd.concat(columns, ignore_index=True)[wanted.label]
    frames = files.read(chosen, wanted.id)
    return Input(frames, labels, True, name, files.n_rows, sample[chosen], files)


def _itself(frame: pd.DataFrame) -> pd.DataFrame:
    return frame


def read_new_rows(
    paths: Sequence[str],
    options: Options,
    wanted: Wanted,
    like: Sequence[Column],
    note: Callable[[str], None],
) -> Input:
    """Read rows to compare with a table: its columns, of the same kinds.

    Parameters
    ----------
    paths, options, wanted, note
        As for `read_table`.
    like : sequence of Column
        The columns of the fitted rows.
    """
    read = read_table(paths, options, wanted, note)
    frame, remarks = align_kinds(read.frame, like)
    for text in remarks:
        note(f"{read.name}: {text}.")
    return read._replace(frame=frame, sample=frame)


def _join(names: Sequence[str], reads: Sequence[Read]) -> pd.DataFrame:
    """Join files to one table; all must have the columns of the first, in any order."""
    import pandas as pd

    first = reads[0].frame
    for name, read in zip(names[1:], reads[1:], strict=True):
        missing = [column for column in first.columns if column not in read.frame.columns]
        more = [column for column in read.frame.columns if column not in first.columns]
        if missing or more:
            what = f"lacks {missing[0]!r}" if missing else f"has {more[0]!r} as well"
            raise CommandError(f"{name} {what}: expected the columns of {names[0]}.")
    if len(reads) == 1:
        return first
    return pd.concat([read.frame[first.columns] for read in reads], ignore_index=True)
