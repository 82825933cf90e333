"""Words say what a picture shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from plot_parts import Scores

from pyod_aspects import AspectExplainer
from pyod_aspects.plots import describe_aspect, describe_overview, describe_scores


def test_words_say_where_a_row_lies(mixed):
    assert describe_aspect(mixed, 0, (0, 2)) == (
        "Row 0 lies alone at temperature 34 and station the old mill: "
        "1 row nearby, 20 on average, z = -1.85."
    )
    assert describe_scores(mixed, 0).startswith("Scores that Distance gives 300 rows; anomalies")


def test_words_name_the_features_with_the_largest_weights(plain):
    queries = (
        replace(plain[0], features={"x3": 0.75, "x1": 0.25}, p_value=0.005),
        replace(plain[1], features={}, p_value=0.4),
    )
    made = replace(plain, queries=queries, n_reference=200)
    blamed = (
        "Rows, and the weight of each feature in what is odd about them; "
        "on average most for x3 (75 %) and x1 (25 %)"
    )
    assert describe_overview(made) == f"{blamed}. Nothing is convincing for 1 of 2."
    assert describe_overview(made[:1]) == f"{blamed}."
    assert describe_overview(made[1:]) == (
        "Rows, and the weight of each feature in what is odd about them. "
        "Nothing is convincing for 1 of 1."
    )


def test_a_new_row_is_alone_only_if_no_row_of_the_table_is_near():
    """A new row counts itself, as a row of the table does."""

    class Scorer(Scores):
        def decision_function(self, X):
            return np.full(len(X), 2.0)

    values = np.append(np.linspace(0, 1, 199), 5.0)[:, None]
    made = AspectExplainer(Scorer(np.zeros(200))).fit(values).explain([[5.0], [3.0]])
    with_one, alone = (describe_aspect(made, row, (0,)) for row in (0, 1))
    assert with_one.startswith("Row 0 lies at x0 5: 2 rows nearby, 133 expected")
    assert alone.startswith("Row 1 lies alone at x0 3: 1 row nearby, 133 expected")
