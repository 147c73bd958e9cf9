import errno

from pydantic import BaseModel, SecretStr

from ragproof_core import StoreError, hookimpl


class Settings(BaseModel, extra="forbid"):
    password: SecretStr | None = None


class Store:
    """Has the hooks that a store needs, and keeps nothing."""

    api_version = 1

    @hookimpl
    def open_run(self, run):
        return None

    @hookimpl
    def add_results(self, results):
        return None

    @hookimpl
    def finish_run(self, run):
        return None

    @hookimpl
    def runs(self):
        return []

    @hookimpl
    def results(self, run_id):
        return []


class Full(Store):
    """The disk is full."""

    @hookimpl
    def add_results(self, run_id, results):
        raise OSError(errno.ENOSPC, "No space left on device")


class Rude(Store):
    """Its own error names its password."""

    Settings = Settings

    def __init__(self, settings):
        self.password = settings.password.get_secret_value()

    @hookimpl
    def open_run(self, run):
        raise StoreError(f"cannot log in with {self.password}")

    @hookimpl
    def runs(self):
        raise RuntimeError(f"cannot log in with {self.password}")


class Calibrations:
    """Keeps calibrations only."""

    api_version = 1

    @hookimpl
    def add_calibration(self, calibration):
        return None
