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
from pyod.models.knn import KNN
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from pyod_aspects import AspectExplainer, OAMiner, SGBeam
from pyod_aspects.datasets import load_demo

X = load_demo().frame
grades = ["cut", "color", "clarity"]
prepare = make_column_transformer((OneHotEncoder(), grades), remainder=StandardScaler())
detector = make_pipeline(prepare, KNN()).fit(X)"""

NOTEBOOKS = {
    "demo": (TABLE, "AspectExplainer(detector, n_queries=60).fit(X).explain().explore()"),
    "few": (TABLE, "AspectExplainer(detector, n_queries=3).fit(X).explain().explore()"),
    # A detector that nobody wants to wait for.
    "slow": (
        f"{TABLE}\nfrom pyod_aspects.widgets import asking\n\nasking.QUICK = 0.0",
        "AspectExplainer(detector, n_queries=3).fit(X).explain().explore()",
    ),
    # A table for which OAMiner has to prepare for some seconds.
    "some": (
        TABLE.replace("load_demo().frame", "load_demo().frame[:2500]"),
        "AspectExplainer(detector, n_queries=3).fit(X).explain().explore()",
    ),
    "empty": (TABLE, "AspectExplainer(detector).fit(X).explain(n_queries=1)[:0].explore()"),
    # A search that goes on and on, of which the first rows come soon.
    "long": (
        """\
import pandas as pd
from pyod.models.ecod import ECOD
from pyod_aspects import AspectExplainer, OAMiner
from pyod_aspects.datasets import make_hics

X = pd.DataFrame(make_hics(n_rows=300, n_features=24, random_state=1).X).add_prefix("x")
detector = ECOD().fit(X)""",
        "AspectExplainer(detector, OAMiner(max_dim=4), n_queries=40).fit(X).explore()",
    ),
    # Aspects of every size, which no search would find for one row.
    "sizes": (
        TABLE,
        """\
from dataclasses import replace
from pyod_aspects.plots.view import find_aspect

explanation = AspectExplainer(detector, n_queries=3).fit(X).explain()
query = explanation[0]
sets = [["y"], ["x", "y"], ["x", "y", "z"], ["carat", "x", "y", "z"]]
sets += [["carat", "depth", "x", "y", "z"], ["cut"], ["cut", "table"]]
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


OVERFLOWING = """root => {
    const frame = root.getBoundingClientRect();
    const outside = element => {
        const box = element.getBoundingClientRect();
        if (!box.width || !box.height || element.closest('svg *')) return false;
        return box.right > frame.right + 1 || box.left < frame.left - 1;
    };
    return [...root.querySelectorAll('*')].filter(outside).map(
        element => `${element.tagName} ${element.className} ${element.textContent.slice(0, 40)}`);
}"""


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
        """The picture of the aspect or the group; the one of the scores stands elsewhere."""
        return self.root.locator(".pa-picture svg")

    def picture_words(self) -> str:
        return str(self.picture().get_attribute("aria-label"))

    def headline(self) -> str:
        return str(self.root.get_by_role("heading").inner_text())

    def control(self, role: str, name: str) -> Any:
        return self.root.get_by_role(role, name=name, exact=True)

    def lines(self, kind: str) -> Any:
        """Buttons of a list that are seen: of "row", "group" or "aspect"."""
        return self.root.locator(f".pa-{kind} button:visible")

    def choose(self, kind: str, place: int) -> str:
        """Press a line of a list, and return its name."""
        line = self.lines(kind).nth(place)
        name = str(line.text_content())
        line.click()
        return name

    def choose_and_wait(self, kind: str, place: int, words: str) -> str:
        """Press a line, and wait until there is another picture: it is drawn last."""
        self.choose(kind, place)
        return self.wait_for_other_picture(words)

    def press(self, button: str) -> None:
        self.control("button", button).click()

    def hear_detector(self) -> None:
        """Wait for the detector's answer; on a busy machine it has to be asked for."""
        ask = self.control("button", "Ask the detector")
        told = self.root.get_by_text("The detector agrees")
        ask.or_(told).first.wait_for()
        if ask.is_visible():
            ask.click()
        told.wait_for()

    def unfold_settings(self) -> None:
        self.press("Settings")
        self.control("button", "Find").wait_for()

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
                const svg = root.querySelector(".pa-picture svg");
                return svg && svg.getAttribute('aria-label') !== words;
            }""",
            words,
        )
        return self.picture_words()

    def wait_for_text(self, text: str) -> None:
        """Wait until a text is somewhere in the widget."""
        self.wait_until("(root, text) => root.innerText.includes(text)", text)

    def overflowing(self) -> list[str]:
        """What is seen and reaches beyond the widget on the left or right."""
        return list(self.root.evaluate(OVERFLOWING))

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

    def __call__(
        self,
        name: str,
        theme: str = "JupyterLab Light",
        size: tuple[int, int] = (1200, 880),
    ) -> Window:
        """Put other cells into the notebook and run them."""
        if self.page is None:
            self.page = new_page(self.chromium)
            self.page.goto(f"{self.server}/lab/tree/lab.ipynb?token={TOKEN}&reset")
            wait_for_kernel(self.page)
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
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
