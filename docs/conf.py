"""Configuration of Sphinx: sphinx-build -W docs <folder for the pages>."""

import shutil
from pathlib import Path

from pyod_aspects import __version__

# Sphinx wants its sources in one folder: the notebooks come in as copies, which git ignores.
HERE = Path(__file__).parent
shutil.copytree(HERE.parent / "notebooks", HERE / "notebooks", dirs_exist_ok=True)

project = "pyod_aspects"
author = "the pyod_aspects developers"
project_copyright = f"2026, {author}"
release = __version__

extensions = ["sphinx.ext.autodoc", "numpydoc", "myst_nb"]
exclude_patterns = ["_build", "generated", "**/.ipynb_checkpoints"]

html_theme = "furo"
html_title = f"pyod_aspects {release}"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#1f5f8b",
        "color-brand-content": "#1f5f8b",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7db9e0",
        "color-brand-content": "#7db9e0",
    },
}
pygments_style = "tango"
pygments_dark_style = "monokai"

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
nb_execution_mode = "off"  # the tests run the notebooks; the pages show what is kept in them
# Without a kernel a widget is empty: the pages show the table that is kept beside it.
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]

# A name in single backticks is a link if it is documented here, and code if not.
default_role = "py:obj"
add_module_names = False
autodoc_typehints = "none"  # the docstrings say it in words
autodoc_member_order = "bysource"
# autodoc lists the methods; numpydoc would list them a second time.
numpydoc_show_class_members = False
