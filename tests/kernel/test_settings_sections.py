"""Sections of the config: environment values, validation, secrets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, SecretStr, field_validator

from ragproof_core.errors import ConfigError, PluginBrokenError
from ragproof_core.plugins.catalog import find, scan
from ragproof_core.plugins.component import build
from ragproof_core.plugins.settings import resolve_environment, secrets_of, validate, without_secrets


class Inner(BaseModel, extra="forbid"):
    token: SecretStr | None = None


class Section(BaseModel, extra="forbid"):
    url: str
    timeout_seconds: float = 1.0
    inner: Inner = Inner()
    headers: dict[str, SecretStr] = {}
    keys: list[SecretStr] = []
    folder: Path | None = None

    @field_validator("url")
    @classmethod
    def _http(cls, value: str) -> str:
        if not value.startswith("http"):
            raise ValueError("Must start with http")
        return value


def test_environment_values_are_found_at_any_depth(monkeypatch):
    monkeypatch.setenv("KEY_A", "alpha-1")
    monkeypatch.setenv("KEY_B", "")
    given = {"a": "env:KEY_A", "b": [{"c": "env:KEY_B"}, "plain", 5], "env:KEY_A": None}
    resolved, secrets = resolve_environment(given, "adapter")
    assert resolved == {"a": "alpha-1", "b": [{"c": ""}, "plain", 5], "env:KEY_A": None}
    assert secrets == ["alpha-1", ""]
    assert given["a"] == "env:KEY_A"


@pytest.mark.parametrize(
    ("section", "where"),
    [
        ({"a": "env:NOT_SET"}, "adapter.a"),
        ({"a": {"b": "env:NOT_SET"}}, "adapter.a.b"),
        ({"a": ["x", "env:NOT_SET"]}, "adapter.a.1"),
    ],
)
def test_a_variable_that_is_not_set_is_named_with_its_place(monkeypatch, section, where):
    monkeypatch.delenv("NOT_SET", raising=False)
    with pytest.raises(ConfigError) as caught:
        resolve_environment(section, "adapter")
    assert str(caught.value) == f"{where}: the environment variable NOT_SET is not set"


PROBLEMS: list[tuple[dict[str, Any], str]] = [
    ({}, "adapter.url: is required"),
    ({"url": "http://x", "timeout_second": 3}, "adapter.timeout_second: unknown key; did you mean 'timeout_seconds'?"),
    (
        {"url": "http://x", "zzz": 3},
        "adapter.zzz: unknown key; known keys: url, timeout_seconds, inner, headers, keys, folder",
    ),
    ({"url": "ftp://secret"}, "adapter.url: must start with http"),
    ({"url": "http://x", "inner": {"tokn": "x"}}, "adapter.inner.tokn: unknown key; did you mean 'token'?"),
    (
        {"url": "http://x", "timeout_seconds": "soon"},
        "adapter.timeout_seconds: input should be a valid number, unable to parse string as a number",
    ),
]


@pytest.mark.parametrize(("section", "message"), PROBLEMS)
def test_a_problem_names_the_setting_and_never_shows_the_value(section, message):
    with pytest.raises(ConfigError) as caught:
        validate(Section, section, "adapter")
    assert str(caught.value) == message


def test_every_problem_is_listed():
    with pytest.raises(ConfigError) as caught:
        validate(Section, {"urll": "x", "timeout_seconds": "soon"}, "store")
    assert [line.split(":")[0] for line in str(caught.value).splitlines()] == [
        "store.url", "store.timeout_seconds", "store.urll",
    ]  # fmt: skip


def test_secrets_are_found_and_left_out():
    section = Section(
        url="http://x", inner=Inner(token="t-1"), headers={"X": "h-1"}, keys=["k-1", "k-2"], folder=Path("/a")
    )
    assert sorted(secrets_of(section)) == ["h-1", "k-1", "k-2", "t-1"]
    assert without_secrets(section) == {
        "url": "http://x", "timeout_seconds": 1.0, "inner": {"token": None}, "headers": {"X": None},
        "keys": [None, None], "folder": "/a",
    }  # fmt: skip


def test_a_component_without_settings_takes_none(distributions, tmp_path):
    distributions("ok")
    with pytest.raises(ConfigError, match=r"^metrics\.ok\.half: Half takes no settings, found k$"):
        build(find(scan(), "metric", "ok.half"), {"k": 3}, "metrics.ok.half", tmp_path)


def test_a_secret_in_the_reason_for_a_failed_construction_is_hidden(distributions, tmp_path, monkeypatch):
    distributions("adapters")
    monkeypatch.setenv("HEADER", "Bearer abcdef")
    section = {"api_key": "sk-123456", "header": "env:HEADER", "fail_building": True}
    with pytest.raises(PluginBrokenError) as caught:
        build(find(scan(), "adapter", "secretive"), section, "adapter", tmp_path)
    assert str(caught.value) == (
        "adapter 'secretive' of ragproof-test-adapters 1.0 cannot be built: "
        "RuntimeError: refused: [redacted] and [redacted]"
    )
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_a_component_knows_its_secrets_and_its_identity_does_not(distributions, tmp_path, monkeypatch):
    distributions("ok")
    monkeypatch.setenv("TOKEN", "tok-1234")
    component = build(find(scan(), "adapter", "ok"), {"token": "env:TOKEN", "depth": 2}, "adapter", tmp_path)
    assert set(component.secrets) == {"tok-1234"}
    assert component.identity == {"depth": 2, "token": None}
    assert "tok-1234" not in repr(component.settings)
