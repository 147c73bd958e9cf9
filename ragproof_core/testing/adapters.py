"""The standard tests of an adapter."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, ClassVar

import pytest

from ragproof_core.engine.asking import ask_adapter
from ragproof_core.errors import AdapterError
from ragproof_core.models.case import Case, Turn
from ragproof_core.models.response import Answer, Chunk, Response
from ragproof_core.models.run import RunSettings
from ragproof_core.plugins.component import Component
from ragproof_core.testing.checking import fail, require, shown, within
from ragproof_core.testing.conformance import Conformance
from ragproof_core.testing.hostile_texts import HOSTILE_TEXTS

_HISTORY = (Turn("user", "Hello, I have a question."), Turn("assistant", "Ask away: “anything” you like 🙂."))
_METADATA = {"tenant": "a", "nested": {"list": [1, None, "é"]}}
_DEPTHS = (1, 3, 1000)
_VERY_LONG = "word " * 100_000


class AdapterConformance(Conformance):
    """Subclass with a fixture ``adapter``: the built component.

    ``question`` is one that it finds chunks for and answers; ``other_question`` has another answer (needed only to see
    that concurrent calls do not mix theirs up). Each ``has_…`` names a hook, each ``reports_…`` a part of the answer
    that the pipeline tells. ``repeatable``: the same question gives the same ids and the same text. ``concurrent``: it
    may be called from several threads; else it declares ``max_concurrency = 1``. ``answers_any_question``: false when
    questions that it was not made for are refused with an ``AdapterError`` (recorded answers, for instance).
    ``timeout_seconds`` bounds every single call.
    """

    role: ClassVar[str] = "adapter"
    question: str = "What is this about?"
    other_question: str | None = None
    has_retrieve: bool = True
    has_answer: bool = True
    has_retrieve_exact: bool = False
    reports_usage: bool = False
    reports_citations: bool = False
    reports_context: bool = False
    repeatable: bool = True
    concurrent: bool = True
    answers_any_question: bool = True
    timeout_seconds: float = 60.0

    @pytest.fixture
    def adapter(self) -> Any:
        """Return the adapter to test; every subclass has its own."""
        fail(f"{type(self).__qualname__} needs a fixture 'adapter' that returns the built adapter")

    @pytest.fixture
    def instance(self, adapter: Any) -> object:
        """Return the component under test."""
        return adapter

    def ask(self, component: Component, hook: str, question: str | None = None, *, k: int = 5) -> Response:
        """Call one hook as the kernel does, and check the shape of what comes back."""
        return self.ask_case(component, hook, Case(id="conformance", question=question or self.question), k)

    def ask_case(self, component: Component, hook: str, case: Case, k: int = 5) -> Response:
        """Like :meth:`ask`, with a case's history and metadata."""
        what = f"{hook}({shown(case.question)})"
        try:
            return within(  # type: ignore[no-any-return]
                self.timeout_seconds,
                lambda: ask_adapter(component, case, {hook}, RunSettings(k=k, retrieve_k=k)),
                what,
            )
        except Exception as problem:
            problem.add_note(f"{what} was asked; the kernel records such a case as 'error' and scores nothing for it")
            raise

    @property
    def hooks(self) -> tuple[str, ...]:
        """The hooks that the flags name."""
        named = {"retrieve": self.has_retrieve, "answer": self.has_answer, "retrieve_exact": self.has_retrieve_exact}
        return tuple(hook for hook, has in named.items() if has)

    def test_it_has_the_hooks_that_the_flags_name(self, component: Component) -> None:
        """``has_retrieve``, ``has_answer`` and ``has_retrieve_exact`` say what is there, no more and no less."""
        for hook in ("retrieve", "answer", "retrieve_exact"):
            named = hook in self.hooks
            require(
                (hook in component.hooks) == named,
                f"has_{hook} is {named}, but the adapter {'has no' if named else 'has a'} hook {hook!r}. Metrics that "
                "need a hook that is not there are skipped, so a hook lost by accident must not pass unseen",
            )

    @pytest.mark.parametrize("hook", ["retrieve", "retrieve_exact"])
    def test_it_finds_chunks(self, component: Component, hook: str) -> None:
        """``question`` brings at least one chunk, each of a chunk's shape."""
        self._needs(hook)
        require(
            _chunks(self.ask(component, hook), hook),
            f"{hook}({shown(self.question)}) found nothing, so nothing about its chunks can be checked; set 'question' "
            "to one that the adapter finds something for",
        )

    @pytest.mark.parametrize("hook", ["retrieve", "retrieve_exact"])
    def test_ids_are_texts_or_whole_numbers(self, component: Component, hook: str) -> None:
        """An id is a non-empty text or an ``int``; the kernel compares ids as texts."""
        self._needs(hook)
        arguments = {"question": self.question, "k": 5, "history": [], "metadata": {}}
        wanted = arguments if hook == "retrieve" else {name: arguments[name] for name in ("question", "k")}
        for chunk in component.call(hook, **wanted):
            name = chunk.get("id") if isinstance(chunk, Mapping) else getattr(chunk, "id", None)
            require(
                (isinstance(name, str) and name) or (isinstance(name, int) and not isinstance(name, bool)),
                f"{hook} gave a chunk with the id {name!r}; expected a non-empty text or an int. The kernel compares "
                "ids as texts: None is an error of the case, and 12.0 is never the 12 of a dataset",
            )

    @pytest.mark.parametrize("k", _DEPTHS)
    @pytest.mark.parametrize("hook", ["retrieve", "retrieve_exact"])
    def test_no_more_chunks_than_asked_for(self, component: Component, hook: str, k: int) -> None:
        """``k`` is an upper bound, also where it is 1 or far more than there is."""
        self._needs(hook)
        found = len(_chunks(self.ask(component, hook, k=k), hook))
        require(found <= k, f"{hook} returned {found} chunks for k = {k}; expected {k} at most, best first")

    def test_it_answers(self, component: Component) -> None:
        """``question`` brings an answer with a text."""
        self._needs("answer")
        answer = self._answer(component)
        require(
            answer.answer_text.strip(),
            f"answer({shown(self.question)}) is blank; set 'question' to one that the adapter answers",
        )

    def test_the_answer_tells_what_the_flags_name(self, component: Component) -> None:
        """Usage, citations and the generator's context, as far as the flags name them."""
        self._needs("answer")
        answer, usage = self._answer(component), self._answer(component).usage
        parts = {
            "usage": usage is not None and usage.input_tokens is not None and usage.output_tokens is not None,
            "citations": bool(answer.citations),
            "context": answer.retrieved_chunks is not None,
        }
        where = {"usage": "usage.input_tokens and usage.output_tokens", "context": "retrieved_chunks"}
        for part, there in parts.items():
            require(
                there or not getattr(self, f"reports_{part}"),
                f"reports_{part} is True, but the answer to {shown(self.question)} has no {where.get(part, part)}; the "
                "metrics that need it would be skipped",
            )

    @pytest.mark.parametrize("hook", ["retrieve", "answer"])
    def test_history_and_metadata_are_taken_and_left_alone(self, component: Component, hook: str) -> None:
        """Earlier turns and metadata may be given; they belong to the case and are not changed."""
        self._needs(hook)
        case = Case(id="conformance", question=self.question, history=_HISTORY, metadata=copy.deepcopy(_METADATA))
        try:
            self.ask_case(component, hook, case)
        except AdapterError:
            if self.answers_any_question:
                raise
        require(
            case.metadata == _METADATA,
            f"{hook} changed the case's metadata to {shown(case.metadata)}; copy it before changing it",
        )

    @pytest.mark.parametrize("hook", ["retrieve", "answer", "retrieve_exact"])
    def test_repeated_calls_agree(self, component: Component, hook: str) -> None:
        """The same question three times gives the same (with ``repeatable = False``: three good replies)."""
        self._needs(hook)
        replies = [_essence(self.ask(component, hook)) for _ in range(3)]
        require(
            not self.repeatable or replies[0] == replies[1] == replies[2],
            f"{hook}({shown(self.question)}) gave {shown(replies[0])}, then {shown(replies[1])} and "
            f"{shown(replies[2])}; expected the same. Set repeatable = False if that is its nature",
        )

    @pytest.mark.parametrize("hook", ["retrieve", "answer", "retrieve_exact"])
    def test_calls_from_many_threads_keep_apart(self, component: Component, hook: str) -> None:
        """Eight threads ask at once, and each gets the reply to its own question."""
        self._needs(hook)
        require(
            self.concurrent == (component.max_concurrency != 1),
            f"concurrent is {self.concurrent}, but max_concurrency is {component.max_concurrency}; the kernel calls "
            "from several threads unless the component declares max_concurrency = 1",
        )
        if not self.concurrent:
            pytest.skip("the adapter declares max_concurrency = 1, so the kernel makes one call at a time")
        questions = [self.question, self.other_question or self.question] * 8
        alone = {question: _essence(self.ask(component, hook, question)) for question in questions[:2]}
        with ThreadPoolExecutor(8) as threads:
            together = list(threads.map(lambda question: _essence(self.ask(component, hook, question)), questions))
        for question, reply in zip(questions, together, strict=True):
            require(
                not self.repeatable or reply == alone[question],
                f"{hook}({shown(question)}) gave {shown(reply)} while other threads asked too, and "
                f"{shown(alone[question])} alone; keep no state between calls, or declare max_concurrency = 1",
            )

    @pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in HOSTILE_TEXTS.items()])
    def test_any_text_may_be_asked(self, component: Component, text: str) -> None:
        """Whatever stands in the question, a reply of the right shape comes back, and the adapter stays usable."""
        for hook in self.hooks:
            try:
                self.ask(component, hook, text)
            except AdapterError:
                if self.answers_any_question:
                    raise
            self.ask(component, hook)

    def test_a_very_long_question_is_survived(self, component: Component) -> None:
        """Half a megabyte is answered or refused by whatever the pipeline raises, in time; the adapter stays usable."""
        for hook in self.hooks:
            with suppress(Exception):
                self.ask(component, hook, _VERY_LONG)
            self.ask(component, hook)

    def test_it_can_be_closed_twice(self, component: Component) -> None:
        """``close`` after ``close`` does nothing."""
        if "close" not in component.hooks:
            pytest.skip("the adapter has no close hook")
        for _ in range(2):
            within(self.timeout_seconds, lambda: component.call("close"), "close()")

    def _needs(self, hook: str) -> None:
        if hook not in self.hooks:
            pytest.skip(f"has_{hook} is False")

    def _answer(self, component: Component) -> Answer:
        answer = self.ask(component, "answer").answer
        assert answer is not None
        return answer


def _chunks(response: Response, hook: str) -> tuple[Chunk, ...]:
    return (response.retrieved if hook == "retrieve" else response.exact) or ()


def _essence(response: Response) -> Collection[str] | str:
    if response.answer is not None:
        return response.answer.answer_text
    chunks = response.retrieved if response.retrieved is not None else response.exact
    return [chunk.id for chunk in chunks or ()]
