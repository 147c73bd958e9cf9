"""Text from elsewhere stays text in Markdown."""

import pytest
from hypothesis import given, strategies as st

from ragproof_core.reporting.markdown_text import markdown_text


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a|b", "a\\|b"),
        ("<img src=x onerror=alert(1)>", "&lt;img src\\=x onerror\\=alert\\(1\\)&gt;"),
        ("[x](http\x3a//evil)", "\\[x\\]\\(http\\:<!-- -->//evil\\)"),
        ("`code` *bold* _it_ @team #1", "\\`code\\` \\*bold\\* \\_it\\_ \\@<!-- -->team \\#<!-- -->1"),
        ("two\nlines\r\nhere", "two lines here"),
        ("\x1b[31m", "\\\\x1b\\[31m"),
        ("&lt;", "&amp;lt;"),
    ],
)
def test_text_is_data(text, escaped):
    assert markdown_text(text) == escaped


@given(st.text())
def test_no_text_ends_its_cell(text):
    shown = markdown_text(text)
    assert "\n" not in shown
    assert "<" not in shown.replace("<!-- -->", "")
    assert all(shown[place - 1] == "\\" for place, character in enumerate(shown) if character == "|")
