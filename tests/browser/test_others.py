"""The widget in Voila, where there is no code, and in Notebook 7."""

from __future__ import annotations


def test_voila_click_through_cancel_and_find_in_the_dark(voila):
    window = voila("long", theme="dark")
    window.picture().wait_for()
    text = window.picture().locator("text").first
    red = text.evaluate("element => Number(getComputedStyle(element).fill.match(/\\d+/)[0])")
    assert red > 150
    first = window.picture_words()
    window.choose("Aspects", 1)
    second = window.wait_for_other_picture(first)
    window.press("Cancel")
    window.wait_for_status("Cancelled")
    window.press("SGBeam")
    window.press("Find")
    window.wait_for_status("Done: 10 rows explained.")
    third = window.wait_for_other_picture(second)
    window.choose("Anomalies", 1)
    assert window.wait_for_other_picture(third).startswith("Row 0 ")
    window.keep_picture("voila")


def test_notebook_7_click_through(notebook):
    window = notebook("demo")
    window.picture().wait_for()
    first = window.picture_words()
    window.choose("Anomalies", 1)
    assert window.wait_for_other_picture(first).startswith("Row 0 ")
    window.keep_picture("notebook-7")
