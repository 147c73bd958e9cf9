"""The kernel's standard tests, for every metric of the package."""

import pytest
from ragproof_metrics_generation.answer_correctness import AnswerCorrectness
from ragproof_metrics_generation.answer_relevance import AnswerRelevance
from ragproof_metrics_generation.answer_tokens import AnswerTokens
from ragproof_metrics_generation.citation_support import CitationSupport
from ragproof_metrics_generation.citation_validity import CitationValidity
from ragproof_metrics_generation.completeness import Completeness
from ragproof_metrics_generation.context_precision import ContextPrecision
from ragproof_metrics_generation.context_recall import ContextRecall
from ragproof_metrics_generation.context_utilization import ContextUtilization
from ragproof_metrics_generation.groundedness import Groundedness
from ragproof_metrics_generation.keyword_hit import KeywordHit

from ragproof_core.testing import MetricConformance


class Conformance(MetricConformance):
    made = None

    @pytest.fixture
    def metric(self):
        return self.made()


class TestCitationValidity(Conformance):
    entry_point = "generation.citation_validity"
    made = CitationValidity


class TestGroundedness(Conformance):
    entry_point = "generation.groundedness"
    made = Groundedness


class TestCitationSupport(Conformance):
    entry_point = "generation.citation_support"
    made = CitationSupport


class TestAnswerRelevance(Conformance):
    entry_point = "generation.answer_relevance"
    made = AnswerRelevance


class TestAnswerCorrectness(Conformance):
    entry_point = "generation.answer_correctness"
    made = AnswerCorrectness


class TestCompleteness(Conformance):
    entry_point = "generation.completeness"
    made = Completeness


class TestKeywordHit(Conformance):
    entry_point = "generation.keyword_hit"
    made = KeywordHit


class TestAnswerTokens(Conformance):
    entry_point = "generation.answer_tokens"
    made = AnswerTokens


class TestContextPrecision(Conformance):
    entry_point = "context.precision"
    made = ContextPrecision


class TestContextRecall(Conformance):
    entry_point = "context.recall"
    made = ContextRecall


class TestContextUtilization(Conformance):
    entry_point = "context.utilization"
    made = ContextUtilization
