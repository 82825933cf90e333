"""How many rows lie near every row: a whole level of subspaces at once, exactly.

The problem
-----------
Given a table of codes and m subspaces of one size k, find for each the sums of H * N and H * N**2
over its occupied cells, where H rows are in a cell and N rows in the box around it. Mean and
standard deviation of N over all rows follow from these two whole numbers (`_kernels/exact.py`).
Everything else here is speed: no choice changes a result.

Words
-----
code        number of an occupied bin of a column; rows are near if codes differ by `reach` at most
cell        one code for each attribute of a subspace; its box: the cells near it, itself included
level       subspaces of one size, counted together
parent      a subspace without one of its attributes, the child
family      subspaces with the same parent; the parent's work is done once for all
neighbour   an occupied cell in the box of another one
view        the table without its widest columns, where more rows are equal and merged
sort key    one or two attributes by which rows are sorted, so that near rows stand together
line        the rows, or cells, or places of a table, that share all but the last code
block       512 rows as bits, one vector

Three ideas, one class each
---------------------------
Grid (`grid.py`): a histogram of all bins; one pass of shifted sums for each dimension gives N.

    . 2 1 .   along   2 3 3 1   down   2 5 5 3     N of each bin is the sum of its box of 3 x 3.
    . . 2 .    -->    . 2 2 2   -->    3 6 5 3     Best for pairs, and while the grid is not much
    1 . . .           1 1 . .          1 3 2 2     larger than the table.

Cells (`cells.py`): only the parent's occupied cells, each with a line of the child's codes.

    parent's cell   child's codes       The line near a cell is the sum of its neighbours' lines.
    (0, 3)          . 4 . 1 . .         Best where many rows share a cell, as in real tables. It
    (0, 4)          2 . . 7 . .         can count every subspace: where the table would be too
    (5, 1)          . . 3 . . .         large, it takes a band of the child's codes at a time.

Bits (`bits.py`): for each code the set of rows within reach, as bits; a count is AND and popcount.

    attribute a     1 1 0 0 1 1 . .     With rows sorted by a key (`sort_keys.py`) the rows near a
    attribute b     0 1 0 1 1 0 . .     row are in few blocks, and only those are read.
    near in both    0 1 0 0 1 0 . .     Best for few rows, and where cells hold hardly any rows.

What happens to a level
-----------------------
`LevelCounter.statistics` (`counter.py`) plans: it asks each strategy what each subspace costs,
and gives it to the cheapest. Each strategy cuts its subspaces into jobs of some 30 ms, between
families (`families.py`) or sort keys, where no work is shared. Threads run the jobs. A job returns
its `Totals`, which are put in their places, so the order of jobs does not matter. Progress is
told, and interruption noticed, after each job.

Counts at given points need none of this: `points.py` intersects the sets of rows near each
point. These counts take any reach, and those of the parts of a table add up.

How to add a strategy
---------------------
1. A class with `cost`, `jobs` and `count` (`strategy.py`; `FamilyStrategy` has the last two for
   strategies that count family by family), in a file of its own; its kernel in `_kernels/`, which
   takes the tuples of `_kernels/arguments.py`.
2. Its tuned numbers in `_kernels/tuned.py`, with the meaning of each; ``python -m benchmarks
   calibrate`` measures them.
3. Its place in `LevelCounter.__init__`, and in ``STRATEGIES`` of ``tests/counting_cases.py``: all
   tests of counting then force it and compare it with the definition.
"""

from .counter import LevelCounter
from .table import CodedTable

__all__ = ["CodedTable", "LevelCounter"]
