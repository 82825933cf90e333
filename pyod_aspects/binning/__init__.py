"""Cut columns into bins."""
