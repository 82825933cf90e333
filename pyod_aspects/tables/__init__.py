"""Reading input: what is accepted as a table, and what its columns are."""

from .column import Column
from .table import Table, read_table

__all__ = ["Column", "Table", "read_table"]
