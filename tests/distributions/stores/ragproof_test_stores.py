import errno

from pydantic import BaseModel, SecretStr

from ragproof_core import StoreError, hookimpl


class Settings(BaseModel, extra="forbid"):
    password: SecretStr | None = None


class Full:
    """Takes one batch, then the disk is full."""

    api_version = 1

    @hookimpl
    def open_run(self, run):
        return None

    @hookimpl
    def add_results(self, run_id, results):
        raise OSError(errno.ENOSPC, "No space left on device")

    @hookimpl
    def runs(self):
        return []


class Rude:
    """Its own error names its password."""

    api_version = 1
    Settings = Settings

    def __init__(self, settings):
        self.password = settings.password.get_secret_value()

    @hookimpl
    def open_run(self, run):
        raise StoreError(f"cannot log in with {self.password}")

    @hookimpl
    def runs(self):
        raise RuntimeError(f"cannot log in with {self.password}")
