"""A correct toy metric, and its conformance class for the mutants."""

import pytest

from ragproof_core import hookimpl
from ragproof_core.testing import MetricConformance


class Toy:
    """Share of the expected answer's words that the answer has."""

    api_version = 1
    direction = "higher"
    range = (0.0, 1.0)
    unit = "share"
    description = "words of the expected answer that the answer has / words of the expected answer"
    source = "a toy"
    needs = ("answer", "expected_answer")

    @hookimpl
    def score(self, case, response):
        expected = set(case.expected_answer.split())
        return len(expected & set(response.answer.answer_text.split())) / len(expected)


class Base(MetricConformance):
    made = Toy
    fails = frozenset()
    seconds_for_two_megabytes = 4.0

    @pytest.fixture
    def metric(self):
        return self.made()
