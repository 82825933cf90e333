"""What is seen of an AspectBrowser, and how long a test waits for it."""

from __future__ import annotations

import re

LONG = 60.0
"""Seconds that a short search may take on a busy machine, compiling included."""


def picture(browser):
    return browser.view.picture.value


def words(browser):
    """What the picture shows, in words."""
    return re.search(r'aria-label="(Row [^"]*)"', picture(browser))[1]


def status(browser):
    return re.sub("<[^>]*>", "", browser.view.status.value)
