"""Measure the prose of the project, and refuse what can be refused.

``python tests/prose.py`` prints words a sentence and the share of passive sentences for the pages,
docstrings, comments and notebooks. ``--worst 40`` lists the longest sentences as well. ``--check``
is the part of lint: it names sentences that are too long, and words on a list.

Passive sentences are found by a rule of thumb: a form of "to be" with a participle after it.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import io
import json
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parents[1]

LONGEST = 30
"""Most words of a sentence, in pages, notebooks, docstrings and comments."""

AVOID = {
    "utilize": "use",
    "leverage": "use",
    "in order to": "to",
    "due to the fact": "because",
    "it should be noted": "say it",
    "just what": "what",
    "simply": "leave it out",
    "obviously": "leave it out",
    "tell of": "say",
    "state of the art": "name the method",
}
"""Words to avoid, each with its replacement."""

PARTICIPLES = re.compile(
    r"begun|bound|broken|brought|built|caught|chosen|cut|done|drawn|driven|fed|felt|fit|found"
    r"|given|gone|grown|heard|held|hidden|hit|kept|known|laid|led|left|lent|let|lost|made|meant"
    r"|met|put|read|run|said|seen|sent|set|shown|shut|sold|split|spent|spread|stood|taken|taught"
    r"|thought|thrown|told|understood|won|worn|written"
    r"|\w+ed"
)
NOT_PARTICIPLES = {"need", "speed", "indeed", "exceed", "seed", "hundred", "red", "embed", "feed"}
_BE = re.compile(r"\b(?:is|are|was|were|be|been|being)\b((?: \w+){1,3})", re.IGNORECASE)
_ARRAY = r"[a-z_]\w*(?: \([^)]*\))?"  # an argument of a kernel, with its shape
_NAME = rf"{_ARRAY}(?:, {_ARRAY})*:|(?:joblib|numba|numpy|pandas|scipy|tqdm)\b"
_END = re.compile(rf"(?<=[.?!])[)\"”*]*\s+(?=[\"“(*]*[A-Z`\d]|[\"“]|{_NAME})")
_WORD = re.compile(r"[^\W_](?:[\w'’.,/-]*[^\W_])?")
_ABBREVIATIONS = re.compile(r"\b(e\.g|i\.e|et al|vs|cf|Fig|Sec|approx)\.")


class Sentence(NamedTuple):
    """A sentence, and where it begins."""

    where: str
    text: str

    @property
    def n_words(self) -> int:
        """Code and numbers count as one word each."""
        return len(_WORD.findall(self.text))

    @property
    def is_passive(self) -> bool:
        """Whether a participle follows a form of "to be" within three words."""
        return any(
            _is_participle(word.lower())
            for match in _BE.finditer(self.text)
            for word in match[1].split()
        )


def _is_participle(word: str) -> bool:
    return bool(PARTICIPLES.fullmatch(word)) and word not in NOT_PARTICIPLES


def sentences(text: str) -> list[str]:
    """The sentences of a paragraph.

    >>> sentences("Counts rows, e.g. nearby ones. See `a.b`. Two (or more)!")
    ['Counts rows, e.g. nearby ones.', 'See `a.b`.', 'Two (or more)!']
    >>> sentences("Fills out. rows (d, n), n: see here. out (n,): sums. numba skips it.")
    ['Fills out.', 'rows (d, n), n: see here.', 'out (n,): sums.', 'numba skips it.']
    """
    text = " ".join(text.split())
    guarded = _ABBREVIATIONS.sub(lambda m: m[0][:-1] + "\0", text)
    return [s.replace("\0", ".").strip() for s in _END.split(guarded) if _WORD.search(s)]


def of_markdown(text: str, where: str) -> Iterator[Sentence]:
    """Sentences of a page without its code, tables, headings and directives."""
    paragraph: list[str] = []
    first = fenced = skipped = 0
    lines = [*text.splitlines(), ""]
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        if bare.startswith("```"):
            fenced = 0 if fenced else number
        if not fenced and re.match(r"<!-- \S.*: begin -->", bare):
            skipped = 1  # a program writes what follows
        item = re.match(r"(?:[-*]|\d+\.) (?=\S)", bare)
        ends = not bare or bool(item) or bare.startswith(("#", "|", "```", "<", ":", "---"))
        if (ends or fenced) and paragraph:
            yield from _named(_plain(" ".join(paragraph)), where, first)
            paragraph = []
        if re.match(r"<!-- \S.*: end -->", bare):
            skipped = 0
        elif not (fenced or skipped) and bare and (item or not ends):
            first = first if paragraph else number
            paragraph.append(bare[item.end() :] if item else bare)


def _plain(text: str) -> str:
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)  # links
    text = re.sub(r"\{[\w:]+\}(?=`)", "", text)  # roles
    return re.sub(r"(`+)(.+?)\1", lambda m: "`" + re.sub(r"\W+", "_", m[2]) + "`", text)


def _named(text: str, where: str, line: int) -> Iterator[Sentence]:
    for sentence in sentences(text):
        yield Sentence(f"{where}:{line}", sentence)


_DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def of_docstrings(source: str, where: str) -> Iterator[Sentence]:
    """Sentences of docstrings, without examples, drawings and the lines that name parameters."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, _DOCUMENTED):
            continue
        for one in node.body:  # the docstring, and those under constants and fields
            value = one.value.value if _is_constant(one) else None  # type: ignore[attr-defined]
            if isinstance(value, str):
                yield from _of_docstring(value, where, one.lineno)


def _is_constant(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _of_docstring(text: str, where: str, line: int) -> Iterator[Sentence]:
    kept: list[str] = []
    example = False
    lines = [*inspect.cleandoc(text).splitlines(), ""]
    for one, following in zip(lines, [*lines[1:], ""], strict=True):
        bare = one.strip()
        example = bool(bare) and (example or bare.startswith(">>>"))
        alone = "  " in bare or "──" in bare  # a line of a list or of a drawing
        deeper = _indent(following) > _indent(one) and not bare.startswith("- ")
        named = deeper or re.match(r"[\w*, ]+ : ", bare)  # a parameter, a type or an exception
        ends = not bare or example or alone or named or bare.startswith(("- ", "---", "|", "::"))
        if ends and kept:
            if not bare.startswith("---"):  # else these are a heading
                yield from _named(_plain(" ".join(kept)), where, line)
            kept = []
        if bare.startswith("- ") or not ends:
            kept.append(bare.removeprefix("- "))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def of_comments(source: str, where: str) -> Iterator[Sentence]:
    """Sentences of comments. Whole lines that follow one another are one comment."""
    block: list[str] = []
    last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        ignored = re.match(r"#(!|\s*(type:|noqa|ruff))", token.string)
        if token.type != tokenize.COMMENT or ignored:
            continue
        after_code = bool(token.line[: token.start[1]].strip())
        if block and (after_code or token.start[0] != last + 1):
            yield from _named(_plain(" ".join(block)), where, last)
            block = []
        words = token.string.lstrip("# ")
        if after_code:
            yield from _named(_plain(words), where, token.start[0])
        else:
            block.append(words)
            last = token.start[0]
    yield from _named(_plain(" ".join(block)), where, last)


def of_notebook(text: str, where: str) -> Iterator[Sentence]:
    """Sentences of the Markdown cells of a notebook."""
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == "markdown":
            yield from of_markdown("".join(cell["source"]), where)


def everything(root: Path = REPOSITORY) -> dict[str, list[Sentence]]:
    """All sentences by kind."""
    found: dict[str, list[Sentence]] = {}

    def add(kind: str, paths: Iterable[Path], *readers: object) -> None:
        found[kind] = [
            sentence
            for path in sorted(paths)
            for read in readers
            for sentence in read(path.read_text("utf-8"), path.relative_to(root).as_posix())  # type: ignore[operator]
        ]

    code = [p for folder in ("pyod_aspects", "benchmarks") for p in (root / folder).rglob("*.py")]
    pages = [p for p in (root / "docs").rglob("*.md") if "notebooks" not in p.parts]
    add("README", [root / "README.md"], of_markdown)
    add("docs", [*pages, root / "CONTRIBUTING.md"], of_markdown)
    add("changelog", [root / "CHANGELOG.md"], of_markdown)
    add("docstrings", code, of_docstrings)
    add("comments", code, of_comments)
    add("tests", (root / "tests").rglob("*.py"), of_docstrings, of_comments)
    add("notebooks", (root / "notebooks").glob("*.ipynb"), of_notebook)
    return found


def table(found: dict[str, list[Sentence]]) -> str:
    """Words a sentence, passive sentences and the longest one, by kind."""
    lines = ["| | sentences | words a sentence | above 30 words | passive | longest |"]
    lines.append("|---|---|---|---|---|---|")
    for kind, those in (*found.items(), ("all", [s for t in found.values() for s in t])):
        words = [s.n_words for s in those] or [0]
        passive = mean(s.is_passive for s in those) if those else 0
        lines.append(
            f"| {kind} | {len(those):,} | {mean(words):.1f} | {sum(w > 30 for w in words)} "
            f"| {passive:.0%} | {max(words)} |"
        )
    return "\n".join(lines)


def worst(found: Iterable[Sentence], n: int) -> list[Sentence]:
    """The longest sentences; a passive one counts five words more."""
    return sorted(found, key=lambda s: -(s.n_words + 5 * s.is_passive))[:n]


def complaints(pages: Iterable[Sentence]) -> list[str]:
    """Sentences that are too long, and words on the list."""
    found = []
    for sentence in pages:
        if sentence.n_words > LONGEST:
            what = f"{sentence.n_words} words, at most {LONGEST}: say one fact a sentence"
            found.append(f"{sentence.where}: {what}: {sentence.text}")
        for word, instead in AVOID.items():
            if re.search(rf"\b{word}\b", sentence.text, re.IGNORECASE):
                found.append(f'{sentence.where}: "{word}" ({instead}): {sentence.text}')
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Print figures, or complaints; the exit code says whether there are any."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="list so many sentences")
    parser.add_argument("--check", action="store_true", help="complain about sentences")
    parser.add_argument("--root", type=Path, default=REPOSITORY, help="another checkout")
    options = parser.parse_args(argv)
    found = everything(options.root)
    if options.check:
        lines = complaints(sentence for kind in found.values() for sentence in kind)
        print("\n".join(lines or ["All sentences keep to the limits."]))
        return 1 if lines else 0
    print(table(found))
    for sentence in worst((s for t in found.values() for s in t), options.worst):
        passive = ", passive" if sentence.is_passive else ""
        print(f"\n- {sentence.where} ({sentence.n_words} words{passive}): {sentence.text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
