"""Where the rows of a table are read and counted: in this process, or on Dask."""
