"""Ctrl-C is heard as Ctrl-C."""

from __future__ import annotations

import numpy as np
import pytest

from pyod_aspects import SGBeam
from pyod_aspects._util.interrupts import plain_interrupts
from pyod_aspects.density import SGrid


def interrupted(*args, **kwargs):
    """What numba's C code makes of a Ctrl-C."""
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt as error:
        raise SystemError("returned a result with an exception set") from error


def test_an_interrupt_within_compiled_code_is_a_keyboard_interrupt():
    with pytest.raises(KeyboardInterrupt), plain_interrupts():
        interrupted()


def test_other_system_errors_stay():
    with pytest.raises(SystemError, match="broken"), plain_interrupts():
        raise SystemError("broken")


def test_a_miner_that_is_fitted_hears_it(monkeypatch):
    monkeypatch.setattr(SGrid, "fit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        SGBeam().fit(np.eye(3))
