"""Reading ``ragproof.yaml``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from ragproof_core.config.schema import Config
from ragproof_core.errors import ConfigError
from ragproof_core.plugins.settings import describe_problem, keys_beside

DEFAULT_FILE = "ragproof.yaml"
MOST_AT_ONCE = 1024


class _UniqueKeys(yaml.SafeLoader):
    """A safe YAML loader that refuses a repeated key, where plain YAML lets the last one win."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002
        seen: set[Any] = set()
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                continue
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, (str, int, float, bool)) and key in seen:
                line = key_node.start_mark.line + 1
                raise ConfigError(f"line {line}: the key {key!r} stands here a second time")
            seen.add(key if isinstance(key, (str, int, float, bool)) else id(key_node))
        return dict(super().construct_mapping(node, deep=deep))


def load_config(path: Path) -> Config:
    """Read and validate a config file. Raises :class:`ConfigError` listing every problem as ``file: key: reason``."""
    raw = _read_yaml(path)
    if not isinstance(raw, Mapping):
        raise ConfigError(f"{path}: expected keys such as 'dataset:' and 'adapter:', found {type(raw).__name__}")
    return parse_config(raw, str(path), folder=path.resolve().parent, file=path)


def parse_config(raw: Mapping[str, Any], source: str, *, folder: Path, file: Path | None = None) -> Config:
    """Validate a config given as plain data; ``source`` names it in messages."""
    known = [name for name in Config.model_fields if name not in ("folder", "file")]
    unknown = [key for key in raw if key not in known]
    if unknown:
        raise ConfigError("\n".join(f"{source}: {_unknown(str(key), known)}" for key in unknown))
    try:
        config = Config.model_validate({**raw, "folder": folder, "file": file})
    except ValidationError as problem:
        errors = [(error, keys_beside(Config, error["loc"])) for error in problem.errors()]
        lines = [f"{source}: {describe_problem(error, '', known)}" for error, known in errors]
        raise ConfigError("\n".join(lines)) from None
    return config if config.project else config.model_copy(update={"project": folder.name})


def max_concurrency() -> int | None:
    """Return ``RAGPROOF_MAX_CONCURRENCY``, an upper bound on what runs at once, or ``None``."""
    text = os.environ.get("RAGPROOF_MAX_CONCURRENCY", "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 5 and 1 <= int(text) <= MOST_AT_ONCE):  # noqa: PLR2004
        raise ConfigError(f"RAGPROOF_MAX_CONCURRENCY is {text!r}; expected a whole number from 1 to {MOST_AT_ONCE}")
    return int(text)


def _read_yaml(path: Path) -> Any:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file; 'ragproof init' writes one, or name yours with -c FILE") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise ConfigError(f"{path}: cannot be read: {problem}") from None
    try:
        return yaml.load(text, Loader=_UniqueKeys) or {}  # noqa: S506 - a SafeLoader with one check more
    except ConfigError as problem:
        raise ConfigError(f"{path}: {problem}") from None
    except yaml.YAMLError as problem:
        raise ConfigError(f"{path}: is not valid YAML: {' '.join(str(problem).split())}") from None


def _unknown(key: str, known: list[str]) -> str:
    near = get_close_matches(key, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(known)}"
    return f"{key}: unknown key; {hint}"
