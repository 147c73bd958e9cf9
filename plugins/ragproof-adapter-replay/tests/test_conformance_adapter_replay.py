"""The kernel's standard tests, with recorded answers."""

import json

import pytest
from ragproof_adapter_replay import Replay

from ragproof_core.testing import AdapterConformance


def row(question, *ids):
    chunks = [{"id": name, "text": f"Text of {name}."} for name in ids]
    return {"question": question, "answer": f"See {ids[0]}.", "retrieved": chunks, "contexts": chunks}


class TestReplay(AdapterConformance):
    entry_point = "replay"
    question = "How long does a refund take?"
    other_question = "What has the free plan?"
    answers_any_question = False

    @pytest.fixture
    def adapter(self, tmp_path):
        rows = [row(self.question, "refunds", 7), row(self.other_question, "plans", "support")]
        (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        return Replay(Replay.Settings(path="rows.jsonl"), tmp_path)
