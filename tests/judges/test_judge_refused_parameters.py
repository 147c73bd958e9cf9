"""A parameter that a model refuses costs no verdict, in any HTTP judge package."""

import threading
from concurrent.futures import ThreadPoolExecutor

VERDICT = '{"verdict": "relevant"}'


def refuse(dialect, request, *names, message="{} is not supported with this model"):
    """The refusal of the first of the names that the request has, else ``None``."""
    named = next((name for name in names if name in request.json), None)
    return dialect.refusal(400, message.format(named)) if named else None


def test_a_refused_temperature_is_left_out_and_noted(server, dialect, make, request_for):
    server.answer = lambda request: refuse(dialect, request, "temperature") or dialect.reply(VERDICT)
    judge = make()
    for _ in range(3):
        assert judge.complete(request_for()).notes == ("temperature left out: the model refuses it",)
    assert ["temperature" in request.json for request in server.requests] == [True, False, False, False]


def test_what_a_model_refuses_is_remembered_by_the_next_judge(server, dialect, make, request_for):
    server.answer = lambda request: refuse(dialect, request, "temperature") or dialect.reply(VERDICT)
    make().complete(request_for())
    make().complete(request_for())
    assert len(server.requests) == 3


def test_another_model_is_asked_with_everything(server, dialect, make, request_for):
    server.answer = lambda request: (
        (request.json["model"] == "m-1" and refuse(dialect, request, "temperature")) or dialect.reply(VERDICT)
    )
    assert make().complete(request_for()).notes
    assert make(model="m-2").complete(request_for()).notes == ()


def test_a_refused_schema_goes_into_the_prompt(server, dialect, make, request_for):
    server.answer = lambda request: refuse(dialect, request, dialect.schema_field) or dialect.reply(VERDICT)
    reply = make().complete(request_for())
    assert "no JSON schema sent: the model refuses it" in reply.notes
    last = server.requests[-1].json
    assert dialect.schema_field not in last
    assert dialect.system_text(last).startswith("You judge.\n\nReply with one JSON object")
    assert '"enum":["relevant","partial","irrelevant"]' in dialect.system_text(last)


def test_everything_refused_one_after_another_is_still_a_verdict(server, dialect, make, request_for):
    server.answer = lambda request: (
        refuse(dialect, request, dialect.schema_field, "temperature", message="{}: Extra inputs are not permitted")
        or dialect.reply(VERDICT)
    )
    assert make().complete(request_for()).text == VERDICT


def test_64_first_calls_at_once_all_survive_a_refusal(server, dialect, make, request_for):
    together = threading.Barrier(64)

    def answer(request):
        if "temperature" in request.json:
            together.wait(10)
            return dialect.refusal(400, "temperature is not supported")
        return dialect.reply(VERDICT)

    server.answer = answer
    judge = make()
    with ThreadPoolExecutor(64) as threads:
        replies = list(threads.map(lambda n: judge.complete(request_for(f"case {n}")), range(64)))
    assert {reply.text for reply in replies} == {VERDICT}
    assert len(server.requests) == 128  # each once in vain, and once more
