"""The widget in Voila, where there is no code, and in Notebook 7."""

from __future__ import annotations

import pytest


def test_voila_click_through_cancel_and_find_in_the_dark(voila):
    window = voila("long", theme="dark")
    window.picture().wait_for()
    text = window.picture().locator("text").first
    red = text.evaluate("element => Number(getComputedStyle(element).fill.match(/\\d+/)[0])")
    assert red > 150
    first = window.picture_words()
    window.choose("aspect", 1)
    second = window.wait_for_other_picture(first)
    window.press("Cancel")
    window.wait_for_status("Cancelled")
    window.unfold_settings()
    window.press("SGBeam")
    window.press("Find")
    window.wait_for_status("Done: 40 rows explained.")
    third = window.wait_for_other_picture(second)
    name = window.choose("row", 1)
    assert window.wait_for_other_picture(third).startswith(name.split(":")[0] + " ")
    window.keep_picture("voila")


@pytest.mark.parametrize("width", [380, 800, 1200])
def test_voila_at_every_width(voila, width):
    window = voila("demo")
    window.picture().wait_for()
    window.page.set_viewport_size({"width": width, "height": 800})
    window.hear_detector()
    assert window.overflowing() == []
    window.keep_picture(f"voila-{width}")


def test_voila_asks_a_slow_detector_on_a_click(voila):
    window = voila("slow")
    window.press("Ask the detector")
    window.root.get_by_text("The detector agrees").wait_for()
    assert window.control("button", "Ask the detector").is_hidden()


def test_notebook_7_click_through(notebook):
    window = notebook("demo")
    window.picture().wait_for()
    first = window.picture_words()
    name = window.choose("row", 1)
    assert window.wait_for_other_picture(first).startswith(name.split(":")[0] + " ")
    window.keep_picture("notebook-7")
