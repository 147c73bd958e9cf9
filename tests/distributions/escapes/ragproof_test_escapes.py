import click
from pydantic import BaseModel, Field

from ragproof_core import hookimpl


class Metric:
    api_version = 1
    direction = "higher"
    unit = "\x1b[1m"
    description = "moves the \x1b[Acursor"
    source = "\u202eReversed, 2020"

    class Settings(BaseModel):
        mark: str = Field("\x1b[5m", description="rings the \x07bell")

    @hookimpl
    def score(self):
        return 1.0


@click.command("escapes")
def command():
    raise SystemExit("stopped \x1b[31mhere")
