"""What the tests of the command line share: quick options, and files to read."""

from __future__ import annotations

import numpy as np

QUICK = ("--max-dim", "2", "--n-queries", "2")

COUNTED = ",a,b\n0,5,2\n1,3,4\n2,9,9\n"
"""A file whose first column only counts the rows."""

# Row 40 is far out in the second column.
X = np.random.default_rng(0).normal(size=(60, 3))
X[40, 1] = 20.0


def write_file(tmp_path, content, name="other.csv"):
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)
