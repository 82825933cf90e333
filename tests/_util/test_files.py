"""A file is written whole or not at all."""

from __future__ import annotations

import os
import stat
import sys

import pytest

from pyod_aspects._util import files
from pyod_aspects._util.files import check_target, write_text
from pyod_aspects.exceptions import AspectsError, InvalidInputError


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_text_arrives_in_utf8_with_its_own_line_ends(tmp_path):
    write_text(tmp_path / "a.txt", "größe\n年龄\n")
    assert (tmp_path / "a.txt").read_bytes() == "größe\n年龄\n".encode()
    assert names_in(tmp_path) == ["a.txt"]


def test_what_was_there_is_replaced(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("a long text from before")
    write_text(str(target), "new")
    assert target.read_text() == "new"


def test_half_a_character_pair_does_not_keep_the_rest_from_being_written(tmp_path):
    write_text(tmp_path / "a.txt", "x\ud800")
    assert (tmp_path / "a.txt").read_text() == "x\\ud800"


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, step):
    def fail(*args):
        raise OSError(28, "No space left on device")

    target = tmp_path / "a.txt"
    target.write_text("old")
    monkeypatch.setattr(os, step, fail)
    with pytest.raises(AspectsError, match=r"cannot write .*a\.txt: No space left on device\."):
        write_text(target, "new")
    assert target.read_text() == "old"
    assert names_in(tmp_path) == ["a.txt"]


def test_an_interruption_leaves_nothing_behind(tmp_path, monkeypatch):
    def interrupt(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_text(tmp_path / "a.txt", "new")
    assert names_in(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_folder_without_permission_is_named_in_the_error(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(AspectsError, match="Permission denied"):
            write_text(tmp_path / "a.txt", "new")
    finally:
        tmp_path.chmod(0o700)


def test_a_missing_folder_is_an_error_before_anything_is_written(tmp_path):
    with pytest.raises(InvalidInputError, match=r"there is no folder .*nowhere; create it first"):
        write_text(tmp_path / "nowhere" / "a.txt", "text")
    with pytest.raises(InvalidInputError, match="there is no folder"):
        check_target(tmp_path / "nowhere" / "a.txt")


def test_a_folder_is_not_overwritten(tmp_path):
    with pytest.raises(InvalidInputError, match="it is a folder; add a file name"):
        write_text(tmp_path, "text")


@pytest.mark.skipif(sys.platform == "win32", reason="permissions and links of POSIX")
class TestPosix:
    def test_a_new_file_has_the_permissions_of_any_new_file(self, tmp_path):
        (tmp_path / "usual").write_text("")
        write_text(tmp_path / "ours", "")
        assert (tmp_path / "ours").stat().st_mode == (tmp_path / "usual").stat().st_mode

    def test_a_replaced_file_keeps_its_permissions(self, tmp_path):
        target = tmp_path / "a.txt"
        target.write_text("old")
        target.chmod(0o640)
        write_text(target, "new")
        assert stat.S_IMODE(target.stat().st_mode) == 0o640

    def test_a_link_stays_a_link(self, tmp_path):
        (tmp_path / "real.txt").write_text("old")
        (tmp_path / "link.txt").symlink_to("real.txt")
        write_text(tmp_path / "link.txt", "new")
        assert (tmp_path / "link.txt").is_symlink()
        assert (tmp_path / "real.txt").read_text() == "new"

    def test_another_name_of_the_replaced_file_keeps_the_old_text(self, tmp_path):
        (tmp_path / "a.txt").write_text("old")
        (tmp_path / "other.txt").hardlink_to(tmp_path / "a.txt")
        write_text(tmp_path / "a.txt", "new")
        assert (tmp_path / "a.txt").read_text() == "new"
        assert (tmp_path / "other.txt").read_text() == "old"

    @pytest.mark.parametrize("kind", ["hardlink_to", "symlink_to"])
    def test_a_link_in_the_place_of_the_temporary_file_is_neither_followed_nor_removed(
        self, tmp_path, monkeypatch, kind
    ):
        monkeypatch.setattr(files, "token_hex", lambda n: "guessed")
        link, precious = tmp_path / ".pyod_aspects-guessed.tmp", tmp_path / "precious.txt"
        precious.write_text("precious")
        getattr(link, kind)(precious)
        with pytest.raises(AspectsError, match="File exists"):
            write_text(tmp_path / "a.txt", "new")
        assert precious.read_text() == "precious"
        assert names_in(tmp_path) == [link.name, "precious.txt"]

    def test_a_device_is_written_to_and_not_replaced(self):
        write_text(os.devnull, "text")
        assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
