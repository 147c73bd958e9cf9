"""Request parameters that a model refuses, remembered while the process lives.

Which models take ``temperature``, a JSON schema or ``max_tokens`` changes from month to month; the endpoint's own
refusal is the only list that is right. The first refusal costs each call that was in flight one more request, and no
call its verdict.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Protocol, TypeVar

from ragproof_http.bodies import detail_of
from ragproof_http.endpoint import Endpoint
from ragproof_http.errors import StatusError
from ragproof_http.reply import HTTPReply

_REFUSALS = frozenset({400, 404, 422})
_OUT_OF_BOUNDS = re.compile(
    r"too (large|long|big|high|many)|exceed|at most|maximum|context (length|window|size)|less than|greater than",
    re.IGNORECASE,
)
_LIMITS = frozenset({"max_tokens", "max_completion_tokens"})

_MEMORY: dict[Hashable, set[str]] = {}
_LOCK = threading.Lock()


def forget_refused_parameters() -> None:
    """Forget what every model refuses: for tests, whose servers get a port that an earlier one had."""
    with _LOCK:
        _MEMORY.clear()


class RefusedParameters:
    """The parameters that one model at one endpoint refuses; all instances with equal keys share them."""

    def __init__(self, url: str, model: str) -> None:
        with _LOCK:
            self._names = _MEMORY.setdefault((url, model), set())

    def __contains__(self, label: str) -> bool:
        return label in self._names

    def names(self) -> tuple[str, ...]:
        """What is refused so far, sorted."""
        with _LOCK:
            return tuple(sorted(self._names))

    def learn(self, error: StatusError, sent: Mapping[str, str]) -> str | None:
        """The label of the sent parameter that the error refuses, now remembered; ``None`` when it names none.

        ``sent`` maps a label for each optional parameter of the request to a regular expression that finds its name.
        A limit that is refused for its size is a wrong setting, not a parameter that is unknown.
        """
        label = refused_parameter(error, sent)
        if label is not None:
            with _LOCK:
                self._names.add(label)
        return label


class Payload(Protocol):
    """A request body; ``optional`` maps a label for each optional parameter in it to a pattern of its name."""

    @property
    def body(self) -> Any:
        """What is sent."""
        ...

    @property
    def optional(self) -> Mapping[str, str]:
        """The parameters that can be left out."""
        ...


P = TypeVar("P", bound=Payload)


def post_accepted(
    endpoint: Endpoint,
    path: str,
    build: Callable[[RefusedParameters], P],
    refused: RefusedParameters,
    *,
    resend_lost: bool = True,
) -> tuple[P, HTTPReply]:
    """POST what ``build`` makes, again without each parameter that the model refuses, until it is accepted.

    Returns the payload that was accepted and the reply; raises what :meth:`Endpoint.request` raises.
    """
    while True:
        payload = build(refused)
        try:
            return payload, endpoint.post_json(path, payload.body, resend_lost=resend_lost)
        except StatusError as error:
            if refused.learn(error, payload.optional) is None:
                raise


def refused_parameter(error: StatusError, sent: Mapping[str, str]) -> str | None:
    """The label of the parameter that the error's ``param`` field, or else its text, names first."""
    if error.status not in _REFUSALS:
        return None
    for text in (_param(error.data), detail_of(error.data) or error.detail):
        found = [(match.start(), label) for label, name in sent.items() if (match := _named(name, text))]
        if found:
            label = min(found)[1]
            too_big = label in _LIMITS and _OUT_OF_BOUNDS.search(detail_of(error.data) or error.detail)
            return None if too_big else label
    return None


def _named(name: str, text: str) -> re.Match[str] | None:
    return re.search(rf"(?<![a-z_])(?:{name})(?![a-z_])", text, re.IGNORECASE)


def _param(data: Any) -> str:
    error = data.get("error") if isinstance(data, Mapping) else None
    param = error.get("param") if isinstance(error, Mapping) else None
    return param if isinstance(param, str) else ""
