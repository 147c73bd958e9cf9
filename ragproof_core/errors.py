"""Every exception of the kernel, in one tree.

A message names the thing at fault, what was expected, and what to do next. The command line prints it as it is and
exits with the class's ``exit_code``.
"""

from __future__ import annotations


class RAGProofError(Exception):
    """Base of all errors that users of RAGProof are meant to see."""

    exit_code = 2


class ConfigError(RAGProofError):
    """The config file, an option or an environment variable is wrong; nothing was run."""

    exit_code = 3


class DatasetError(ConfigError):
    """The dataset cannot be used; the message lists every bad line found."""


class PluginError(ConfigError):
    """A plugin is unknown, ambiguous, broken or refused."""


class PluginNotFoundError(PluginError):
    """No installed component has the name that was asked for."""


class PluginBrokenError(PluginError):
    """Importing or building the component failed."""


class PluginRefusedError(PluginError):
    """The component breaks its role's contract, or is built for another kernel API."""


class ExecutionError(RAGProofError):
    """Something failed while cases were running."""


class AdapterError(ExecutionError):
    """The pipeline under test failed, or answered in a shape that is not the contract's."""


class JudgeError(ExecutionError):
    """The judge gave no usable verdict; the metric that asked becomes ``judge_error`` for its case.

    With ``billed=False`` the provider is known to have done no work, so that the call costs nothing of the budget.
    """

    def __init__(self, message: str, *, billed: bool = True) -> None:
        super().__init__(message)
        self.billed = billed


class BudgetExceededError(ExecutionError):
    """The next judge call could cost more than what is left of ``RAGPROOF_MAX_COST_USD``."""


class StoreError(ExecutionError):
    """Results could not be written or read; what was stored before is intact."""


class RunNotFoundError(ConfigError):
    """No stored run matches the id, prefix or label that was asked for."""


def reason_of(problem: BaseException) -> str:
    """Say in one phrase what was raised; an exception whose text cannot be had is named by its type."""
    name = type(problem).__name__
    try:
        text = str(problem)
    except Exception:
        return name
    if isinstance(problem, RAGProofError):
        return text
    return f"{name}: {text}" if text else name
