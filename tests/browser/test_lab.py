"""The widget in JupyterLab, used with the mouse and with the keyboard alone."""

from __future__ import annotations

import pytest


def test_run_all_cells_and_click_through(lab):
    window = lab("demo")
    window.picture().wait_for()
    first = window.picture_words()
    assert first.startswith("Row 113 ")
    window.keep_picture("light")
    window.choose("Anomalies", 2)
    second = window.wait_for_other_picture(first)
    assert second.startswith("Row 78 ")
    assert window.control("spinbutton", "Anomaly").input_value() == "3"
    window.choose("Aspects", 3)
    third = window.wait_for_other_picture(second)
    assert third.startswith("Row 78 ")
    assert window.control("spinbutton", "Aspect").input_value() == "4"


def test_change_the_miner_and_find(lab):
    window = lab("demo")
    window.picture().wait_for()
    window.press("GBeam")
    window.wait_for_status("press Find")
    window.control("spinbutton", "Features up to").fill("2")
    window.control("spinbutton", "Features up to").press("Enter")
    window.press("Find")
    window.wait_for_status("Done: 8 rows explained.")
    assert "explained by GBeam" in window.root.inner_text()


def test_explain_another_row_and_copy_as_code(lab):
    window = lab("demo")
    window.picture().wait_for()
    window.control("spinbutton", "Row").fill("7")
    window.control("spinbutton", "Row").press("Enter")
    window.press("Explain row")
    window.wait_for_status("Done: 9 rows explained.")
    assert window.picture_words().startswith("Row 7 ")
    window.press("Copy as code")
    window.press("Copy")
    window.control("button", "Copied").wait_for()
    copied = window.page.evaluate("() => navigator.clipboard.readText()")
    assert "plot_aspect(explanation, 7, 0)" in copied
    window.keep_picture("code")


def test_a_long_search_shows_progress_answers_and_is_cancelled(lab):
    window = lab("long")
    window.running()
    window.wait_for_status("tried")
    window.picture().wait_for()  # the first row has come, others are under way
    window.wait_for_status("left")
    window.keep_picture("running")
    before = window.picture_words()
    window.choose("Aspects", 4)
    window.wait_for_other_picture(before)
    assert window.control("button", "Cancel").is_enabled()
    window.press("Cancel")
    window.settled()
    window.wait_for_status("Cancelled")
    assert window.control("button", "Cancel").is_disabled()


def test_everything_with_the_keyboard_alone(lab):
    window = lab("demo")
    window.picture().wait_for()
    keyboard = window.page.keyboard
    # From the first control on, only keys.
    window.control("button", "SGBeam").focus()

    def tab_to(role: str, name: str) -> None:
        target = window.control(role, name)
        for _ in range(30):
            if target.evaluate("element => element === document.activeElement"):
                return
            keyboard.press("Tab")
        pytest.fail(f"{role} {name} is not reached by Tab")

    tab_to("button", "GBeam")
    keyboard.press("Space")
    window.wait_for_status("press Find")
    tab_to("spinbutton", "Features up to")
    keyboard.press("ArrowDown")
    tab_to("button", "Find")
    keyboard.press("Space")
    window.wait_for_status("Done: 8 rows explained.")
    assert "explained by GBeam" in window.root.inner_text()
    assert window.control("spinbutton", "Features up to").input_value() == "4"
    first = window.picture_words()
    tab_to("spinbutton", "Anomaly")
    keyboard.press("ArrowUp")
    second = window.wait_for_other_picture(first)
    assert second.startswith("Row 0 ")
    tab_to("spinbutton", "Aspect")
    keyboard.press("ArrowUp")
    window.wait_for_other_picture(second)
    tab_to("button", "Copy as code")
    keyboard.press("Space")
    tab_to("button", "Copy")
    # The keys went to the widget and not to the notebook: there are no new cells.
    assert window.page.locator(".jp-Notebook .jp-CodeCell").count() == 2


BRIGHTNESS = """element => {
    const [r, g, b] = getComputedStyle(element).fill.match(/[\\d.]+/g).map(Number);
    return (r + g + b) / 3;
}"""


def test_dark_theme(lab):
    window = lab("demo", theme="JupyterLab Dark")
    window.picture().wait_for()
    text = window.picture().locator("text").first
    assert text.evaluate(BRIGHTNESS) > 150
    window.keep_picture("dark")


def test_pictures_of_every_size(lab):
    window = lab("sizes")
    window.picture().wait_for()
    words = ""
    for place, size in enumerate([1, 2, 3, 4, 5]):
        if place:
            window.choose("Aspects", place)
        words = window.wait_for_other_picture(words)
        window.keep_picture(f"size-{size}")
        root, picture = window.root.bounding_box(), window.picture().bounding_box()
        assert picture["x"] + picture["width"] <= root["x"] + root["width"] + 1


def test_an_error_is_told_in_the_status_line(lab):
    window = lab("large")
    window.picture().wait_for()
    window.press("OAMiner")
    window.press("Find")
    window.wait_for_status("Not done:")
    window.keep_picture("error")
    assert window.picture().is_visible()


def test_an_empty_explanation_says_so_and_can_be_filled(lab):
    window = lab("empty")
    window.root.get_by_text("No rows were explained.").wait_for()
    window.keep_picture("empty")
    window.press("Find")
    window.picture().wait_for()
