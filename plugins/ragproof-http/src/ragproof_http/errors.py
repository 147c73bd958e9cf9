"""What an endpoint raises when there is no usable reply."""

from __future__ import annotations

from typing import Any

from ragproof_core.errors import ExecutionError


class EndpointError(ExecutionError):
    """No usable reply: the message says which endpoint, what happened and what to check, without any secret.

    ``may_be_billed`` is true when the endpoint may have done the work all the same: a reply was cut off or too slow.
    """

    def __init__(self, message: str, *, may_be_billed: bool = False) -> None:
        super().__init__(message)
        self.may_be_billed = may_be_billed


class StatusError(EndpointError):
    """The endpoint answered with a status that means failure.

    ``status`` is the HTTP status (or the one that the reply's body stands for), ``detail`` the endpoint's own words on
    one line, ``data`` its JSON body or ``None``. Secrets are taken out of both.
    """

    def __init__(self, message: str, *, status: int, detail: str, data: Any, may_be_billed: bool = False) -> None:
        super().__init__(message, may_be_billed=may_be_billed)
        self.status = status
        self.detail = detail
        self.data = data
