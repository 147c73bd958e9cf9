"""The kernel's standard tests, for every metric of the package."""

import pytest
from ragproof_metrics_operational.latency import AnswerLatency, Latency, RetrieveLatency, TimeToFirstToken
from ragproof_metrics_operational.trace import CacheHit, Escalated, RetrievalCalled, Steps, TaskSuccess
from ragproof_metrics_operational.usage import Cost, InputTokens, OutputTokens

from ragproof_core.testing import MetricConformance


class Conformance(MetricConformance):
    made = None

    @pytest.fixture
    def metric(self):
        return self.made()


class TestAnswerLatency(Conformance):
    entry_point = "operational.answer_latency_ms"
    made = AnswerLatency


class TestCacheHit(Conformance):
    entry_point = "operational.cache_hit"
    made = CacheHit


class TestCost(Conformance):
    entry_point = "operational.cost_usd"
    made = Cost


class TestEscalated(Conformance):
    entry_point = "operational.escalated"
    made = Escalated


class TestInputTokens(Conformance):
    entry_point = "operational.input_tokens"
    made = InputTokens


class TestLatency(Conformance):
    entry_point = "operational.latency_ms"
    made = Latency


class TestOutputTokens(Conformance):
    entry_point = "operational.output_tokens"
    made = OutputTokens


class TestRetrievalCalled(Conformance):
    entry_point = "operational.retrieval_called"
    made = RetrievalCalled


class TestRetrieveLatency(Conformance):
    entry_point = "operational.retrieve_latency_ms"
    made = RetrieveLatency


class TestSteps(Conformance):
    entry_point = "operational.steps"
    made = Steps


class TestTaskSuccess(Conformance):
    entry_point = "operational.task_success"
    made = TaskSuccess


class TestTimeToFirstToken(Conformance):
    entry_point = "operational.time_to_first_token_ms"
    made = TimeToFirstToken
