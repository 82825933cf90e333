"""Shell completion, generated from the parser: commands, options and their choices."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

from .messages import PROG

SHELLS = ("bash", "zsh", "fish")
"""Shells with a completion script."""


def completion_script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Write the script for a shell to source.

    Parameters
    ----------
    parser : ArgumentParser
        The parser of all commands.
    shell : {"bash", "zsh", "fish"}
    """
    commands = _commands(parser)
    if shell == "fish":
        return "\n".join(_fish_lines(commands))
    script = _BASH.format(prog=PROG, name="_pyod_aspects", commands=" ".join(commands))
    cases = "\n".join(_bash_cases(commands))
    script = script.replace("@cases@", cases)
    return f"autoload -U +X bashcompinit && bashcompinit\n{script}" if shell == "zsh" else script


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _options(parser: argparse.ArgumentParser) -> list[Any]:
    return [action for action in parser._actions if action.option_strings]


_BASH = """\
{name}() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{commands} --help --version" -- "$word"))
        return
    fi
    case "${{COMP_WORDS[1]}} $before" in
@cases@
    esac
}}
complete -o default -F {name} {prog}"""


def _bash_cases(commands: dict[str, argparse.ArgumentParser]) -> list[str]:
    """Cases for values of options, then for the options of each command; files are the default."""
    lines = []
    for command, parser in commands.items():
        for action in _options(parser):
            if action.choices:
                names = "|".join(f'"{command} {name}"' for name in action.option_strings)
                lines.append(f"        {names}) {_offer(map(str, action.choices))} ;;")
    for command, parser in commands.items():
        options = [name for action in _options(parser) for name in action.option_strings]
        lines.append(f'        "{command} "*) case "$word" in -*) {_offer(options)} ;; esac ;;')
    return lines


def _offer(words: Iterable[str]) -> str:
    return f'COMPREPLY=($(compgen -W "{" ".join(words)}" -- "$word"))'


def _fish_lines(commands: dict[str, argparse.ArgumentParser]) -> list[str]:
    lines = [f"complete -c {PROG} -n __fish_use_subcommand -a '{' '.join(commands)}'"]
    for command, parser in commands.items():
        start = f"complete -c {PROG} -n '__fish_seen_subcommand_from {command}'"
        for action in _options(parser):
            values = " ".join(map(str, action.choices or ()))
            offer = f" -xa '{values}'" if values else ""
            names = [name[2:] for name in action.option_strings if name.startswith("--")]
            lines += [f"{start} -l {name}{offer}" for name in names]
    return lines
