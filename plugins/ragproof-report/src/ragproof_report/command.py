"""``ragproof report``: a stored run as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from ragproof_core.cli.options import config_option
from ragproof_core.cli.output import clean_stdout
from ragproof_core.errors import ConfigError
from ragproof_core.models.run import RunRecord
from ragproof_core.plugins.component import Component
from ragproof_core.project import open_project
from ragproof_core.reporting.printable import printable
from ragproof_core.stored_runs import find_run
from ragproof_report.destinations import STDOUT, write_report

Destination = tuple[str, Path]
"""The option (``--html``) and its file."""

_FILE = click.Path(path_type=Path)


@click.command("report")
@click.argument("run", default="latest")
@click.option("--html", type=_FILE, metavar="FILE", help="One self-contained HTML file.")
@click.option("--md", type=_FILE, metavar="FILE", help="GitHub-flavoured Markdown.")
@click.option("--junit", type=_FILE, metavar="FILE", help="JUnit XML, a test case a case of the dataset.")
@config_option
def command(run: str, html: Path | None, md: Path | None, junit: Path | None, config: Path) -> None:
    """Write one stored run as a report. RUN is an id, the beginning of one, a label, or 'latest'.

    Without a format it writes HTML to report-<run id>.html. FILE '-' is stdout.
    """
    named = {"--html": html, "--md": md, "--junit": junit}
    wanted = [(option, path) for option, path in named.items() if path is not None]
    _require_distinct(wanted)
    to_stdout = any(path == STDOUT for _, path in wanted)
    with clean_stdout(to_stdout) as out, open_project(config) as project:
        store = project.required_store()
        found = find_run(store, run)
        wanted = wanted or [("--html", Path(f"report-{found.run_id}.html"))]
        written = _rendered(store, found, wanted)
        for (option, path), text in zip(wanted, written, strict=True):
            write_report(path, text, option, out)
            if path != STDOUT:
                size = len(text.encode("utf-8", "backslashreplace"))
                click.echo(f"wrote {printable(str(path))} ({_size(size)})", err=to_stdout)


def _require_distinct(wanted: Sequence[Destination]) -> None:
    options: dict[Path, str] = {}
    for option, path in wanted:
        other = options.setdefault(path if path == STDOUT else path.absolute(), option)
        if other != option:
            raise ConfigError(f"{option} and {other}: both name {path}; give each its own file")


def _rendered(store: Component, run: RunRecord, wanted: Sequence[Destination]) -> list[str]:
    from ragproof_report.case_junit import case_junit
    from ragproof_report.gathering import RunReport, gather
    from ragproof_report.html_page import html_page
    from ragproof_report.markdown_page import markdown_page

    report: RunReport | None = None
    texts = []
    for option, _ in wanted:
        if option == "--junit":
            texts.append(case_junit(run, store.call("results", run_id=run.run_id)))
            continue
        report = report or gather(
            run,
            store.call("results", run_id=run.run_id),
            runs=store.call("runs"),
            calibrations=store.call("calibrations"),
        )
        texts.append(html_page(report) if option == "--html" else markdown_page(report))
    return texts


def _size(size: int) -> str:
    kilobytes = 1024
    return f"{size} bytes" if size < kilobytes else f"{size / kilobytes:,.0f} kB"
