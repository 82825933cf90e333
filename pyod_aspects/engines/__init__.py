"""Engines: they read and count the rows of a table in this process or on Dask."""
