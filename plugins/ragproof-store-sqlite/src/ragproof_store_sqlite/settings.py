"""The store's section of the config."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, Field, field_validator


class Settings(BaseModel):
    """Where the file is, and how long to wait for another process that is writing to it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: Path | None = Field(
        default=None,
        description="The database file, made with its folder on the first write; `~` is the home folder. "
        "Left out: ragproof.db in the user's data folder.",
    )
    busy_timeout_seconds: float = Field(
        default=30.0,
        gt=0,
        le=86_400,
        allow_inf_nan=False,
        description="How long a write waits for another process before it fails.",
    )

    @field_validator("path")
    @classmethod
    def _is_a_file(cls, path: Path | None) -> Path | None:
        if path is None:
            return None
        if str(path) in {"", ".", ":memory:"}:
            msg = f"{str(path)!r} is not a file; name one, or leave the store out to keep nothing on disk"
            raise ValueError(msg)
        if "\0" in str(path):
            msg = "a file name cannot hold a NUL character"
            raise ValueError(msg)
        return path

    def database_path(self) -> Path:
        """Return the absolute path of the database file; a relative ``path`` starts at the working folder.

        Raises ``RuntimeError`` when ``~`` is used and there is no home folder.
        """
        path = self.path or user_data_path("ragproof", appauthor=False) / "ragproof.db"
        return path.expanduser().absolute()
