"""The measurements, one module for each kind; importing them enters them into the registry."""

from . import counting, growth, against, shap, screening, jobs, memory, first_use, click, large  # noqa: F401, I001
