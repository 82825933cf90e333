"""A time limit for a function: it runs in a process of its own, which can be ended."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any


class OverLimitError(Exception):
    """Raised where a function took longer than it was given."""


class ChildError(Exception):
    """Raised where a function failed in its process; says how."""


def within(limit: float, function: Callable[..., Any], *args: Any) -> Any:
    """The function's result, if it comes within `limit` seconds.

    Function and arguments have to be importable and picklable. The time that Python takes to start
    counts too. Whatever ends the wait ends the process, Ctrl-C included.
    """
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_report, args=(sender, function, args), daemon=True)
    process.start()
    sender.close()
    try:
        if not receiver.poll(limit):
            raise OverLimitError(f"not done within {limit:g} s")
        kind, value = receiver.recv()
    except EOFError:
        process.join()
        raise ChildError(f"the process ended with code {process.exitcode}") from None
    finally:
        process.kill()
        process.join()
        receiver.close()
    if kind == "error":
        raise value
    return value


def _report(sender: Connection, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    """Run in the other process: send the result, or what went wrong."""
    try:
        answer: tuple[str, Any] = ("result", function(*args))
    except KeyboardInterrupt:  # Ctrl-C reaches both processes; the other one speaks
        return
    except Exception as error:
        answer = ("error", error)
    try:
        sender.send(answer)
    except Exception as error:  # what cannot be sent
        sender.send(("error", ChildError(f"{answer[1]!r} cannot be sent: {error}")))
