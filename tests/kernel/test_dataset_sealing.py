"""Frozen datasets: any edit is noticed, any harmless rewrite is not."""

from __future__ import annotations

import json

import pytest

from ragproof_core.dataset.loading import load_dataset
from ragproof_core.dataset.sealing import SEAL_KEY, freeze_file, seal_of, sealed_text
from ragproof_core.errors import DatasetError, ExecutionError

LINES = ['{"id": "a", "question": "q"}', '{"id": "b", "question": "q2"}']


@pytest.fixture
def frozen(tmp_path):
    source = tmp_path / "d.jsonl"
    source.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(["", *LINES, " "]).encode())
    freeze_file(source, tmp_path / "f.jsonl")
    return tmp_path / "f.jsonl"


def test_the_sealed_text_is_the_seal_and_the_lines(frozen):
    header, *rest = frozen.read_text(encoding="utf-8").splitlines()
    assert json.loads(header) == {SEAL_KEY: 1, "cases": 2, "sha256": seal_of(LINES)}
    assert rest == LINES
    assert not list(frozen.parent.glob("*.part"))


def test_a_frozen_dataset_is_the_same_dataset(frozen):
    plain = load_dataset(frozen.parent / "d.jsonl")
    sealed = load_dataset(frozen)
    assert sealed.cases == plain.cases
    assert sealed.info.sha256 == plain.info.sha256 == seal_of(LINES)
    assert len(load_dataset(frozen, limit=1).cases) == 1


EDITS = {
    "a word": lambda text: text.replace("q2", "q3"),
    "a line less": lambda text: text.rpartition("\n{")[0],
    "a line more": lambda text: text + '{"id": "c", "question": "q"}\n',
    "two lines swapped": lambda text: "\n".join([text.splitlines()[0], LINES[1], LINES[0]]),
    "a space in a line": lambda text: text.replace('"id": "a"', '"id":  "a"'),
    "the seal's count": lambda text: text.replace('"cases": 2', '"cases": 3'),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_one_refuses_to_load_and_to_freeze(frozen, edit):
    frozen.write_text(EDITS[edit](frozen.read_text(encoding="utf-8")), encoding="utf-8")
    for use in (lambda: load_dataset(frozen), lambda: freeze_file(frozen, frozen)):
        with pytest.raises(DatasetError, match=r"was changed after it was frozen .*; restore it, or freeze the new"):
            use()


def test_line_ends_and_blank_lines_are_no_edit(frozen):
    frozen.write_bytes(b"\xef\xbb\xbf" + frozen.read_bytes().replace(b"\n", b"\r\n\r\n"))
    assert len(load_dataset(frozen).cases) == 2


def test_freezing_again_replaces_the_seal(frozen):
    before = frozen.read_bytes()
    assert freeze_file(frozen, frozen) == seal_of(LINES)
    assert frozen.read_bytes() == before


def test_a_later_format_is_refused(frozen):
    frozen.write_text(
        frozen.read_text(encoding="utf-8").replace(f'"{SEAL_KEY}": 1', f'"{SEAL_KEY}": 2'), encoding="utf-8"
    )
    with pytest.raises(DatasetError, match=r"is frozen in format 2; upgrade ragproof-core to read it$"):
        load_dataset(frozen)


def test_a_case_that_mentions_the_key_is_no_seal(tmp_path):
    line = json.dumps({"id": SEAL_KEY, "question": SEAL_KEY})
    (tmp_path / "d").write_text(line, encoding="utf-8")
    assert load_dataset(tmp_path / "d").cases[0].id == SEAL_KEY
    freeze_file(tmp_path / "d", tmp_path / "f")
    assert (tmp_path / "f").read_text(encoding="utf-8") == sealed_text([line])


def test_a_target_that_cannot_be_written(frozen, tmp_path):
    with pytest.raises(ExecutionError, match=r"cannot be written: No such file or directory$"):
        freeze_file(frozen, tmp_path / "none" / "f")
