"""What this adapter does beyond the conformance suite."""

import pytest
from pydantic import ValidationError

from {{ cookiecutter.__package }} import Adapter


@pytest.fixture
def adapter():
    return Adapter(Adapter.Settings(min_shared_words=1))


def test_the_best_passage_comes_first(adapter):
    chunks = adapter.retrieve("How many days does a refund take?", k=2)
    assert [chunk.id for chunk in chunks] == ["refunds", "support"]


def test_the_answer_cites_its_passage(adapter):
    answer = adapter.answer("How much storage has the free plan?")
    assert answer.answer_text == "The free plan has 5 GB of storage."
    assert [citation.chunk_id for citation in answer.citations] == ["plans"]


def test_it_says_when_it_does_not_know(adapter):
    assert adapter.answer("Will it rain tomorrow?").answer_text == "I do not know."


def test_unknown_settings_are_refused():
    with pytest.raises(ValidationError):
        Adapter.Settings(min_shared_word=1)
