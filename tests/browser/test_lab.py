"""The widget in JupyterLab, used with the mouse and with the keyboard alone."""

from __future__ import annotations

import pytest


def test_run_all_cells_and_click_through(lab):
    window = lab("demo")
    window.picture().wait_for()
    first = window.picture_words()
    assert first.startswith("Row ")
    window.hear_detector()
    window.keep_picture("light")
    said = window.headline()
    name = window.choose("row", 2)
    second = window.wait_for_other_picture(first)
    assert second.startswith(name.split(":")[0] + " ")
    assert window.headline() != said
    assert window.control("spinbutton", "Row").input_value() == "3"
    window.choose("aspect", 1)
    third = window.wait_for_other_picture(second)
    assert third.startswith(name.split(":")[0] + " ")
    assert window.control("spinbutton", "Aspect").input_value() == "2"


def test_turn_the_pages_of_the_rows(lab):
    window = lab("demo")
    window.picture().wait_for()
    rows = window.lines("row")
    first = rows.all_text_contents()
    pager = window.root.locator(".pa-left .pa-listing").last
    pager.get_by_role("button", name="Later").click()
    window.wait_for_text("11 to 20 of 60")  # said when all lines are there
    second = rows.all_text_contents()
    assert len(first) == len(second)
    assert not set(first) & set(second)
    window.choose("row", 0)
    window.wait_until("root => root.querySelectorAll('.pa-row.pa-chosen').length === 1")


def test_walk_through_a_group(lab):
    window = lab("demo")
    window.picture().wait_for()
    before = window.picture_words()
    name = window.choose("group", 0)
    together = window.wait_for_other_picture(before)
    sentence, n = name.removesuffix(" rows").rsplit(", ", 1)
    assert window.headline() == sentence
    window.keep_picture("group")
    spinner = window.control("spinbutton", "Row")
    spinner.focus()
    window.page.keyboard.press("ArrowUp")
    one = window.wait_for_other_picture(together)
    assert one.startswith("Row ")
    window.wait_for_text(f"of {n}")
    window.root.get_by_text("odd in the same way").wait_for()
    window.keep_picture("group-row")
    window.press("Show all rows")
    window.wait_for_text("of 60")


def test_follow_a_row_that_is_odd_in_the_same_way(lab):
    window = lab("demo")
    window.picture().wait_for()
    together = window.choose_and_wait("group", 0, window.picture_words())
    window.choose_and_wait("row", 0, together)
    link = window.root.locator(".pa-link:visible").first
    link.wait_for()
    name = link.inner_text()
    link.click()
    window.wait_until(
        "(root, name) => root.querySelector('.pa-picture svg')"
        "?.getAttribute('aria-label').startsWith(`Row ${name} `)",
        name,
    )


def test_change_the_miner_and_find(lab):
    window = lab("few")
    window.picture().wait_for()
    window.unfold_settings()
    window.keep_picture("settings")
    window.press("GBeam")
    window.wait_for_status("press Find")
    window.control("spinbutton", "Features up to").fill("2")
    window.control("spinbutton", "Features up to").press("Enter")
    window.press("Find")
    window.wait_for_status("Done: 3 rows explained.")
    window.wait_for_text("by GBeam")


def test_explain_another_row_and_copy_as_code(lab):
    window = lab("few")
    window.picture().wait_for()
    window.unfold_settings()
    window.control("spinbutton", "Another row").fill("7")
    window.control("spinbutton", "Another row").press("Enter")
    window.press("Explain")
    window.wait_for_status("Done: 4 rows explained.")
    window.press("Copy as code")
    window.press("Copy")
    window.control("button", "Copied").wait_for()
    copied = window.page.evaluate("() => navigator.clipboard.readText()")
    assert "plot_aspect(explanation, 7, 0)" in copied
    window.press("What the words mean")
    window.root.get_by_text("Nearby: ").wait_for()
    window.keep_picture("code")


def test_a_long_search_shows_progress_answers_and_is_cancelled(lab):
    window = lab("long")
    window.running()
    window.wait_for_status("tried")
    window.picture().wait_for()  # the first row has come, others are under way
    window.wait_for_status("left")
    window.root.get_by_text("Still being worked out").wait_for()
    window.keep_picture("running")
    before = window.picture_words()
    window.choose("aspect", 1)
    window.wait_for_other_picture(before)
    assert window.control("button", "Cancel").is_enabled()
    window.press("Cancel")
    window.settled()
    window.wait_for_status("Cancelled")
    assert window.control("button", "Cancel").is_hidden()


def test_a_miner_that_prepares_for_long_shows_that_it_works(lab):
    window = lab("some")
    window.picture().wait_for()
    window.unfold_settings()
    window.press("OAMiner")
    window.wait_for_status("press Find")
    window.press("Find")
    window.wait_for_status("Preparing OAMiner")
    window.wait_for_status("s so far")
    window.keep_picture("preparing")
    assert window.root.locator(".pa-running .progress").is_visible()
    window.press("Cancel")
    window.settled()
    window.wait_for_status("Cancelled")


def test_everything_with_the_keyboard_alone(lab):
    window = lab("demo")
    window.picture().wait_for()
    keyboard = window.page.keyboard
    # From the first control on, only keys.
    window.control("button", "Settings").focus()

    def tab_to(target, what: str, key: str = "Tab") -> None:
        for _ in range(40):
            if target.evaluate("element => element === document.activeElement"):
                return
            keyboard.press(key)
        pytest.fail(f"{what} is not reached by {key}")

    keyboard.press("Enter")
    window.control("button", "Find").wait_for()
    tab_to(window.control("spinbutton", "Features up to"), "Features up to")
    keyboard.press("ArrowDown")
    window.wait_for_status("press Find")
    tab_to(window.control("button", "1,000"), "1,000 ordinary rows")
    keyboard.press("Space")
    tab_to(window.control("button", "Find"), "Find")
    keyboard.press("Enter")
    window.wait_for_status("Done: 60 rows explained.")
    assert window.control("spinbutton", "Features up to").input_value() == "4"
    first = window.picture_words()
    tab_to(window.lines("row").nth(1), "the second row")
    keyboard.press("Enter")
    second = window.wait_for_other_picture(first)
    window.keep_picture("focus")
    tab_to(window.control("spinbutton", "Row"), "Row")
    keyboard.press("ArrowUp")
    third = window.wait_for_other_picture(second)
    tab_to(window.lines("aspect").nth(1), "the second aspect")
    keyboard.press("Space")
    fourth = window.wait_for_other_picture(third)
    tab_to(window.lines("group").nth(0), "the first group", "Shift+Tab")
    keyboard.press("Enter")
    window.wait_for_other_picture(fourth)
    tab_to(window.control("button", "Copy as code"), "Copy as code")
    keyboard.press("Enter")
    tab_to(window.control("button", "Copy"), "Copy")
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
    window.hear_detector()
    window.keep_picture("dark")
    window.unfold_settings()
    window.choose("group", 0)
    window.wait_until("root => root.querySelectorAll('.pa-group.pa-chosen').length === 1")
    window.keep_picture("dark-group")


@pytest.mark.parametrize("size", [(800, 600), (1200, 800), (1600, 1000)])
def test_nothing_is_cut_off(lab, size):
    window = lab("demo", size=size)
    window.picture().wait_for()
    window.hear_detector()
    assert window.overflowing() == []
    window.keep_picture(f"{size[0]}x{size[1]}")
    window.unfold_settings()
    window.press("Copy as code")
    window.root.locator("pre").wait_for()
    assert window.overflowing() == []


def test_in_a_narrow_side_panel_the_answer_stands_above_the_lists(lab):
    window = lab("demo")
    window.picture().wait_for()
    window.hear_detector()
    window.page.evaluate(
        """async () => {
            const {shell, commands} = jupyterapp;
            const notebook = shell.currentWidget;
            notebook.content.activeCellIndex = 1;
            await commands.execute('notebook:create-output-view');
            const view = [...shell.widgets('main')].find(
                one => one !== notebook && one.node.querySelector('.jp-OutputArea'));
            shell.move(view, 'right');
            shell.activateById(view.id);
            shell._hsplitPanel.setRelativeSizes([0.1, 0.57, 0.33]);
            window.aspectsView = view;
        }"""
    )
    panel = window.page.locator("#jp-right-stack .pyod-aspects")
    try:
        panel.locator(".pa-picture svg").wait_for()
        width = panel.evaluate("root => root.getBoundingClientRect().width")
        assert width < 420
        lists, answer = panel.locator(".pa-left"), panel.locator(".pa-right")
        assert answer.bounding_box()["y"] < lists.bounding_box()["y"]
        overflow = panel.evaluate(
            "root => [...root.querySelectorAll('.pa-right *, .pa-left *, .pa-header *')].filter("
            "one => !one.closest('svg *') && one.getBoundingClientRect().width && "
            "one.getBoundingClientRect().right > root.getBoundingClientRect().right + 1).length"
        )
        assert overflow == 0
        window.page.screenshot(path=str(window.screenshots / "panel.png"))
    finally:
        window.page.evaluate("() => window.aspectsView.dispose()")


def test_pictures_of_every_size(lab):
    window = lab("sizes")
    window.picture().wait_for()
    words = ""
    window.control("spinbutton", "Aspect").wait_for()
    spinner, n = window.control("spinbutton", "Aspect"), 7
    if window.root.get_by_text(" redundant").count():
        window.root.get_by_text(" redundant").first.click()
    window.wait_until("root => root.innerText.includes('of 7')")
    for place in range(1, n + 1):
        spinner.fill(str(place))
        spinner.press("Enter")
        words = window.wait_for_other_picture(words) if place > 1 else window.picture_words()
        window.keep_picture(f"size-{place}")
        assert window.overflowing() == []


def test_an_error_is_told_in_the_status_line(lab):
    window = lab("large")
    window.picture().wait_for()
    window.unfold_settings()
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
