"""The group of all commands: the kernel's own, and those of installed packages, each imported when called."""

from __future__ import annotations

import gc
import importlib
import importlib.metadata
from difflib import get_close_matches

import click

from ragproof_core.errors import PluginBrokenError, reason_of
from ragproof_core.plugins.catalog import COMMAND_GROUP
from ragproof_core.reporting.printable import one_line, printable

_LONGEST_SUMMARY = 200

_OWN = {
    "check": ("ragproof_core.cli.check", "Ask one question, and show what a run would do and cost"),
    "freeze": ("ragproof_core.cli.freeze", "Seal a dataset with a hash, so that an edit is noticed"),
    "init": ("ragproof_core.cli.init", "Write a commented ragproof.yaml and a small dataset"),
    "plugins": ("ragproof_core.cli.plugins", "List the installed adapters, metrics, judges and stores"),
    "run": ("ragproof_core.cli.run", "Evaluate the pipeline over the dataset"),
    "runs": ("ragproof_core.cli.runs", "List the stored runs"),
    "show": ("ragproof_core.cli.show", "Show one stored run"),
}


class _Commands(click.Group):
    """Finds commands by name; ``--help`` needs no import either."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted({*_OWN, *_installed()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        try:
            if cmd_name in _OWN:
                command = importlib.import_module(_OWN[cmd_name][0]).command
                return command if isinstance(command, click.Command) else None
            entry_point = _installed().get(cmd_name)
            return None if entry_point is None else _load(cmd_name, entry_point)
        finally:
            gc.enable()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in _OWN and name not in _installed() and not name.startswith("-"):
            near = get_close_matches(name, self.list_commands(ctx), n=1, cutoff=0.5)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise click.UsageError(f"No such command {name!r}.{hint} 'ragproof --help' lists them.", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        rows = [(name, summary) for name, (_, summary) in _OWN.items()]
        rows += [(printable(name), _summary(point)) for name, point in _installed().items() if name not in _OWN]
        with formatter.section("Commands"):
            formatter.write_dl(sorted(rows))


def _installed() -> dict[str, importlib.metadata.EntryPoint]:
    return {point.name: point for point in importlib.metadata.entry_points(group=COMMAND_GROUP)}


def _summary(entry_point: importlib.metadata.EntryPoint) -> str:
    return one_line(entry_point.dist.metadata["Summary"] or "", _LONGEST_SUMMARY) if entry_point.dist else ""


def _load(name: str, entry_point: importlib.metadata.EntryPoint) -> click.Command:
    try:
        command = entry_point.load()
    except KeyboardInterrupt:
        raise
    except BaseException as problem:
        raise PluginBrokenError(
            f"the command {name!r} of {entry_point.value} cannot be imported: {reason_of(problem)}"
        ) from problem
    if not isinstance(command, click.Command):
        raise PluginBrokenError(f"the command {name!r} of {entry_point.value} is no click command")
    return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ragproof-core", prog_name="ragproof")
def root() -> None:
    """Prove that a RAG pipeline works, and fail CI when it stops.

    Start with 'ragproof init'. Exit codes: 0 done, 1 a quality bar was missed, 2 failed while running, 3 wrongly
    configured. With --debug an error shows its traceback.
    """
