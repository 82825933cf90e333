"""Nothing compiles at import, and no folder has to be writable."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pyod_aspects


def run_python(code, tmp_path, **environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**{k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_nothing_compiles_at_import(tmp_path):
    code = (
        "from numba.core import event\n"
        "seen = []\n"
        "class Listener(event.Listener):\n"
        "    def on_start(self, e): seen.append(e)\n"
        "    def on_end(self, e): pass\n"
        "event.register('numba:compile', Listener())\n"
        "import pyod_aspects, pyod_aspects.miners\n"
        "print(len(seen))\n"
    )
    result = run_python(code, tmp_path)
    assert result.stdout.strip() == "0", result.stderr


@pytest.mark.slow
def test_it_works_where_no_cache_can_be_written(tmp_path):
    # A copy of the package whose every possible cache folder is a file: nothing can be cached.
    package = tmp_path / "site" / "pyod_aspects"
    shutil.copytree(
        Path(pyod_aspects.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__")
    )
    (package / "_kernels" / "__pycache__").write_text("")
    home = tmp_path / "home"
    home.write_text("")
    code = (
        "import pyod_aspects, numpy as np\n"
        f"assert pyod_aspects.__file__.startswith({str(tmp_path)!r})\n"
        "X = np.random.default_rng(0).normal(size=(60, 3)); X[0] = 9\n"
        "print(pyod_aspects.SGBeam().fit(X).mine(X[:1])[0][0].subspace)\n"
    )
    result = run_python(
        code,
        tmp_path,
        PYTHONPATH=str(package.parent),
        PYTHONDONTWRITEBYTECODE="1",
        HOME=str(home),
        XDG_CACHE_HOME=str(home / "cache"),
    )
    assert result.stdout.startswith("("), result.stderr


SMALL = (
    "import numpy as np\n"
    "from numba.core import event\n"
    "from pyod_aspects.density import SGrid\n"
    "with event.install_recorder('numba:compile') as seen:\n"
    "    print(SGrid(bins=2).fit(np.eye(3)).near([(0, 1)], np.eye(3))[0].tolist())\n"
    "print(len(seen.buffer))\n"
)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are known to POSIX only")
def test_it_works_where_the_disk_is_full(tmp_path):
    code = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n" + SMALL
    result = run_python(code, tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert result.stdout.startswith("[3.0, 3.0, 3.0]"), result.stderr


@pytest.mark.slow
def test_compiled_code_is_kept_until_any_kernel_changes(tmp_path):
    package = tmp_path / "site" / "pyod_aspects"
    shutil.copytree(Path(pyod_aspects.__file__).parent, package)

    def n_compiled():
        result = run_python(
            SMALL,
            tmp_path,
            PYTHONPATH=str(package.parent),
            NUMBA_CACHE_DIR=str(tmp_path / "cache"),
        )
        assert result.stdout.startswith("[3.0, 3.0, 3.0]"), result.stderr
        return int(result.stdout.split()[-1])

    assert n_compiled() > 0
    assert n_compiled() == 0
    with (package / "_kernels" / "sums.py").open("a") as other:  # the call above has no use for it
        other.write("# changed\n")
    assert n_compiled() > 0
