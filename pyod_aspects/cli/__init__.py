"""`pyod-aspects`: explain the anomalies of a table from the command line.

A mistake of the user is one line on stderr and exit code 2. Functions import heavy packages where
they need them, so that `--help` answers at once.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from typing import NoReturn

from .arguments import make_parser
from .completion import completion_script
from .messages import PROG, CommandError, complain, give_up, show, standard_output
from .reading.opening import check_there

__all__ = ["main", "run"]

INTERRUPTED = 130
"""Exit code after Ctrl-C, as in shells."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments. Default: those of the process.

    Returns
    -------
    int
        0 on success, 2 after a mistake in the call, 130 after Ctrl-C, 141 after a closed pipe.
    """
    try:
        code = _run(argv)
        if sys.stdout is not None:
            with standard_output() as stream:
                stream.flush()
    except KeyboardInterrupt as error:
        return complain(str(error) or "interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader, such as "head", closed the pipe.
        give_up(sys.stdout)
        return 141
    except MemoryError as error:
        return complain(str(error) or "not enough memory", 2)
    except CommandError as error:  # before AspectsError, whose import takes a second
        return complain(str(error), 2)
    except Exception as error:
        from ..exceptions import AspectsError

        if not isinstance(error, AspectsError):
            raise
        return complain(str(error), 2)
    return code


def run() -> NoReturn:
    """Run the command line as the whole process, and exit."""
    code = main()
    if code == INTERRUPTED:
        # A thread may still be counting, and Python would wait for it.
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(code)
    sys.exit(code)


def _run(argv: Sequence[str] | None) -> int:
    parser = make_parser()
    try:
        args, unknown = parser.parse_known_args(argv)
    except SystemExit as done:  # --help
        return int(done.code or 0)
    if unknown:
        options = re.findall(r"--([\w-]+)", args.parser.format_usage())
        close = get_close_matches(unknown[0].partition("=")[0].strip("-"), options, n=1)
        hint = f"did you mean --{close[0]}?" if close else f"see {args.parser.prog} --help"
        raise CommandError(f"unexpected {unknown[0]!r}: {hint}")
    if args.version:
        from .._util.version import __version__

        show(f"{PROG} {__version__}")
    elif args.command == "completion":
        show(completion_script(parser, args.shell))
    elif args.command is None:
        show(parser.format_help().rstrip())
    else:
        if args.command == "explain":  # fail before the heavy imports
            check_there([*args.data, *(args.new or ())])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            getattr(import_module(f".{args.command}", __name__), args.command)(args)
    return 0
