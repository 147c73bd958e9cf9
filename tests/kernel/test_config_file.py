"""Reading ``ragproof.yaml``: what is accepted, and what the complaint is otherwise."""

from __future__ import annotations

import pytest

from ragproof_core.config.loading import load_config, max_concurrency, parse_config
from ragproof_core.errors import ConfigError


def load(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "ragproof.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
    return load_config(path)


def complaint(tmp_path, text):
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, text)
    return str(caught.value).replace(str(tmp_path / "ragproof.yaml"), "FILE")


def test_an_empty_file_has_the_defaults(tmp_path):
    config = load(tmp_path, "# nothing yet\n")
    assert config.project == tmp_path.name
    assert (config.dataset, config.adapter, config.judge, config.store, config.metrics) == (None,) * 5
    run = config.run
    assert (run.k, run.retrieve_k, run.source_match, run.concurrency, run.case_timeout_seconds) == (
        5, None, "chunk", 8, 60.0,
    )  # fmt: skip
    assert (config.folder, config.file) == (tmp_path, tmp_path / "ragproof.yaml")


def test_a_whole_file(tmp_path):
    config = load(
        tmp_path,
        """
project: handbook
dataset: cases.jsonl
adapter: {type: python, target: "my_pkg.pipeline:build"}
judge: {model: gpt-4o-mini}
store: some/path.db
metrics: ["retrieval.*", {use: retrieval.recall_at_k, k: 20, as: retrieval.recall_at_20}]
plugins: {block: [a, b]}
describe: {embed: bge-small, chunk: 800/120}
run: {k: 3, retrieve_k: 9, source_match: document, concurrency: 2, case_timeout_seconds: 1.5}
gate: {baseline: main, thresholds: {retrieval.mrr: {min: 0.7}}}
""",
    )
    assert (config.adapter.type, config.adapter.settings) == ("python", {"target": "my_pkg.pipeline:build"})
    assert (config.judge.type, config.judge.settings) == ("", {"model": "gpt-4o-mini"})
    assert (config.store.type, config.store.settings) == ("sqlite", {"path": "some/path.db"})
    assert [(choice.use, choice.alias, choice.settings) for choice in config.metrics] == [
        ("retrieval.*", None, {}),
        ("retrieval.recall_at_k", "retrieval.recall_at_20", {"k": 20}),
    ]
    assert config.plugins.block == ("a", "b")
    assert config.describe == {"embed": "bge-small", "chunk": "800/120"}
    settings = config.run.settings()
    assert (settings.k, settings.retrieve_k, settings.source_match) == (3, 9, "document")
    assert config.gate == {"baseline": "main", "thresholds": {"retrieval.mrr": {"min": 0.7}}}


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("metrics: ok.half", [("ok.half", {})]),
        ("metrics: {ok.half: , ok.deep: {k: 3}}", [("ok.half", {}), ("ok.deep", {"k": 3})]),
        ("metrics: [ok.half]", [("ok.half", {})]),
    ],
)
def test_forms_of_metrics(tmp_path, text, choices):
    assert [(choice.use, choice.settings) for choice in load(tmp_path, text).metrics] == choices


@pytest.mark.parametrize(
    "text",
    [
        b"\xef\xbb\xbfproject: caf\xc3\xa9\n",
        b"project: caf\xc3\xa9\r\ndataset: x\r\n",
    ],
)
def test_bom_and_crlf(tmp_path, text):
    assert load(tmp_path, text).project == "café"


COMPLAINTS = [
    ("adaptr: {type: x}", "FILE: adaptr: unknown key; did you mean 'adapter'?"),
    (
        "zzzzzz: 1",
        (
            "FILE: zzzzzz: unknown key; known keys: project, dataset, adapter, judge, store, metrics, plugins, describe, "
            "run, gate"
        ),
    ),
    ("run: {concurency: 3}", "FILE: run.concurency: unknown key; did you mean 'concurrency'?"),
    ("plugins: {blok: [x]}", "FILE: plugins.blok: unknown key; did you mean 'block'?"),
    ("run: {k: 0}", "FILE: run.k: input should be greater than or equal to 1"),
    ("run: {k: 5, retrieve_k: 3}", "FILE: run: retrieve_k (3) must be at least k (5)"),
    ("run: {source_match: page}", "FILE: run.source_match: input should be 'chunk' or 'document'"),
    ("run: {case_timeout_seconds: .inf}", "FILE: run.case_timeout_seconds: input should be a finite number"),
    ("run: {case_timeout_seconds: 0}", "FILE: run.case_timeout_seconds: input should be greater than 0"),
    ("adapter: {target: x}", "FILE: adapter.type: is required"),
    ("describe: {x: .nan}", "FILE: describe: expected plain finite values, as JSON has them"),
    ("- a\n- b", "FILE: expected keys such as 'dataset:' and 'adapter:', found list"),
    ("just text", "FILE: expected keys such as 'dataset:' and 'adapter:', found str"),
    ("run: {k: 1}\nrun: {k: 2}", "FILE: line 2: the key 'run' stands here a second time"),
    ("run: {k: 1, k: 2}", "FILE: line 1: the key 'k' stands here a second time"),
]


@pytest.mark.parametrize(("text", "message"), COMPLAINTS)
def test_complaints(tmp_path, text, message):
    assert complaint(tmp_path, text) == message


@pytest.mark.parametrize("text", ["a: [1, 2", "a:\n\t- b", "a: !!python/object:os.system {}", "\x07"])
def test_what_is_no_yaml(tmp_path, text):
    assert complaint(tmp_path, text).startswith("FILE: is not valid YAML: ")


def test_every_unknown_key_is_listed(tmp_path):
    assert complaint(tmp_path, "adaptr: 1\ndatset: 2").splitlines() == [
        "FILE: adaptr: unknown key; did you mean 'adapter'?",
        "FILE: datset: unknown key; did you mean 'dataset'?",
    ]


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(
        ConfigError, match=r"none\.yaml: no such file; 'ragproof init' writes one, or name yours with -c"
    ):
        load_config(tmp_path / "none.yaml")
    with pytest.raises(ConfigError, match=r"cannot be read"):
        load_config(tmp_path)
    assert complaint(tmp_path, b"project: caf\xe9").startswith("FILE: cannot be read: 'utf-8' codec")


def test_a_mapping_is_read_like_a_file(tmp_path):
    config = parse_config({"run": {"k": 2}}, "config", folder=tmp_path)
    assert (config.run.k, config.project, config.file) == (2, tmp_path.name, None)
    with pytest.raises(ConfigError, match=r"^config: 7: unknown key; known keys: "):
        parse_config({7: 1}, "config", folder=tmp_path)


@pytest.mark.parametrize(("text", "value"), [("", None), (" 3 ", 3), ("1", 1)])
def test_max_concurrency(monkeypatch, text, value):
    monkeypatch.setenv("RAGPROOF_MAX_CONCURRENCY", text)
    assert max_concurrency() == value


@pytest.mark.parametrize("text", ["0", "-1", "x", "1.5", "²", "٣"])
def test_max_concurrency_that_is_no_number(monkeypatch, text):
    monkeypatch.setenv("RAGPROOF_MAX_CONCURRENCY", text)
    with pytest.raises(ConfigError, match=r"^RAGPROOF_MAX_CONCURRENCY is .*; expected a whole number from 1 to 1024$"):
        max_concurrency()


def test_the_environment_caps_concurrency(tmp_path):
    run = load(tmp_path, "run: {concurrency: 8}").run
    assert run.settings(3).concurrency == 3
    assert run.settings(30).concurrency == 8
    assert run.settings(None).concurrency == 8
