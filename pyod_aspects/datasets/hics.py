"""HiCS tables, whose outliers have known subspaces.

A HiCS table (Keller, Müller & Böhm) consists of blocks of attributes. Within a block an inlier
always has one attribute near 0. An outlier has none, although each of its values alone is
ordinary. Only the whole block shows the outlier, so the block is its true subspace:

    1 |:
      |.       *     the outlier: its x is ordinary and its y is ordinary,
    y |:             the two together are not
      |.
    0 |:.:..:.:..
      +----------
      0    x    1
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from os import PathLike
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from .._util.types import FloatArray, Subspace
from ..exceptions import InvalidInputError


@dataclass(frozen=True, eq=False, repr=False)
class HiCS:
    """A table whose outliers have known subspaces.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_features)
        The table.
    truth : dict of int to list of tuple
        The subspaces in which each outlier stands out, by row; rows in ascending order.
    blocks : list of tuple
        The blocks of attributes, each a possible true subspace.

    See Also
    --------
    make_hics : Generate one, of any size.
    load_hics : Read one from a folder.
    """

    X: FloatArray
    truth: dict[int, list[Subspace]]
    blocks: list[Subspace]

    def __repr__(self) -> str:
        n_rows, n_features = self.X.shape
        return (
            f"HiCS: {n_rows} rows, {n_features} attributes in {len(self.blocks)} blocks, "
            f"{len(self.truth)} outliers"
        )


def make_hics(
    n_rows: int = 1000,
    n_features: int = 10,
    outliers_per_block: int = 5,
    block_sizes: Sequence[int] | None = None,
    random_state: int | np.random.Generator | np.random.RandomState | None = None,
) -> HiCS:
    """Generate a table whose outliers have known subspaces.

    Parameters
    ----------
    n_rows : int, default=1000
        Number of rows.
    n_features : int, default=10
        Number of attributes, 2 or more.
    outliers_per_block : int, default=5
        Number of rows that stand out in each block. Every block draws its own, so a row can
        stand out in several.
    block_sizes : sequence of int, optional
        The number of attributes of each block, 2 or more, with the sum `n_features`. By default
        random sizes from 2 to 5.
    random_state : int, numpy Generator, numpy RandomState or None, default=None
        The same number gives the same table. The function draws from a Generator or RandomState,
        which moves on. None gives a new table each time, without NumPy's global state.

    Returns
    -------
    HiCS
        The table `X`, the true subspaces `truth` of each outlier, and the `blocks`.

    Raises
    ------
    InvalidInputError
        If there is no table with these settings.

    See Also
    --------
    load_hics : Read a published HiCS set.

    Notes
    -----
    An inlier of a block draws one of its attributes, chosen at random, from a normal distribution
    with mean 0 and standard deviation 0.01. It draws the others uniformly from 0 to 1. The outliers
    draw the whole block uniformly from 0.5 to 1.

    Examples
    --------
    >>> from pyod_aspects.datasets import make_hics
    >>> data = make_hics(
    ...     n_rows=200, n_features=5, outliers_per_block=1, block_sizes=[2, 3], random_state=0
    ... )
    >>> data
    HiCS: 200 rows, 5 attributes in 2 blocks, 2 outliers
    >>> data.blocks
    [(0, 1), (2, 3, 4)]

    Every outlier is far from 0 throughout its block.

    >>> all(data.X[row, block].min() > 0.5 for row, [block] in data.truth.items())
    True
    """
    n_rows = _whole_number("n_rows", n_rows, least=1)
    n_features = _whole_number("n_features", n_features, least=2)
    outliers_per_block = _whole_number("outliers_per_block", outliers_per_block, least=0)
    if outliers_per_block >= n_rows:
        raise InvalidInputError(
            f"outliers_per_block={outliers_per_block}: a table of {n_rows} rows has room for at "
            f"most {n_rows - 1}, as a block needs an inlier. Raise n_rows or lower "
            "outliers_per_block."
        )
    rng = _generator(random_state)
    if block_sizes is None:
        sizes = _random_sizes(n_features, rng)
    else:
        sizes = _check_sizes(block_sizes, n_features)

    ends = np.cumsum(sizes).tolist()
    blocks = [tuple(range(end - size, end)) for size, end in zip(sizes, ends, strict=True)]
    X = rng.uniform(0.0, 1.0, size=(n_rows, n_features))
    standing_out: dict[int, list[Subspace]] = {}
    for block in blocks:
        near_zero = rng.choice(block, size=n_rows)
        X[np.arange(n_rows), near_zero] = rng.normal(0.0, 0.01, size=n_rows)
        outliers = rng.choice(n_rows, size=outliers_per_block, replace=False)
        whole_block = slice(block[0], block[-1] + 1)
        X[outliers, whole_block] = rng.uniform(0.5, 1.0, size=(outliers_per_block, len(block)))
        for row in outliers.tolist():
            standing_out.setdefault(row, []).append(block)
    return HiCS(X=X, truth=dict(sorted(standing_out.items())), blocks=blocks)


def load_hics(directory: str | PathLike[str], name: str) -> HiCS:
    """Read a HiCS set from a folder.

    Parameters
    ----------
    directory : str or path
        The folder with the tables, ``<name>.npz`` with an array `X`, and with
        ``ground_truth.json``: set -> row -> list of true subspaces, all counted from 0.
    name : str
        The set, for example ``"hics_010"``.

    Returns
    -------
    HiCS
        The table `X`, the true subspaces `truth` of each outlier, and as `blocks` the
        different true subspaces.

    Raises
    ------
    InvalidInputError
        If the set or its ground truth is absent or unreadable, or if they do not belong together.

    See Also
    --------
    make_hics : Generate a set of any size.

    Examples
    --------
    >>> import json, tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from pyod_aspects.datasets import load_hics
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(Path(folder) / "tiny.npz", X=[[0.0, 0.3], [0.7, 0.0], [0.8, 0.9]])
    ...     truth = json.dumps({"tiny": {"2": [[0, 1]]}})
    ...     _ = (Path(folder) / "ground_truth.json").write_text(truth)
    ...     data = load_hics(folder, "tiny")
    >>> data.truth
    {2: [(0, 1)]}
    """
    folder = Path(directory)
    table, answers = folder / f"{name}.npz", folder / "ground_truth.json"
    if not table.is_file():
        sets = ", ".join(sorted(path.stem for path in folder.glob("*.npz"))) or "none"
        raise InvalidInputError(
            f"{table} does not exist: expected the name of a set in {folder}. Sets there: {sets}."
        )
    if not answers.is_file():
        raise InvalidInputError(
            f"{answers} does not exist: expected the true subspaces beside {table.name}. "
            "Copy the file there."
        )
    X = _read_table(table)
    truth = _read_truth(answers, name, X.shape)
    blocks = sorted({subspace for subspaces in truth.values() for subspace in subspaces})
    return HiCS(X=X, truth=truth, blocks=blocks)


def _whole_number(name: str, value: Any, least: int) -> int:
    """Return `value` as an int of at least `least`."""
    try:
        if index(value) >= least:
            return index(value)
    except TypeError:
        pass
    raise InvalidInputError(f"{name}={value!r}: expected a whole number, {least} or more.")


def _generator(random_state: Any) -> np.random.Generator:
    """Return a Generator for any `random_state` that scikit-learn takes."""
    if isinstance(random_state, np.random.RandomState):
        # default_rng understands a RandomState only from NumPy 2.2 on.
        random_state = random_state.randint(2**32, size=4, dtype=np.uint32)
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise InvalidInputError(
            f"random_state={random_state!r}: expected a whole number from 0 on, a numpy Generator "
            "or RandomState, or None."
        ) from None


def _random_sizes(n_features: int, rng: np.random.Generator) -> list[int]:
    """Cut `n_features` into random blocks of 2 to 5."""
    sizes: list[int] = []
    left = n_features
    while left:
        # One attribute left over could not become a block.
        sizes.append(int(rng.choice([k for k in (2, 3, 4, 5) if left == k or left - k >= 2])))
        left -= sizes[-1]
    return sizes


def _check_sizes(block_sizes: Any, n_features: int) -> list[int]:
    """Return the user's block sizes, if they fit."""
    try:
        sizes = [index(size) for size in block_sizes]
    except TypeError:
        sizes = []
    if not sizes or min(sizes) < 2:
        raise InvalidInputError(
            f"block_sizes={block_sizes!r}: expected whole numbers, each 2 or more. "
            "Pass for example [2, 3, 5], or None for random sizes."
        )
    if sum(sizes) != n_features:
        raise InvalidInputError(
            f"block_sizes={block_sizes!r} has {sum(sizes)} attributes, n_features={n_features}: "
            f"expected the same number. Pass n_features={sum(sizes)} or change the sizes."
        )
    return sizes


def _read_table(path: Path) -> FloatArray:
    """Read `X` from an npz file."""
    try:
        # Open the file here: np.load leaves a broken file open.
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            X = np.ascontiguousarray(file["X"], dtype=np.float64)
    # An npy file under this name opens, but as an array: hence AttributeError and TypeError.
    except (OSError, EOFError, KeyError, ValueError, BadZipFile, TypeError, AttributeError) as e:
        raise InvalidInputError(
            f"{path} cannot be read ({e}): expected an npz file with an array X of numbers. "
            "Save it with numpy.savez(path, X=X)."
        ) from e
    if X.ndim != 2:
        raise InvalidInputError(
            f"{path}: X has {X.ndim} dimensions, expected 2 (rows and attributes)."
        )
    return X


def _read_truth(path: Path, name: str, shape: tuple[int, ...]) -> dict[int, list[Subspace]]:
    """Read the true subspaces of one set, and check that they fit a table of this shape."""
    try:
        sets = json.loads(path.read_text(encoding="utf-8"))
        names = ", ".join(sorted(sets)) or "none"
        truth = {
            int(row): [tuple(sorted(index(j) for j in subspace)) for subspace in subspaces]
            for row, subspaces in sets.get(name, {}).items()
        }
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise InvalidInputError(
            f"{path} cannot be read ({error}): expected set -> row -> list of subspaces, "
            'for example {"hics_010": {"315": [[0, 1], [6, 7]]}}.'
        ) from error
    if name not in sets:
        raise InvalidInputError(
            f"{path} has no set {name!r}: expected one of its sets. Sets there: {names}."
        )
    n_rows, n_features = shape
    for row, subspaces in truth.items():
        if not 0 <= row < n_rows or any(
            not 0 <= j < n_features for subspace in subspaces for j in subspace
        ):
            raise InvalidInputError(
                f"{path}: set {name!r} has row {row} with {subspaces}, but its table has "
                f"{n_rows} rows and {n_features} attributes, counted from 0. "
                "Take table and ground truth from the same place."
            )
    return dict(sorted(truth.items()))
