"""Compiled code on disk is that of its key, whoever else writes at the same time."""

from __future__ import annotations

from typing import NamedTuple

from pyod_aspects._kernels import arguments
from pyod_aspects._kernels._cache import CacheFile


def test_what_was_saved_is_loaded_by_its_key(tmp_path):
    CacheFile(str(tmp_path), "f", "stamp").save(("u1", "cpu"), "for u1")
    CacheFile(str(tmp_path), "f", "stamp").save(("u2", "cpu"), "for u2")
    later = CacheFile(str(tmp_path), "f", "stamp")
    assert later.load(("u1", "cpu")) == "for u1"
    assert later.load(("u2", "cpu")) == "for u2"
    assert later.load(("u4", "cpu")) is None
    assert CacheFile(str(tmp_path), "f", "another stamp").load(("u1", "cpu")) is None


def test_a_process_whose_index_is_lost_leaves_the_code_of_others_alone(tmp_path, monkeypatch):
    winner, loser = (CacheFile(str(tmp_path), "f", "stamp") for _ in range(2))
    for process in (winner, loser):  # both read the index before the other one wrote it
        monkeypatch.setattr(process, "_load_index", dict)
    monkeypatch.setattr(loser, "_save_index", lambda overloads: None)
    winner.save("u1", "for u1")
    loser.save("u2", "for u2")
    later = CacheFile(str(tmp_path), "f", "stamp")
    assert later.load("u1") == "for u1"
    assert later.load("u2") is None


def test_an_index_that_names_a_type_of_another_release_is_made_anew(tmp_path, monkeypatch):
    class Gone(NamedTuple):
        x: int

    Gone.__module__, Gone.__qualname__ = arguments.__name__, "Gone"
    with monkeypatch.context() as patched:
        patched.setattr(arguments, "Gone", Gone, raising=False)
        CacheFile(str(tmp_path), "f", "stamp").save((Gone, "cpu"), "for another release")
    later = CacheFile(str(tmp_path), "f", "stamp")
    assert later.load(("u1", "cpu")) is None
    later.save(("u1", "cpu"), "for u1")
    assert later.load(("u1", "cpu")) == "for u1"
