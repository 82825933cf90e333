"""A table with many numeric columns: 357 benign tumours and 21 malignant ones."""

from __future__ import annotations

import pandas as pd


def tumours() -> pd.DataFrame:
    """All benign rows of scikit-learn's breast cancer table, and every tenth malignant one."""
    from sklearn.datasets import load_breast_cancer

    table = load_breast_cancer(as_frame=True)
    benign = table.target == 1
    rows = pd.concat([table.data[benign], table.data[~benign][:210:10]])
    return rows.sort_index().reset_index(drop=True)
