"""How far to trust an aspect, and how to read it: evidence, blame, redundancy, significance."""
