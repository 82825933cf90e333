"""Run the notebooks and keep what they show: python docs/figures/notebooks.py [name ...].

A notebook is kept with its outputs, which are its page of the documentation. Pictures get a
palette, which makes them a third of the size. Timing and the state of widgets are left out.
"""

from __future__ import annotations

import base64
import io
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from PIL import Image

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
COLOURS = 96


def run(path: Path) -> None:
    """Run a notebook from top to bottom and write it with its new outputs."""
    notebook: Any = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(
            notebook,
            timeout=600,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
            store_widget_state=False,
            record_timing=False,
        ).execute()
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if data:
                output["metadata"] = {}
            if "image/png" in data:
                data["image/png"] = with_palette(data["image/png"])
    nbformat.write(notebook, path)


def with_palette(png: str) -> str:
    """Return a picture in base64 with few colours."""
    picture = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB")
    out = io.BytesIO()
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return base64.b64encode(out.getvalue()).decode() + "\n"


if __name__ == "__main__":
    os.environ.pop("MPLBACKEND", None)  # figures are shown as in a notebook
    names = sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.ipynb"))
    for name in names:
        print(name, flush=True)
        run(FOLDER / f"{name}.ipynb")
