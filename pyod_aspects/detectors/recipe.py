"""Fit a detector to a table of mixed columns, which become numbers on the way.

The recipe uses scikit-learn's parts, in a `Pipeline` that you can inspect, change and save:

- numbers: the median fills gaps; scaled if the detector compares distances;
- categories: one column for each level that is not rare, one for all rare levels together;
- times: days since the first one, hour and weekday where these vary; then as numbers;
- truth values: 0 and 1.

The recipe leaves out constant columns and columns that name rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from ..exceptions import InvalidInputError
from .by_name import fit_seeded, make_pyod_detector
from .columns import Labels, TimeParts, kind_of, silent_columns

if TYPE_CHECKING:
    import pandas as pd

MOST_LEVELS = 30
"""Most levels of a category with a column of their own, the most frequent ones."""

RARE = 0.001
"""Least share of the rows of a level that is not rare; rare levels share a column."""

FEWEST_ROWS = 20
"""Fewest rows for which "auto" is KNN; below, it is ECOD, which needs no neighbours."""

MOST_ROWS = 50_000
"""Most rows for which "auto" is KNN: its time grows faster than the rows, that of INNE not."""

N_SPHERES = 64
"""Sets of spheres of INNE if it is "auto".

PyOD's 200 take three times the time and the memory, 8 bytes for each row and set. Median ranks of
20 planted errors among 53,940 diamonds are 28 to 38 with 200 sets, 28 to 48 with 64, and 34 to 55
with 32. Among 60,000 generated rows they are 9 to 33, 17 to 37 and 48 to 144."""

SCALE_FREE = frozenset({"COPOD", "ECOD", "HBOS", "IForest", "IsolationForest"})
"""Detectors that look at one column at a time: scales do not matter to them."""

_TREATMENT = {
    "numbers": "gaps filled with the median",
    "categories": "a column for each level, rare levels together",
    "times": "days since the first, hour and weekday where these vary; gaps filled with the median",
    "truth": "0 and 1",
}


def make_detector(
    detector: Any = "auto",
    X: Any = None,
    contamination: float | None = None,
    random_state: int = 0,
) -> Pipeline:
    """Fit a detector to a table with numbers, categories, times, truth values and gaps.

    Parameters
    ----------
    detector : str or detector, default="auto"
        The class name of a detector of PyOD, or an unfitted detector of PyOD or scikit-learn.
        "auto" is KNN; INNE with 64 estimators for more than 50,000 rows; ECOD for fewer than 20.
    X : DataFrame
        The table.
    contamination : float, optional
        Share of anomalies that the detector expects. Default: that of the detector.
    random_state : int, default=0
        Seed of detectors that draw random numbers.

    Returns
    -------
    Pipeline
        Fitted: a `ColumnTransformer` named "columns", then the detector, named "detector".
        `AspectExplainer` explains it in the columns and units of the table.

    Raises
    ------
    InvalidInputError
        If X is no DataFrame, or all its columns are constant.
    DetectorError
        If PyOD has no such detector, or its fit fails.

    Examples
    --------
    >>> import pandas as pd
    >>> from pyod_aspects import AspectExplainer
    >>> from pyod_aspects.detectors import make_detector
    >>> sizes = [1.0, 2.0, None, 2.5] * 10 + [90.0]
    >>> X = pd.DataFrame({"size": sizes, "colour": [*"rrbb"] * 10 + ["r"]})
    >>> detector = make_detector("KNN", X)
    >>> AspectExplainer(detector, n_queries=1).fit(X).explain()[0].row
    40
    """
    if not hasattr(X, "iloc") or not hasattr(X, "columns"):
        raise InvalidInputError(
            f"X is a {type(X).__name__}: expected a pandas DataFrame, which has a dtype for "
            "each column."
        )
    if isinstance(detector, str):
        name = choose_detector(len(X)) if detector == "auto" else detector
        chosen = make_pyod_detector(name, random_state, contamination, lambda: _width(X))
        if detector == "auto" and name == "INNE":
            chosen.set_params(n_estimators=N_SPHERES)
        detector = chosen
    else:
        detector = clone(detector)
        if contamination is not None:
            detector.set_params(contamination=contamination)
    scaled = type(detector).__name__ not in SCALE_FREE
    pipeline = Pipeline([("columns", prepare_columns(X, scaled)), ("detector", detector)])
    fit_seeded(pipeline, X, random_state, type(detector).__name__)
    return pipeline


def choose_detector(n_rows: int) -> str:
    """Name of the detector that "auto" stands for.

    In tables with planted errors KNN, LOF and INNE ranked the errors first. IForest and ECOD,
    which look at one column at a time, did not.
    """
    if n_rows < FEWEST_ROWS:
        return "ECOD"
    return "KNN" if n_rows <= MOST_ROWS else "INNE"


def prepare_columns(X: pd.DataFrame, scaled: bool = True) -> ColumnTransformer:
    """Set up the transformer that turns the columns of a table into numbers.

    Parameters
    ----------
    X : DataFrame
    scaled : bool, default=True
        Whether numbers and times get mean 0 and deviation 1.

    Returns
    -------
    ColumnTransformer
        Not fitted.
    """
    silent = silent_columns(X)
    if len(silent) == X.shape[1]:  # all columns: a poor answer is better than none
        silent = {name: why for name, why in silent.items() if why == "constant"}
    kinds: dict[str, list[Any]] = {"numbers": [], "categories": [], "times": [], "truth": []}
    homes = {"number": "numbers", "category": "categories", "time": "times", "duration": "times"}
    for i, name in enumerate(X.columns):
        if name not in silent:
            kinds[homes.get(kind_of(X.iloc[:, i]), "truth")].append(name)
    if not any(kinds.values()):
        names = ", ".join(repr(str(name)) for name in list(silent)[:5])
        are = "is" if len(silent) == 1 else "are"
        raise InvalidInputError(f"no column could tell rows apart: {names} {are} constant.")
    fill = SimpleImputer(strategy="median", keep_empty_features=True)
    numeric = [("fill", fill), *([("scale", StandardScaler())] if scaled else [])]
    encode = OneHotEncoder(
        drop="first",  # else the columns add up to 1, and PCA and MCD divide by 0
        handle_unknown="infrequent_if_exist",
        min_frequency=max(2, round(RARE * len(X))),
        max_categories=MOST_LEVELS,
        sparse_output=False,
    )
    parts: dict[str, Any] = {
        "numbers": Pipeline(numeric),
        "categories": Pipeline([("labels", Labels()), ("encode", encode)]),
        "times": Pipeline([("parts", TimeParts()), *numeric]),
        "truth": FunctionTransformer(_to_float, feature_names_out="one-to-one"),
    }
    return ColumnTransformer(
        [(kind, clone(parts[kind]), names) for kind, names in kinds.items() if names],
        verbose_feature_names_out=False,
    )


def describe_recipe(pipeline: Pipeline) -> str:
    """Say how a pipeline of `make_detector` treats each column, one kind a line.

    Parameters
    ----------
    pipeline : Pipeline

    Returns
    -------
    str
    """
    columns, detector = pipeline.named_steps["columns"], pipeline.named_steps["detector"]
    scaled = type(detector).__name__ not in SCALE_FREE
    lines = []
    for kind, _, names in columns.transformers:
        scale = ", then scaled" if scaled and kind in {"numbers", "times"} else ""
        lines.append(f"{kind}: {', '.join(map(str, names))} ({_TREATMENT[kind]}{scale})")
    width = len(columns.get_feature_names_out())
    lines.append(f"detector: {type(detector).__name__}, on {width:,} columns of numbers")
    return "\n".join(lines)


def _width(X: pd.DataFrame) -> int:
    """Number of numeric columns that a detector gets."""
    return len(prepare_columns(X).fit(X).get_feature_names_out())


def _to_float(X: Any) -> Any:
    """Truth values as numbers; a gap counts as "no"."""
    return X.astype(object).fillna(False).astype("float64") if hasattr(X, "fillna") else X
