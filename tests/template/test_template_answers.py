"""Every set of answers gives a valid project, or a refusal that says why."""

import tomllib
from pathlib import Path

import pytest

pytest.importorskip("cookiecutter", reason="the template is baked with cookiecutter, which is not installed")

from cookiecutter.exceptions import FailedHookException
from cookiecutter.main import cookiecutter

TEMPLATE = Path(__file__).parents[2] / "cookiecutter-adapter"


@pytest.fixture
def bake(tmp_path):
    """Bake the template with some answers; nothing is read from or written to the user's home."""
    config = tmp_path / "cookiecutter.yaml"
    config.write_text(f"cookiecutters_dir: '{tmp_path / 'kept'}'\nreplay_dir: '{tmp_path / 'replay'}'\n")
    out = tmp_path / "out"
    out.mkdir()

    def run(**answers):
        return Path(
            cookiecutter(str(TEMPLATE), no_input=True, extra_context=answers, output_dir=out, config_file=config)
        )

    run.out = out
    return run


GOOD = [
    ({}, "my-search", "ragproof-adapter-my-search", "ragproof_adapter_my_search"),
    ({"name": "ACME Search"}, "acme-search", "ragproof-adapter-acme-search", "ragproof_adapter_acme_search"),
    ({"name": "Größe & Suche v2"}, "grosse-suche-v2", None, "ragproof_adapter_grosse_suche_v2"),
    ({"name": "3D"}, "3d", None, "ragproof_adapter_3d"),
    ({"name": "class"}, "class", None, "ragproof_adapter_class"),
    ({"name": "日本"}, "ri-ben", None, "ragproof_adapter_ri_ben"),
    ({"name": "It's \U0001f600 odd <b>#1</b>"}, "it-s-odd-b-1-b", None, "ragproof_adapter_it_s_odd_b_1_b"),
    ({"adapter_type": "a.b_c-d"}, "a.b_c-d", "ragproof-adapter-a-b-c-d", "ragproof_adapter_a_b_c_d"),
    ({"project_slug": "Acme.Rag-Adapter"}, "my-search", "Acme.Rag-Adapter", "acme_rag_adapter"),
    ({"author_name": "Zoë O'Neil", "description": "Finds things. 100 % of them."}, "my-search", None, None),
]


@pytest.mark.parametrize(("answers", "adapter_type", "project", "package"), GOOD)
def test_good_answers(bake, answers, adapter_type, project, package):
    folder = bake(**answers)
    project = project or f"ragproof-adapter-{adapter_type}"
    package = package or "ragproof_adapter_my_search"
    assert folder.name == project
    metadata = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    assert metadata["project"]["name"] == project
    assert metadata["project"]["entry-points"]["ragproof.adapters"] == {adapter_type: f"{package}:Adapter"}
    assert metadata["project"]["authors"] == [{"name": answers.get("author_name", "Your Name")}]
    assert (folder / "src" / package / "adapter.py").is_file()
    for source in folder.rglob("*.py"):
        compile(source.read_text(encoding="utf-8"), source, "exec")
    for text in folder.rglob("*"):
        if text.is_file() and text.parent.name != "workflows":
            assert "cookiecutter" not in text.read_text(encoding="utf-8")


def test_the_workflow_keeps_its_own_placeholders(bake):
    assert "${{ matrix.python }}" in (bake() / ".github/workflows/ci.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("choice", "expression", "first", "some"),
    [
        ("MIT", "MIT", "MIT License", "Permission is hereby granted"),
        ("Apache-2.0", "Apache-2.0", "Apache License", "END OF TERMS AND CONDITIONS"),
        ("BSD-3-Clause", "BSD-3-Clause", "BSD 3-Clause License", "Neither the name"),
        ("Proprietary", "LicenseRef-Proprietary", "Copyright (c)", "All rights reserved."),
    ],
)
def test_licences(bake, choice, expression, first, some):
    folder = bake(license=choice, author_name="Zoë")
    text = (folder / "LICENSE").read_text(encoding="utf-8")
    assert text.strip().startswith(first)
    assert some in text
    assert "Zoë" in text
    metadata = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert metadata["license"] == expression
    assert ("classifiers" in metadata) == (choice == "Proprietary")


REFUSED = [
    ({"name": ""}, "name: must not be empty"),
    ({"name": "\U0001f600"}, "adapter_type: expected small letters"),
    ({"name": 'the "best"'}, "name: must be one line without double quotes and backslashes"),
    ({"description": "two\nlines"}, "description: must be one line"),
    ({"author_name": "back\\slash"}, "author_name: must be one line"),
    ({"adapter_type": "My Search"}, "adapter_type: expected small letters"),
    ({"adapter_type": "-x-"}, "adapter_type: expected small letters"),
    ({"name": "HTTP"}, "adapter_type: 'http' is an adapter of RAGProof itself; choose another, such as my-http"),
    ({"project_slug": "my adapter"}, "project_slug: expected ASCII letters"),
    ({"project_slug": "größe"}, "project_slug: expected ASCII letters"),
    ({"project_slug": "x-"}, "project_slug: expected ASCII letters"),
    ({"project_slug": "3d-search"}, "would be imported as '3d_search', which is not a Python name"),
    ({"project_slug": "class"}, "would be imported as 'class', which is not a Python name"),
    ({"project_slug": "json"}, "would be imported as 'json', which is another package's name"),
]


@pytest.mark.parametrize(("answers", "reason"), REFUSED)
def test_refused_answers(bake, capfd, answers, reason):
    with pytest.raises(FailedHookException):
        bake(**answers)
    assert reason in capfd.readouterr().err
    assert list(bake.out.iterdir()) == []
