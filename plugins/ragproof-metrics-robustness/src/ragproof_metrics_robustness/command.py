"""``ragproof payloads``: the catalogue of injected instructions."""

from __future__ import annotations

import click

from ragproof_core.cli.options import json_option
from ragproof_core.cli.output import clean_stdout, print_json, print_table
from ragproof_metrics_robustness.payloads import payloads as catalogue


@click.command("payloads")
@json_option
def payloads(as_json: bool) -> None:  # noqa: FBT001
    """List the injection payloads: what to plant in a corpus, and what an assistant that obeys says.

    A case of kind "injection" names one by its id, as its adversarial_payload.
    """
    with clean_stdout(as_json) as out:
        rows = list(catalogue().values())
        if as_json:
            shown = [
                {
                    "id": row.id,
                    "category": row.category,
                    "title": row.title,
                    "text": list(row.text),
                    "markers": list(row.markers),
                    "detector": row.detector,
                }
                for row in rows
            ]
            print_json({"payloads": shown}, out)
            return
        print_table(
            ("id", "category", "marker", "what it tries"),
            [(row.id, row.category, ", ".join(row.markers), row.title) for row in rows],
            right_from=4,
        )
