"""Every command with its arguments and options, read from click."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import click
from generated_parts import table

from ragproof_core.cli.root import root

OURS = (
    "calibrate", "check", "compare", "freeze", "gate", "init", "payloads", "plugins", "report", "run", "runs", "show",
)  # fmt: skip


def command_parts() -> Mapping[str, str]:
    """Return a part for each command that the kernel and our packages have."""
    return {name.replace(" ", "-"): _part(name, command) for name, command in _commands()}


def _commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(root)
    for name in OURS:
        command = root.get_command(context, name)
        if command is None:
            raise SystemExit(f"install the package with the command {name!r} first")
        yield name, command
        if isinstance(command, click.Group):
            for inner, below in sorted(command.commands.items()):
                yield f"{name} {inner}", below


def _part(name: str, command: click.Command) -> str:
    context = click.Context(command, info_name=f"ragproof {name}")
    usage = " ".join(["ragproof", name, *command.collect_usage_pieces(context)])
    rows = [_option(parameter, context) for parameter in command.params if isinstance(parameter, click.Option)]
    text = " ".join((command.help or "").split())
    options = table(("option", "meaning", "default"), rows) if rows else ""
    return f"```\n{usage}\n```\n\n{text}\n\n{options}"


def _option(option: click.Option, context: click.Context) -> tuple[str, str, str]:
    default = option.get_default(context)
    plain = isinstance(default, (str, int, float, Path)) and not isinstance(default, bool)
    value = "" if option.is_flag else f" {_value(option)}"
    return f"`{', '.join(option.opts)}{value}`", option.help or "", f"`{default}`" if plain else ""


def _value(option: click.Option) -> str:
    if isinstance(option.type, click.Choice):
        return "/".join(map(str, option.type.choices))
    return option.metavar or option.type.name.split()[0].upper()
