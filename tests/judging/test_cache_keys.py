"""The key of one question: the canonical JSON of what it depends on, hashed."""

import pytest

from ragproof_core.judging.cache_key import PromptKey, sha256_of
from ragproof_core.judging.rendering import Rendered


@pytest.mark.parametrize("repeat", [0, 1, 12])
def test_a_key_is_the_digest_of_canonical_json(repeat):
    rendered = Rendered("system", "user", "ab" * 32)
    fixed = "cd" * 32
    expected = sha256_of({"fixed": fixed, "input_sha256": rendered.sha256, "repeat": repeat})
    assert PromptKey(fixed).key(rendered, repeat) == expected
    assert expected != PromptKey(fixed).key(rendered, repeat + 1)
