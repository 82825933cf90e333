"""AspectBrowser: click through anomalies and their aspects, and search anew.

All state is in traits, and everything that is seen follows from them: set one, and look.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from typing import Any

import ipywidgets as ipw
import traitlets as tl
from sklearn.base import clone

from .._util.progress import count_words, level_words
from .._util.types import FloatArray, Progress, ProgressCallback
from ..exceptions import AspectsError, InvalidInputError, NotFittedError
from ..explainer import AspectExplainer
from ..explanation import Explanation, QueryExplanation
from ..explanation.wording import heading, plural, row_name, row_words
from ..miners import MINERS, BaseMiner
from ..miners.grids import SCORES, has_named_score
from ..tables import Table
from .code import code_for
from .pictures import NO_TABLE, without_p_values
from .runs import Cancelled, Runs, Work
from .view import View

_MINERS = {miner.__name__: miner for miner in MINERS.values()}

_SETTINGS = ("max_dim", "width", "top_k")


class AspectBrowser(ipw.VBox):  # type: ignore[misc]
    """Anomalies, the aspects in which they stand out, and pictures of them, in a notebook.

    Opened by `Explanation.explore` and `AspectExplainer.explore`.

    Parameters
    ----------
    source : Explanation or AspectExplainer
        An explanation is shown at once. With an explainer a search begins, and rows appear as
        they are finished.

    Attributes
    ----------
    explanation : Explanation or None
        What is shown.
    row : int or None
        Number of the chosen row in the table. Set it to choose a row that was explained.
    aspect : int or None
        Place of the chosen aspect among those of the row, from 0. None if it has no aspects.
    miner, score, max_dim, width, top_k, n_queries : str and int
        What the next search will be; `score`, "lift" or "zscore", is for SGBeam only.
    state : {"ready", "running", "failed"}
    message : str
        The status line.
    no_row : str
        Under *Explain row*: which rows there are, if the row that was asked for does not exist.
    view : View
        The controls, lists and pictures, which follow the traits.

    Examples
    --------
    >>> from pyod.models.ecod import ECOD
    >>> from pyod_aspects import AspectExplainer
    >>> from pyod_aspects.datasets import load_demo
    >>> X = load_demo().frame
    >>> browser = AspectExplainer(ECOD().fit(X), n_queries=3).fit(X).explain().explore()
    >>> browser.row, browser.aspect
    (0, 0)
    >>> browser.max_dim = 2
    >>> browser.find()
    >>> browser.wait()
    True
    >>> browser.explanation.settings["max_dim"]
    2
    """

    explanation = tl.Instance(Explanation, allow_none=True)
    row = tl.Int(None, allow_none=True)
    aspect = tl.Int(None, allow_none=True)
    miner = tl.Unicode("SGBeam")
    score = tl.Unicode("lift")
    max_dim = tl.Int(5, min=1)
    width = tl.Int(100, min=1)
    top_k = tl.Int(10, min=1)
    n_queries = tl.Int(10, min=1)
    state = tl.Enum(["ready", "running", "failed"], "ready")
    message = tl.Unicode("")
    no_row = tl.Unicode("")
    share = tl.Float(0.0)
    code_shown = tl.Bool(False)

    def __init__(self, source: Explanation | AspectExplainer) -> None:
        super().__init__(layout=ipw.Layout(width="auto"))
        self._lock = threading.RLock()
        self._own = threading.local()
        self._keep: int | None = None  # a row to choose again when it comes
        self._last: object = None  # the row and aspects that were shown last
        self._fitted: AspectExplainer | None = None
        self._runs = Runs(self._lock, self._on_progress, self._on_result, self._on_end)
        with self.quietly():
            self._take(source)
            self.view = View(self)
            self.children = self.view.children
            self.add_class("pyod-aspects")
        if isinstance(source, Explanation):
            self.explanation = source
            self.view.show()
        else:
            self.find()

    def _take(self, source: Explanation | AspectExplainer) -> None:
        """Begin with the table and the settings that the source was made with."""
        self._first: AspectExplainer | None = None
        self._explained: tuple[Table, FloatArray] | None = None  # with the detector's scores
        settings: dict[str, Any]
        if isinstance(source, Explanation):
            self.n_queries = max(1, len(source))
            settings = dict(source.settings)
            if source.miner in _MINERS:
                self.miner = source.miner
            if source.background is not None:
                background = source.background
                self._first = background.explainer
                self._explained = background.explained, background.explained_scores
        elif isinstance(source, AspectExplainer):
            if not hasattr(source, "miner_"):
                raise NotFittedError("this AspectExplainer is not fitted yet: call fit(X) first.")
            self._first = copy(source)  # as it is now: it may be fitted anew
            self._explained = source.table_, source.scores_
            self.n_queries = source.n_queries
        else:
            raise InvalidInputError(
                f"AspectBrowser takes an Explanation or an AspectExplainer, "
                f"not {type(source).__name__}."
            )
        if self._first is not None:
            settings = self._first.miner_.get_params(deep=False)
            self.miner = type(self._first.miner_).__name__
            self._fitted = self._first
        for name in _SETTINGS:
            if isinstance(settings.get(name), int):
                setattr(self, name, settings[name])
        if isinstance(settings.get("score"), str) and settings["score"] in SCORES:
            self.score = settings["score"]

    # ------------------------------------------------------------ what one can do

    def find(self) -> None:
        """Search with the chosen miner and settings, in the background."""
        with self._lock:
            miner, n_queries = self.make_miner(), self.n_queries
            self._keep = self.row

            def work(progress: ProgressCallback) -> Iterator[Explanation]:
                return self._search(miner, None, n_queries, progress)

            self._begin(work, f"Searching with {type(miner).__name__} ...")

    def explain_row(self, row: int | str) -> None:
        """Add a row of the table to what is shown, and choose it.

        If the table has no such row, `no_row` says which rows it has, and nothing else changes: a
        search that runs goes on.

        Parameters
        ----------
        row : int or str
            Position, from 0, or label.
        """
        with self._lock:
            explanation, row = self.explanation, self._position(row)
            self.no_row = "" if self.table is None else _missing_row(row, len(self.table.values))
            if self.no_row:
                return
            if explanation is not None and any(query.row == row for query in explanation):
                self.row = row
                return
            miner, explainer = self.make_miner(), None
            if explanation and explanation.background is not None:
                # Its p-value has to come from the reference rows of the others.
                explainer = copy(explanation.background.explainer)
                explainer.n_reference = explanation.n_reference

            def work(progress: ProgressCallback) -> Iterator[Explanation]:
                for one in self._search(explainer or miner, [row], None, progress):
                    queries = sorted((*(explanation or ()), *one), key=lambda q: (-q.score, q.row))
                    yield replace(one, queries=tuple(queries))

            self._keep = row
            self._begin(work, f"Explaining row {self._name(row)} ...")

    def cancel(self) -> None:
        """End the search; what has come stays."""
        self._runs.cancel()

    def close(self) -> None:
        """End the search and take the widget off the page."""
        self._runs.cancel()
        super().close()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the search.

        Parameters
        ----------
        timeout : float, optional
            Most seconds.

        Returns
        -------
        bool
            Whether nothing runs any more.
        """
        return self._runs.wait(timeout)

    def code(self) -> str:
        """Lines of Python that reproduce what is shown.

        Returns
        -------
        str
        """
        if self.explanation is None:
            return "# Nothing is shown yet."
        return code_for(self.explanation, self.row, self.aspect)

    def __repr__(self) -> str:
        what = "nothing" if self.explanation is None else heading(self.explanation)
        return f"AspectBrowser: {what}; row={self.row}, aspect={self.aspect}, {self.state}"

    # ------------------------------------------------------------ what the view asks for

    @property
    def table(self) -> Table | None:
        """Table that the rows are of; None if the explanation came without it."""
        return None if self._explained is None else self._explained[0]

    @property
    def query(self) -> QueryExplanation | None:
        """The chosen row, explained."""
        if self.explanation is None or self.row is None:
            return None
        return self.explanation.row(self.row)

    @property
    def miner_names(self) -> list[str]:
        """Miners to choose from: ours, and the one that came with the source."""
        source = [] if self._first is None else [type(self._first.miner_).__name__]
        return list(dict.fromkeys([*_MINERS, *source]))

    def make_miner(self) -> BaseMiner:
        """Make a miner by the settings; other parameters are those of the first miner."""
        if self._first is None:
            raise InvalidInputError(NO_TABLE)
        first = self._first.miner_
        miner = clone(first) if type(first).__name__ == self.miner else _MINERS[self.miner]()
        names = miner.get_params(deep=False)
        settings = first.get_params(deep=False) | {name: getattr(self, name) for name in _SETTINGS}
        settings.pop("score", None)
        if has_named_score(miner):
            settings["score"] = self.score
        tau = settings.pop("tau", None)
        miner.set_params(**{name: value for name, value in settings.items() if name in names})
        # A threshold for Z-scores means nothing for lifts; None is that of the score.
        if "tau" in names and miner.score_name != first.score_name and has_named_score(miner):
            miner.set_params(tau=None)
        elif "tau" in names and miner.score_name == first.score_name and tau is not None:
            miner.set_params(tau=tau)
        return miner

    @property
    def awaits_p_values(self) -> bool:
        """Whether a search runs that will tell how sure the shown rows are."""
        explanation = self.explanation
        if self.state != "running" or explanation is None or explanation.background is None:
            return False
        explainer = explanation.background.explainer
        n_reference: int = explainer.reference_.size(explainer.n_reference, self.n_queries)
        return explanation.n_reference == 0 and n_reference > 0

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Keep other threads out: notebooks may handle two clicks in two of them."""
        with self._lock:
            yield

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Change traits or controls without hearing of it; what other threads do is heard."""
        with self._lock:
            before, self._own.quiet = self.quiet, True
            try:
                yield
            finally:
                self._own.quiet = before

    @property
    def quiet(self) -> bool:
        """Whether changes are ours and not the user's."""
        return getattr(self._own, "quiet", False)

    # ------------------------------------------------------------ searches

    def _search(
        self,
        how: BaseMiner | AspectExplainer,
        rows: list[int] | None,
        n_queries: int | None,
        progress: ProgressCallback,
    ) -> Iterator[Explanation]:
        """Search, with a new explainer if the settings are not those of the last search."""
        assert self._first is not None
        assert self._explained is not None
        if isinstance(how, AspectExplainer):
            return how.iter_scored(*self._explained, rows, n_queries, progress)
        miner, last = how, self._fitted
        if last is None or _settings(last.miner_) != _settings(miner):
            last = self._fitted = self._first.with_miner(miner)
        return last.iter_scored(*self._explained, rows, n_queries, progress)

    def _position(self, row: int | str) -> int:
        """Position of a row of the table; what is no label stays."""
        if not isinstance(row, str):
            return row
        if self.table is None:
            raise InvalidInputError(NO_TABLE)
        return int(self.table.positions(row)[0])

    def _name(self, row: int) -> str:
        """Name of a row of the table, explained or not."""
        table = self.table
        if table is None or not 0 <= row < len(table.values):
            return str(row)
        return row_name(row, table.label(row))

    def _begin(self, work: Work, message: str) -> None:
        self.share, self.message, self.state = 0.0, message, "running"
        self.view.show_pictures()
        self._runs.start(work)

    def _on_progress(self, progress: Progress, left: float | None) -> None:
        self.share = progress.share
        self.message = f"{level_words(progress)}: {count_words(progress, left)}"

    def _on_result(self, explanation: Explanation) -> None:
        self.explanation = explanation
        if any(query.row == self._keep for query in explanation):
            self.row = self._keep

    def _on_end(self, error: Exception | None) -> None:
        self._keep = None
        have = plural(len(self.explanation or ()), "row")
        if error is None:
            self.share, self.message, self.state = 1.0, f"Done: {have} explained.", "ready"
        elif isinstance(error, Cancelled):
            self.message, self.state = f"Cancelled; {have} shown.", "ready"
        else:
            name = "" if isinstance(error, AspectsError) else f"{type(error).__name__}: "
            self.message, self.state = f"{name}{error}", "failed"
        self.view.show_pictures()

    # ------------------------------------------------------------ state

    @tl.validate("row")
    def _check_row(self, proposal: Any) -> int | None:
        row: int | None = proposal["value"]
        if row is not None and self.explanation is not None:
            self.explanation.row(row)  # says which rows there are
        return row

    @tl.validate("aspect")
    def _check_aspect(self, proposal: Any) -> int | None:
        aspect: int | None = proposal["value"]
        n = len(self.query.aspects) if self.query else 0
        if aspect is not None and not 0 <= aspect < n:
            row = row_words(self.query) if self.query else f"row {self.row}"
            raise InvalidInputError(f"aspect={aspect}: {row} has {n} aspects, counted from 0.")
        return aspect

    @tl.validate("miner")
    def _check_miner(self, proposal: Any) -> str:
        name: str = proposal["value"]
        by_name = {miner.lower(): miner for miner in self.miner_names}
        if name.lower() not in by_name:
            raise InvalidInputError(
                f"miner={name!r}: expected one of {', '.join(map(repr, self.miner_names))}."
            )
        return by_name[name.lower()]

    @tl.validate("score")
    def _check_score(self, proposal: Any) -> str:
        name: str = proposal["value"]
        if name not in SCORES:
            raise InvalidInputError(
                f"score={name!r}: expected one of {', '.join(map(repr, SCORES))}."
            )
        return name

    @tl.observe("explanation", "row", "aspect")
    def _on_choice(self, change: Any) -> None:
        if self.quiet:
            return
        with self.quietly():
            if change["name"] in ("row", "aspect"):  # The user reads something else now.
                self._keep = None
            rows = [query.row for query in self.explanation or ()]
            if self.row not in rows:
                self.row = rows[0] if rows else None
            query = self.query
            shown = query and without_p_values(query)
            if change["name"] != "aspect" and shown != self._last:
                self.aspect = 0 if query and query.aspects else None
            self._last = shown
            self.view.show()

    @tl.observe("miner", "score", *_SETTINGS, "n_queries")
    def _on_settings(self, change: Any) -> None:
        if self.quiet:
            return
        with self.quietly():
            if self.state != "running":
                self.message = "The settings were changed: press Find to search with them."
                self.state = "ready"
            self.view.show_settings()
            self.view.show_status()

    @tl.observe("state", "message", "no_row", "share", "code_shown")
    def _on_status(self, change: Any) -> None:
        if not self.quiet:
            self.view.show_status()

    # ------------------------------------------------------------ where there are no widgets

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """Beside the live view the explanation itself, for pages without a kernel."""
        explanation = self.explanation
        nothing = "AspectBrowser: nothing is explained yet"
        return {
            "text/plain": nothing if explanation is None else str(explanation),
            "text/html": f"<p>{nothing}</p>" if explanation is None else explanation._repr_html_(),
            "application/vnd.jupyter.widget-view+json": {
                "version_major": 2,
                "version_minor": 0,
                "model_id": self.model_id,
            },
        }

    if hasattr(ipw.Widget, "_ipython_display_"):  # ipywidgets 7 shows itself that way

        def _ipython_display_(self, **kwargs: Any) -> None:
            from IPython.display import display

            display(self._repr_mimebundle_(), raw=True)  # type: ignore[no-untyped-call]


def _missing_row(row: int, n_rows: int) -> str:
    """Which rows there are, if this is none of them; otherwise empty."""
    if 0 <= row < n_rows:
        return ""
    return f"There is no row {row}: the table has {plural(n_rows, 'row')}, 0 to {n_rows - 1}."


def _settings(miner: BaseMiner) -> tuple[type, dict[str, Any]]:
    return type(miner), miner.get_params(deep=False)
