"""A correct toy adapter, and its conformance class for the mutants."""

import pytest
from pydantic import BaseModel, ConfigDict, SecretStr

from ragproof_core import Answer, Chunk, Usage, hookimpl
from ragproof_core.testing import AdapterConformance

PASSAGES = {"refunds": "A refund takes five days.", "plans": "The free plan has 5 GB."}


class Toy:
    api_version = 1

    class Settings(BaseModel):
        model_config = ConfigDict(extra="forbid")
        api_key: SecretStr | None = None

    @hookimpl
    def retrieve(self, question, k):
        asked = set(question.lower().split())
        ranked = sorted(PASSAGES, key=lambda name: -len(asked & set(PASSAGES[name].lower().split())))
        return [Chunk(name, PASSAGES[name]) for name in ranked][:k]

    @hookimpl
    def answer(self, question, history, metadata):
        (best,) = self.retrieve(question, 1)
        return Answer(best.text, (best.id,), (best,), Usage(9, 5))

    @hookimpl
    def close(self):
        pass


class Base(AdapterConformance):
    made = Toy
    fails = frozenset()
    question = "refund days"
    other_question = "free plan"
    reports_usage = True
    reports_citations = True
    reports_context = True
    timeout_seconds = 1.0

    @pytest.fixture
    def adapter(self):
        return self.made()
