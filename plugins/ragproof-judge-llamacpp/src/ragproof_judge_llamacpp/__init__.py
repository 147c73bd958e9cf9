"""Judge that runs a GGUF model in process."""

from ragproof_judge_llamacpp.judge import LlamaCpp

__all__ = ["LlamaCpp"]
