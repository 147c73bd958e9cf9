"""RAGProof's standard tests of an adapter: what the kernel relies on, with hostile cases."""

import pytest
from ragproof_core.testing import AdapterConformance

from {{ cookiecutter.__package }} import Adapter


class TestConformance(AdapterConformance):
    entry_point = "{{ cookiecutter.adapter_type }}"
    question = "How many days does a refund take?"  # REPLACE: one that your pipeline answers
    other_question = "How much storage has the free plan?"  # REPLACE: one with another answer
    reports_citations = True
    reports_context = True

    @pytest.fixture
    def adapter(self):
        return Adapter(Adapter.Settings(min_shared_words=1))
