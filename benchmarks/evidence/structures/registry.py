"""All structures by name."""

from __future__ import annotations

from functools import partial

from . import gaps, mixed
from .base import Structure
from .correlated import OFF_PAIR, log_normal_pairs, pairs, plane
from .far_out import DRAW, far_out
from .hics import hics
from .new_rows import as_new, ordinary
from .no_outlier import DRAW as DRAW_ORDINARY
from .no_outlier import no_outlier
from .xor import xor

_FAR_OUT = {
    f"far-out-{name}": Structure(f"one feature far out, {name}", partial(far_out, name))
    for name in DRAW
}

_PAIRS = {
    f"pair-{kind}{r * 100:.0f}": Structure(f"pair with correlation {r:g}{words}", partial(make, r))
    for kind, words, make in (("", "", pairs), ("exp-", ", after exp", log_normal_pairs))
    for r in OFF_PAIR
}

_SETS = {
    **{f"plane-{k}": Structure(f"plane in {k} features", partial(plane, k)) for k in (3, 4, 5)},
    **{
        f"plane-{k}-10000": Structure(
            f"plane in {k} features, 10,000 rows", partial(plane, k, n_rows=10_000), n_rows=10_000
        )
        for k in (4, 5)
    },
    **{f"xor-{k}": Structure(f"xor of {k} features", partial(xor, k)) for k in (3, 4)},
    "gap": Structure("one feature, between two clusters", gaps.between),
    "diagonal": Structure("two features, off the diagonal of clusters", gaps.diagonal),
    **{
        name: Structure(title, make, mixed=True)
        for name, title, make in (
            ("rare-category", "category that is rare given another", mixed.rare_category),
            ("missing-category", "missing, given a category", mixed.missing_given_category),
            ("missing-range", "missing, given a range of a number", mixed.missing_given_range),
        )
    },
}

_NEW = {
    f"new-{name}": Structure(f"new row: {one.title}", as_new(one.make))
    for name, one in (_FAR_OUT | _PAIRS).items()
}

_HICS = {
    f"hics-{n}": Structure(f"HiCS, {n:,} rows", partial(hics, n), n_tables=1, n_rows=n)
    for n in (1_000, 5_000, 20_000)
}

_NOTHING = {
    **{
        f"none-{name}": Structure(
            f"no outlier, {name}", no_outlier(draw), ordinary=True, mixed=name == "mixed"
        )
        for name, draw in DRAW_ORDINARY.items()
    },
    **{
        f"none-new-{name}": Structure(
            f"ordinary new rows, {name}", ordinary(DRAW_ORDINARY[name]), ordinary=True
        )
        for name in ("normal", "correlated")
    },
}

STRUCTURES: dict[str, Structure] = _FAR_OUT | _PAIRS | _SETS | _NEW | _HICS | _NOTHING
"""In the order of the page: those with something to find first."""
