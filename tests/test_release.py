"""The rehearsal of a release sees what should not be in it; `tox -e release` is the rehearsal."""

from __future__ import annotations

from email import message_from_string
from pathlib import Path

import pytest
import release

import pyod_aspects

INFO = "pyod_aspects-0.1.0.dist-info/"
WHEEL = {
    "pyod_aspects/__init__.py",
    "pyod_aspects/cli/demo.py",
    *release.BESIDE_CODE,
    *(INFO + name for name in release.IN_DIST_INFO),
}
SDIST = {
    *("LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "tox.ini", "PKG-INFO", "setup.cfg"),
    *release.BESIDE_CODE,
    "pyod_aspects/__init__.py",
    "tests/test_release.py",
    "benchmarks/results.json",
}
METADATA = f"""\
Metadata-Version: 2.4
Name: pyod_aspects
Version: 0.1.0
Summary: Explains
Keywords: pyod
License-Expression: {release.LICENSE}
Classifier: Programming Language :: Python :: 3.10
Classifier: Programming Language :: Python :: 3.11
Classifier: Programming Language :: Python :: 3.12
Classifier: Programming Language :: Python :: 3.13
Requires-Python: >=3.10
Description-Content-Type: text/markdown
Requires-Dist: pyod>=2.0.6
Requires-Dist: pytest>=8; extra == "test"
"""


def test_a_good_release_has_no_problems():
    assert release.wheel_problems(WHEEL, "0.1.0") == []
    assert release.sdist_problems(SDIST) == []
    assert release.metadata_problems(message_from_string(METADATA), "0.1.0") == []


@pytest.mark.parametrize(
    "name",
    [
        *("tests/test_release.py", "pyod_aspects/test_explainer.py", "benchmarks/__init__.py"),
        *("pyod_aspects/datasets/hics_010.npz", "pyod_aspects/notes.txt"),
    ],
)
def test_a_wheel_holds_code_and_the_demo_only(name):
    assert release.wheel_problems({*WHEEL, name}, "0.1.0") == [f"the wheel has {name}"]


@pytest.mark.parametrize("name", sorted(WHEEL - {"pyod_aspects/cli/demo.py"}))
def test_a_wheel_lacks_nothing(name):
    assert len(release.wheel_problems(WHEEL - {name}, "0.1.0")) == 1


@pytest.mark.parametrize(
    "name",
    ["tests/real/shuttle.npz", "docs/table.csv", "build/lib.py", "docs/.cache/a.py", "tests/a.pyc"],
)
def test_a_source_distribution_has_no_data_and_nothing_built(name):
    [problem] = release.sdist_problems({*SDIST, name})
    assert name in problem


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Version: 0.1.0", "Version: 0.2.0"),
        ("License-Expression: BSD-2-Clause AND MIT", "License: BSD"),
        ("Keywords: pyod\n", ""),
        ("Classifier: Programming Language :: Python :: 3.13\n", ""),
        ("Requires-Dist: pyod>=2.0.6", "Requires-Dist: pytest>=8"),
        ("Summary: Explains", "Summary: Explains\nClassifier: License :: OSI Approved"),
    ],
)
def test_wrong_metadata_is_named(old, new):
    metadata = METADATA.replace(old, new)
    assert metadata != METADATA
    assert len(release.metadata_problems(message_from_string(metadata), "0.1.0")) == 1


def test_changelog_and_citation_have_the_version_of_the_package():
    root = Path(__file__).resolve().parents[1]
    texts = [(root / name).read_text("utf-8") for name in ("CHANGELOG.md", "CITATION.cff")]
    assert release.version_problems(pyod_aspects.__version__, *texts) == []
    assert len(release.version_problems("9.9", *texts)) == 2
