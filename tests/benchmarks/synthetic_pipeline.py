"""A deterministic pipeline without any work of its own, and cases that fit it; all follows from the case's number."""

from __future__ import annotations

from typing import Any

_PARTS = [
    "bolt",
    "cable",
    "fan",
    "grid",
    "hinge",
    "inlet",
    "joint",
    "knob",
    "latch",
    "motor",
    "nozzle",
    "panel",
    "rod",
    "shield",
    "tube",
    "wheel",
]
_TEXTS = [" ".join(_PARTS[(i * 7 + j * j) % len(_PARTS)] for j in range(85))[:500] for i in range(48)]


def ids(number: int) -> list[str]:
    """Ten chunk ids, best first; the order turns with the number."""
    return [f"p{number}-{(rank + number) % 10}" for rank in range(10)]


def case(number: int) -> dict[str, Any]:
    """Return a case: of its three expected chunks two are always found, the third for two numbers of three."""
    return {
        "id": f"n{number:06d}",
        "question": f"Item {number}: which part has to be replaced first?",
        "expected_answer": f"Part {number % 89} has to be replaced first.",
        "expected_source_ids": [f"p{number}-1", f"p{number}-5", f"p{number}-{8 + number % 3}"],
    }


class Pipeline:
    """Retrieves ten chunks of about 500 characters and answers with two citations."""

    def retrieve(self, question: str, k: int) -> list[dict[str, Any]]:
        """Return the chunks of the question's number."""
        number = int(question[5 : question.index(":")])
        return [
            {
                "id": chunk,
                "text": _TEXTS[(number + rank) % 48],
                "score": 1 - rank / 20,
                "metadata": {"document_id": "d"},
            }
            for rank, chunk in enumerate(ids(number)[:k])
        ]

    def answer(self, question: str) -> dict[str, Any]:
        """Return the answer of the question's number."""
        number = int(question[5 : question.index(":")])
        found = ids(number)
        text = (
            f"Part {number % 89} has to be replaced first. The manual asks for a check of the seal before each start."
        )
        return {"answer_text": text, "citations": [{"chunk_id": found[0]}, {"chunk_id": found[4]}]}
