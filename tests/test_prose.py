"""The measure of prose: what is a sentence, what is passive, and what lint refuses."""

from __future__ import annotations

import doctest
import json

import prose
import pytest

PAGE = """\
# A heading is no sentence

The first one has `code.with(dots)` and a [link](page.md#part). The second
goes on in the next line!

- An item. It has two.
- Another

| a | table |
|---|---|

```python
print("no sentence.")
```

<!-- figures: begin -->
A program wrote this.
<!-- figures: end -->
Is it over?
"""


def texts(found):
    return [sentence.text for sentence in found]


def test_examples_in_docstrings_run():
    assert doctest.testmod(prose).failed == 0


def test_a_page_is_read_without_code_tables_headings_and_generated_parts():
    found = list(prose.of_markdown(PAGE, "page.md"))
    assert texts(found) == [
        "The first one has `code_with_dots_` and a link.",
        "The second goes on in the next line!",
        "An item.",
        "It has two.",
        "Another",
        "Is it over?",
    ]
    assert [s.where for s in found] == [f"page.md:{n}" for n in (3, 3, 6, 6, 7, 19)]
    assert found[0].n_words == 8


@pytest.mark.parametrize(
    ("text", "passive"),
    [
        ("Rows are counted.", True),
        ("The set was not even found.", True),
        ("It has been shown.", True),
        ("The planner counts rows.", False),
        ("The rows are near, and we counted them.", False),
        ("It is a need.", False),
    ],
)
def test_a_participle_after_to_be_is_passive(text, passive):
    assert prose.Sentence("here:1", text).is_passive is passive


def test_docstrings_and_comments_are_read_piece_by_piece():
    source = '''
def f(x):  # says it
    """Do this. Then that.

    Parameters
    ----------
    x : int
        The number.

    Returns
    -------
    ndarray of shape (n,)
        Its square
        or nothing.

    Raises
    ------
    TypeError, ValueError
        If it is none.

    - An item that
      goes on.

    Examples
    --------
    >>> f(1)
    Not a sentence.
    """
    # One comment
    # in two lines.
    return x
'''
    assert texts(prose.of_docstrings(source, "f.py")) == [
        "Do this.",
        "Then that.",
        "The number.",
        "Its square or nothing.",
        "If it is none.",
        "An item that goes on.",
    ]
    assert texts(prose.of_comments(source, "f.py")) == ["says it", "One comment in two lines."]


def test_a_notebook_is_its_markdown():
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "\n", "Read me."]},
        {"cell_type": "code", "source": ["# not me"]},
    ]
    assert texts(prose.of_notebook(json.dumps({"cells": cells}), "n.ipynb")) == ["Read me."]


def test_long_sentences_and_words_on_the_list_are_refused():
    fine, long = ("word " * n + "end." for n in (prose.LONGEST - 1, prose.LONGEST))
    pages = [prose.Sentence("docs/x.md:1", text) for text in (fine, long, "In order to win.")]
    too_long, avoided = prose.complaints(pages)
    assert too_long.startswith(f"docs/x.md:1: {prose.LONGEST + 1} words")
    assert '"in order to" (to)' in avoided


def test_lint_reads_pages_notebooks_docstrings_and_comments(tmp_path, capsys):
    cell = {"cell_type": "markdown", "source": ["It simply works."]}
    notebook = json.dumps({"cells": [cell]})
    texts = {
        **dict.fromkeys(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"], "It simply works."),
        "docs/api/it.md": "It simply works.",
        "notebooks/n.ipynb": notebook,
        "pyod_aspects/a.py": '"""It simply works."""\n',
        "benchmarks/b.py": "# It simply works.\n",
        "tests/engines/test_c.py": 'async def f():\n    """It simply works."""\n',
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert prose.main(["--check", "--root", str(tmp_path)]) == 1
    found = {line.partition(":")[0] for line in capsys.readouterr().out.splitlines()}
    assert found == set(texts)


def test_the_table_has_every_kind(tmp_path):
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        (tmp_path / name).write_text("Rows are counted. It works.")
    (tmp_path / "docs").mkdir()
    table = prose.table(prose.everything(tmp_path))
    assert "| README | 2 | 2.5 | 0 | 50% | 3 |" in table
    assert "| notebooks | 0 | 0.0 | 0 | 0% | 0 |" in table
