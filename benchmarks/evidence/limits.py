"""A time limit for a function: it runs in a separate process, which the limit ends."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any


class OverLimitError(Exception):
    """A function exceeded its time limit."""


class ChildError(Exception):
    """A function failed in its process; the message says how."""


def within(limit: float, function: Callable[..., Any], *args: Any) -> Any:
    """Return the function's result, if it comes within `limit` seconds.

    Function and arguments must be importable and picklable. The time to start Python counts, too.
    Anything that ends the wait, such as Ctrl-C, ends the process.
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
    """Run in the other process: send the result, or the error."""
    try:
        answer: tuple[str, Any] = ("result", function(*args))
    except KeyboardInterrupt:  # Ctrl-C reaches both processes; the other one speaks
        return
    except Exception as error:
        answer = ("error", error)
    try:
        sender.send(answer)
    except Exception as error:  # an answer that cannot be sent
        sender.send(("error", ChildError(f"{answer[1]!r} cannot be sent: {error}")))
