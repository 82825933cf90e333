"""Count the rows near every row: a whole level of subspaces at once, exactly.

The problem
-----------
Given a table of codes and m subspaces of one size k, find for each the sums of H * N and H * N**2
over its occupied cells. H is the number of rows in a cell, N the number of rows in the box around
it. They are the sums of N and N**2 over all rows, so mean and (population) standard deviation of N
follow (`_kernels/exact.py`). Both sums are integers, without rounding. Everything else here is
speed: no strategy and no number of threads changes a result.

Words
-----
code        number of a bin of a column. `binning` closes gaps between occupied bins as far as
            nearness allows. Two rows are near in a column if their codes differ by at most
            `reach` (0 for Grid, 1 for SGrid), near in a subspace if in all its columns
cell        the rows with the same codes in a subspace; its box: all cells near it, itself included
neighbour   an occupied cell in the box of a cell; each cell is its own neighbour, too
level       subspaces of one size, counted together
parent      a subspace without one of its attributes, the child. Of the k possible parents
            `families.py` takes the one that most subspaces of the level share; of several
            such parents, the one without the widest attribute: it has the fewest cells
family      the subspaces with one parent, which share all work that depends on the parent only
view        the distinct rows of the table without its widest columns: fewer, as more rows are
            equal. A kernel counts a subspace in the smallest view that has its columns.
            `CodedTable.rows` holds the rows of all views, one after the other (`table.py`)
sort key    one or two attributes that sort the rows, so that near rows stand together
block       512 rows as bits, one vector

Three ideas, one class each
---------------------------
Grid (`grid.py`): a histogram of all bins; one pass of shifted sums for each dimension gives N.

    . 2 1 .   along   2 3 3 1   down   2 5 5 3     With a reach of 1, N is the sum of 3 x 3 bins.
    . . 2 .    -->    . 2 2 2   -->    3 6 5 3     Best for pairs, and while the grid has not many
    1 . . .           1 1 . .          1 3 2 2     more bins than the table has rows.

Cells (`cells.py`): the parent's occupied cells, each with a line: H for each code of the child.

    parent's cell   child's codes       Added up, the lines of a cell's neighbours give N, with one
    (0, 3)          . 4 . 1 . .         more sum over the codes within reach. Best if many rows
    (0, 4)          2 . . 7 . .         share a cell, as in real tables. It can count all subspaces:
    (5, 1)          . . 3 . . .         if lines would be too long, a band of codes at a time.

Bits (`bits.py`): for each code the rows within reach, as bits; N of a row is AND and popcount.

    attribute a     1 1 0 0 1 1 . .     With rows sorted by a key (`sort_keys.py`) the rows near a
    attribute b     0 1 0 1 1 0 . .     row are in few blocks, and it reads only these. Best for a
    near in both    0 1 0 0 1 0 . .     thousand rows, or if most cells hold one or two rows.

A level step by step
--------------------
`LevelCounter.statistics` (`counter.py`) plans: it asks each strategy for the cost of each subspace,
in nanoseconds, or infinity if the strategy cannot count it. Each subspace goes to the cheapest.
The subspaces of the level that could share a family or a sort key split its cost evenly. Each
strategy cuts its subspaces into jobs of about 30 ms: Grid anywhere, Cells between families, Bits
where the key changes. So jobs repeat little work. Threads (`n_jobs`) run the jobs; numba compiles
the kernels, which release the GIL. A job returns `Totals`, the two sums of its subspaces, and
the counter puts them in their places: the order of jobs does not matter. After each job the
counter reports progress, and an exception raised there ends the level.

Counts at given points need no level: `points.py` intersects the sets of rows near each point. They
take any reach, and counts of the parts of a table add up to those of the table.

How to add a strategy
---------------------
1. Write a class with `cost`, `jobs` and `count` (`strategy.py`) in a file of its own; `grid.py` is
   the shortest example. Put kernels in `_kernels/`; they take the tuples of `arguments.py` there.
2. Put its tuned numbers in `_kernels/tuned.py`, with the meaning of each. ``python -m benchmarks
   calibrate`` shows whether half or double would be faster.
3. Add it to `LevelCounter.__init__` (the first wins a tie), and to ``STRATEGIES`` of
   ``tests/counting_cases.py``. All tests of counting then force it, for one thread and several,
   and compare it with the definition. ``python -m benchmarks`` shows whether it pays.
"""

from .counter import LevelCounter
from .table import CodedTable

__all__ = ["CodedTable", "LevelCounter"]
