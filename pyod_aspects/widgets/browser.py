"""AspectBrowser: click through anomalies and their aspects, and search anew.

All state is in traits, and the view follows from them: set one, and look.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ipywidgets as ipw
import traitlets as tl

from ..engines.table import TableInParts
from ..exceptions import InvalidInputError
from ..explainer import AspectExplainer
from ..explanation import Explanation, QueryExplanation
from ..explanation.judging.findings import find
from ..explanation.writing.wording import outcome_heading, row_words
from ..miners import BaseMiner
from ..miners.grids import SCORES
from ..tables import Table
from .asking import Asking
from .code import code_for
from .pictures import without_p_values
from .reading import Reading
from .runs import Runs
from .searching import Searching
from .source import SETTINGS, Source
from .view import View


class AspectBrowser(Searching, Reading, ipw.VBox):  # type: ignore[misc]
    """Widget for a notebook: anomalies, the aspects in which they stand out, and pictures.

    `Explanation.explore` and `AspectExplainer.explore` open it.

    Parameters
    ----------
    source : Explanation or AspectExplainer
        The browser shows an explanation at once. With an explainer it begins a search, and shows
        rows as they finish.

    Attributes
    ----------
    explanation : Explanation or None
        The explanation in the view.
    row : int or None
        Number of the chosen row in the table. Set it to choose an explained row.
    aspect : int or None
        Place of the chosen aspect among those of the row, from 0. None if it has no aspects.
    group : int or None
        Place of the chosen group in `groups`, from 0. The list then has only its rows. With `row`
        None the picture shows all of them.
    miner, score, max_dim, width, top_k, n_queries, n_reference : str and int
        Settings of the next search; `score`, "lift" or "zscore", is for SGBeam only.
    settings_shown, redundant_shown, words_shown, code_shown : bool
        Which parts are unfolded.
    state : {"ready", "running", "failed"}
    message : str
        The status line.
    no_row : str
        Message beside *Another row* if the requested row does not exist: it names the valid rows.
    view : View
        The panes, which follow the traits.

    Examples
    --------
    >>> from pyod.models.ecod import ECOD
    >>> from pyod_aspects import AspectExplainer
    >>> from pyod_aspects.datasets import load_demo
    >>> X = load_demo().frame.select_dtypes("number")
    >>> browser = AspectExplainer(ECOD().fit(X), n_queries=3).fit(X).explain().explore()
    >>> browser.row, browser.aspect
    (2563, 0)
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
    group = tl.Int(None, allow_none=True)
    miner = tl.Unicode("SGBeam")
    score = tl.Unicode("lift")
    max_dim = tl.Int(5, min=1)
    width = tl.Int(100, min=1)
    top_k = tl.Int(10, min=1)
    n_queries = tl.Int(10, min=1)
    n_reference = tl.Union([tl.Int(min=0), tl.Enum(["auto"])], default_value="auto")
    state = tl.Enum(["ready", "running", "failed"], "ready")
    message = tl.Unicode("")
    no_row = tl.Unicode("")
    share = tl.Float(0.0)
    settings_shown = tl.Bool(False)
    redundant_shown = tl.Bool(False)
    words_shown = tl.Bool(False)
    code_shown = tl.Bool(False)

    def __init__(self, source: Explanation | AspectExplainer) -> None:
        super().__init__(layout=ipw.Layout(width="auto"))
        self._lock = threading.RLock()
        self._own = threading.local()
        self._last: object = None  # the row and aspects in the last view
        self._runs = Runs(
            self._lock, self._on_progress, self._on_result, self._on_end, self._on_beat
        )
        self._asking = Asking(self._lock, self._on_answer)
        self._source = Source(source)
        with self.quietly():
            for name, value in self._source.settings().items():
                setattr(self, name, value)
            self.view = View(self)
            self.children = self.view.children
            self.add_class("pyod-aspects")
        if isinstance(source, Explanation):
            self.settings_shown = not source and self.table is not None
            self.explanation = source
            self.view.show()
        else:
            self.view.show()
            self.find()

    # ------------------------------------------------------------ actions

    def choose_group(self, group: int | None) -> None:
        """Show the rows of a group together.

        Parameters
        ----------
        group : int or None
            Place in `groups`, from 0; None shows all rows again.
        """
        with self._lock:
            if group is None or group != self.group:
                self.group = group
            else:
                self.row = None

    def ask_detector(self) -> None:
        """Ask the detector whether it agrees about the chosen row, for any length of time."""
        with self._lock:
            if self.explanation is not None and self.row is not None:
                self._asking.ask(self.question, self.explanation, self.row, patient=True)
            self.view.show_facts()

    def close(self) -> None:
        """End the search and remove the widget from the page."""
        self._runs.cancel()
        self._asking.close()
        super().close()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the search, and for the detector's answer.

        Parameters
        ----------
        timeout : float, optional
            Most seconds.

        Returns
        -------
        bool
            Whether all work has ended.
        """
        return self._runs.wait(timeout) and self._asking.wait(timeout)

    def code(self) -> str:
        """Lines of Python that reproduce the view.

        Returns
        -------
        str
        """
        if self.explanation is None:
            return "# Nothing is shown yet."
        return code_for(self.explanation, self.row, self.aspect, self.group)

    def __repr__(self) -> str:
        what = "nothing" if self.explanation is None else outcome_heading(self.explanation)
        return f"AspectBrowser: {what}; row={self.row}, aspect={self.aspect}, {self.state}"

    # ------------------------------------------------------------ helpers of the view

    @property
    def table(self) -> Table | TableInParts | None:
        """Table of the rows; None if the explanation came without it."""
        return self._source.table

    @property
    def miner_names(self) -> list[str]:
        """Miners to choose from: ours, and the one of the source."""
        return self._source.miner_names

    def make_miner(self) -> BaseMiner:
        """Make a miner by the settings; its other parameters come from the first miner."""
        settings = {name: getattr(self, name) for name in SETTINGS}
        return self._source.make_miner(self.miner, self.score, settings)

    def toggle(self, name: str) -> None:
        """Unfold the part of a trait, or fold it."""
        with self._lock:
            setattr(self, name, not getattr(self, name))

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Keep other threads out: notebooks may handle two clicks in two of them."""
        with self._lock:
            yield

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Change traits or controls without reacting to it; other threads still cause reactions."""
        with self._lock:
            before, self._own.quiet = self.quiet, True
            try:
                yield
            finally:
                self._own.quiet = before

    @property
    def quiet(self) -> bool:
        """Whether the browser itself makes the changes, not the user."""
        return getattr(self._own, "quiet", False)

    # ------------------------------------------------------------ the detector's answer

    def _on_answer(self) -> None:
        self.view.show_facts()

    def _ask(self) -> None:
        """Ask the detector about the chosen row, if it is quick and nothing else runs."""
        query, explanation = self.query, self.explanation
        if (
            self.state == "running"
            or query is None
            or explanation is None
            or explanation.background is None
            or not find(query, explanation.score_name)  # no finding to agree with
            or query.was_asked
        ):
            self._asking.forget()
        else:
            self._asking.ask(self.question, explanation, query.row)

    # ------------------------------------------------------------ state

    @tl.validate("row")
    def _check_row(self, proposal: Any) -> int | None:
        row: int | None = proposal["value"]
        if row is not None and self.explanation is not None:
            self.explanation.row(row)  # raises an error that names the rows
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

    @tl.validate("group")
    def _check_group(self, proposal: Any) -> int | None:
        group: int | None = proposal["value"]
        if group is not None and not 0 <= group < len(self.groups):
            raise InvalidInputError(
                f"group={group}: there are {len(self.groups)} groups, counted from 0."
            )
        return group

    @tl.observe("explanation", "row", "aspect", "group")
    def _on_choice(self, change: Any) -> None:
        if self.quiet:
            return
        with self.quietly():
            name = change["name"]
            if name != "explanation":  # the user has moved on
                self._keep = None
            self._agree_on_group(name, change["old"])
            rows = [query.row for query in self.listed]
            together = self.row is None and self.group is not None
            if self.row not in rows and not together:
                self.row = rows[0] if rows else None
            query = self.query
            shown = query and without_p_values(query)
            if name != "aspect" and shown != self._last:
                self.aspect = None if query is None else self._first_aspect(query)
            self._last = shown
            self._ask()
            self.view.show()

    def _first_aspect(self, query: QueryExplanation) -> int | None:
        """Place of the aspect of the headline, mostly the best; in a group, of the group's."""
        assert self.explanation is not None
        group = self.chosen_group
        if group is not None and query.row in group.rows:
            return group.places[group.rows.index(query.row)]
        for finding in find(query, self.explanation.score_name):
            for place, aspect in enumerate(query.aspects):
                if any(one is finding.blamed for one in aspect.evidence):
                    return place
        return 0 if query.aspects else None

    def _agree_on_group(self, name: str, old: Any) -> None:
        """Make group and row agree after one of them has changed."""
        if name == "explanation":
            # The chosen group may have another place, or none.
            groups = () if self._grouped is None else self._grouped[1]
            before = groups[self.group] if self.group is not None and groups else None
            same = [
                i
                for i, group in enumerate(self.groups)
                if before is not None and group.sentence == before.sentence
            ]
            self.group = same[0] if same else None
        elif name == "group" and self.group is not None:
            self.row = None
        elif name == "row":
            group = self.chosen_group
            if group is not None and self.row is not None and self.row not in group.rows:
                self.group = None

    @tl.observe("miner", "score", *SETTINGS, "n_queries", "n_reference")
    def _on_settings(self, change: Any) -> None:
        if self.quiet:
            return
        with self.quietly():
            if self.state != "running":
                self.message = "The settings were changed: press Find to search with them."
                self.state = "ready"
            self.view.show_settings()
            self.view.show_status()

    @tl.observe("state", "message", "share")
    def _on_status(self, change: Any) -> None:
        if not self.quiet:
            self.view.show_status()

    @tl.observe("no_row", "settings_shown")
    def _on_panel(self, change: Any) -> None:
        if not self.quiet:
            self.view.show_settings()
            self.view.show_status()

    @tl.observe("redundant_shown", "words_shown", "code_shown")
    def _on_folded(self, change: Any) -> None:
        if not self.quiet:
            self.view.show_folded()

    # ------------------------------------------------------------ pages without widgets

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """Add the explanation itself to the live view, for pages without a kernel."""
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
