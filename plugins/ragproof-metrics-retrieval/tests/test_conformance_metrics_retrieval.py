"""The kernel's standard tests, for every metric of the package."""

import pytest
from ragproof_metrics_retrieval.context_precision import ContextPrecisionAtK
from ragproof_metrics_retrieval.cutoff import F1AtK, HitRateAtK, PrecisionAtK, RecallAtK
from ragproof_metrics_retrieval.discounted_gain import GradedNdcgAtK, NdcgAtK
from ragproof_metrics_retrieval.full_list import MeanAveragePrecision, MeanReciprocalRank
from ragproof_metrics_retrieval.index_recall import IndexRecallAtK

from ragproof_core.testing import MetricConformance


class Conformance(MetricConformance):
    made = None

    @pytest.fixture
    def metric(self):
        return self.made()


class TestContextPrecisionAtK(Conformance):
    entry_point = "retrieval.context_precision_at_k"
    made = ContextPrecisionAtK


class TestF1AtK(Conformance):
    entry_point = "retrieval.f1_at_k"
    made = F1AtK


class TestGradedNdcgAtK(Conformance):
    entry_point = "retrieval.graded_ndcg_at_k"
    made = GradedNdcgAtK


class TestHitRateAtK(Conformance):
    entry_point = "retrieval.hit_rate_at_k"
    made = HitRateAtK


class TestIndexRecallAtK(Conformance):
    entry_point = "retrieval.index_recall_at_k"
    made = IndexRecallAtK


class TestMeanAveragePrecision(Conformance):
    entry_point = "retrieval.map"
    made = MeanAveragePrecision


class TestMeanReciprocalRank(Conformance):
    entry_point = "retrieval.mrr"
    made = MeanReciprocalRank


class TestNdcgAtK(Conformance):
    entry_point = "retrieval.ndcg_at_k"
    made = NdcgAtK


class TestPrecisionAtK(Conformance):
    entry_point = "retrieval.precision_at_k"
    made = PrecisionAtK


class TestRecallAtK(Conformance):
    entry_point = "retrieval.recall_at_k"
    made = RecallAtK
