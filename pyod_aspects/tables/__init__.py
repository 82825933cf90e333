"""Reading input: the tables that the package accepts, and the kinds of their columns."""

from .column import Column
from .labels import RowLabels
from .table import Rows, Table, read_table

__all__ = ["Column", "RowLabels", "Rows", "Table", "read_table"]
