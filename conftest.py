"""What holds for all tests of this repository: none is timed, hypothesis' examples included."""

from contextlib import suppress

with suppress(ImportError):  # a plugin's tests run without hypothesis, too
    from hypothesis import settings

    settings.register_profile("untimed", deadline=None)
    settings.load_profile("untimed")
