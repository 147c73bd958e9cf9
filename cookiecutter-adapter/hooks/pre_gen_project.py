"""Refuse answers that would not give a valid package, and say why."""

import json
import keyword
import re
import sys

ANSWERS = json.loads({{ cookiecutter|tojson|tojson }})

DISTRIBUTION = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
ADAPTER_TYPE = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?")
TAKEN = {"haystack", "http", "langchain", "llamaindex", "python", "replay"}


def problems(answers):
    """Yield a sentence for every answer that cannot be used."""
    for field in ("name", "description", "author_name"):
        value = answers[field]
        if not value.strip():
            yield f"{field}: must not be empty"
        elif not value.isprintable() or any(character in '"\\' for character in value):
            yield f"{field}: must be one line without double quotes and backslashes, got {value!r}"
    adapter_type = answers["adapter_type"]
    if not ADAPTER_TYPE.fullmatch(adapter_type):
        yield (
            f"adapter_type: expected small letters, digits, dots, dashes and underscores, beginning and ending with a "
            f"letter or digit, such as my-search, got {adapter_type!r}"
        )
    elif adapter_type in TAKEN:
        yield f"adapter_type: {adapter_type!r} is an adapter of RAGProof itself; choose another, such as my-{adapter_type}"
    project = answers["project_slug"]
    package = answers["__package"]
    if not DISTRIBUTION.fullmatch(project):
        yield (
            f"project_slug: expected ASCII letters, digits, dots, dashes and underscores, beginning and ending with a "
            f"letter or digit, such as ragproof-adapter-my-search, got {project!r}"
        )
    elif not package.isidentifier() or keyword.iskeyword(package):
        yield f"project_slug: {project!r} would be imported as {package!r}, which is not a Python name"
    elif package in sys.stdlib_module_names or package in {"pytest", "pydantic", "ragproof_core", "tests"}:
        yield f"project_slug: {project!r} would be imported as {package!r}, which is another package's name"


found = list(problems(ANSWERS))
for line in found:
    print(line.encode("utf-8", "replace").decode("utf-8"), file=sys.stderr)
sys.exit(1 if found else 0)
