"""Judge over the Anthropic Messages API."""

from ragproof_judge_anthropic.judge import Anthropic

__all__ = ["Anthropic"]
