"""Write files whole or not at all."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from ..exceptions import AspectsError, InvalidInputError


def check_target(path: str | os.PathLike[str]) -> Path:
    """Check before long work that the program can put a file at `path`.

    Raises
    ------
    InvalidInputError
        If the folder does not exist, or if `path` is a folder.
    """
    target = Path(path)
    # os.path answers False where Path raises: a name that is too long, a folder out of bounds.
    if os.path.isdir(target):
        raise InvalidInputError(f"cannot write {target}: it is a folder; add a file name.")
    if not os.path.isdir(target.parent):
        raise InvalidInputError(
            f"cannot write {target}: there is no folder {target.parent}; create it first."
        )
    return target


def write_text(path: str | os.PathLike[str], text: str) -> None:
    r"""Write a text file in UTF-8; the old file stays until the new one is complete on disk.

    Parameters
    ----------
    path : str or path
    text : str

    Raises
    ------
    InvalidInputError
        If the folder does not exist, or if `path` is a folder.
    AspectsError
        If the system refuses to write: no permission, disk full. The old file is unharmed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text(Path(folder) / "notes.txt", "done\n")
    ...     (Path(folder) / "notes.txt").read_text()
    'done\n'
    """
    # Broken files have half a surrogate pair in their headers, which UTF-8 cannot encode.
    write_bytes(path, text.encode("utf-8", errors="backslashreplace"))


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file as `write_text` does.

    Parameters
    ----------
    path : str or path
    content : bytes
    """
    target = check_target(path)
    try:
        if _is_stream(target):
            with target.open("ab") as stream:
                stream.write(content)
        else:
            # Follow a link: the link stays, and the new content replaces its target.
            _replace(Path(os.path.realpath(target)), content)
    except OSError as error:
        raise AspectsError(f"cannot write {target}: {error.strerror or error}.") from error


def _is_stream(target: Path) -> bool:
    """Whether it is /dev/stdout, /dev/null or a pipe, which nothing can or should replace.

    If the shell redirects /dev/stdout to a file, earlier output in that file stays.
    """
    if os.path.exists(target) and not os.path.isfile(target):
        return True
    return Path(os.path.abspath(target)).parts[:2] in {("/", "dev"), ("/", "proc")}


def _replace(target: Path, content: bytes) -> None:
    """Write beside the target, then rename: renaming is atomic."""
    temporary = target.with_name(f".pyod_aspects-{token_hex(8)}.tmp")
    # "x" refuses an existing name, which could be a link to another file.
    file = temporary.open("xb")
    try:
        with file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
