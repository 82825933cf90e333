"""How much memory there is: of the machine, or what a limit leaves."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pyod_aspects._util.memory import gigabytes, memory

CHILD = """
import resource, sys
from pyod_aspects._util.memory import memory

kind, limit = getattr(resource, sys.argv[1]), int(sys.argv[2])
resource.setrlimit(kind, (limit, limit))
print(memory())
"""


@pytest.mark.parametrize("kind", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_a_limit_of_the_process_counts(kind):
    pytest.importorskip("resource")
    if not sys.platform.startswith("linux"):
        pytest.skip("other systems do not tell what is used, or ignore the limit")
    limit = 3 * 2**30
    done = subprocess.run(
        [sys.executable, "-c", CHILD, kind, str(limit)], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < min(limit, memory() + 1)


def test_without_a_limit_the_machine_counts():
    assert memory() > 2**28


def test_gigabytes_are_words():
    assert gigabytes(2.5e9) == "2.5 GB"
