"""The conformance suite on both metrics, and what it cannot know: the values."""

import pytest
from acme_metrics import Politeness, ShortSentences

from ragproof_core import Answer, Response
from ragproof_core.testing import MetricConformance


class TestShortSentences(MetricConformance):
    entry_point = "acme.short_sentences"

    @pytest.fixture
    def metric(self):
        return ShortSentences(ShortSentences.Settings())


class TestPoliteness(MetricConformance):
    entry_point = "acme.politeness"

    @pytest.fixture
    def metric(self):
        return Politeness()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("One two. One two three four. One.", 2 / 3),
        ("One two three", 1.0),
        ("One two three four!", 0.0),
    ],
)
def test_values(text, value):
    metric = ShortSentences(ShortSentences.Settings(max_words=3))
    assert metric.score(Response(answer=Answer(text))).value == value
