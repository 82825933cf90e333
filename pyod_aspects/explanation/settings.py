"""Settings as a value: an immutable mapping that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any


class FrozenMapping(Mapping[str, Any]):
    """An immutable dict; unlike types.MappingProxyType, pickle takes it."""

    def __init__(self, items: Mapping[str, Any]) -> None:
        self._items = {str(name): _to_json_value(value) for name, value in items.items()}

    def __getitem__(self, name: str) -> Any:
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return repr(self._items)


def _to_json_value(value: Any) -> Any:
    """Return a value that JSON can hold as it is, and any other as its text."""
    if isinstance(value, (list, tuple)):
        return tuple(_to_json_value(item) for item in value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and abs(value) >= 2**63:  # JSON readers may round it
        return str(value)
    if value is None or isinstance(value, (str, int, float)):
        return value
    return str(value)


def set_fields(frozen: object, **values: Any) -> None:
    """Set fields of a frozen dataclass, for its `__post_init__`."""
    for name, value in values.items():
        object.__setattr__(frozen, name, value)
