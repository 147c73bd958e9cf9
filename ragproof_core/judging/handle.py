"""The judge as one metric sees it for one case."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragproof_core.errors import BudgetExceededError, JudgeError
from ragproof_core.judging.steps import Offload, Steps, drive
from ragproof_core.judging.verdict import Verdict
from ragproof_core.models.judging import Prompt

if TYPE_CHECKING:
    from ragproof_core.models.judging import Judge

Asking = Callable[[Prompt, Mapping[str, Any]], Steps[Verdict]]


@dataclass(slots=True)
class _Asked:
    prompt: str
    verdict: Verdict | None = None


class JudgeHandle:
    """Implements ``Judge`` and records what was said, in the order in which it was asked.

    ``case_id`` and ``metric`` say for whom.
    """

    def __init__(self, case_id: str, metric: str, asking: Asking, offload: Offload) -> None:
        self.case_id = case_id
        self.metric = metric
        self._asking = asking
        self._offload = offload
        self._asked: list[_Asked] = []

    def ask(self, prompt: Prompt, variables: Mapping[str, Any]) -> Any:
        """Ask and wait; returns an instance of the prompt's reply model.

        Raises ``JudgeError`` when there is no usable reply, ``BudgetExceededError`` when the budget has no room for
        the call, ``PluginError`` when the prompt and its variables do not fit together.
        """
        asked = self._begin(prompt)
        asked.verdict = drive(self._asking(prompt, variables))
        return _reply(asked.verdict)

    async def ask_async(self, prompt: Prompt, variables: Mapping[str, Any]) -> Any:
        """Ask from an event loop, which is never blocked; like :meth:`ask` otherwise."""
        from ragproof_core.judging.steps_async import drive_async  # asyncio, which the asker has already

        asked = self._begin(prompt)
        asked.verdict = await drive_async(self._asking(prompt, variables), self._offload)
        return _reply(asked.verdict)

    @property
    def raw(self) -> str:
        """All raw replies, word for word with secrets redacted.

        A single reply stands alone; several are each headed by a line that names the prompt and the reply's number.
        Empty when nothing came back.
        """
        replies = [
            (asked.prompt, number, len(asked.verdict.raw), reply)
            for asked in self._asked
            if asked.verdict is not None
            for number, reply in enumerate(asked.verdict.raw, 1)
        ]
        if len(replies) == 1:
            return replies[0][3].text
        return "\n".join(
            f"--- {prompt}, reply {number} of {count}{'' if reply.used else ' (not usable)'} ---\n{reply.text}"
            for prompt, number, count, reply in replies
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Distinct notes on these asks: what the judge had to leave out, and why a prompt was asked again."""
        told = (note for asked in self._asked if asked.verdict is not None for note in asked.verdict.notes)
        return tuple(dict.fromkeys(told))

    def _begin(self, prompt: Prompt) -> _Asked:
        asked = _Asked(prompt.name)
        self._asked.append(asked)
        return asked


def _reply(verdict: Verdict) -> Any:
    if verdict.over_budget:
        raise BudgetExceededError(verdict.error)
    if verdict.reply is None:
        raise JudgeError(verdict.error or "the judge gave no usable reply")
    return verdict.reply


if TYPE_CHECKING:

    def _implements(handle: JudgeHandle) -> Judge:
        return handle
