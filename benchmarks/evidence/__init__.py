"""Evidence: the paper's tables and other packages, on the same queries and ground truth."""
