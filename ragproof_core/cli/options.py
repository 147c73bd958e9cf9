"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

config_option = click.option(
    "-c",
    "--config",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("ragproof.yaml"),
    show_default=True,
    help="The project's config file.",
)
no_plugin_option = click.option(
    "--no-plugin", "no_plugins", multiple=True, metavar="NAME", help="Do not import this plugin; may be repeated."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else on stdout.")
