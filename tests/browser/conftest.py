"""A real Jupyter server with JupyterLab, Notebook and Voila, and a real Chromium to look at it.

One server and one browser serve all tests. JupyterLab stays open, and a test begins with other
cells and no outputs; after a failure it is opened anew. Pictures of the states go to the folder
that PYOD_ASPECTS_SCREENSHOTS names, or to a temporary one.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

if os.environ.get("CI"):  # what is missing there is a failure
    from playwright import sync_api as playwright
else:
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="needs playwright: pip install -e .[browser]"
    )

TIMEOUT = 120_000
"""Milliseconds that anything may take; the first search of a new machine compiles code."""

TOKEN = "aspects"

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# ---------------------------------------------------------------- the notebooks

TABLE = """\
from pyod.models.iforest import IForest
from pyod_aspects import AspectExplainer, OAMiner, SGBeam
from pyod_aspects.datasets import load_demo

X = load_demo().frame
detector = IForest(random_state=0).fit(X)"""

NOTEBOOKS = {
    "demo": (TABLE, "AspectExplainer(detector, n_queries=8).fit(X).explain().explore()"),
    "long": (TABLE, "AspectExplainer(detector, OAMiner()).fit(X).explore()"),
    "empty": (TABLE, "AspectExplainer(detector).fit(X).explain(n_queries=1)[:0].explore()"),
    # Aspects of every size, which no search would find for one row.
    "sizes": (
        TABLE,
        """\
from dataclasses import replace
from pyod_aspects.plots.view import find_aspect

explanation = AspectExplainer(detector, n_queries=3).fit(X).explain()
query, names = explanation[0], list(X.columns)
sets = [names[:1], names[:2], names[4:7], names[6:10], names[20:25]]
query = replace(query, aspects=[find_aspect(explanation, query, features) for features in sets])
replace(explanation, queries=(query, *explanation.queries[1:])).explore()""",
    ),
    # A table that is too large for OAMiner on any machine.
    "large": (
        """\
import numpy as np
from pyod.models.ecod import ECOD
from pyod_aspects import AspectExplainer

X = np.random.default_rng(0).normal(size=(200_000, 3))
detector = ECOD().fit(X)""",
        "AspectExplainer(detector, n_queries=3).fit(X).explain().explore()",
    ),
}
"""Two cells each: the table and the detector, and the widget."""


def write_notebook(path: Path, cells: tuple[str, str]) -> None:
    from nbformat import v4

    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = v4.new_notebook(
        cells=[v4.new_code_cell(cell) for cell in cells], metadata={"kernelspec": kernel}
    )
    path.write_text(json.dumps(notebook), encoding="utf-8")


# ---------------------------------------------------------------- the server


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Jupyter server that knows nothing of the user's settings."""
    home = tmp_path_factory.mktemp("jupyter")
    folders = {
        name: str(home / name.lower())
        for name in (
            "JUPYTER_CONFIG_DIR",
            "JUPYTER_DATA_DIR",
            "JUPYTER_RUNTIME_DIR",
            "JUPYTERLAB_SETTINGS_DIR",
            "JUPYTERLAB_WORKSPACES_DIR",
            "IPYTHONDIR",
        )
    }
    news = Path(folders["JUPYTERLAB_SETTINGS_DIR"], "@jupyterlab", "apputils-extension")
    news.mkdir(parents=True)
    (news / "notification.jupyterlab-settings").write_text(
        json.dumps({"fetchNews": "false", "checkForUpdates": False})
    )
    root = home / "notebooks"
    root.mkdir()
    for name, cells in {**NOTEBOOKS, "lab": ("", "")}.items():
        write_notebook(root / f"{name}.ipynb", cells)
    port = free_port()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1"]
    command += [f"--port={port}", "--ServerApp.port_retries=0", "--ServerApp.allow_root=True"]
    command += [f"--ServerApp.root_dir={root}", f"--IdentityProvider.token={TOKEN}"]
    command += ["--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None"]
    command += ["--JupyterNotebookApp.expose_app_in_browser=True"]
    command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    log = home / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=root,
            env=os.environ | folders,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        wait_for_server(address, process, log)
        yield address
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # its kernels, if any are left
        process.wait()


def wait_for_server(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + TIMEOUT / 1000
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        try:
            with urlopen(f"{address}/api/status?token={TOKEN}", timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"the Jupyter server did not start:\n{log.read_text(errors='replace')[-3000:]}")


# ---------------------------------------------------------------- the browser


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The Chromium of the machine."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        reason = "needs Chromium: apt-get install --no-install-recommends chromium"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield browser
        browser.close()


def new_page(chromium: Any) -> Any:
    """Open a new window of 1200 × 880 points, high enough for the whole widget."""
    context = chromium.new_context(viewport={"width": 1200, "height": 880})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    context.set_default_timeout(TIMEOUT)
    return context.new_page()


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    page = new_page(chromium)
    yield page
    page.context.close()


@pytest.fixture(scope="session")
def screenshots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    named = os.environ.get("PYOD_ASPECTS_SCREENSHOTS")
    folder = Path(named) if named else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


# ---------------------------------------------------------------- what tests do


@dataclass
class Window:
    """A notebook page with the widget in it, seen as people see it: by roles and names."""

    page: Any
    screenshots: Path

    @property
    def root(self) -> Any:
        return self.page.locator(".pyod-aspects").first

    @property
    def status(self) -> Any:
        return self.root.get_by_role("status")

    def picture(self) -> Any:
        """The picture of the aspect; the one of the scores has other words."""
        return self.root.locator("svg[aria-label^='Row']")

    def picture_words(self) -> str:
        return str(self.picture().get_attribute("aria-label"))

    def control(self, role: str, name: str) -> Any:
        return self.root.get_by_role(role, name=name, exact=True)

    def choose(self, listing: str, place: int) -> None:
        self.control("listbox", listing).select_option(index=place)

    def press(self, button: str) -> None:
        self.control("button", button).click()

    def settled(self) -> None:
        """Wait until no search runs."""
        self.page.wait_for_selector(".pyod-aspects:not(.pyod-aspects-busy)")

    def running(self) -> None:
        self.page.wait_for_selector(".pyod-aspects.pyod-aspects-busy")

    def wait_until(self, condition: str, *arguments: Any) -> None:
        """Wait for a condition in JavaScript, a function of the root element and an argument."""
        script = f"argument => ({condition})(document.querySelector('.pyod-aspects'), argument)"
        self.page.wait_for_function(script, arg=arguments[0] if arguments else None)

    def wait_for_status(self, text: str) -> None:
        script = "(root, text) => root.querySelector('[role=status]').textContent.includes(text)"
        self.wait_until(script, text)

    def wait_for_other_picture(self, words: str) -> str:
        self.wait_until(
            """(root, words) => {
                const svg = root.querySelector("svg[aria-label^='Row']");
                return svg && svg.getAttribute('aria-label') !== words;
            }""",
            words,
        )
        return self.picture_words()

    def keep_picture(self, name: str) -> None:
        """Write what is seen to the folder of screenshots."""
        self.root.scroll_into_view_if_needed()
        self.root.evaluate("root => root.scrollIntoView({block: 'start'})")
        self.page.screenshot(path=str(self.screenshots / f"{name}.png"))


def wait_for_kernel(page: Any) -> None:
    """Wait until the notebook that is open can run."""
    page.wait_for_function(
        """() => {
            const session = window.jupyterapp?.shell?.currentWidget?.context?.sessionContext;
            return session?.isReady && session.session?.kernel?.status === 'idle';
        }"""
    )


class Lab:
    """JupyterLab in a window that stays open, with one notebook of two cells."""

    def __init__(self, chromium: Any, server: str, screenshots: Path) -> None:
        self.chromium, self.server, self.screenshots = chromium, server, screenshots
        self.page: Any = None

    def __call__(self, name: str, theme: str = "JupyterLab Light") -> Window:
        """Put other cells into the notebook and run them."""
        if self.page is None:
            self.page = new_page(self.chromium)
            self.page.goto(f"{self.server}/lab/tree/lab.ipynb?token={TOKEN}&reset")
            wait_for_kernel(self.page)
        run = self.page.evaluate
        run("theme => jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
        self.page.wait_for_function(
            "theme => document.body.dataset.jpThemeName === theme", arg=theme
        )
        run("() => jupyterapp.commands.execute('notebook:clear-all-cell-outputs')")
        self.page.wait_for_function("() => !document.querySelector('.pyod-aspects')")
        run(
            """cells => {
                const notebook = jupyterapp.shell.currentWidget.content;
                cells.forEach((cell, i) => notebook.widgets[i].model.sharedModel.setSource(cell));
                jupyterapp.commands.execute('notebook:run-all-cells');
            }""",
            list(NOTEBOOKS[name]),
        )
        window = Window(self.page, self.screenshots)
        window.root.wait_for()
        return window

    def close(self) -> None:
        if self.page is not None:
            self.page.context.close()
            self.page = None


@pytest.fixture(scope="session")
def open_lab(chromium: Any, server: str, screenshots: Path) -> Iterator[Lab]:
    opened = Lab(chromium, server, screenshots)
    yield opened
    opened.close()


@pytest.fixture
def lab(open_lab: Lab, request: pytest.FixtureRequest) -> Iterator[Lab]:
    """Runs one of the notebooks in JupyterLab."""
    yield open_lab
    if not request.node.stash.get(PASSED, False):
        open_lab.close()


PASSED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    report = yield
    if report.when == "call":
        item.stash[PASSED] = report.passed
    return report


@pytest.fixture
def voila(server: str, page: Any, screenshots: Path) -> Callable[..., Window]:
    """Opens a notebook as an application, without its code."""

    def opened(name: str, theme: str = "light") -> Window:
        page.goto(f"{server}/voila/render/{name}.ipynb?token={TOKEN}&theme={theme}")
        window = Window(page, screenshots)
        window.root.wait_for()
        return window

    return opened


@pytest.fixture
def notebook(server: str, page: Any, screenshots: Path) -> Callable[..., Window]:
    """Opens a notebook in Notebook 7 and runs all its cells."""

    def opened(name: str) -> Window:
        page.goto(f"{server}/notebooks/{name}.ipynb?token={TOKEN}")
        wait_for_kernel(page)
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        window = Window(page, screenshots)
        window.root.wait_for()
        return window

    return opened
