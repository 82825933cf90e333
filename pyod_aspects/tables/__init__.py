"""Reading input: what is accepted as a table, and what its columns are."""

from .column import Column
from .labels import RowLabels
from .table import Rows, Table, read_table

__all__ = ["Column", "RowLabels", "Rows", "Table", "read_table"]
