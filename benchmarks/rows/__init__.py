"""The measurements, one module for each kind; importing them enters them into the registry."""

from . import (
    counting,
    growth,
    against,
    shap,
    lift,
    screening,
    jobs,
    memory,
    first_use,
    click,
    large,
)  # noqa: F401, I001
