"""A fitted miner on the workers of a Dask Client, which share the rows to search.

Every worker gets the miner once. Rows do not depend on each other, so any split gives the same
result.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .._util.types import Progress, ProgressCallback
from ..engines.sharing import SharedOnWorkers
from ..exceptions import InvalidInputError
from ..search import Aspect
from ..tables import Table
from .base import BaseMiner

# Pieces for each thread of the workers: so none waits long for the last.
_PIECES = 4


class MinerOnWorkers:
    """Mines on workers, as a fitted miner does.

    Parameters
    ----------
    miner : BaseMiner
        Fitted.
    client : dask.distributed.Client
    """

    def __init__(self, miner: BaseMiner, client: Any) -> None:
        if not hasattr(client, "scatter") or not hasattr(client, "nthreads"):
            raise InvalidInputError(
                f"client is a {type(client).__name__}: expected a dask.distributed.Client."
            )
        self._shared = SharedOnWorkers(client, miner)

    def mine(
        self, points: Table, progress: ProgressCallback | None = None, new_rows: bool | None = None
    ) -> list[list[Aspect]]:
        """Return the aspects of each point, as `BaseMiner.mine` does.

        `progress` gets the number of finished rows.
        """
        n_pieces = min(points.n_rows, _PIECES * self._shared.n_workers)
        groups = np.array_split(np.arange(points.n_rows), n_pieces) if n_pieces else []
        bare = replace(points, row_labels=None, form=None)
        pieces = [(bare.take(group), new_rows) for group in groups]

        def report(n_done: int) -> None:
            if progress is not None:
                n = points.n_rows
                now = Progress(1, 1, n_done, n_pieces, scored=0, whole=True)
                progress(now._replace(rows_now=n, n_rows=n))

        return [aspects for found in self._shared.each(_mine, pieces, report) for aspects in found]


def _mine(miner: BaseMiner, piece: tuple[Table, bool | None]) -> list[list[Aspect]]:
    points, new_rows = piece
    return miner.mine(points, new_rows=new_rows)
