"""The demo: a detector finds errors in a table of diamonds, and a few lines explain them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .background import in_background
from .messages import PROG, show, standard_output
from .output import check_targets, draw_page, page_words, write
from .status import Status

if TYPE_CHECKING:
    import argparse

    from ..datasets import Demo
    from ..explanation import Explanation

N_ROWS = 20
"""Number of rows to group."""

CLOSER = "2274"
"""Label of a row that is ordinary in every column."""


def demo(args: argparse.Namespace) -> None:
    """Explain the built-in table."""
    with standard_output():  # fail before the work begins
        pass
    check_targets(html=args.html)
    with Status() as status:
        from ..datasets import load_demo
        from ..detectors import make_detector
        from ..explainer import AspectExplainer

        data = load_demo()
        frame = data.frame
        status.say(f"fitting KNN to {len(frame):,} rows")
        detector = in_background(lambda: make_detector("KNN", frame))
        explainer = AspectExplainer(detector, n_queries=N_ROWS).fit(frame)
        explanation = in_background(lambda: explainer.explain(progress=status.progress))
        closer = in_background(lambda: look_closer(explanation))
        page = draw_page(explanation, args.html is not None, status, agreement=True)
    show(screen(data, explanation, closer))
    write(args.html, page)
    if args.html is not None:
        show(page_words(args.html))


def look_closer(explanation: Explanation) -> Explanation:
    """Explain the row that no single column gives away, and ask the detector about it."""
    assert explanation.background is not None
    closer: Explanation = explanation.background.explainer.explain(rows=[CLOSER])
    return closer.with_agreement(n_aspects=2)


def screen(data: Demo, explanation: Explanation, closer: Explanation) -> str:
    """Describe the groups of many rows, and one row in full."""
    from ..explanation.writing.sentences import agreement_words, headline
    from ..explanation.writing.wording import WIDTH, sure_words, wrap

    wrong = int(data.y[[query.row for query in explanation]].sum())
    _, *groups = str(explanation.groups()).splitlines()
    [query] = closer
    told = (
        headline(query, closer.score_name),
        sure_words(closer, query),
        agreement_words(closer, query),
    )
    lines = [
        f"{len(data.X):,} diamonds: weight, grades, proportions, price, and length x, width y, "
        "height z in mm.",
        f"PyOD's KNN ranks the rows. What is odd about the first {len(explanation)}:",
        "",
        *groups,
        "",
        f"KNN was not told, but {wrong} of the {len(explanation)} are known errors: their columns "
        "contradict each other.",
        "",
        f"Row {query.label} is harder to see. Many diamonds have its x, and many its y:",
        "",
    ]
    for words in filter(None, told):
        first, *more = wrap(f"{words[0].upper()}{words[1:]}." if lines[-1] else words, WIDTH - 4)
        lines += [f"  {first}", *(f"    {line}" for line in more)]
    values = dict(zip(data.feature_names, data.X[query.row], strict=True))
    lines += [
        "",
        f"{values['x']:g} mm long and {values['y']:g} mm wide, but all of these diamonds are "
        "round: y is wrong.",
        "",
        f"Now your own table:  {PROG} explain data.csv  (options: {PROG} explain --help)",
    ]
    return "\n".join(lines)
