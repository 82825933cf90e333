"""How a column is cut into bins."""
