"""What is seen of an AspectBrowser, and how long a test waits for it."""

from __future__ import annotations

import re
from html import unescape

LONG = 60.0
"""Seconds that a short search may take on a busy machine, compiling included."""


def read(widget):
    """Text of a piece of page, as it is read."""
    return unescape(re.sub("<[^>]*>", "", widget.value)).replace("\u00a0", " ")


def seen(widget):
    """Whether a control is on the page."""
    return widget.layout.display != "none"


def picture(browser):
    return browser.view.answer.picture.value


def words(browser):
    """What the picture shows, in words."""
    return re.search(r'aria-label="(Row [^"]*)"', picture(browser))[1]


def headline(browser):
    return read(browser.view.answer.headline)


def status(browser):
    return read(browser.view.header.status)


def lines(listing):
    """Names of the lines of a list that are seen."""
    return [item.button.description for item in listing.shown]


def chosen(listing):
    """Names of the lines of a list that are marked."""
    return [item.button.description for item in listing.shown if item.chosen]
