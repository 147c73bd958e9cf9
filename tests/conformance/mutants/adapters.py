"""Versions of the toy adapter with one fault each; ``fails`` names the standard tests that see it."""

import threading
import time

from toy_adapter import Base, Toy

from ragproof_core import AdapterError, Answer, Chunk, Usage, hookimpl
from ragproof_core.testing import AdapterConformance


class TestCorrect(Base):
    pass


class TestNoFixture(AdapterConformance):
    fails = frozenset({"*"})


class WithoutId(Toy):
    @hookimpl
    def retrieve(self, question, k):
        return [{"id": None, "text": "?"}]

    @hookimpl
    def answer(self, question):
        return Answer("Five days.", ("a",), (), Usage(1, 1))


RETRIEVAL = frozenset(
    {
        "test_it_finds_chunks", "test_no_more_chunks_than_asked_for", "test_any_text_may_be_asked",
        "test_repeated_calls_agree", "test_calls_from_many_threads_keep_apart",
        "test_history_and_metadata_are_taken_and_left_alone", "test_a_very_long_question_is_survived",
    }
)  # fmt: skip


class TestNoneIds(Base):
    made = WithoutId
    fails = RETRIEVAL | {"test_ids_are_texts_or_whole_numbers"}


class FloatIds(Toy):
    @hookimpl
    def retrieve(self, question, k):
        return [{"id": 12.0, "text": "?"}][:k]

    @hookimpl
    def answer(self, question):
        return Answer("Five days.", ("a",), (), Usage(1, 1))


class TestFloatIds(Base):
    made = FloatIds
    fails = frozenset({"test_ids_are_texts_or_whole_numbers"})


class NothingFound(Toy):
    @hookimpl
    def retrieve(self, question, k):
        return []

    @hookimpl
    def answer(self, question):
        return Answer(" ", ("a",), (), Usage(1, 1))


class TestNothingFound(Base):
    made = NothingFound
    fails = frozenset({"test_it_finds_chunks", "test_it_answers"})


class Greedy(Toy):
    @hookimpl
    def retrieve(self, question, k):
        return [Chunk("a"), Chunk("b")]

    @hookimpl
    def answer(self, question):
        return Answer("Five days.", ("a",), (), Usage(1, 1))


class TestMoreThanK(Base):
    made = Greedy
    fails = frozenset({"test_no_more_chunks_than_asked_for"})


class Texts(Toy):
    @hookimpl
    def retrieve(self, question, k):
        return "five days"

    @hookimpl
    def answer(self, question):
        return Answer("Five days.", ("a",), (), Usage(1, 1))


class TestWrongShape(Base):
    made = Texts
    fails = RETRIEVAL | {"test_ids_are_texts_or_whole_numbers"}


class Silent(Toy):
    @hookimpl
    def answer(self, question):
        return "Five days."


class TestReportsLess(Base):
    made = Silent
    fails = frozenset({"test_the_answer_tells_what_the_flags_name"})


class Changing(Toy):
    @hookimpl
    def answer(self, question, metadata):
        metadata["seen"] = True
        return super().answer(question, [], metadata)


class TestChangesMetadata(Base):
    made = Changing
    fails = frozenset({"test_history_and_metadata_are_taken_and_left_alone"})


class Random(Toy):
    calls = 0

    @hookimpl
    def answer(self, question):
        type(self).calls += 1
        return Answer(f"Answer {self.calls}", ("a",), (), Usage(1, 1))


class TestRandom(Base):
    made = Random
    fails = frozenset({"test_repeated_calls_agree", "test_calls_from_many_threads_keep_apart"})


class TestRandomAllowed(Base):
    made = Random
    repeatable = False


class Stateful(Toy):
    @hookimpl
    def answer(self, question, history, metadata):
        self.question = question
        time.sleep(0.005)
        return super().answer(self.question, history, metadata)


class TestMixesThreadsUp(Base):
    made = Stateful
    fails = frozenset({"test_calls_from_many_threads_keep_apart"})


class OneAtATime(Stateful):
    max_concurrency = 1


class TestOneAtATime(Base):
    made = OneAtATime
    concurrent = False


class TestOneAtATimeUnsaid(Base):
    made = OneAtATime
    fails = frozenset({"test_calls_from_many_threads_keep_apart"})


class AsciiOnly(Toy):
    @hookimpl
    def retrieve(self, question, k):
        question.encode("ascii")
        return super().retrieve(question, k)


class TestAsciiOnly(Base):
    made = AsciiOnly
    fails = frozenset({"test_any_text_may_be_asked"})


class Picky(Toy):
    @hookimpl
    def retrieve(self, question, k):
        if question not in (Base.question, Base.other_question):
            raise AdapterError(f"no recording of {question!r}")
        return super().retrieve(question, k)


class TestKnownQuestionsOnly(Base):
    made = Picky
    answers_any_question = False


class TestKnownQuestionsOnlyUnsaid(Base):
    made = Picky
    fails = frozenset({"test_any_text_may_be_asked"})


class Spoilt(Toy):
    spoilt = False

    @hookimpl
    def retrieve(self, question, k):
        self.spoilt = self.spoilt or len(question) > 1000
        if self.spoilt:
            raise ConnectionError("broken pipe")
        return super().retrieve(question, k)


class TestSpoiltByOneFailure(Base):
    made = Spoilt
    fails = frozenset({"test_a_very_long_question_is_survived"})


class Hanging(Toy):
    @hookimpl
    def answer(self, question):
        threading.Event().wait(30)


class TestHangs(Base):
    made = Hanging
    timeout_seconds = 0.02
    fails = frozenset(
        {
            "test_it_answers", "test_the_answer_tells_what_the_flags_name", "test_any_text_may_be_asked",
            "test_repeated_calls_agree", "test_calls_from_many_threads_keep_apart",
            "test_history_and_metadata_are_taken_and_left_alone", "test_a_very_long_question_is_survived",
        }
    )  # fmt: skip


class ClosedOnce(Toy):
    open = True

    @hookimpl
    def close(self):
        if not self.open:
            raise RuntimeError("closed already")
        self.open = False


class TestClosesOnce(Base):
    made = ClosedOnce
    fails = frozenset({"test_it_can_be_closed_twice"})


class TestLostHook(Base):
    has_retrieve_exact = True
    fails = frozenset(
        {
            "test_it_has_the_hooks_that_the_flags_name", "test_it_finds_chunks", "test_ids_are_texts_or_whole_numbers",
            "test_no_more_chunks_than_asked_for", "test_repeated_calls_agree",
            "test_calls_from_many_threads_keep_apart", "test_any_text_may_be_asked",
            "test_a_very_long_question_is_survived",
        }
    )  # fmt: skip
