"""Shells complete commands, options and their values."""

from __future__ import annotations

import shutil
import subprocess

import pytest


def completed(script, *words):
    """What bash offers after some words."""
    line = " ".join(f"'{word}'" for word in words)
    code = (
        f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; COMPREPLY=()\n"
        "_pyod_aspects\nprintf '%s\\n' \"${COMPREPLY[@]}\""
    )
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "offers"),
    [
        (["pyod-aspects", "ex"], ["explain"]),
        (["pyod-aspects", "explain", "data.csv", "--n-q"], ["--n-queries"]),
        (["pyod-aspects", "explain", "data.csv", "--format", "j"], ["json"]),
        (["pyod-aspects", "completion", "z"], []),
        (["pyod-aspects", "demo", "--h"], ["--help", "--html"]),
        (["pyod-aspects", "explain", "da"], []),
    ],
)
def test_bash_completes(run, words, offers):
    code, script, errors = run("completion", "bash")
    assert (code, errors) == (0, "")
    assert completed(script, *words) == offers


@pytest.mark.parametrize(("shell", "part"), [("zsh", "bashcompinit"), ("fish", "-l n-queries")])
def test_other_shells_have_a_script(run, shell, part):
    assert part in run("completion", shell)[1]


def test_a_shell_that_nobody_knows_is_refused(complaint):
    assert "invalid choice: 'tcsh'" in complaint("completion", "tcsh")
