"""Rehearse a release: build, look inside, install into empty environments, run the demo.

``tox -e release`` runs it. It needs the packages build and twine, and takes about a minute for
each Python. A Python that is not on the PATH is named and skipped.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Sequence
from email import message_from_string
from email.message import Message
from pathlib import Path, PurePosixPath

REPOSITORY = Path(__file__).resolve().parents[1]

PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
"""Those that we promise, and the next one."""

DEMO_DATA = ("pyod_aspects/datasets/README.md", "pyod_aspects/datasets/diamonds.csv.gz")

BESIDE_CODE = {*DEMO_DATA, "pyod_aspects/py.typed"}
"""What the package has besides Python files."""

IN_DIST_INFO = {
    *("METADATA", "RECORD", "WHEEL", "entry_points.txt", "top_level.txt"),
    *("licenses/LICENSE", "licenses/pyod_aspects/datasets/README.md"),
}

DATA = {".csv", ".feather", ".gz", ".npy", ".npz", ".parquet", ".pkl", ".xlsx", ".zip"}
"""Suffixes of tables. The wheel and the source distribution have the demo's only."""

IN_SDIST = {"benchmarks", "docs", "notebooks", "pyod_aspects", "pyod_aspects.egg-info", "tests"}
"""Folders of the source distribution, from which others build packages and run the tests."""

LICENSE = "BSD-2-Clause AND MIT"


def wheel_problems(names: Iterable[str], version: str) -> list[str]:
    """Files of a wheel that should not be there, and files that are missing."""
    info = f"pyod_aspects-{version}.dist-info/"
    names = set(names)
    expected = BESIDE_CODE | {info + name for name in IN_DIST_INFO}
    code = {n for n in names if n.startswith("pyod_aspects/") and n.endswith(".py")}
    strange = {n for n in code if "test" in n.rpartition("/")[2]} | (names - code - expected)
    problems = [f"the wheel has {name}" for name in sorted(strange)]
    problems += [f"the wheel lacks {name}" for name in sorted(expected - names)]
    return problems + ([] if "pyod_aspects/__init__.py" in code else ["the wheel has no code"])


def sdist_problems(names: Iterable[str]) -> list[str]:
    """Files of a source distribution that should not be there, and files that are missing.

    Names are relative to its one folder.
    """
    names = set(names)
    problems = []
    for name in sorted(names):
        path = PurePosixPath(name)
        if len(path.parts) > 1 and path.parts[0] not in IN_SDIST:
            problems.append(f"the source distribution has {name}")
        elif path.suffix in DATA and name not in DEMO_DATA:
            problems.append(f"the source distribution has data: {name}")
        elif path.suffix == ".pyc" or any(part.startswith(".") for part in path.parts):
            problems.append(f"the source distribution has {name}")
    needed = {*BESIDE_CODE, "LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "tox.ini"}
    return problems + [f"the source distribution lacks {n}" for n in sorted(needed - names)]


def metadata_problems(metadata: Message, version: str) -> list[str]:
    """What is wrong with the metadata of a wheel."""
    wrong = []
    expected = {
        "Name": "pyod_aspects",
        "Version": version,
        "License-Expression": LICENSE,
        "Requires-Python": ">=3.10",
        "Description-Content-Type": "text/markdown",
    }
    for field, value in expected.items():
        if metadata[field] != value:
            wrong.append(f"{field} is {metadata[field]!r}: expected {value!r}")
    wrong += [f"{field} is missing" for field in ("Summary", "Keywords") if not metadata[field]]
    classifiers = metadata.get_all("Classifier") or []
    promised = [f"Programming Language :: Python :: {python}" for python in PYTHONS[:-1]]
    wrong += [f"Classifier {c!r} is missing" for c in promised if c not in classifiers]
    wrong += [f"Classifier {c!r}: the licence has a field" for c in classifiers if "License" in c]
    required = [r for r in metadata.get_all("Requires-Dist") or [] if "extra ==" not in r]
    wrong += [f"{r} is required by all" for r in required if re.match("pytest|tox|shap", r)]
    return wrong


def version_problems(version: str, changelog: str, citation: str) -> list[str]:
    """Places that name another version."""
    newest = re.search(r"^## (\d[\w.]*)", changelog, re.MULTILINE)
    cited = re.search(r"^version: (\S+)", citation, re.MULTILINE)
    named = {"CHANGELOG.md": newest, "CITATION.cff": cited}
    found = {name: match[1] if match else "none" for name, match in named.items()}
    return [
        f"{name} has version {v}: expected {version}" for name, v in found.items() if v != version
    ]


def main(folder: Path) -> int:
    """Rehearse in a folder, which is made anew; the number of problems decides the exit code."""
    shutil.rmtree(folder, ignore_errors=True)
    dist = folder / "dist"
    run(sys.executable, "-m", "build", "--outdir", dist, REPOSITORY)
    [wheel], [sdist] = dist.glob("*.whl"), dist.glob("*.tar.gz")
    run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist)
    version = wheel.name.split("-")[1]
    with zipfile.ZipFile(wheel) as archive:
        inside = archive.namelist()
        info = archive.read(f"pyod_aspects-{version}.dist-info/METADATA").decode()
    with tarfile.open(sdist) as archive:
        members = [m.name.partition("/")[2] for m in archive.getmembers() if m.isfile()]
    show(wheel, inside)
    show(sdist, members)
    texts = ((REPOSITORY / n).read_text("utf-8") for n in ("CHANGELOG.md", "CITATION.cff"))
    problems = wheel_problems(inside, version) + sdist_problems(members)
    problems += metadata_problems(message_from_string(info), version)
    problems += version_problems(version, *texts)
    tried = [python for python in PYTHONS if installs(python, wheel, folder)]
    if not tried:
        problems.append(f"none of Python {', '.join(PYTHONS)} is on the PATH")
    for problem in problems:
        print(f"PROBLEM: {problem}")
    print(f"{len(problems)} problems; installed with Python {', '.join(tried) or 'none'}")
    return 1 if problems else 0


def installs(python: str, wheel: Path, folder: Path) -> bool:
    """Install the wheel alone into an empty environment and run the demo there.

    False if there is no such Python; what fails raises.
    """
    interpreter = shutil.which(f"python{python}")
    ask = [interpreter or "", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    if interpreter is None or said(ask) != python:  # a shim may lead nowhere
        print(f"Python {python} is not on the PATH: skipped")
        return False
    home = folder / f"python{python}"
    run(interpreter, "-m", "venv", home)
    bin_ = home / ("Scripts" if sys.platform == "win32" else "bin")
    run(bin_ / "python", "-m", "pip", "install", "--quiet", "--no-compile", wheel)
    run(bin_ / "python", "-m", "pip", "check")
    # Elsewhere: in the checkout Python would import the source tree.
    demo = run(bin_ / "pyod-aspects", "demo", cwd=home).stdout
    version = run(bin_ / "pyod-aspects", "--version", cwd=home).stdout
    assert wheel.name.split("-")[1] in version, version
    assert len(demo.splitlines()) > 10, demo
    print(f"Python {python}: installed, demo printed {len(demo.splitlines())} lines")
    return True


def show(path: Path, names: Sequence[str]) -> None:
    """Print how large a distribution is and what is in it."""
    print(f"{path.name}: {path.stat().st_size / 1024:,.0f} KB, {len(names)} files")
    for name in sorted(names):
        print(f"  {name}")


def run(*command: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command; if it fails, print what it said and raise."""
    words = [str(word) for word in command]
    print("$", " ".join(words), flush=True)
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n")
    done.check_returncode()
    return done


def said(command: Sequence[str]) -> str:
    """What a command prints, nothing if it cannot be run."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
