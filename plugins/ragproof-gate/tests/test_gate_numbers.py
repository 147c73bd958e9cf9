import pytest
from hypothesis import given, strategies as st
from ragproof_gate.number_text import beside, limit_text, number, p_text, same, signed


@pytest.mark.parametrize(
    ("value", "limit", "shown"),
    [
        (0.93, 0.95, "0.930"),
        (0.94996, 0.95, "0.94996"),  # three decimals would say 0.950 < 0.95
        (0.9499999, 0.95, "0.9499999"),
        (0.9500004, 0.95, "0.9500004"),
        (0.95, 0.95, "0.95"),
        (2000.04, 2000.0, "2,000.04"),
        (1999.96, 2000.0, "1,999.96"),
        (0.0004, 0.0, "0.0004"),
        (28 / 31, 0.95, "0.903"),
    ],
)
def test_a_value_is_told_from_its_limit(value, limit, shown):
    assert beside(value, limit) == shown


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_what_is_shown_compares_as_what_was_compared(value, limit):
    shown = float(beside(value, limit).replace(",", ""))
    if same(value, limit):
        assert shown == limit
    else:
        assert (shown < limit, shown > limit) == (value < limit, value > limit)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_limit_is_shown_exactly(limit):
    assert float(limit_text(limit)) == limit


def test_plain_numbers():
    assert [number(v) for v in (None, 0.5, -0.0001, 1234.56)] == ["-", "0.500", "0.000", "1,234.6"]
    assert [signed(v) for v in (None, 0.5, -0.25, 0.0001, -0.0001, 0.0)] == [
        "-", "+0.500", "-0.250", "0.000", "0.000", "0.000",
    ]  # fmt: skip
    assert [p_text(v) for v in (None, 1.0, 0.03125, 0.00012)] == ["-", "1.000", "0.031", "0.0001"]
