"""``ragproof plugins``: what is installed, without importing it; and what is wrong with it."""

from __future__ import annotations

import click

from ragproof_core.cli.installed import installed
from ragproof_core.cli.options import json_option
from ragproof_core.cli.output import clean_stdout, print_json, print_table
from ragproof_core.plugins.catalog import ROLES, Entry
from ragproof_core.reporting.printable import printable


@click.group("plugins", invoke_without_command=True)
@click.option("--role", type=click.Choice(ROLES), help="Only components of this role.")
@click.option("--check", "checking", is_flag=True, help="Import every component and check it against its contract.")
@json_option
@click.pass_context
def command(ctx: click.Context, role: str | None, checking: bool, as_json: bool) -> None:  # noqa: FBT001
    """List the installed adapters, metrics, judges and stores, without importing any.

    'plugins show NAME' (or role:NAME) prints a component's settings and capabilities.
    """
    if ctx.invoked_subcommand is not None:
        return
    with clean_stdout(as_json) as out:
        entries = [entry for entry in installed() if role in (None, entry.role)]
        states = _checked(entries) if checking else [(entry.state, entry.reason) for entry in entries]
        rows = [_row(entry, *state) for entry, state in zip(entries, states, strict=True)]
        if as_json:
            print_json({"plugins": rows}, out)
        elif rows:
            _print(rows)
        else:
            print("no plugins are installed; try: pip install 'ragproof-core[default]'")
    if checking and any(state in ("broken", "refused") for state, _ in states):
        ctx.exit(2)


def _checked(entries: list[Entry]) -> list[tuple[str, str | None]]:
    from ragproof_core.engine.metric_check import check_component

    return [(entry.state, entry.reason) if entry.state == "blocked" else check_component(entry) for entry in entries]


def _row(entry: Entry, state: str, reason: str | None) -> dict[str, str | None]:
    return {
        "name": entry.name,
        "role": entry.role,
        "distribution": entry.distribution,
        "version": entry.version,
        "entry_point": entry.entry_point.value,
        "state": state,
        "reason": reason,
    }


def _print(rows: list[dict[str, str | None]]) -> None:
    headers = ("role", "name", "distribution", "version", "state")
    print_table(headers, [[str(row[header]) for header in headers] for row in rows], right_from=len(headers))
    for row in rows:
        if row["reason"]:
            text = f"{row['role']} {row['name']} ({row['distribution']}): {row['state']}: {row['reason']}"
            print(f"\n{printable(text)}")


@command.command("show")
@click.argument("name")
@json_option
@click.pass_context
def show(ctx: click.Context, name: str, as_json: bool) -> None:  # noqa: FBT001
    """Show one component: settings, capabilities, home page. NAME may be role:NAME."""
    from ragproof_core.cli.plugin_page import describe_component, print_page

    with clean_stdout(as_json or bool(ctx.parent and ctx.parent.params.get("as_json"))) as out:
        page = describe_component(name)
        if as_json or (ctx.parent and ctx.parent.params.get("as_json")):
            print_json(page, out)
        else:
            print_page(page)
