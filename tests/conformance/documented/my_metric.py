"""The metrics that the page on testing speaks of."""

from ragproof_core import hookimpl, skipped


class WordOverlap:
    api_version = 1
    direction = "higher"
    range = (0.0, 1.0)
    unit = "share"
    description = "words of the expected answer that the answer has / words of the expected answer"
    source = "an example"
    needs = ("answer", "expected_answer")

    @hookimpl
    def score(self, case, response):
        expected = set(case.expected_answer.split())
        return len(expected & set(response.answer.answer_text.split())) / len(expected)


class Declined(WordOverlap):
    needs = ("answer",)

    @hookimpl
    def score(self, response):
        declined = "do not know" in response.answer.answer_text
        return 1.0 if declined else skipped("the answer did not decline")
