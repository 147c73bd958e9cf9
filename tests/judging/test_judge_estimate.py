from ragproof_core.judging.estimate import PromptEstimate, estimate
from ragproof_core.judging.prices import Prices
from ragproof_core.judging.rendering import read_template, render
from ragproof_core.models.response import Chunk

TEMPLATE = "Rate.\n---\n{{question}} {{context}} {{answer}}"


def test_calls_and_cost_by_prompt(make_prompt):
    one, two = make_prompt(TEMPLATE), make_prompt("Rate.\n---\n{{answer}}", name="refusal")
    known = {"context": [Chunk("c", "text")], "answer": "sample", "expected_answer": "not in the template"}
    cases = [known | {"question": f"Why {number}?"} for number in range(3)]
    found = estimate(
        [(prompt, case) for case in cases for prompt in (one, two)], max_tokens=100, prices=Prices(1.0, 2.0)
    )

    variables = {name: value for name, value in cases[0].items() if name != "expected_answer"}
    sent = render(read_template(one), variables)
    each = -(-(len(sent.system) + len(sent.user)) // 4)
    # 'refusal' has the same sample answer three times: equal asks are one call.
    again = render(read_template(two), {"answer": "sample"})
    once = -(-(len(again.system) + len(again.user)) // 4)
    assert found.prompts == (
        PromptEstimate("refusal", 1, once, 100, (once + 200) / 1e6),
        PromptEstimate("relevance", 3, 3 * each, 300, (3 * each + 600) / 1e6),
    )
    assert (found.calls, found.input_tokens, found.output_tokens) == (4, 3 * each + once, 400)
    assert found.cost_usd == (3 * each + once + 800) / 1e6


def test_what_is_not_known_yet_is_assumed(make_prompt):
    prompt = make_prompt()
    empty = render(read_template(prompt), {"answer": ""})
    found = estimate([(prompt, {}), (prompt, {})], max_tokens=10, unknown_characters=400)
    assert found.calls == 2
    assert found.input_tokens == 2 * -(-(len(empty.system) + len(empty.user) + 400) // 4)
    assert found.cost_usd is None


def test_nothing_to_ask():
    found = estimate([], max_tokens=10, prices=Prices(1, 1))
    assert (found.prompts, found.calls, found.cost_usd) == ((), 0, 0.0)
