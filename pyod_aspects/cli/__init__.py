"""`pyod-aspects`: why are these rows of my table anomalies, from the command line.

What the user got wrong is one line on the error stream and exit code 2. Everything heavy
is imported where it is needed, so that `--help` answers at once.
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
"""Exit code after Ctrl-C, as shells have it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; those of the process if not given.

    Returns
    -------
    int
        0 if all went well, 2 if something about the call was wrong, 130 after Ctrl-C.
    """
    try:
        code = _run(argv)
        if sys.stdout is not None:
            with standard_output() as stream:
                stream.flush()
    except KeyboardInterrupt as error:
        return complain(str(error) or "interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader, such as "head", has seen enough.
        give_up(sys.stdout)
        return 141
    except MemoryError as error:
        return complain(str(error) or "not enough memory", 2)
    except CommandError as error:  # before the next one, which takes a second to import
        return complain(str(error), 2)
    except Exception as error:
        from ..exceptions import AspectsError

        if not isinstance(error, AspectsError):
            raise
        return complain(str(error), 2)
    return code


def run() -> NoReturn:
    """Be the process: run the command line, and end."""
    code = main()
    if code == INTERRUPTED:
        # A thread may still be counting, and Python would wait for it in vain.
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
        if args.command == "explain":  # known before anything heavy is imported
            check_there([*args.data, *(args.new or ())])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            getattr(import_module(f".{args.command}", __name__), args.command)(args)
    return 0
