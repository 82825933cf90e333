"""The notebooks run from top to bottom, and are kept as they should be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    names = [path.stem for path in NOTEBOOKS]
    assert names == [
        "choosing_a_miner",
        "groups",
        "how_sure",
        "large_table",
        "many_detectors",
        "quickstart",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nbformat
    from nbclient import NotebookClient

    # Nothing of the user's own settings; figures are shown as in a notebook.
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.delenv("MPLBACKEND", raising=False)
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources)
    client.execute()  # raises on the first cell that fails


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_kept_with_outputs_and_without_widget_state(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert "widgets" not in notebook["metadata"]
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert any(cell["outputs"] for cell in code)
    assert not [o for cell in code for o in cell["outputs"] if o["output_type"] == "error"]
    assert not [o for cell in code for o in cell["outputs"] if o.get("name") == "stderr"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_pictures_of_a_notebook_are_small_and_described(path: Path) -> None:
    """The description goes to the page that the documentation makes of the notebook."""
    assert path.stat().st_size < 400_000
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if any("image/png" in output.get("data", {}) for output in cell.get("outputs", [])):
            assert len(cell["metadata"]["mystnb"]["image"]["alt"]) > 30


def test_every_notebook_is_a_page_of_the_documentation() -> None:
    index = (FOLDER.parent / "docs" / "index.md").read_text(encoding="utf-8")
    for path in NOTEBOOKS:
        assert f"\nnotebooks/{path.stem}\n" in index
