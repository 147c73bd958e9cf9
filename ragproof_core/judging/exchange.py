"""One verdict from the judge itself: send, find the reply, ask again exactly once when it cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from pydantic import BaseModel

from ragproof_core.errors import BudgetExceededError, JudgeError
from ragproof_core.judging.admission import Admission, Ticket
from ragproof_core.judging.calls import JudgeCalls
from ragproof_core.judging.prices import Prices, estimated_tokens
from ragproof_core.judging.replies import UnusableReplyError, parse_reply
from ragproof_core.judging.steps import Steps
from ragproof_core.judging.tally import Tally
from ragproof_core.judging.verdict import RawReply, Verdict
from ragproof_core.models.judging import JudgeReply, JudgeRequest, TokenUsage

Model = TypeVar("Model", bound=BaseModel)

_CUT_OFF = frozenset({"length", "max_tokens"})
_UNREMARKABLE = frozenset({None, "stop", "end_turn", "stop_sequence"})
_SHOWN_PROBLEM = 600
# What a provider adds around the texts of a request: role marks and the frame of the reply format.
_FRAME_TOKENS = 64

_REPAIR = """

Your previous reply to this request could not be used: {problem}
Reply again with exactly one JSON object of the required shape and nothing else."""


class _Said(NamedTuple):
    raw: list[RawReply]
    notes: dict[str, None]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Sends requests within the limits, and settles what they cost."""

    calls: JudgeCalls
    admission: Admission
    prices: Prices | None
    redact: Callable[[str], str]
    tally: Tally
    judge: str

    def verdict(self, request: JudgeRequest, model: type[BaseModel], schema_bytes: int) -> Steps[Verdict]:
        """Return the verdict, or one that says why there is none; never raises for what the judge did."""
        said = _Said([], {})
        try:
            try:
                parsed = yield from self._attempt(request, model, schema_bytes, said)
            except UnusableReplyError as error:
                self.tally.add("repairs")
                said.notes.setdefault(f"asked again after an unusable reply: {error}")
                repair = replace(request, user=request.user + _REPAIR.format(problem=error))
                parsed = yield from self._attempt(repair, model, schema_bytes, said)
        except UnusableReplyError as error:
            return self._failed(f"no usable reply after one repair: {error}", said)
        except BudgetExceededError as error:
            return self._failed(str(error), said, over_budget=True)
        except Exception as error:
            return self._failed(self._reason(error), said)
        return Verdict(parsed, tuple(said.raw), tuple(said.notes))

    def _attempt(self, request: JudgeRequest, model: type[Model], schema_bytes: int, said: _Said) -> Steps[Model]:
        reply = yield from self._send(request, schema_bytes)
        text = self.redact(reply.text)
        said.raw.append(RawReply(text, used=False))
        said.notes.update(dict.fromkeys(map(self.redact, reply.notes)))
        if (reply.finish_reason or "").lower() in _CUT_OFF:
            raise JudgeError(_truncated(request, reply))
        try:
            # What is parsed is what is kept, so that a cached verdict is the same one.
            parsed = parse_reply(text, model)
        except UnusableReplyError as error:
            raise UnusableReplyError(self.redact(_problem(error, reply))) from None
        said.raw[-1] = RawReply(text, used=True)
        return parsed

    def _send(self, request: JudgeRequest, schema_bytes: int) -> Steps[JudgeReply]:
        most = self._cost(_most_tokens(request, schema_bytes))
        ticket = Ticket(most)
        # Until it is known better: a call that failed or was given up may still be billed.
        spent = most
        try:
            yield from self.admission.enter(ticket)
            self.tally.add("calls")
            try:
                reply = yield from self.calls.send(request)
            except JudgeError as error:
                if not error.billed:
                    spent = 0
                raise
            usage = _usage(request, reply)
            spent = self._cost(usage)
            self.tally.settle(usage.input_tokens, usage.output_tokens, spent)
            for note in reply.notes:
                self.tally.note(self.redact(note))
            return reply
        finally:
            self.admission.leave(ticket, spent)

    def _cost(self, usage: TokenUsage) -> int:
        return 0 if self.prices is None else self.prices.picodollars(usage.input_tokens, usage.output_tokens)

    def _failed(self, reason: str, said: _Said, *, over_budget: bool = False) -> Verdict:
        self.tally.add("failures")
        return Verdict(None, tuple(said.raw), tuple(said.notes), self.redact(reason), over_budget)

    def _reason(self, error: Exception) -> str:
        text = str(error).strip()
        if isinstance(error, JudgeError) and text:
            return text
        return f"judge {self.judge} failed: {type(error).__name__}" + (f": {text}" if text else "")


def _most_tokens(request: JudgeRequest, schema_bytes: int) -> TokenUsage:
    """No tokenizer makes more than a token of a byte."""
    sent = len(request.system.encode()) + len(request.user.encode())
    return TokenUsage(sent + schema_bytes + _FRAME_TOKENS, request.max_tokens)


def _usage(request: JudgeRequest, reply: JudgeReply) -> TokenUsage:
    """The provider's count where it makes sense, else the estimate."""
    usage = reply.usage
    if usage is not None and _is_count(usage.input_tokens) and _is_count(usage.output_tokens):
        return usage
    sent = len(request.system) + len(request.user)
    return TokenUsage(estimated_tokens(sent), estimated_tokens(len(reply.text)))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _truncated(request: JudgeRequest, reply: JudgeReply) -> str:
    return (
        f"truncated: the reply was cut off (finish_reason {reply.finish_reason!r}, max_tokens {request.max_tokens}); "
        "raise judge.max_tokens"
    )


def _problem(error: UnusableReplyError, reply: JudgeReply) -> str:
    text = str(error)[:_SHOWN_PROBLEM]
    return text if reply.finish_reason in _UNREMARKABLE else f"{text} (finish_reason {reply.finish_reason!r})"
