"""Where a payload goes, and that the spans say so."""

import pytest
from hypothesis import given, strategies as st
from ragproof_metrics_robustness.payloads import Span, payloads, plant

TEXT = payloads()["denial"].text[0]


@pytest.mark.parametrize(
    ("position", "expected", "start"),
    [
        ("end", f"One two three.\n{TEXT}", 15),
        ("start", f"{TEXT}\nOne two three.", 0),
        ("middle", f"One two\n{TEXT} three.", 8),
        (3, f"One\n{TEXT} two three.", 4),
        (4, f"One {TEXT}\ntwo three.", 4),
        (0, f"{TEXT}\nOne two three.", 0),
    ],
)
def test_position(position, expected, start):
    planted = plant("denial", "One two three.", position)
    assert planted.text == expected
    assert planted.spans == (Span(0, start, start + len(TEXT)),)


def test_an_empty_chunk_becomes_the_payload():
    assert plant("denial", "").text == TEXT
    assert plant("denial", "word", "middle").text == f"wo\n{TEXT}\nrd"


def test_a_split_payload_goes_into_a_chunk_and_the_next():
    first, second = payloads()["split-trigger"].text
    planted = plant("split-trigger", ["a", "b", "c"], "start", chunk=1)
    assert planted.chunks == ("a", f"{first}\nb", f"{second}\nc")
    assert planted.spans == (Span(1, 0, len(first)), Span(2, 0, len(second)))
    with pytest.raises(ValueError, match="3 chunks were given: use `chunks`"):
        _ = planted.text


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("nobody", "text"), KeyError, "no payload 'nobody'"),
        (("split-trigger", "text"), ValueError, r"needs 2 chunk\(s\) from index 0 on; there are 1"),
        (("denial", []), ValueError, "there are 0"),
        (("denial", "text", 5), ValueError, "position 5 is outside the chunk's text of 4 characters"),
        (("denial", "text", "top"), ValueError, "expected 'start', 'middle', 'end' or an offset"),
    ],
)
def test_what_cannot_be_planted(arguments, error, message):
    with pytest.raises(error, match=message):
        plant(*arguments)
    with pytest.raises(ValueError, match="from index -1 on"):
        plant("denial", ["a"], chunk=-1)


@given(
    st.sampled_from(list(payloads())),
    st.lists(st.text(), min_size=2, max_size=4),
    st.sampled_from(["start", "middle", "end"]),
    st.integers(0, 1),
)
def test_spans_hold_the_parts_and_the_rest_is_untouched(payload_id, chunks, position, chunk):
    parts = payloads()[payload_id].text
    if chunk + len(parts) > len(chunks):
        chunk = 0
    planted = plant(payload_id, chunks, position, chunk=chunk)
    assert [planted.chunks[span.chunk][span.start : span.end] for span in planted.spans] == list(parts)
    assert [span.chunk for span in planted.spans] == list(range(chunk, chunk + len(parts)))
    for number, (before, after) in enumerate(zip(chunks, planted.chunks, strict=True)):
        for span in planted.spans:
            if span.chunk == number:
                after = after[: span.start] + after[span.end :]  # noqa: PLW2901
        assert after.replace("\n", "") == before.replace("\n", "")
