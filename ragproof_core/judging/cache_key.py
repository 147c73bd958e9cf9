"""The key under which a verdict is kept: everything that it depends on, hashed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ragproof_core.judging.fencing import DATA_RULE
from ragproof_core.judging.rendering import Rendered
from ragproof_core.models.judging import Prompt


def canonical_json(value: Any) -> str:
    """Return the value as JSON that is equal for equal values: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)


def sha256_of(value: Any) -> str:
    """Return the hex digest of the value's canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class PromptKey:
    """The part of a key that is the same for every ask of a prompt."""

    fixed: str

    @classmethod
    def of(cls, prompt: Prompt, identity: Mapping[str, Any], parameters: Mapping[str, Any]) -> PromptKey:
        """Hash the judge's identity, the request's parameters, the reply schema, the template and the rule on data."""
        parts = {
            "judge": identity,
            "parameters": parameters,
            "schema": prompt.schema,
            "template_sha256": prompt.sha256,
            "data_rule": DATA_RULE,
        }
        return cls(sha256_of(parts))

    def key(self, rendered: Rendered, repeat: int) -> str:
        """Return the key of one rendered input asked for the ``repeat``-th time."""
        # the canonical JSON of the three, written out: it is made for every question
        text = f'{{"fixed":"{self.fixed}","input_sha256":"{rendered.sha256}","repeat":{repeat}}}'
        return hashlib.sha256(text.encode()).hexdigest()
