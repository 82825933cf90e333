"""Every tuned number of counting: its meaning and the source of its value.

No number changes a result. Costs are nanoseconds on one core with AVX-512, on the tables of
`benchmarks/calibrate.py`. ``python -m benchmarks calibrate`` measures again: it counts these
tables with each number halved, unchanged and doubled, and prints the three times.
"""

# Any strategy
MAX_BYTES = 2**24  # of the largest whole grid, and of a table of cells
PIECE = 3e7  # ns of a job, between two checks for progress and interruption
LEAST_PIECE = 5e5  # ns of the smallest job that is worth handing to a thread
PIECES = 4  # jobs per thread of the remaining work, so that threads end at the same time
LATE = 4  # multiple of PIECE at which a job ends in any case
PLANNED = 500_000  # subspaces planned together, times the pairs of their attributes
VIEW_SHARE = 0.7  # largest share of the previous view's rows that a view may keep
VIEW_MIN_ROWS = 256  # fewest rows of a view

# Whole grid
GRID_ROW = 0.7  # ns to count a row
GRID_BIN = 0.25  # ns to clear a bin and to sum it up
GRID_PASS = 0.05  # ns of a pass of shifted sums, for each byte of a bin
GRID_CACHED = 2e6  # bytes of a grid that stay in the cache
GRID_BEYOND = 7e6  # bytes beyond that double the cost of a bin

# Cells in a table
TABLE_ROW = 0.7  # ns to count a row
TABLE_CELL = 31.0  # ns for a cell
TABLE_CELL_BYTE = 0.09  # ns for each byte of its line: to clear it and to sum it up
TABLE_NEIGHBOUR = 0.8  # ns for a neighbour of a cell
TABLE_NEIGHBOUR_BYTE = 0.019  # ns for each byte of its line
TABLE_PAD = 16  # entries of a vector: lines have a multiple of it
PARENT_ROW = 2.2  # ns for a row and attribute of the parent, once for a family
PARENT_NEIGHBOUR = 8.4  # ns to find a neighbour of a parent's cell, once for a family
CELL_PLACES = 8  # places per row up to which a grid splits cells; above, a sort does
CELL_TOGETHER = 32  # parents whose cells one pass estimates: they stay in the cache
CELL_SAMPLE = 1024  # rows for the estimate of a parent's cells
CELL_FEW_ROWS = 2048  # rows up to which cells save less time than their kernel takes to compile
CELL_WORTH = 2.5  # ns per row of the cheapest other strategy above which cells are an option
CELL_LAST_RESORT = 500.0  # ns per row of cells where no other strategy can count

# Bits
BITS_COUNT = 5.0  # ns for a count
BITS_BLOCK = 1.0  # ns for each block of 512 rows that the count reads
BITS_SORT = 15.0  # ns to sort a row
BITS_LOAD = 3.0  # ns to load a row of an attribute
BITS_CODE = 0.05  # ns to load a row, for each code of the attribute
BITS_ONCE = 2e5  # ns once for a sort
BITS_LINE = 0.8  # blocks with rows near a key of two attributes, for each line within reach
BITS_WORTH = 4e6  # ns of possible savings above which the planner considers bits
BITS_FEW_ROWS = 1024  # rows up to which sorting saves nothing
BITS_MAX_WORDS = 2**22  # largest number of words of bits of a thread: 32 MB
BITS_MAX_KEYS = 2**21  # largest number of values of a sort key
BITS_PICKED = 40  # largest number of sort keys that the greedy choice picks
BITS_LEAST_PIECE = 1e7  # ns of the smallest job: each has to sort and load rows first

# Points
POINT_PIECE = 30_000_000  # words that the largest job reads
POINT_LEAST_PIECE = 100_000  # words that the smallest job reads
POINT_PIECES = 2  # jobs for each thread
