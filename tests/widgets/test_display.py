"""Where there are no widgets, the explanation or a command is shown."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pyod_aspects.exceptions import MissingPackageError

pytest.importorskip("ipywidgets")


def test_the_bundle_carries_the_explanation_for_pages_without_widgets(browser, explanation):
    bundle = browser._repr_mimebundle_()
    assert bundle["text/plain"] == str(explanation)
    assert bundle["text/html"] == explanation._repr_html_()
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == browser.model_id


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """IPython, as a notebook has it."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    yield InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
    InteractiveShell.clear_instance()


@pytest.mark.usefixtures("shell")
def test_displaying_it_sends_the_whole_bundle(browser):
    from IPython.display import display
    from IPython.utils.capture import capture_output

    with capture_output() as captured:
        display(browser)
    data = captured.outputs[0].data
    assert {"text/plain", "text/html"} < set(data)
    assert any("widget-view" in kind for kind in data)


def test_without_ipywidgets_the_command_that_installs_it_is_named(tmp_path):
    script = """
import sys
sys.modules["ipywidgets"] = None
from pyod_aspects import Explanation
from pyod_aspects.exceptions import MissingPackageError
try:
    Explanation((), "ECOD", "SGBeam", {}, "zscore", True, 5, ("a",)).explore()
except MissingPackageError as error:
    print(error)
"""
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "pip install pyod_aspects[widgets]" in run.stdout
    assert issubclass(MissingPackageError, ImportError)
