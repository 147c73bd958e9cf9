"""What users read when an endpoint gives no usable reply."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from ragproof_http.attempt_results import LARGEST_BODY, Failure
from ragproof_http.errors import StatusError
from ragproof_http.retrying import TOO_MANY, Patience

_PHRASES = {
    408: "Request Timeout", 429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway",
    503: "Service Unavailable", 504: "Gateway Timeout", 529: "Overloaded",
}  # fmt: skip
_FARTHEST_DATE = 10 * 365 * 86_400.0


@dataclass(frozen=True, slots=True)
class Wording:
    """How messages name the endpoint and the settings behind it.

    ``name`` is what the user knows the endpoint as (``judge openai``); the others say which setting to check.
    """

    name: str
    url: str = "base_url"
    key: str = "api_key"
    timeout: str = "timeout_seconds"
    wait: str = "max_wait_seconds"
    model: str = "model"

    def status(self, status: int, detail: str, address: str, *, location: str = "") -> str:
        """A status that is not worth retrying."""
        said = f": {detail}" if detail else ""
        match status:
            case 301 | 302 | 303 | 307 | 308:
                text = f"{address} redirects to {location or 'another address'}; set {self.url} to where it leads"
            case 401:
                text = f"{address} does not accept the API key (401){said}; check {self.key}"
            case 402:
                text = f"the account has no credit or quota left{said}; check its plan and billing"
            case 403:
                text = f"{address} refuses access (403){said}; check {self.key} and what that key may use"
            case 404 | 405:
                text = f"there is nothing to ask at {address} ({status}){said}; check {self.url}"
            case _:
                text = f"{address} refused the request ({status}){said}"
        return f"{self.name}: {text}"

    def gave_up(self, status: int, detail: str, address: str, patience: Patience, told: float | None) -> str:
        """A status that was retried in vain, or that asks for a longer wait than allowed."""
        said = f": {detail}" if detail else ""
        name = f"{status} {_PHRASES.get(status, '')}".rstrip()
        text = f"{self.name}: {address} answered {name}{said}"
        if told is not None and told > patience.wait_left:
            limit = patience.policy.max_wait_seconds
            return f"{text}; it asks to wait {_duration(told)}, and a call waits {limit:g} s at most ({self.wait})"
        hint = f"; lower the concurrency or raise {self.wait}" if status == TOO_MANY else ""
        return f"{text}; gave up after {_tries(patience)}{hint}"

    def failure(self, failure: Failure, address: str, patience: Patience, seconds: float) -> str:
        """No reply at all, or none that can be read."""
        tries = f" ({_tries(patience)})" if patience.attempts > 1 else ""
        reason = f": {failure.text}" if failure.text else ""
        match failure.kind:
            case "refused":
                text = f"nothing listens at {address}; is the server running? Check {self.url}"
            case "unknown_host":
                text = f"the host of {address} is not known{reason}; check {self.url} and the network"
            case "certificate":
                text = f"no trusted TLS to {address}{reason}; check {self.url} (SSL_CERT_FILE for a private CA)"
            case "connect":
                text = f"no connection to {address}{reason}; check {self.url} and the network"
            case "timeout":
                text = f"no whole reply from {address} within {seconds:g} s; raise {self.timeout} if it is just slow"
            case "too_large":
                text = f"the reply of {address} is larger than {LARGEST_BODY // 2**20} MiB"
            case "not_json":
                text = f"{address} answered with {failure.text} instead of JSON; check {self.url}"
            case "cut":
                text = f"the reply of {address} was cut off{reason}"
        return f"{self.name}: {text}{tries}"

    def unknown_model(self, error: StatusError, model: str) -> str:
        """The endpoint works, and does not have the model."""
        said = f"({error.status}: {error.detail})"
        return f"{self.name}: the endpoint does not know the model {model!r} {said}; check {self.model}"

    def paused(self, seconds: float, patience: Patience) -> str:
        """Another call was told to wait, for longer than this one may."""
        return (
            f"{self.name}: the endpoint asks to wait {_duration(seconds)} more, and a call waits"
            f" {patience.policy.max_wait_seconds:g} s at most ({self.wait}); lower the concurrency or raise it"
        )

    def closed(self) -> str:
        """The run ended while the call waited."""
        return f"{self.name}: closed before there was a reply"


def _tries(patience: Patience) -> str:
    tries = "1 try" if patience.attempts == 1 else f"{patience.attempts} tries"
    return f"{tries} in {patience.elapsed:.0f} s"


def _duration(seconds: float) -> str:
    if seconds > _FARTHEST_DATE:
        return "for years"
    if seconds < 600:  # noqa: PLR2004
        return f"{seconds:.0f} s"
    until = datetime.now(UTC) + timedelta(seconds=seconds)
    return f"{seconds:.0f} s, until {until:%Y-%m-%d %H:%M} UTC"
