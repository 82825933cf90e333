"""Every numba function of the package: arrays in, arrays out, no classes.

Nothing compiles at import. Each module holds one way of counting.
"""
