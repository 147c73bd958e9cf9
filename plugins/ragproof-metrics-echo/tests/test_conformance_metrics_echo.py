"""The kernel's standard tests."""

import pytest
from ragproof_metrics_echo import ExactMatch

from ragproof_core.testing import MetricConformance


class TestExactMatch(MetricConformance):
    entry_point = "echo.exact_match"

    @pytest.fixture
    def metric(self):
        return ExactMatch()
