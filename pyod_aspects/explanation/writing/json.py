"""Write an explanation as JSON, and read it back field by field.

The text may come from anyone, so the reader checks each field, and runs nothing in it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..._util.types import MEASURES
from ...exceptions import InvalidInputError
from ...search.aspect import DIRECTIONS, FIGURES, Aspect, Evidence, Replacement, Value
from ..known import Known

if TYPE_CHECKING:
    from ..values import Explanation

FORMAT = "pyod_aspects.explanation"
FORMAT_VERSION = 1

REPLACEMENTS = ("agreement", "repair")
"""Fields of an aspect with the detector's scores of other values."""

LONGEST = 2**28
"""Most characters of a text to read: a million aspects."""

MOST_ASPECTS = 10_000
"""Most aspects of a row to read, as the test for redundancy compares each with others."""


def to_json_text(explanation: Explanation) -> str:
    """Write everything as JSON."""
    content = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "version": explanation.version,
        "detector": explanation.detector,
        "miner": explanation.miner,
        "settings": dict(explanation.settings),
        "score_name": explanation.score_name,
        "measure": explanation.measure,
        "nearby": explanation.nearby,
        "n_rows": explanation.n_rows,
        "n_reference": explanation.n_reference,
        "alpha": explanation.alpha,
        "new_rows": explanation.new_rows,
        "feature_names": explanation.feature_names,
        "duplicate_columns": dict(explanation.duplicate_columns),
        "known": _known_fields(explanation.known),
        "queries": [
            {
                "row": query.row,
                "label": query.label,
                "score": _finite(query.score),
                "percentile": query.percentile,
                "is_anomaly": query.is_anomaly,
                "known": query.known,
                "p_value": None if query.p_value is None else _finite(query.p_value),
                "features": dict(query.features),
                "aspects": [aspect_fields(aspect) for aspect in query.aspects],
                "repair": _replacement_fields(query.repair),
            }
            for query in explanation.queries
        ],
    }
    return json.dumps(content, indent=2, allow_nan=False)


def aspect_fields(aspect: Aspect) -> dict[str, Any]:
    """Return an aspect as a dict for JSON."""
    return (
        {"subspace": aspect.subspace, "features": aspect.features}
        | {name: _finite(getattr(aspect, name)) for name in FIGURES}
        | {"p_value": None if aspect.p_value is None else _finite(aspect.p_value)}
        | {"reach": aspect.reach, "evidence": [_evidence_fields(one) for one in aspect.evidence]}
        | {name: _replacement_fields(getattr(aspect, name)) for name in REPLACEMENTS}
        | ({} if math.isnan(aspect.error) else {"error": _finite(aspect.error)})
    )


def _known_fields(known: Known | None) -> dict[str, Any] | None:
    return None if known is None else vars(known) | {"counts": dict(known.counts)}


def _evidence_fields(evidence: Evidence) -> dict[str, Any]:
    return vars(evidence) | {"outside": _finite(evidence.outside)}


def _replacement_fields(replacement: Replacement | None) -> dict[str, Any] | None:
    if replacement is None:
        return None
    fields = vars(replacement)
    return fields | {name: _finite(fields[name]) for name in ("score", "share", "percentile")}


def read_fields(text: str | bytes) -> dict[str, Any]:
    """Read the fields of an `Explanation` from JSON; queries and aspects are dicts."""
    content = _Reader(_parse(text), "")
    tag = content.value.get("format")
    if tag != FORMAT:
        raise InvalidInputError(
            f"the JSON has the format {_excerpt(tag)}: expected {FORMAT!r}, "
            "as written by Explanation.to_json()."
        )
    if content.number("format_version") > FORMAT_VERSION:
        raise InvalidInputError(
            f"the explanation has format version {content.number('format_version')}, this "
            f"pyod_aspects reads versions up to {FORMAT_VERSION}: upgrade pyod_aspects."
        )
    names = content.texts("feature_names")
    known = _read_known(content)
    return {
        "queries": [_read_query(query, names, known) for query in content.objects("queries")],
        "detector": content.text("detector"),
        "miner": content.text("miner"),
        "settings": content.settings("settings"),
        "score_name": content.text("score_name"),
        "measure": content.one_of("measure", MEASURES),
        "n_rows": content.number("n_rows"),
        "n_reference": content.number("n_reference"),
        "alpha": content.real_or_none("alpha"),
        "feature_names": names,
        "new_rows": content.boolean("new_rows"),
        "version": content.text("version"),
        "nearby": content.text("nearby"),
        "duplicate_columns": content.pairs("duplicate_columns"),
        "known": known,
    }


def _read_known(content: _Reader) -> Known | None:
    known = content.object_or_none("known")
    if known is None:
        return None
    return Known(known.text("name"), known.counts("counts"), known.number("n_rows"))


def _read_query(query: _Reader, names: tuple[str, ...], known: Known | None) -> dict[str, Any]:
    aspects = [_read_aspect(aspect, names) for aspect in query.objects("aspects")]
    if len(aspects) > MOST_ASPECTS:
        raise query.wrong("aspects", f"has {len(aspects):,} entries, at most {MOST_ASPECTS:,} do")
    label = query.text_or_none("known")
    if label is not None and (known is None or label not in known.counts):
        raise query.wrong("known", "is not a label of known.counts")
    return {
        "row": query.number("row"),
        "score": query.real("score"),
        "is_anomaly": query.boolean_or_none("is_anomaly"),
        "known": label,
        "aspects": aspects,
        "percentile": query.real_or_none("percentile"),
        "label": query.text_or_none("label"),
        "p_value": query.real_or_none("p_value"),
        "features": query.weights("features", names),
        "repair": _read_replacement(query, "repair", names, "table"),
    }


def _read_aspect(aspect: _Reader, names: tuple[str, ...]) -> dict[str, Any]:
    subspace = aspect.numbers("subspace")
    if not subspace or any(not 0 <= i < len(names) for i in subspace):
        raise aspect.wrong("subspace", f"is not made of numbers from 0 to {len(names) - 1}")
    features = tuple(names[i] for i in subspace)
    if aspect.texts("features") != features:
        raise aspect.wrong("features", "does not fit its subspace")
    reach = aspect.numbers("reach")
    if reach and (len(reach) != len(subspace) or not 0 <= min(reach) <= max(reach) < 2**63):
        raise aspect.wrong("reach", "does not fit its subspace")
    evidence = tuple(map(_read_evidence, aspect.objects("evidence")))
    if evidence and tuple(one.feature for one in evidence) != features:
        raise aspect.wrong("evidence", "does not fit its features")
    return (
        {"subspace": subspace, "features": features, "reach": reach, "evidence": evidence}
        | {name: aspect.real(name) for name in FIGURES}
        | ({"error": aspect.real("error")} if "error" in aspect.value else {})
        | {"p_value": aspect.real_or_none("p_value")}
        | {name: _read_replacement(aspect, name, features, "aspect") for name in REPLACEMENTS}
    )


def _read_replacement(
    of: _Reader, name: str, features: tuple[str, ...], whose: str
) -> Replacement | None:
    replacement = of.object_or_none(name)
    if replacement is None:
        return None
    replaced = replacement.texts("features")
    if not replaced or not set(replaced) <= set(features):
        raise replacement.wrong("features", f"does not fit the features of the {whose}")
    figures = (replacement.real(figure) for figure in ("score", "share", "percentile"))
    return Replacement(replaced, *figures)


def _read_evidence(evidence: _Reader) -> Evidence:
    return Evidence(
        feature=evidence.text("feature"),
        value=evidence.value_of_column("value"),
        typical=evidence.values_of_column("typical"),
        expected=(None if evidence.is_null("expected") else evidence.values_of_column("expected")),
        direction=evidence.one_of("direction", DIRECTIONS),
        outside=evidence.real("outside"),
        rough=evidence.boolean("rough"),
        gap=evidence.ends_or_none("gap"),
    )


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _excerpt(value: object, most: int = 60) -> str:
    """Foreign value for a message, cut to a limit."""
    text = repr(value)
    return text if len(text) <= most else text[: most - 3] + "..."


def _parse(text: Any) -> dict[str, Any]:
    """Parse strict JSON with an object on top."""
    if not isinstance(text, (str, bytes)):
        raise InvalidInputError(
            f"from_json got a {type(text).__name__}: expected the text that to_json() gave."
        )
    if len(text) > LONGEST:
        raise InvalidInputError(
            f"the text has {len(text):,} characters: expected at most {LONGEST:,}, as written by "
            "Explanation.to_json()."
        )

    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is no JSON")

    try:
        content = json.loads(text, parse_constant=refuse)
    # RecursionError: brackets nested a thousand deep.
    except (ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise InvalidInputError(
            f"the text is not JSON ({reason}): expected what Explanation.to_json() wrote."
        ) from error
    if not isinstance(content, dict):
        raise InvalidInputError(
            f"the JSON is {_kind(content)}: expected an object, as written by "
            "Explanation.to_json()."
        )
    return content


_DEEPEST = 8  # most levels of nested lists in the settings

_KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    type(None): "null",
}


def _kind(value: object) -> str:
    return _KINDS[type(value)]


class _Reader:
    """An object in the JSON that checks each field on reading it."""

    def __init__(self, value: dict[str, Any], where: str) -> None:
        self.value = value
        self.where = where

    def _get(self, name: str, kinds: tuple[type, ...]) -> Any:
        if name not in self.value:
            raise self.wrong(name, "is missing")
        value = self.value[name]
        # By type, not isinstance: true is not a number here.
        if type(value) not in kinds:
            expected = " or ".join(_KINDS[kind] for kind in kinds)
            raise self.wrong(name, f"is {_kind(value)}, expected {expected}")
        return value

    def wrong(self, name: str, what: str) -> InvalidInputError:
        return InvalidInputError(
            f"the JSON is not a valid explanation: {self.where}{name} {what}; write it again "
            "with Explanation.to_json()."
        )

    def text(self, name: str) -> str:
        return str(self._get(name, (str,)))

    def text_or_none(self, name: str) -> str | None:
        value: str | None = self._get(name, (str, type(None)))
        return value

    def one_of(self, name: str, options: tuple[str, ...]) -> str:
        text = self.text(name)
        if text not in options:
            expected = " or ".join(map(repr, options))
            raise self.wrong(name, f"is {_excerpt(text)}, expected {expected}")
        return text

    def boolean(self, name: str) -> bool:
        return bool(self._get(name, (bool,)))

    def boolean_or_none(self, name: str) -> bool | None:
        value: bool | None = self._get(name, (bool, type(None)))
        return value

    def number(self, name: str) -> int:
        value = self._get(name, (int,))
        if value < 0:
            raise self.wrong(name, "is negative")
        if value >= 2**63:
            raise self.wrong(name, "is too large")
        return int(value)

    def real(self, name: str) -> float:
        value = self._get(name, (float, int, type(None)))
        try:
            return math.nan if value is None else float(value)
        except OverflowError:
            raise self.wrong(name, "is too large") from None

    def real_or_none(self, name: str) -> float | None:
        value = self.real(name)
        return None if math.isnan(value) else value

    def texts(self, name: str) -> tuple[str, ...]:
        return tuple(self._items(name, str))

    def numbers(self, name: str) -> tuple[int, ...]:
        return tuple(self._items(name, int))

    def is_null(self, name: str) -> bool:
        return name in self.value and self.value[name] is None

    def value_of_column(self, name: str) -> Value:
        value = self._get(name, (str, float, int, type(None)))
        if value is None:
            return None
        return str(value) if type(value) is str else self.real(name)

    def values_of_column(self, name: str) -> tuple[Value, ...]:
        values = self._get(name, (list,))
        pairs = _Reader({f"{name}[{i}]": value for i, value in enumerate(values)}, self.where)
        return tuple(map(pairs.value_of_column, pairs.value))

    def ends_or_none(self, name: str) -> tuple[Value, Value] | None:
        if self.is_null(name):
            return None
        ends = self.values_of_column(name)
        if len(ends) != 2:
            raise self.wrong(name, f"has {len(ends):,} entries, expected 2")
        return ends[0], ends[1]

    def pairs(self, name: str) -> dict[str, str]:
        """Texts by name."""
        pairs: dict[str, str] = self._get(name, (dict,))
        for key, value in pairs.items():
            if type(value) is not str:
                raise self.wrong(f"{name}[{_excerpt(key)}]", f"is {_kind(value)}, expected a text")
        return pairs

    def weights(self, name: str, names: tuple[str, ...]) -> dict[str, float]:
        """Numbers by feature."""
        weights: dict[str, float] = self._get(name, (dict,))
        for key, value in weights.items():
            if key not in names:
                raise self.wrong(f"{name}[{_excerpt(key)}]", "is no feature")
            if type(value) not in (int, float) or not 0.0 <= value <= 1.0:
                raise self.wrong(f"{name}[{_excerpt(key)}]", "is no number from 0 to 1")
        return weights

    def counts(self, name: str) -> dict[str, int]:
        """Numbers of rows by name."""
        counts: dict[str, int] = self._get(name, (dict,))
        for key, value in counts.items():
            field = f"{name}[{_excerpt(key)}]"
            _Reader({field: value}, self.where).number(field)
        return counts

    def objects(self, name: str) -> Iterator[_Reader]:
        for i, item in enumerate(self._items(name, dict)):
            yield _Reader(item, f"{self.where}{name}[{i}].")

    def object_or_none(self, name: str) -> _Reader | None:
        value = self._get(name, (dict, type(None)))
        return None if value is None else _Reader(value, f"{self.where}{name}.")

    def _items(self, name: str, kind: type) -> list[Any]:
        items: list[Any] = self._get(name, (list,))
        for i, item in enumerate(items):
            if type(item) is not kind:
                raise self.wrong(f"{name}[{i}]", f"is {_kind(item)}, expected {_KINDS[kind]}")
        return items

    def settings(self, name: str) -> dict[str, Any]:
        settings: dict[str, Any] = self._get(name, (dict,))
        for key, value in settings.items():
            field = f"{name}[{_excerpt(key)}]"
            if isinstance(value, dict):
                raise self.wrong(field, "is an object, expected a plain value")
            level = value if isinstance(value, list) else [value]
            for _ in range(_DEEPEST):
                if any(isinstance(item, dict) for item in level):
                    raise self.wrong(field, "is a list of an object, expected plain values")
                if any(isinstance(item, int) and abs(item) >= 2**63 for item in level):
                    raise self.wrong(field, "is too large")
                level = [part for item in level if isinstance(item, list) for part in item]
            if level:
                raise self.wrong(field, "is too deep, expected a plain value")
        return settings
