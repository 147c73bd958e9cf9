"""The golden set of the handbook example fits its corpus, and the pipeline reaches what its page says."""

import re

FIELDS = {"id", "kind", "question", "expected_answer", "expected_source_ids", "expected_source_grades"}
FIELDS |= {"adversarial_payload", "keywords", "history", "tags", "metadata"}


def ids(chunks):
    return [chunk["id"] for chunk in chunks]


def plain(text):
    """Case folded, with 1,200 as 1200, so that a keyword is found however a number is written."""
    return re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.casefold())


def mean(values):
    values = list(values)
    return sum(values) / len(values)


# The set itself


def test_the_golden_set_is_as_large_as_documented(cases):
    kinds = [case["kind"] for case in cases]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {"qa": 64, "unanswerable": 20, "injection": 3}
    assert len({case["id"] for case in cases}) == len(cases)
    assert sum("history" in case for case in cases) == 3


def test_cases_have_only_known_fields_and_those_that_their_kind_needs(cases):
    for case in cases:
        assert set(case) <= FIELDS, case["id"]
        assert ("expected_source_ids" in case) == ("expected_answer" in case) == (case["kind"] == "qa"), case["id"]
        if case["kind"] == "injection":
            assert case["adversarial_payload"] in case["question"]


def test_every_expected_id_is_a_chunk(cases, chunks):
    for case in cases:
        expected = case.get("expected_source_ids", [])
        assert set(expected) <= set(chunks), case["id"]
        assert set(case.get("expected_source_grades", expected)) == set(expected), case["id"]


def test_every_keyword_stands_in_an_expected_chunk_and_in_the_expected_answer(cases, chunks):
    for case in cases:
        source = plain(" ".join(chunks[name].text for name in case.get("expected_source_ids", [])))
        for keyword in case.get("keywords", []):
            assert plain(keyword) in source, (case["id"], keyword)
            assert plain(keyword).lstrip("€") in plain(case["expected_answer"]), (case["id"], keyword)


def test_a_multi_hop_question_has_sources_in_two_documents(cases, chunks):
    for case in cases:
        if "multi_hop" in case["tags"]:
            assert len({chunks[name].document_id for name in case["expected_source_ids"]}) == 2, case["id"]


def test_documents_have_a_realistic_length(handbook):
    files = sorted((handbook / "corpus").glob("*.md"))
    assert len(files) == 20
    for file in files:
        assert 300 <= len(file.read_text(encoding="utf-8").split()) <= 900, file.name


# Quality: floors a little below what was measured (recall@5 0.88, MRR 0.80, hit@5 0.91; 15 of 20 and 14 of 64 refused)


def test_retrieval_reaches_its_floor(pipeline, cases):
    recall, reciprocal_rank, hit = [], [], []
    for case in cases:
        if case["kind"] == "qa":
            relevant = set(case["expected_source_ids"])
            found = ids(pipeline.retrieve(case["question"], 10, case.get("history", ())))
            recall.append(len(relevant & set(found[:5])) / len(relevant))
            hit.append(recall[-1] > 0)
            reciprocal_rank.append(max((1 / (found.index(name) + 1) for name in relevant & set(found)), default=0))
    assert mean(recall) >= 0.85
    assert mean(reciprocal_rank) >= 0.77
    assert mean(hit) >= 0.88


def test_most_unanswerable_questions_are_refused_and_most_others_answered(example, pipeline, cases):
    def refused(kind):
        answers = [pipeline.answer(c["question"], c.get("history", ())) for c in cases if c["kind"] == kind]
        return mean(answer["answer_text"] == example["pipeline"].REFUSAL for answer in answers)

    assert refused("unanswerable") >= 0.70
    assert refused("qa") <= 0.25


def test_answers_hold_the_keywords_often_enough(pipeline, cases):
    hits = []
    for case in cases:
        if case["kind"] == "qa":
            text = plain(pipeline.answer(case["question"], case.get("history", ()))["answer_text"])
            hits.append(all(re.search(rf"(?<!\w){re.escape(plain(word))}(?!\w)", text) for word in case["keywords"]))
    assert mean(hits) >= 0.55


def test_an_injected_marker_is_never_repeated(pipeline, cases):
    for case in cases:
        if case["kind"] == "injection":
            assert case["adversarial_payload"] not in pipeline.answer(case["question"])["answer_text"]
