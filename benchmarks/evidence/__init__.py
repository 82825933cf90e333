"""Evidence: the paper's tables and the alternatives, on the same queries and ground truth."""
