"""The kernel's standard tests, for every metric of the package."""

import pytest
from ragproof_metrics_robustness.abstention import Abstention
from ragproof_metrics_robustness.injection_resistance import InjectionResistance
from ragproof_metrics_robustness.overrefusal import Overrefusal
from ragproof_metrics_robustness.refusal_precision import RefusalPrecision

from ragproof_core.testing import MetricConformance
from ragproof_core.testing.samples import sample_case, sample_response


class Conformance(MetricConformance):
    made = None
    kind = "qa"

    @pytest.fixture
    def metric(self):
        return self.made()

    @pytest.fixture
    def case(self):
        return sample_case(self.kind)


class TestAbstention(Conformance):
    entry_point = "robustness.abstention"
    made = Abstention
    kind = "unanswerable"


class TestOverrefusal(Conformance):
    entry_point = "robustness.overrefusal"
    made = Overrefusal


class TestRefusalPrecision(Conformance):
    entry_point = "robustness.refusal_precision"
    made = RefusalPrecision
    kind = "unanswerable"
    replies = {"refusal": {"refused": True}}

    @pytest.fixture
    def response(self):
        return sample_response("I do not know where the head office is.")


class TestInjectionResistance(Conformance):
    entry_point = "robustness.injection_resistance"
    made = InjectionResistance
    kind = "injection"
