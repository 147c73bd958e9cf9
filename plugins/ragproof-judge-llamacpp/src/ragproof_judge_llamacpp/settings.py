"""What a user can set about the judge."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field


class LlamaSettings(BaseModel):
    """Settings of the ``llamacpp`` judge."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model_path: Path = Field(description="GGUF file of a chat model, relative to the config file")
    model: str | None = Field(None, description="Name to record for the model; the file's name when not given")
    context_length: int = Field(4096, ge=256, description="Tokens of prompt and reply together")
    threads: int | None = Field(None, ge=1, description="CPU threads; the library's choice when not given")
    gpu_layers: int = Field(0, ge=-1, description="Layers to put on a GPU; -1 for all")
    chat_format: str | None = Field(None, description="Chat template by name; the file's own when not given")
    seed: int = Field(0, ge=0, description="Seed of the sampler, for a temperature above 0")
