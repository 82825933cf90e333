"""Tables as people have them: any file in, a DataFrame of the wanted columns out.

A file is opened and unpacked (`opening`), its way of writing is found out (`dialect`), pandas reads
it (`formats`), columns of text become what they mean (`kinds`), and those that are wanted and can
tell something are chosen (`columns`). Parquet files that exceed half of the memory stay where they
are and are read part by part (`in_parts`).
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
    """A table that was read.

    Attributes
    ----------
    frame : DataFrame or Parts
        The columns to search, with the names of the rows as its index, if there are any.
    labels : Series or None
        The column that says which rows are anomalies.
    header : bool
        Whether a line of names stood above the rows.
    name : str
        What to call it in messages.
    n_rows : int
    sample : DataFrame
        The rows that a detector is fitted to: the frame, or some rows of files in parts.
    files : ParquetFiles or None
        The files, if they are read part by part.
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
    """Read the columns that the user wants from one file, or from several as one table.

    Parameters
    ----------
    paths : sequence of str
        Files and patterns; `STDIN` is the standard input.
    options : Options
        How they are written, as far as the user said it.
    wanted : Wanted
        Which columns the user wants.
    note : callable, optional
        Gets a sentence on what was found out, and one on each column that was not what it seemed.
    in_parts : bool
        Whether files may be read part by part if they exceed half of the memory.
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
    """Leave the rows in their files, but for a sample and the column of labels."""
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
    """Read rows that are compared with those of a table: its columns, of the same kinds.

    Parameters
    ----------
    paths, options, wanted, note
        As for `read_table`.
    like : sequence of Column
        Those of the fitted rows.
    """
    read = read_table(paths, options, wanted, note)
    frame, remarks = align_kinds(read.frame, like)
    for text in remarks:
        note(f"{read.name}: {text}.")
    return read._replace(frame=frame, sample=frame)


def _join(names: Sequence[str], reads: Sequence[Read]) -> pd.DataFrame:
    """Files as one table; all of them have the columns of the first, in any order."""
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
