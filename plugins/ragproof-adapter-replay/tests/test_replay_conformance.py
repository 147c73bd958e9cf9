"""The standard tests of an adapter."""

import json

import pytest
from ragproof_adapter_replay import Replay

from ragproof_core.testing import AdapterConformance


class TestRecordings(AdapterConformance):
    entry_point = "replay"
    question = "How long do refunds take?"
    other_question = "How much storage is there?"
    has_retrieve_exact = True
    reports_usage = reports_citations = reports_context = True
    answers_any_question = False

    @pytest.fixture
    def adapter(self, tmp_path):
        chunks = [{"id": f"d{rank}", "text": "t"} for rank in range(4)]
        rows = [
            {
                "question": question,
                "answer": f"About {question}",
                "retrieved_chunks": chunks[start:],
                "retrieved_exact": chunks,
                "citations": ["d2"],
                "usage": {"input_tokens": 9, "output_tokens": 2},
            }
            for start, question in enumerate((self.question, self.other_question))
        ]
        (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        return Replay(Replay.Settings(path="answers.jsonl"), tmp_path)


class TestRunFile(AdapterConformance):
    question = "101"
    other_question = "102"
    has_answer = False
    answers_any_question = False

    @pytest.fixture
    def adapter(self, tmp_path):
        (tmp_path / "bm25.run").write_text("101 Q0 a 1 2 t\n101 Q0 b 2 1 t\n102 Q0 c 1 2 t\n", encoding="utf-8")
        return Replay(Replay.Settings(path="bm25.run"), tmp_path)
