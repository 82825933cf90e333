"""The right column: the answer as a headline, the picture, the facts, and the aspects."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from .._util.progress import time_words
from ..explanation import Explanation, QueryExplanation
from ..explanation.judging.reasons import told_limit
from ..explanation.judging.redundancy import distinct
from ..explanation.writing.wording import naming_words, printable, row_name, terms
from . import facts, pictures
from .controls import FOLD, Listing, button, cap_html, column, fold, html, line, number, see
from .settings import on_change

if TYPE_CHECKING:
    from .browser import AspectBrowser

_ASPECTS = 6  # lines of a page
_LINKS = 6  # most buttons for rows that are odd in the same way


class AnswerPane:
    """The answer about the chosen row or group.

    Parameters
    ----------
    browser : AspectBrowser

    Attributes
    ----------
    box : widget
    """

    def __init__(self, browser: AspectBrowser) -> None:
        self.browser = browser
        self._listed: list[int] = []  # places of the listed aspects
        self._alike: list[int] = []  # rows with a link
        self.headline, self.which = html(), html()
        self.row_place = number("Row", "place in the list; arrow keys go through it", 105)
        self.row_count = html()
        self.picture = html(css="pa-picture", flex="3 1 380px", width="auto", min_width="0")
        self.expected, self.sure, self.detector, self.others = html(), html(), html(), html()
        self.ask = button("Ask the detector", "score the row again with other values")
        self.links = [button("", "", "pa-quiet", "pa-link") for _ in range(_LINKS)]
        self.to_group = button("show all", "show them together", "pa-quiet", "pa-link")
        self.links_line = line(*self.links, self.to_group, css="pa-links")
        self.aspect_place = number("Aspect", "place in the list; arrow keys go through it", 120)
        self.aspect_count = html()
        self.aspects_cap = html(flex="1 1 auto")
        self.aspects = Listing("pa-aspect", _ASPECTS, self._press_aspect, browser.exclusive)
        self.redundant = button("", "aspects that add little to a smaller one", *FOLD)
        self.show_words = button("What the words mean", "nearby, expected, lift and so on", *FOLD)
        self.show_code = button("Copy as code", "the lines of Python that give this", *FOLD)
        self.words, self.code = html(css="pa-terms"), html()
        self.box = self._arrange()
        self._wire()

    def _arrange(self) -> Any:
        self.detector_box = column(self.detector, line(self.ask, css="pa-links"), css="pa-together")
        self.others_box = column(self.others, self.links_line, css="pa-together")
        self.facts = column(
            self.expected,
            self.sure,
            self.detector_box,
            self.others_box,
            css="pa-facts",
            flex="2 1 220px",
            width="auto",
            min_width="0",
        )
        self.row_step = line(self.row_place, self.row_count)
        self.aspects_box = column(
            line(self.aspects_cap, self.aspect_place, self.aspect_count),
            self.aspects.box,
            css="pa-aspects",
            width="auto",
        )
        return column(
            self.headline,
            line(self.which, self.row_step, css="pa-subline"),
            line(self.picture, self.facts, css="pa-middle", align_items="flex-start"),
            self.aspects_box,
            line(self.redundant, self.show_words, self.show_code, css="pa-foot"),
            self.words,
            self.code,
            css="pa-right",
            flex="999 1 430px",
            width="auto",
            min_width="0",
        )

    def _wire(self) -> None:
        """Connect the controls to the state."""
        browser = self.browser
        on_change(browser, self.row_place, self._go_to)
        on_change(
            browser,
            self.aspect_place,
            lambda place: setattr(browser, "aspect", self._listed[place - 1]),
        )
        self.ask.on_click(lambda _: browser.ask_detector())
        for i, link in enumerate(self.links):
            link.on_click(lambda _, i=i: self._follow(i))
        self.to_group.on_click(lambda _: browser.choose_group(browser.group_of_row))
        for control, name in (
            (self.redundant, "redundant_shown"),
            (self.show_words, "words_shown"),
            (self.show_code, "code_shown"),
        ):
            control.on_click(
                lambda _, name=name: setattr(browser, name, not getattr(browser, name))
            )

    def _go_to(self, place: int) -> None:
        """Choose a row by its place in the list; 0 is the group."""
        self.browser.row = self.browser.listed[place - 1].row if place else None

    def _press_aspect(self, place: int) -> None:
        self.browser.aspect = self._listed[place]

    def _follow(self, i: int) -> None:
        with self.browser.exclusive():
            if i < len(self._alike):
                self.browser.row = self._alike[i]

    # ------------------------------------------------------------ follow the state

    def show(self) -> None:
        """Show everything but the picture."""
        browser = self.browser
        explanation, query = browser.explanation, browser.query
        group = browser.chosen_group
        for box, seen in (
            (self.facts, query is not None or group is not None),
            (self.row_step, bool(browser.listed)),
            (self.aspects_box, query is not None and bool(query.aspects)),
            (self.show_words, explanation is not None and query is not None),
            (self.show_code, bool(explanation)),
        ):
            see(box, seen)
        n = len(browser.listed)
        rows = [one.row for one in browser.listed]
        place = rows.index(browser.row) if browser.row in rows else -1
        self.row_place.min = 0 if group is not None else 1
        _count(self.row_place, self.row_count, place, n)
        if explanation is None or (query is None and group is None):
            self.headline.value = self.which.value = ""
        elif query is not None:
            words = facts.headline_html(facts.row_headline(explanation, query))
            self.headline.value = words + facts.further_html(explanation, query)
            self.which.value = facts.row_line(explanation, query)
        elif group is not None:
            self.headline.value = facts.headline_html(group.sentence)
            self.which.value = facts.group_line(explanation, group)
        self._show_aspects(explanation, query)
        self.show_facts()
        self.show_folded()

    def _show_aspects(
        self, explanation: Explanation | None, query: QueryExplanation | None
    ) -> None:
        """List the aspects, with the redundant ones on request."""
        browser = self.browser
        if explanation is None or query is None:
            self._listed = []
            see(self.redundant, False)
            return
        found = f"found by {printable(explanation.miner)}"
        self.aspects_cap.value = cap_html("Where it stands out", found)
        kept = {id(one) for one in distinct(query.aspects, explanation.score_name)}
        places = range(len(query.aspects))
        worth = [i for i in places if id(query.aspects[i]) in kept]
        more = [i for i in places if id(query.aspects[i]) not in kept]
        shown = browser.redundant_shown or browser.aspect in more
        self._listed = [*worth, *(more if shown else [])]
        chosen = self._listed.index(browser.aspect) if browser.aspect in self._listed else None
        limit = told_limit(explanation)
        self.aspects.show(
            len(self._listed),
            lambda i: facts.aspect_entry(explanation, query, self._listed[i], limit),
            chosen,
        )
        _count(self.aspect_place, self.aspect_count, chosen or 0, len(self._listed))
        self.redundant.description = f"{len(more):,} redundant"
        fold(self.redundant, shown)
        see(self.redundant, bool(more))

    def show_facts(self) -> None:
        """Show the facts beside the picture."""
        browser = self.browser
        explanation, query, group = browser.explanation, browser.query, browser.chosen_group
        told = {"expected": "", "sure": "", "detector": "", "others": ""}
        alike: list[int] = []
        if explanation is not None and query is not None:
            if browser.aspect is not None:
                aspect = query.aspects[browser.aspect]
                told["expected"] = facts.expected_fact(explanation, query, aspect)
            told["sure"] = facts.sure_fact(explanation, query, browser.awaits_p_values)
            told["detector"] = self._detector_fact()
            alike = browser.alike
            if alike:
                told["others"] = facts.fact(facts.alike_title(len(alike)), "")
        elif explanation is not None and group is not None:
            told["expected"], told["sure"] = facts.group_facts(group)
        # Set each once: an empty moment would flicker.
        for name, words in told.items():
            getattr(self, name).value = words
            see(getattr(self, f"{name}_box", getattr(self, name)), bool(words))
        self._alike = alike[:_LINKS]
        names = {} if explanation is None else {one.row: one.label for one in explanation}
        for i, link in enumerate(self.links):
            see(link, i < len(self._alike))
            if i < len(self._alike):
                row = self._alike[i]
                link.description = row_name(row, names[row], 20)
                link.tooltip = f"show row {link.description}"
        takes_long = isinstance(browser.agreement, float) and not browser.asks
        see(self.ask, query is not None and takes_long)
        see(self.links_line, bool(self._alike))

    def _detector_fact(self) -> str:
        """The detector's answer about the chosen row."""
        answer = self.browser.agreement
        if isinstance(answer, Explanation):
            return facts.agreement_fact(answer, answer[0])
        if isinstance(answer, str):
            return facts.fact("The detector cannot be asked", answer)
        if self.browser.asks:
            return facts.fact("The detector", "is being asked …")
        if isinstance(answer, float):
            words = f"Asking whether it agrees takes about {time_words(answer)}."
            return facts.fact("The detector", words)
        return ""

    def draw(self) -> str:
        """Draw the picture of the chosen row or group."""
        browser = self.browser
        explanation, query, group = browser.explanation, browser.query, browser.chosen_group
        if explanation is not None and query is not None:
            if browser.aspect is None:
                return ""
            return pictures.aspect_html(explanation, query.row, browser.aspect)
        if explanation is not None and group is not None:
            return pictures.group_html(explanation, group)
        if browser.state == "running":
            return pictures.note("The first row will be shown here as soon as it is finished.")
        return pictures.note("No rows were explained. Press Find to explain some.")

    def show_folded(self) -> None:
        """Show or hide the folded parts."""
        browser = self.browser
        explanation = browser.explanation
        words, code = browser.words_shown, browser.code_shown
        fold(self.show_words, words)
        fold(self.show_code, code)
        if words and explanation is not None:
            lines = [*terms(explanation), *naming_words(explanation)]
            self.words.value = "".join(f"<p>{escape(line)}</p>" for line in lines)
        see(self.words, words and explanation is not None)
        see(self.code, code)


def _count(control: Any, label: Any, place: int, n: int) -> None:
    """Show the place in a list, counted from 1."""
    control.max = max(n, 1)
    control.value = max(place + 1, control.min)
    control.disabled = n == 0
    label.value = f'<span class="pa-sub">of {n:,}</span>'


# Selects the text first, so that the user can copy it where the page may not.
_COPY = (
    "const code = this.parentNode.querySelector('pre');"
    "getSelection().selectAllChildren(code); document.execCommand('copy');"
    "this.textContent = 'Copied'"
)


def code_html(code: str) -> str:
    """Code with a button that copies it."""
    return (
        f'<div><button type="button" class="pa-copy" onclick="{_COPY}">Copy</button>'
        f'<pre class="pa-code">{escape(code)}</pre></div>'
    )
