"""The benchmark of tables in partitions measures what it says, and writes its page."""

from __future__ import annotations

import json

import pytest
from benchmark_modules import module

pytest.importorskip("dask")
pytest.importorskip("distributed")
pytest.importorskip("pyarrow")

scaling = module("scaling")


@pytest.mark.slow
def test_a_quick_run_writes_figures_into_the_page(tmp_path, capsys):
    page = tmp_path / "scaling.md"
    page.write_text("# Mine\n<!-- scaling: begin -->\nold\n<!-- scaling: end -->\nstays\n")
    options = ["--quick", "--only", "memory", "growth", "--output", str(tmp_path)]
    assert scaling.main(options) == 0
    text = page.read_text(encoding="utf-8")
    assert "old" not in text
    assert text.startswith("# Mine")
    assert text.endswith("stays\n")
    assert "| Peak memory, 10,000 × 6 in Parquet on threads |" in text
    assert "`_count_all`" in text
    kept = json.loads((tmp_path / "scaling.json").read_text(encoding="utf-8"))
    rows, seconds = zip(*kept["growth"]["curves"]["on threads"], strict=True)
    assert rows == (8_000, 16_000)
    assert min(seconds) > 0.0
    assert scaling.main(["--report", "--output", str(tmp_path)]) == 0
    assert page.read_text(encoding="utf-8") == text
