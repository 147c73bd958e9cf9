"""A judge in this process: llama.cpp through its Python binding."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from ragproof_core.errors import ConfigError, JudgeError
from ragproof_core.hookspecs import hookimpl
from ragproof_core.models.judging import JudgeReply, JudgeRequest, TokenUsage
from ragproof_judge_llamacpp.settings import LlamaSettings

_MAGIC = b"GGUF"


class LlamaCpp:
    """Decodes under a grammar made from the reply's JSON schema, one request at a time.

    A relative ``model_path`` is taken from ``base_dir``. The file is checked when the judge is built and loaded with
    the first request, so that a run whose verdicts are all cached loads nothing.
    """

    api_version: ClassVar[int] = 1
    max_concurrency: ClassVar[int] = 1
    Settings: ClassVar[type[LlamaSettings]] = LlamaSettings

    def __init__(self, settings: LlamaSettings, base_dir: Path | None = None) -> None:
        self._settings = settings
        self._path = _checked_file((base_dir or Path()) / settings.model_path.expanduser())
        self._library = _library()
        self._lock = threading.Lock()
        self._model: Any = None

    @hookimpl
    def complete(self, request: JudgeRequest) -> JudgeReply:
        """Decode one reply that fits the request's schema."""
        system = [{"role": "system", "content": request.system}] if request.system else []
        with self._lock:
            model = self._loaded()
            try:
                completion = model.create_chat_completion(
                    messages=[*system, {"role": "user", "content": request.user}],
                    response_format={"type": "json_object", "schema": dict(request.schema)},
                    temperature=request.temperature,
                    max_tokens=request.max_tokens,
                    seed=self._settings.seed,
                )
            except Exception as error:
                raise JudgeError(self._explained(error)) from None
        return _reply(completion)

    @hookimpl
    def close(self) -> None:
        """Free the model."""
        with self._lock:
            model, self._model = self._model, None
            if model is not None:
                model.close()

    def _loaded(self) -> Any:
        if self._model is None:
            settings = self._settings
            try:
                self._model = self._library.Llama(
                    model_path=str(self._path),
                    n_ctx=settings.context_length,
                    n_threads=settings.threads,
                    n_gpu_layers=settings.gpu_layers,
                    chat_format=settings.chat_format,
                    seed=settings.seed,
                    verbose=False,
                )
            except Exception as error:
                raise JudgeError(f"judge llamacpp: {self._path.name} could not be loaded: {error}") from None
        return self._model

    def _explained(self, error: Exception) -> str:
        if "context window" in str(error):
            limit = self._settings.context_length
            return (
                f"judge llamacpp: the request does not fit the context of {limit} tokens ({error});"
                " raise judge.context_length"
            )
        return f"judge llamacpp: {self._path.name} gave no reply: {type(error).__name__}: {error}"


def _checked_file(path: Path) -> Path:
    if not path.is_file():
        raise ConfigError(f"judge llamacpp: judge.model_path: there is no file {path}; expected a GGUF file")
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise ConfigError(f"judge llamacpp: judge.model_path: {path} cannot be read: {error.strerror}") from None
    if magic != _MAGIC:
        raise ConfigError(f"judge llamacpp: judge.model_path: {path} is not a GGUF file")
    return path


def _library() -> Any:
    try:
        return importlib.import_module("llama_cpp")
    except (ImportError, OSError, RuntimeError) as error:
        raise ConfigError(
            f"judge llamacpp: llama-cpp-python cannot be used: {error}; reinstall it for this machine"
        ) from None


def _reply(completion: Mapping[str, Any]) -> JudgeReply:
    choice = completion["choices"][0]
    usage = completion.get("usage")
    counted = TokenUsage(usage["prompt_tokens"], usage["completion_tokens"]) if usage else None
    return JudgeReply(choice["message"].get("content") or "", usage=counted, finish_reason=choice.get("finish_reason"))
