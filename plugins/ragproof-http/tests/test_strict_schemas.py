"""Reply schemas in the subset that strict modes take."""

from typing import Literal

from pydantic import BaseModel, Field
from ragproof_http import schema_instruction, strict_schema


class Claim(BaseModel):
    default: str
    score: float = Field(0.5, ge=0, le=1)


class Reply(BaseModel):
    claims: list[Claim]
    verdict: Literal["yes", "no"] | None = None


class Free(BaseModel):
    anything: dict[str, str]


def test_objects_are_closed_and_everything_is_required():
    assert strict_schema(Reply.model_json_schema()) == {
        "type": "object",
        "required": ["claims", "verdict"],
        "additionalProperties": False,
        "properties": {
            "claims": {"type": "array", "items": {"$ref": "#/$defs/Claim"}},
            "verdict": {"anyOf": [{"type": "string", "enum": ["yes", "no"]}, {"type": "null"}]},
        },
        "$defs": {
            "Claim": {
                "type": "object",
                "required": ["default", "score"],
                "additionalProperties": False,
                "properties": {"default": {"type": "string"}, "score": {"type": "number"}},
            }
        },
    }


def test_the_given_schema_is_left_alone():
    schema = Reply.model_json_schema()
    strict_schema(schema)
    assert schema == Reply.model_json_schema()


def test_a_free_form_object_cannot_be_said():
    assert strict_schema(Free.model_json_schema()) is None


def test_the_instruction_holds_the_schema():
    assert schema_instruction({"type": "object"}).endswith('fit this JSON schema: {"type":"object"}')
