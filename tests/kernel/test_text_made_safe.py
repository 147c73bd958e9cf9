"""Redaction of secrets, text for terminals, what an exception says."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, strategies as st
from rich.cells import cell_len

from ragproof_core.errors import ConfigError, reason_of
from ragproof_core.redaction import Redactor, redacted
from ragproof_core.reporting.json_text import dumps
from ragproof_core.reporting.printable import fitted, one_line, printable


@pytest.mark.parametrize(
    ("secrets", "text", "shown"),
    [
        (["sk-12345"], "key sk-12345, again sk-12345.", "key [redacted], again [redacted]."),
        (["abcd", "abcdefgh"], "abcdefgh abcd", "[redacted] [redacted]"),  # the longer one first
        (["abc"], "abc", "abc"),  # shorter than four characters
        (["", "    "], "a    b", "a[redacted]b"),
        ([], "sk-12345", "sk-12345"),
        (["Sk-12345"], "sk-12345", "sk-12345"),
        (["a.c+"], "abcc a.c+", "abcc [redacted]"),
    ],
)
def test_redaction(secrets, text, shown):
    assert Redactor(secrets)(text) == shown


def test_a_redactor_learns():
    redact = Redactor(["first-secret"])
    redact.add(["second-secret"])
    assert redact("first-secret second-secret") == "[redacted] [redacted]"


LETTERS = st.text("xyz", min_size=4, max_size=6)


@given(st.lists(LETTERS, min_size=1), st.text("xyz "))
def test_no_secret_is_left_however_they_overlap(secrets, text):
    shown = Redactor(secrets)(text + "".join(secrets))
    assert not [secret for secret in secrets if secret in shown]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttab\nline", "plain\ttab\nline"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("nul\0", r"nul\x00"),
        ("back\rover", r"back\rover"),
        ("c1\x9b31m", r"c1\x9b31m"),
        ("half \ud800", r"half \ud800"),
        ("right\u202eleft", r"right\u202eleft"),
        ("line\u2028end", r"line\u2028end"),
        ("日本語 العربية ไทย 👩🏽‍🚀 “quoted”", "日本語 العربية ไทย 👩🏽‍🚀 “quoted”"),
    ],
)
def test_printable(text, shown):
    assert printable(text) == shown


@given(st.text(st.characters(codec=None)))
def test_printable_text_has_no_controls_and_encodes(text):
    shown = printable(text)
    shown.encode()
    assert not [c for c in shown if unicodedata.category(c) == "Cc" and c not in "\t\n"]
    assert printable(shown) == shown


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("a  b\n\tc", 80, "a b c"),
        ("x" * 80, 80, "x" * 80),
        ("x" * 81, 80, "x" * 79 + "…"),
        ("\x1b" * 9, 10, r"\x1b\x1b\…"),
        ("", 80, ""),
    ],
)
def test_one_line(text, width, shown):
    assert one_line(text, width) == shown


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [
        ("a  b\n\tc", 5, "a b c"),
        ("x" * 9, 8, "x" * 7 + "…"),
        ("字" * 4, 8, "字" * 4),
        ("字" * 5, 8, "字" * 3 + "…"),
        ("e\u0301" * 8, 8, "e\u0301" * 8),
        ("\x1b" * 9, 10, r"\x1b\x1b\…"),
        ("", 8, ""),
        (" \n", 8, ""),
    ],
)
def test_fitted(text, columns, shown):
    assert fitted(text, columns) == shown


@given(st.text(st.characters(codec=None)), st.integers(1, 40))
def test_fitted_text_takes_no_more_columns(text, columns):
    shown = fitted(text, columns)
    assert cell_len(shown) <= columns
    assert printable(shown) == shown
    assert "\n" not in shown


def test_json_is_ascii_and_refuses_nan():
    assert dumps({"a": "é\ud800\u2028"}) == '{\n  "a": "\\u00e9\\ud800\\u2028"\n}'
    with pytest.raises(ValueError, match="not JSON compliant"):
        dumps({"a": float("nan")})


class Silent(Exception):
    def __str__(self):
        raise RuntimeError("no text")


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (ValueError("bad"), "ValueError: bad"),
        (ValueError(), "ValueError"),
        (ConfigError("dataset: is required"), "dataset: is required"),
        (SystemExit(3), "SystemExit: 3"),
        (Silent(), "Silent"),
    ],
)
def test_what_an_exception_says(problem, said):
    assert reason_of(problem) == said


def test_secrets_are_taken_out_of_data_that_contains_itself_or_has_no_end():
    redact = Redactor(["hunter22"])
    around = {"key": "hunter22", "list": [("hunter22",)]}
    around["self"] = around
    assert redacted(around, redact) == {"key": "[redacted]", "list": [["[redacted]"]], "self": "…"}
    deep = "hunter22"
    for _ in range(5000):
        deep = [deep]
    shown = redacted(deep, redact)
    for _ in range(200):
        (shown,) = shown
    assert shown == "…"
