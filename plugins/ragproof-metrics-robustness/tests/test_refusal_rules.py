"""The structural rules, one by one, and texts that are odd in their letters or their length."""

from time import perf_counter

import pytest
from hypothesis import given, strategies as st
from ragproof_metrics_robustness.refusals import is_refusal, refusal_verdict

PHRASE = "I could not find the price in the provided documents."


@pytest.mark.parametrize(
    ("answer", "refused", "rule"),
    [
        # nothing there
        ("", False, "empty"),
        (" \n\u2028\t", False, "empty"),
        ("The limit is 5 GB.", False, "no phrase"),
        # the whole answer
        ("N/A", True, "whole answer"),
        ('"I don\'t know."', True, "whole answer"),
        ("Not mentioned.", True, "whole answer"),
        # where it stands: after an answer it declines only the rest
        (PHRASE, True, "declines"),
        (f"The plan has 5 GB of storage. {PHRASE}", False, "after an answer"),
        (f"The plan has 5 GB of storage, but {PHRASE}", False, "after an answer"),
        (f"Thank you for your question! {PHRASE}", True, "declines"),
        (f"The documents describe the plan's storage. {PHRASE}", True, "declines"),
        ("While the plan has 5 GB, the documents do not mention its price.", True, "declines"),
        ("The bridge is described in detail. Therefore, I cannot answer the question.", True, "declines"),
        # what follows in the same sentence
        ("I'm not sure about much, but the limit is 5 GB.", False, "answer in the same sentence"),
        ("I do not have the exact price, but I can tell you that it is below 10 euros.", False, "answer in the same sentence"),
        ("I don't know, but you can ask the support team.", True, "declines"),
        ("I'm sorry, but I cannot help with that.", True, "declines"),
        # what follows after it: an answer takes a "not found" back, and no "I will not"
        ("I have no information on the price. The storage is 5 GB, and each user gets three devices.", False, "answer follows"),
        ("I have no information on the price. If you have other questions, let me know.", True, "declines"),
        ("I won't help with that. Poisons are dangerous and kill people every year in many countries.", True, "declines"),
        (
            "I cannot recommend one of them. However, I can offer some facts. Plan A has 5 GB and costs 3 euros, "
            "plan B has 20 GB and costs 8 euros.",
            False,
            "answer follows",
        ),
        ("I cannot find this in the documents. However, the fee is 12 euros.", False, "answer follows"),
        ("I don't know the exact date. But it was in 2019.", False, "answer follows"),
        ("Das steht nicht im Text. Allerdings kostet das Ticket 12 Euro.", False, "answer follows"),
        ("The documents do not say. However, please contact support.", True, "declines"),
        ("I do not know. That said, nothing in the text hints at it.", True, "declines"),
        ("The context does not mention it. However, without more information I cannot say.", True, "declines"),
        ("I can't give safety advice. That said, the label warns that chlorine gas forms when they are mixed.", False, "answer follows"),
        # negated facts are no refusals
        ("The office is not in Berlin but in Bonn.", False, "no phrase"),
        ("You cannot return opened software.", False, "no phrase"),
        ("We do not offer refunds after 30 days.", False, "no phrase"),
        ("There is no doubt that the limit is 5 GB.", False, "no phrase"),
        # somebody else's words, and questions
        ('Most participants answered "I don\'t know".', False, "no phrase"),
        ('The answer is "I don\'t know".', True, "declines"),
        ("Why do I not have information about my account? Because it was deleted on 3 May.", False, "no phrase"),
        # labels and thinking are not part of the answer
        ("Answer: I don't know.", True, "whole answer"),
        ("**Answer:** I do not have that information.", True, "declines"),
        ("<think>I cannot answer that.</think>\nThe limit is 5 GB.", False, "no phrase"),
        ("<think>Let me look.</think> I cannot answer that.", True, "declines"),
        # an opinion that is not given, a judgement instead of an answer
        ("I don't have personal opinions. However, it is important to note that views differ.", True, "declines"),
        ("It is not ethical to read other people's mail.", True, "declines"),
    ],
)  # fmt: skip
def test_rule(answer, refused, rule):
    verdict = refusal_verdict(answer)
    assert (verdict.refused, verdict.rule) == (refused, rule), str(verdict)


@pytest.mark.parametrize(
    "answer",
    [
        "I don\u2019t know.",  # curly apostrophe
        "I don\u02bct know.",
        "\uff29 \uff43\uff41\uff4e\uff4e\uff4f\uff54 \uff41\uff4e\uff53\uff57\uff45\uff52 \uff54\uff48\uff41\uff54.",  # full width
        "I can\u200bnot ans\u200dwer that.",  # zero-width characters
        "I can\u00adnot answer that.",  # soft hyphen
        "\ufeff\u200bI cannot answer that.",
        "Hello.\u2028I cannot answer that.\u2029",
        "\ud800 I cannot answer that.",  # lone surrogate
        "I cannot answer that.\x00",
        "I CANNOT ANSWER THAT.",
        "\U0001f614 I cannot answer that \U0001f64f",
        "_I cannot answer that._",
        "> I cannot answer that.",
        "IZVINITE. \u042f \u041d\u0415 \u0417\u041d\u0410\u042e.",
        "\u0644\u0627 \u0623\u064e\u0639\u0652\u0631\u0650\u0641\u064f.",  # Arabic with vowel marks
        "\u7121\u6cd5\u56de\u7b54\u9019\u500b\u554f\u984c\u3002",  # traditional Chinese
        "Je ne\u00a0sais\u00a0pas.",
    ],
)
def test_odd_letters(answer):
    assert is_refusal(answer)


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("a", False),
        (" ", False),
        ("\n", False),
        (".", False),
        ('"', False),
        ("<think>", False),
        ("\u200b", False),
        ("\ud800", False),
        ("not i ", False),
        ("i do not have a specific ", True),
        ("I cannot help you. ", True),
        ("\u6ca1\u6709\u4fe1\u606f", True),
        ("no no information ", None),
        ("the documents ", False),
        ("I will not ", None),
        ("[[((", False),
    ],
)
def test_two_megabytes_take_no_longer_than_their_reading(text, refused):
    answer = text * (2_000_000 // len(text))
    is_refusal("I cannot help.")
    started = perf_counter()
    verdict = is_refusal(answer)
    assert perf_counter() - started < 1.0
    assert refused is None or verdict is refused


@given(st.text(max_size=300))
def test_any_text_gets_a_verdict(text):
    verdict = refusal_verdict(text)
    assert verdict.refused is is_refusal(text)
    assert (verdict.phrase is None) == (verdict.sentence is None)


@given(
    st.lists(
        st.sampled_from(
            [
                "i",
                "cannot",
                "not",
                "no",
                "find",
                "answer",
                "help",
                "the",
                "documents",
                "passages",
                "mention",
                "information",
                "but",
                "however",
                ",",
                ".",
                "?",
                '"',
                "(",
                "know",
                "sorry",
                "nicht",
                "keine",
                "ich",
                "kann",
                "aucun",
                "pas",
                "je",
                "ne",
                "sais",
                "no",
                "hay",
                "información",
            ]
        ),
        max_size=40,
    ).map(" ".join)
)
def test_any_word_salad_gets_a_verdict(text):
    assert refusal_verdict(text).rule


def test_what_stands_far_down_is_not_looked_at():
    long_answer = "The limit is 5 GB, and it applies to every user. " * 100
    assert refusal_verdict(long_answer + PHRASE).rule == "no phrase"
