"""When to try again, and how long to wait before."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

RETRY_STATUSES = frozenset({408, 429, 500, 502, 503, 504, 529})
TOO_MANY = 429

_FIRST_DELAY = 0.5
_LONGEST_DELAY = 30.0
_FREE_FROM = 1.0


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How patient a call is.

    ``retries`` bounds the tries after the first. Waits of a second or more that the endpoint itself asks for are not
    counted there; ``max_wait_seconds`` bounds all waiting of one call together, told or not.
    """

    retries: int = 5
    max_wait_seconds: float = 120.0


class Patience:
    """What one call has left of its policy."""

    def __init__(self, policy: RetryPolicy) -> None:
        self.policy = policy
        self.attempts = 0
        self.asked_again = 0
        self._counted = 0
        self._started = time.monotonic()
        self._waited = 0.0

    @property
    def wait_left(self) -> float:
        """Seconds that the call may still wait."""
        return self.policy.max_wait_seconds - self._waited

    @property
    def elapsed(self) -> float:
        """Seconds since the call began."""
        return time.monotonic() - self._started

    def charge(self, seconds: float) -> None:
        """Count time spent waiting."""
        self._waited += seconds

    def next_delay(self, told: float | None, *, at_most: int | None = None) -> float | None:
        """Seconds to wait before the next try, ``None`` to give up.

        ``told`` is what the endpoint asked for; ``at_most`` lowers the number of retries for failures that rarely pass.
        """
        delay = backoff(self._counted) if told is None else told
        if delay > self.wait_left:
            return None
        if told is None or told < _FREE_FROM:
            limit = self.policy.retries if at_most is None else min(at_most, self.policy.retries)
            if self._counted >= limit:
                return None
            self._counted += 1
        return delay


def backoff(retry: int) -> float:
    """Seconds before retry number ``retry`` (from 0): doubling from half a second up to 30, of that half to all."""
    return min(_LONGEST_DELAY, _FIRST_DELAY * 2.0 ** min(retry, 10)) * random.uniform(0.5, 1.0)  # noqa: S311 - jitter


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that the reply asks to wait: ``Retry-After`` as seconds or HTTP date; ``None`` when absent or unreadable.

    A date is taken relative to the reply's own ``Date``, since the clocks may differ.
    """
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        until = _date(value)
        if until is None:
            return None
        sent = _date(headers.get("date", "")) or now or datetime.now(UTC)
        seconds = (until - sent).total_seconds()
    return max(0.0, seconds) if seconds == seconds else None  # noqa: PLR0124 - NaN


def _date(value: str) -> datetime | None:
    try:
        parsed = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
