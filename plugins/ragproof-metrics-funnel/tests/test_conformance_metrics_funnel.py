"""The kernel's standard tests, for every metric of the package."""

import pytest
from ragproof_metrics_funnel.correct import Correct
from ragproof_metrics_funnel.sources import InContext, Retrieved
from ragproof_metrics_funnel.used import Used

from ragproof_core.testing import MetricConformance


class Conformance(MetricConformance):
    made = None

    @pytest.fixture
    def metric(self):
        return self.made()


class TestCorrect(Conformance):
    entry_point = "funnel.correct"
    made = Correct


class TestInContext(Conformance):
    entry_point = "funnel.in_context"
    made = InContext


class TestRetrieved(Conformance):
    entry_point = "funnel.retrieved"
    made = Retrieved


class TestUsed(Conformance):
    entry_point = "funnel.used"
    made = Used
