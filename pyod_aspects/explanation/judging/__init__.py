"""How far to trust an aspect, and what it says: evidence, blame, redundancy, significance."""
