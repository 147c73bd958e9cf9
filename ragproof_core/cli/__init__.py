"""The command line ``ragproof``: a thin layer over the rest."""

from __future__ import annotations

import gc
import sys
import traceback
from contextlib import suppress

from ragproof_core.reporting.printable import printable


def main() -> None:
    """Run the command line and exit: 0 done, 1 a bar was missed, 2 failed while running, 3 wrongly configured."""
    gc.disable()  # importing makes many objects and no garbage; on again once the command is there
    code = run_line(sys.argv[1:])
    if _anything_stuck():
        _leave(code)
    sys.exit(code)


def _anything_stuck() -> bool:
    workers = sys.modules.get("ragproof_core.engine.workers")
    return workers is not None and workers.any_stuck()


def _leave(code: int) -> None:
    """End the process now: Python would wait for the threads of a pool that a stuck pipeline left behind."""
    import os

    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def run_line(arguments: list[str]) -> int:
    """Run one command line; returns the exit code. A traceback is shown with ``--debug`` only."""
    import click

    from ragproof_core.cli.root import root
    from ragproof_core.errors import RAGProofError

    debug = "--debug" in arguments
    stdout = sys.stdout
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = root.main([part for part in arguments if part != "--debug"], "ragproof", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.ClickException as problem:
        problem.show()
        code = 3
    except (KeyboardInterrupt, click.Abort):
        print("interrupted", file=sys.stderr)
        code = 2
    except BrokenPipeError:
        code = _pipe_closed()
    except SystemExit as stop:
        # when the reader of stdout has gone, click replaces the stream and ends with 1, which would be a missed bar
        code = _pipe_closed() if sys.stdout is not stdout else _code_of(stop)
    except OSError as problem:
        reason = printable(str(problem.strerror or problem))
        print(f"error: {reason}; is the disk full, or the output closed?", file=sys.stderr)
        if debug:
            traceback.print_exception(problem)
        code = 2
    except BaseException as problem:
        _say(problem, debug=debug)
        code = problem.exit_code if isinstance(problem, RAGProofError) else 2
    return code if isinstance(code, int) else 0


def _say(problem: BaseException, *, debug: bool) -> None:
    from ragproof_core.errors import RAGProofError, reason_of

    if debug:
        traceback.print_exception(problem)
        return
    if isinstance(problem, RAGProofError):
        text = str(problem)
    else:
        text = f"unexpected {reason_of(problem)}\nplease report it with the output of --debug"
    print("\n".join(f"error: {printable(line)}" for line in text.splitlines()), file=sys.stderr)


def _code_of(stop: SystemExit) -> int:
    """Return the exit code that Python would end with."""
    if stop.code is None or isinstance(stop.code, int):
        return stop.code or 0
    print(printable(str(stop.code)), file=sys.stderr)
    return 2


def _pipe_closed() -> int:
    """End quietly when the reader of the output has gone (``ragproof runs | head``)."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
