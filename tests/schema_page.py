"""The tables of docs/schema.md, made of the schema; `python tests/schema_page.py` writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = DOCS / "schema.md"
SCHEMA: dict[str, Any] = json.loads(
    (DOCS / "_static" / "explanation.schema.json").read_text(encoding="utf-8")
)

WORDS = {
    "string": ("text", "texts"),
    "integer": ("whole number", "whole numbers"),
    "number": ("number", "numbers"),
    "boolean": ("true or false", "true or false"),
    "null": ("null", "null"),
}

MARKED = re.compile(r"(<!-- fields of (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def parts() -> dict[str, dict[str, Any]]:
    """Objects of the schema by name, the explanation first."""
    named = {name: part for name, part in SCHEMA["$defs"].items() if "properties" in part}
    return {"explanation": SCHEMA} | named


def type_words(field: dict[str, Any], many: bool = False) -> str:
    """Type of a field, or of many, in words."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        noun = f"{name}s" if many and name != "evidence" else name
        return f"[{noun}](#{name})" if name in parts() else f"`{noun}`"
    if "enum" in field:
        return " or ".join(f'`"{option}"`' for option in field["enum"])
    if "anyOf" in field:
        return " or ".join(type_words(one) for one in field["anyOf"])
    if field["type"] == "array":
        return f"list of {type_words(field['items'], many=True)}"
    if "additionalProperties" in field:
        return f"object of {type_words(field['additionalProperties'], many=True)}"
    kinds = field["type"] if isinstance(field["type"], list) else [field["type"]]
    return " or ".join(WORDS[kind][many] for kind in kinds)


def table(name: str) -> Iterator[str]:
    """Yield the fields of an object as a table in Markdown."""
    yield "| field | type | meaning |"
    yield "|---|---|---|"
    for field, its in parts()[name]["properties"].items():
        yield f"| `{field}` | {type_words(its)} | {its['description']} |"


def page(text: str) -> str:
    """Return the page with its tables written anew."""
    return MARKED.sub(lambda found: "\n".join([found[1], *table(found[2]), "", found[3]]), text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
