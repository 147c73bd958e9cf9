"""The adapter. It works as it is, on three built-in passages: put your pipeline in where it says REPLACE."""

import re

from pydantic import BaseModel, ConfigDict, Field
from ragproof_core import Answer, Chunk, Citation, hookimpl

# REPLACE: your pipeline knows where its passages are.
PASSAGES = {
    "refunds": "A refund takes five days. It goes back to the card that was charged.",
    "plans": "The free plan has 5 GB of storage. The team plan has 200 GB.",
    "support": "Support answers on working days from nine to five.",
}


class Adapter:
    """Connects RAGProof to {{ cookiecutter.name }}."""

    api_version = 1

    class Settings(BaseModel):
        """What users write under `adapter:` in ragproof.yaml; give secrets the type SecretStr."""

        model_config = ConfigDict(extra="forbid")

        min_shared_words: int = Field(2, ge=1, description="words that a passage must share with the question")

    def __init__(self, settings: Settings) -> None:
        self._min_shared_words = settings.min_shared_words

    @hookimpl
    def retrieve(self, question: str, k: int) -> list[Chunk]:
        """Return up to k chunks, best first."""
        # REPLACE: call your retriever; an id must be the one that your dataset expects.
        asked = _words(question)
        scored = [(len(asked & _words(text)), name, text) for name, text in PASSAGES.items()]
        found = sorted((hit for hit in scored if hit[0] >= self._min_shared_words), key=lambda hit: -hit[0])
        return [Chunk(id=name, text=text, score=score) for score, name, text in found[:k]]

    @hookimpl
    def answer(self, question: str) -> Answer:
        """Return the answer, and the chunks that it was made from."""
        # REPLACE: call your pipeline; leave out what it does not tell (citations, usage, the chunks).
        chunks = self.retrieve(question, k=1)
        if not chunks:
            return Answer(answer_text="I do not know.", retrieved_chunks=())
        first_sentence = chunks[0].text.split(". ")[0].rstrip(".") + "."
        return Answer(
            answer_text=first_sentence, citations=(Citation(chunk_id=chunks[0].id),), retrieved_chunks=tuple(chunks)
        )


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.casefold()) if len(word) > 3}
