"""What an endpoint raises when there is no usable reply."""

from __future__ import annotations

from typing import Any

from ragproof_core.errors import ExecutionError


class EndpointError(ExecutionError):
    """No usable reply: the message says which endpoint, what happened and what to check, without any secret."""


class StatusError(EndpointError):
    """The endpoint answered with a status that means failure.

    ``status`` is the HTTP status (or the one that the reply's body stands for), ``detail`` the endpoint's own words on
    one line, ``data`` its JSON body or ``None``. Secrets are taken out of both.
    """

    def __init__(self, message: str, *, status: int, detail: str, data: Any) -> None:
        super().__init__(message)
        self.status = status
        self.detail = detail
        self.data = data
