"""Cache of compiled kernels on disk: safe for several processes, void after any kernel changes."""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile


def _digest_of_kernels() -> str:
    """Hash of all files in this folder, in hexadecimal."""
    digest = blake2b(digest_size=8)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


_KERNELS = _digest_of_kernels()


class CacheFile(IndexDataCacheFile):  # type: ignore[misc]
    """numba's index of compiled code, safe for several processes that write at the same time.

    numba numbers the data files of a function. If two processes save two signatures at once, both
    may take the same number, and the index then names the code of the wrong signature. This class
    names a data file by the hash of its key. A process that loses the race compiles again, no more.
    The index of another release may name types that no longer exist: it counts as empty.
    """

    def _load_index(self) -> dict[Any, str]:
        try:
            return super()._load_index()  # type: ignore[no-any-return]
        except (AttributeError, ImportError, TypeError):
            return {}

    def save(self, key: Any, data: Any) -> None:
        """Save compiled code, first the data and then the index that names it."""
        digest = blake2b(repr(key).encode(), digest_size=8).digest()
        name = self._data_name(int.from_bytes(digest, "big"))
        self._save_data(name, data)
        self._save_index({**self._load_index(), key: name})


class KernelCache(FunctionCache):  # type: ignore[misc]
    """numba's cache of a function, with three differences.

    - Its key covers all kernel files. numba watches only the file of the function, but compiles
      the kernels that the function calls in other files into the same code.
    - A failure to read or write, as on a full disk, is no error: the kernel compiles again.
    - Several processes may write at the same time (`CacheFile`).
    """

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = CacheFile(
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def _index_key(self, *args: Any) -> Any:
        return super()._index_key(*args), _KERNELS

    def load_overload(self, *args: Any) -> Any:
        """Return the compiled code, or None."""
        try:
            return super().load_overload(*args)
        except OSError:
            return None

    def save_overload(self, *args: Any) -> None:
        """Save the compiled code, if possible."""
        with suppress(OSError):
            super().save_overload(*args)
