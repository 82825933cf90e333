"""Find miners by name."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from .messages import CommandError, suggestion

if TYPE_CHECKING:
    from ..miners import BaseMiner


def make_miner(name: str, **settings: int | str | None) -> BaseMiner:
    """Set up a miner by name; settings that are None keep their defaults."""
    from ..miners import MINERS

    if name.lower() not in MINERS:
        raise CommandError(f"there is no miner {name!r}{suggestion(name, MINERS)}")
    miner = MINERS[name.lower()]
    given = {key: value for key, value in settings.items() if value is not None}
    for key in given:
        if key not in inspect.signature(miner).parameters:
            raise CommandError(f"--{key.replace('_', '-')} does not apply to {name.lower()}.")
    return miner(**given)
