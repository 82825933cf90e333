"""The page docs/compatibility.md, made of what the tests find; `python tests/compatibility.py`."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr
from importlib.metadata import version
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import bad_inputs
import detector_cases
import table_cases

from pyod_aspects import AspectExplainer, Explanation, cli
from pyod_aspects.exceptions import AspectsError

PAGE = Path(__file__).resolve().parents[1] / "docs" / "compatibility.md"

AGREEMENT = {"asked in batches": "yes", "asked table by table": "yes, table by table"}

EXTRA = ("combo", "polars", "suod", "torch", "xgboost")


def environment() -> str:
    """What the page depends on, in one line."""
    names = ("pyod", "scikit-learn", "numpy", "pandas")
    python = f"Python {sys.version_info[0]}.{sys.version_info[1]}"
    found = ", ".join([python, *(f"{name} {version(name)}" for name in names)])
    absent = [name for name in EXTRA if find_spec(name) is None]
    return f"{found}; without {', '.join(absent)}"


def table(head: Iterable[str], lines: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield a table in Markdown."""
    head = list(head)
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for line in lines:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |"


def code(text: str) -> str:
    """Text in the type of code; markup in it means nothing then."""
    return f"`{text.replace('`', chr(39))}`" if text else ""


def detectors() -> Iterator[tuple[str, ...]]:
    """One line for each detector that can be fitted."""
    for name in [*sorted(detector_cases.pyod_classes(), key=str.lower), *detector_cases.SKLEARN]:
        found = detector_cases.outcome(name)
        if found.fitted:
            new = "yes" if found.new_rows == "explained" else "no"
            told = found.new_rows.partition("refused: ")[2]
            notes = "; ".join(filter(None, [found.notes, told and code(told)]))
            done = "yes" if found.explained else "no"
            agreement = AGREEMENT.get(found.agreement, "no")
            by = f"highest {code(found.chosen_by)}"
            yield code(name), "yes", done, by, new, agreement, notes


def others() -> Iterator[tuple[str, ...]]:
    """One line for each detector that cannot."""
    for name in sorted(detector_cases.pyod_classes(), key=str.lower):
        found = detector_cases.outcome(name)
        if not found.fitted:
            yield code(name), found.reason


def tables() -> Iterator[tuple[str, ...]]:
    """One line for each kind of table."""
    for name in table_cases.TABLES:
        if name == "polars DataFrame" and find_spec("polars") is None:
            continue
        explained, words = table_cases.outcome(name)
        yield name, words if explained else f"refused: {code(words)}"


def bad_detectors() -> Iterator[tuple[str, ...]]:
    """One line for each detector that will not do, with its message."""
    for what, detector, _ in bad_inputs.DETECTORS:
        try:
            AspectExplainer(detector).fit(bad_inputs.X)
        except AspectsError as error:
            yield what, code(str(error))


def bad_files() -> Iterator[tuple[str, ...]]:
    """One line for each file that will not do, with its message."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for what, content, _ in bad_inputs.FILES:
                data = content.encode() if isinstance(content, str) else content
                Path("data.csv").write_bytes(data)
                with redirect_stderr(StringIO()) as errors:
                    assert cli.main(["explain", "data.csv"]) == 2
                yield what, code(errors.getvalue().strip())
        finally:
            os.chdir(before)


def bad_json() -> Iterator[tuple[str, ...]]:
    """One line for each text that is no explanation, with its message."""
    for what, text, _ in bad_inputs.JSON:
        try:
            Explanation.from_json(text)
        except AspectsError as error:
            yield what, code(str(error))


DEEP = """\
### Behind torch

`tox -e deep` fits these, and explains them; it is not one of the environments that `tox` runs by
itself. Seen with torch 2.13.0, pyod 3.6.7, scikit-learn 1.9.1, numpy 2.4.6 and Python 3.11: all 22
tests pass, with at most 5 epochs for a network.

| detector | explained | text and gaps | new rows | agreement | notes |
|---|---|---|---|---|---|
| `AE1SVM` | yes | yes | yes | yes |  |
| `ALAD` | yes | yes | yes | yes, table by table |  |
| `AnoGAN` | yes | yes | yes | yes |  |
| `AutoEncoder` | yes | yes | yes | yes |  |
| `DeepSVDD` | yes | yes | yes | yes | by name it gets its `n_features` from the table |
| `DevNet` | yes | not tried | yes | yes | needs labels |
| `DIF` | yes | yes | yes | yes, table by table |  |
| `LUNAR` | yes | yes | yes | yes |  |
| `MO_GAAL` | yes | yes | yes | yes |  |
| `SO_GAAL` | yes | yes | yes | yes |  |
| `VAE` | yes | yes | yes | yes, table by table |  |

`AnomalyTransformer` and `LSTMAD` are for time series: they are explained, and refuse 40 new rows,
fewer than their windows have."""


FUZZING = """\
## Fuzzing

`tests/fuzzing.py` writes tables that nobody should: separators, quotes and encodings mixed up,
bytes changed, hostile names. Each file is read, or refused in words. 10,000 files for each reader,
with pyarrow 26.0.1, openpyxl 3.1.5 and pandas 3.1.1:

| reader | read | refused | anything else | slowest |
|---|---|---|---|---|
| text | 2,833 | 7,167 | 0 | 0.5 s |
| JSON lines | 2,222 | 7,778 | 0 | 0.3 s |
| Parquet | 1,586 | 8,414 | 0 | 0.7 s |
| Feather | 1,858 | 8,142 | 0 | 2.1 s |
| Excel | 1,880 | 8,120 | 0 | 1.0 s |
| packed: gzip, bzip2, xz, zip | 1,091 | 8,909 | 0 | 0.5 s |
| several files | 637 | 9,363 | 0 | 0.7 s |

Also tried:

- 6,000 changed texts for `Explanation.from_json`
- 404 random combinations of options
- 51 tables with hostile names, in text, page, CSV, JSON and code
- 975 changed models, none of which ran

The tests read 500 files for each reader and repeat about 200 of the others."""


def page() -> str:
    """Return the whole page."""
    head = ("detector", "fits", "explained", "queries chosen by", "new rows", "agreement", "notes")
    lines = [
        "# What works with what",
        "",
        "The tests write this page: `python tests/compatibility.py`. They fit every detector to a",
        "small table and explain it, read every table and provoke every message.",
        "",
        f"Made with {environment()}.",
        "",
        "## Detectors",
        "",
        "The rows to explain are those with the highest scores; of rows with the same score the",
        "first ones. *Agreement* says whether the detector scores rows with replaced values",
        "([how](method.md#does-the-detector-agree)). Most score them in batches. Those that",
        "compare the rows that they score with each other need a whole table for each such row.",
        "",
        *table(head, detectors()),
        "",
        "These were not fitted. The rule that found the reason is a part of the tests, so that a",
        "detector of a new PyOD is explained, or noticed.",
        "",
        *table(("detector", "why not"), others()),
        "",
        DEEP,
        "",
        "## Tables",
        "",
        "[Tables](tables.md) says what happens to each kind of column. Row 7 of these is odd in",
        "the first column.",
        "",
        *table(("table", "what happens"), tables()),
        "",
        "## What is refused",
        "",
        "Detectors, for a table of 50 rows and 3 columns:",
        "",
        *table(("detector", "message"), bad_detectors()),
        "",
        "Files, for the command line:",
        "",
        *table(("data.csv", "message"), bad_files()),
        "",
        "Texts, for `Explanation.from_json`:",
        "",
        *table(("text", "message"), bad_json()),
        "",
        FUZZING,
        "",
    ]
    return "\n".join(lines)


def made_with(text: str) -> str:
    """Return the environment that a page names."""
    found = re.search(r"^Made with (.*)\.$", text, re.MULTILINE)
    return found[1] if found else ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE} is written", file=sys.stderr)
