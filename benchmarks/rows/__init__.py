"""The measurements, one module for each kind; importing a module registers its benchmarks."""

# The order is that of the page.
from . import counting, growth, against, shap, lift  # noqa: F401, I001
from . import screening, batch, jobs, memory, first_use, click, large, users  # noqa: F401
