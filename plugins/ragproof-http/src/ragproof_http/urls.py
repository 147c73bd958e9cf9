"""Checking, joining and showing addresses."""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

_PRINTABLE = range(0x20, 0x7F)
_ORDINARY = re.compile(r"https?://[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?")


def checked_url(url: str) -> str:
    """Return the address without white space around it and without trailing slashes.

    Raises ``ValueError`` when it is not an ``http`` or ``https`` address with a host.
    """
    url = url.strip()
    try:
        parts = urlsplit(url)
        port_is_fine = parts.port is None or parts.port > 0
    except ValueError as error:
        raise ValueError(f"not a usable address: {error}") from None
    if not _ORDINARY.fullmatch(url):
        _check_with_httpx(url)
    has_blank = any(character.isspace() for character in url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or not port_is_fine or has_blank:
        raise ValueError("expected an address such as https://host/v1")
    return urlunsplit(parts._replace(path=parts.path.rstrip("/"), fragment=""))


def _check_with_httpx(url: str) -> None:
    import httpx  # slow to import; an ordinary address needs no second opinion

    try:
        httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ValueError(f"not a usable address: {error}") from None


def checked_header_value(value: str) -> str:
    """Return the value without white space around it.

    Raises ``ValueError``, which does not quote the value, when it has characters that a header cannot carry: a key
    that was pasted with a line break or a typographic dash in it.
    """
    value = value.strip()
    if any(ord(character) not in _PRINTABLE for character in value):
        raise ValueError("has characters that an HTTP header cannot carry; was it pasted whole, on one line?")
    return value


def joined(base: str, path: str) -> str:
    """The address of a path under the base address; a query of the base stays."""
    parts = urlsplit(base)
    tail = "/" + path.lstrip("/") if path else ""
    return urlunsplit(parts._replace(path=parts.path + tail))


def shown(url: str) -> str:
    """The address for a message: without user, password and query, where secrets may be."""
    try:
        parts = urlsplit(url)
    except ValueError:  # where a redirect leads may be anything
        return "an address that cannot be read"
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


def url_secrets(url: str) -> tuple[str, ...]:
    """What in the address must not be shown: the password and the query."""
    parts = urlsplit(url)
    return tuple(part for part in (parts.password, parts.query) if part)


def origin(url: str) -> str:
    """Scheme, host and port."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}"
