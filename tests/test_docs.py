"""The README and the pages of the documentation: examples run, links lead somewhere."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from doctest import ELLIPSIS, OutputChecker
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

import pyod_aspects
from pyod_aspects import datasets, metrics, plots
from pyod_aspects.cli import main

REPOSITORY = Path(__file__).resolve().parents[1]
DOCS = REPOSITORY / "docs"
PAGES = [REPOSITORY / "README.md", *sorted(DOCS.rglob("*.md"))]


class Block(NamedTuple):
    """A fenced block of a page; `follows` says that only blank lines separate it from the last."""

    language: str
    text: str
    line: int
    follows: bool


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found, end = [], 0
    for match in re.finditer(r"^```(\S*)[^\n]*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        follows = bool(found) and not text[end : match.start()].strip()
        line = text.count("\n", 0, match.start(2)) + 1
        found.append(Block(match[1], match[2], line, follows))
        end = match.end()
    return found


def name_of(page: Path) -> str:
    return page.relative_to(REPOSITORY).as_posix()


def run_python(block: Block, page: Path, names: dict[str, object]) -> str:
    # Blank lines in front, so that a traceback shows the line of the page.
    source = "\n" * (block.line - 1) + block.text
    with redirect_stdout(StringIO()) as out:
        exec(compile(source, str(page), "exec"), names)
    return out.getvalue()


def run_shell(block: Block) -> str | None:
    """Run the lines that call pyod-aspects; None if there are none, as for pip and tox."""
    out = StringIO()
    lines = [line for line in block.text.splitlines() if "pip " not in line]
    calls = [line for line in lines if "pyod-aspects" in line]
    for line in calls:
        if "|" in line:
            command = line.replace("pyod-aspects", f"{shlex.quote(sys.executable)} -m pyod_aspects")
            subprocess.run(command, shell=True, check=True)
        else:
            with redirect_stdout(out):
                assert main(shlex.split(line)[1:]) == 0, line
    return out.getvalue() if calls else None


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the examples run: a folder with the table that the command lines speak of."""
    frame = datasets.load_demo().frame.select_dtypes("number").iloc[:, :4]
    frame.insert(0, "id", [f"T{i}" for i in range(len(frame))])
    frame.insert(1, "name", "stone")
    frame.to_csv(tmp_path / "measurements.csv", index=False)
    (tmp_path / "folder").mkdir()
    frame.drop(columns=["id", "name"]).to_parquet(tmp_path / "folder/part-0.parquet")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", [page for page in PAGES if blocks_of(page)], ids=name_of)
def test_examples_of_a_page_run_and_print_what_it_shows(page: Path) -> None:
    if page.stem == "adengine" and importlib.util.find_spec("pyod.utils.ad_engine") is None:
        pytest.skip("needs ADEngine, which pyod has from version 3 on")
    names: dict[str, object] = {"__name__": "__main__"}
    printed: str | None = None
    for block in blocks_of(page):
        if block.language == "python":
            printed = run_python(block, page, names)
        elif block.language == "sh":
            printed = run_shell(block)
        elif block.language == "text" and block.follows and printed is not None:
            # A line of three dots stands for any number of lines.
            shown = OutputChecker().check_output(block.text, printed, ELLIPSIS)
            assert shown, f"{name_of(page)}, line {block.line}, should show:\n{printed}"


def test_pages_show_output_that_is_checked() -> None:
    """Guards the test above against finding nothing to do."""
    readme = blocks_of(REPOSITORY / "README.md")
    assert [b.language for b in readme].count("text") == 1
    assert all(b.follows for b in readme if b.language == "text")


def test_readme_has_the_figures_of_the_last_run() -> None:
    """The lines on SHAP, counted again from the cells that the benchmarks keep."""
    cells = json.loads((REPOSITORY / "benchmarks/evidence/peers.json").read_text("utf-8"))
    sets = ("hics_010", "hics_020", "hics_040")
    ours, shap = ([cells[f"{s}/{p}"]["result"] for s in sets] for p in ("SGBeam", "KernelSHAP"))
    quick = [round(1000 * r["seconds_per_row"]) for r in ours]
    slow = [round(r["seconds_per_row"], 1) for r in shap]
    text = " ".join((REPOSITORY / "README.md").read_text("utf-8").split())
    for said in (
        f"Of {sum(r['n_rows'] for r in ours)} outliers with a known feature set",
        f"`SGBeam` names the set first for {sum(r['rows_natural'] for r in ours)}.",
        f"highest weights give it for {sum(r['rows_given_size'] for r in shap)},",
        f"`SGBeam` {min(quick)} to {max(quick)} ms",
        f"KernelSHAP {min(slow)} to {max(slow)} s",
    ):
        assert said in text, f"README.md does not say: {said}"


def links_of(page: Path) -> Iterator[str]:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    yield from re.findall(r"\]\(([^)\s]+)\)", text)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_within_the_repository_lead_somewhere(page: Path) -> None:
    targets = [link for link in links_of(page) if not re.match(r"https?://", link)]
    figures = re.findall(r"^```\{(?:figure|include)\} (\S+)$", page.read_text("utf-8"), re.M)
    for target in [*targets, *figures]:
        folder, file = page.parent, target.partition("#")[0]
        if file.startswith("notebooks/"):  # the pages are built with a copy of this folder in docs
            folder = DOCS.parent
        assert (folder / file).exists(), f"{name_of(page)}: {target}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_picture_is_described_in_words(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(re.findall(r"^:alt: .{40,}$", text, re.M)) == text.count("```{figure}")


def test_reference_has_every_public_name() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in (DOCS / "api").glob("*.md"))
    documented = set(re.findall(r"^\.\. auto\w+:: (\w+)$", text, re.M))
    public = {*pyod_aspects.__all__, *datasets.__all__, *metrics.__all__, *plots.__all__}
    public |= {"AspectBrowser"}
    assert public - documented == {"__version__"}


@pytest.mark.parametrize("page", sorted((DOCS / "api").glob("*.md")), ids=name_of)
def test_a_name_is_imported_from_where_the_reference_says(page: Path) -> None:
    module = ""
    pattern = r"^\.\. (currentmodule|auto\w+):: (\S+)$"
    for directive, name in re.findall(pattern, page.read_text(encoding="utf-8"), re.M):
        if directive == "currentmodule":
            module = name
        else:
            exports = importlib.import_module(module)
            assert name in getattr(exports, "__all__", vars(exports)), f"{module}.{name}"


def test_map_of_the_code_has_every_room_and_kernel() -> None:
    """Modules are not listed: each opens with its purpose, which lint asks for."""
    package = Path(pyod_aspects.__file__).parent
    folders = [path.parent for path in package.rglob("__init__.py") if path.parent != package]
    rooms = [f"{folder.relative_to(package).as_posix()}/" for folder in folders]
    rooms += [path.name for path in package.glob("*.py") if path.name != "__init__.py"]
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    directory = text[text.index("## The rooms") : text.index("## The contracts")]
    kernels = text[text.index("stand in `_kernels/`:") :]
    missing = [room for room in rooms if f"`{room}`" not in directory]
    names = [path.name for path in package.glob("_kernels/*.py") if path.name != "__init__.py"]
    missing += [name for name in names if f"`{name}`" not in kernels]
    assert not missing, f"docs/architecture.md does not mention {missing}"


def test_map_of_the_code_names_only_what_exists() -> None:
    package = Path(pyod_aspects.__file__).parent
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:\w+/)+(?:\w+(?:\.\w+)+)?)`", text))
    for line in text.splitlines():  # a room, and the file of it to begin with
        room = re.match(r"\| `((?:\w+/)+)`", line)
        files = re.findall(r"`(\w+\.py)`", line.partition("begin with")[2])
        named |= {room[1] + file for file in files} if room else set()
    assert len(named) > 80
    gone = {name for name in named if not any((h / name).exists() for h in (package, REPOSITORY))}
    assert not gone, f"docs/architecture.md mentions {gone}, which do not exist"


def test_command_line_page_has_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--help"]) == 0
    options = set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out)) - {
        "--help",
        "--delimiter",
    }
    text = (DOCS / "cli.md").read_text(encoding="utf-8")
    assert options == set(re.findall(r"^\| `(--[a-z-]+)", text, re.M))


def test_pictures_can_be_drawn_anew(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("draw", DOCS / "figures" / "draw.py")
    assert spec is not None
    assert spec.loader is not None
    draw = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(draw)
    draw.main(tmp_path)
    drawn = {path.name for path in tmp_path.iterdir()}
    kept = {path.name for path in (DOCS / "_static").glob("*.svg")}
    measured = {"how_long.svg", "performance.svg", "scale_up.svg", "peer_growth.svg"}
    assert drawn == kept - measured
