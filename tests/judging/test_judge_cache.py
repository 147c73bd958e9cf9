import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from ragproof_core.errors import JudgeError
from ragproof_core.judging.bench import JudgeBench
from ragproof_core.judging.sharing import Sharing
from ragproof_core.judging.steps import drive
from ragproof_core.judging.verdict import Verdict
from ragproof_core.models.judging import JudgeReply, Reply
from ragproof_core.models.run import CacheEntry

RELEVANT = '{"verdict": "relevant"}'
IDENTITY = {"type": "openai", "base_url": "http://a/v1", "model": "m", "temperature": 0}


class Looser(Reply):
    verdict: str


def run(judge, prompt, cache, **options):
    """One run that asks one thing; returns its stats."""
    bench = JudgeBench(judge, **{"identity": IDENTITY, "max_tokens": 100, "cache": cache} | options)
    bench.handle("c", "m").ask(prompt, {"answer": "yes"})
    bench.close()
    return bench.stats


def test_the_same_run_again_costs_nothing(make_prompt, scripted, memory_cache):
    judge, prompt = scripted(RELEVANT), make_prompt()
    assert run(judge, prompt, memory_cache).calls == 1
    second = run(judge, prompt, memory_cache)
    assert (second.calls, second.cache_hits, second.input_tokens, second.cost_usd) == (0, 1, 0, 0.0)
    (entry,) = memory_cache.entries.values()
    assert isinstance(entry, CacheEntry)
    assert (len(entry.key), entry.reply, entry.judge, entry.prompt) == (64, RELEVANT, "openai:m", "relevance")
    assert entry.created_at.endswith("+00:00")


@pytest.mark.parametrize(
    "options",
    [
        {"identity": IDENTITY | {"type": "ollama"}},
        {"identity": IDENTITY | {"base_url": "http://b/v1"}},
        {"identity": IDENTITY | {"model": "n"}},
        {"identity": IDENTITY | {"temperature": 1}},
        {"identity": IDENTITY | {"seed": None}},
        {"max_tokens": 101},
        {"repeat": 1},
        {"bypass_cache": True},
    ],
    ids=str,
)
def test_no_hit_across_different_judges(make_prompt, scripted, memory_cache, options):
    judge, prompt = scripted(RELEVANT), make_prompt()
    run(judge, prompt, memory_cache)
    assert run(judge, prompt, memory_cache, **options).calls == 1


def test_no_hit_across_templates_schemas_and_inputs(make_prompt, scripted, memory_cache):
    judge = scripted(RELEVANT)
    run(judge, make_prompt(), memory_cache)
    assert run(judge, make_prompt("Rate!\n---\nAnswer:\n{{answer}}"), memory_cache).calls == 1
    assert run(judge, make_prompt(reply=Looser), memory_cache).calls == 1
    bench = JudgeBench(judge, identity=IDENTITY, max_tokens=100, cache=memory_cache)
    bench.handle("c", "m").ask(make_prompt(), {"answer": "no"})
    assert bench.stats.calls == 1
    assert run(judge, make_prompt(), memory_cache).calls == 0


def test_the_order_of_the_identity_does_not_matter(make_prompt, scripted, memory_cache):
    judge, prompt = scripted(RELEVANT), make_prompt()
    run(judge, prompt, memory_cache)
    assert run(judge, prompt, memory_cache, identity=dict(reversed(IDENTITY.items()))).calls == 0


def test_bypassing_leaves_the_cache_alone(make_prompt, scripted, memory_cache):
    run(scripted(RELEVANT), make_prompt(), memory_cache, bypass_cache=True)
    assert memory_cache.entries == {}


@pytest.mark.parametrize(
    "failing", [JudgeReply("nonsense"), JudgeReply(RELEVANT, None, "length"), JudgeError("HTTP 500")], ids=repr
)
def test_failures_are_never_cached(make_prompt, scripted, memory_cache, failing):
    prompt = make_prompt()
    with pytest.raises(JudgeError):
        run(scripted(failing), prompt, memory_cache)
    assert memory_cache.entries == {}
    assert run(scripted(RELEVANT), prompt, memory_cache).calls == 1


def test_a_repaired_reply_is_cached_as_the_usable_one(make_prompt, scripted, memory_cache):
    run(scripted("nonsense", RELEVANT), make_prompt(), memory_cache)
    assert [entry.reply for entry in memory_cache.entries.values()] == [RELEVANT]


def test_a_damaged_entry_is_asked_again_and_replaced(make_prompt, scripted, memory_cache):
    judge, prompt = scripted(RELEVANT), make_prompt()
    run(judge, prompt, memory_cache)
    ((key, entry),) = memory_cache.entries.items()
    memory_cache.entries[key] = CacheEntry(key, "damaged", entry.judge, entry.prompt, entry.created_at)
    assert run(judge, prompt, memory_cache).calls == 1
    assert memory_cache.entries[key].reply == RELEVANT


@pytest.mark.parametrize("broken", ["cache_get", "cache_put"])
def test_a_broken_cache_is_noted_and_costs_no_verdict(make_prompt, scripted, memory_cache, broken):
    def fail(_):
        raise OSError("disk full")

    setattr(memory_cache, broken, fail)
    what = "read" if broken == "cache_get" else "written"
    notes = run(scripted(RELEVANT), make_prompt(), memory_cache).notes
    assert notes == (f"the judge reply cache could not be {what} and is off for this run: disk full",)


def test_writes_are_batched(make_prompt, scripted, memory_cache):
    bench, prompt = JudgeBench(scripted(RELEVANT), identity=IDENTITY, max_tokens=9, cache=memory_cache), make_prompt()
    for number in range(130):
        bench.handle("c", "m").ask(prompt, {"answer": str(number)})
    bench.close()
    assert len(memory_cache.entries) == 130
    assert memory_cache.puts < 130


def test_equal_requests_in_flight_are_one_call(make_prompt):
    calls, release = [], threading.Event()

    def slow(request):
        calls.append(request)
        release.wait(5)
        return JudgeReply(RELEVANT)

    bench, prompt = JudgeBench(slow, identity=IDENTITY, max_tokens=9), make_prompt()
    handles = [bench.handle("c", f"metric {number}") for number in range(16)]
    with ThreadPoolExecutor(16) as pool:
        asks = [pool.submit(handle.ask, prompt, {"answer": "same"}) for handle in handles]
        while len(bench._sharing._in_flight) < 1:
            pass
        release.set()
        assert {ask.result().verdict for ask in asks} == {"relevant"}
    assert len(calls) == 1
    assert {handle.raw for handle in handles} == {RELEVANT}
    assert (bench.stats.calls, bench.stats.shared) == (1, 15)
    handles[0].ask(prompt, {"answer": "same"})
    assert (bench.stats.calls, bench.stats.shared) == (1, 16)


def test_a_failure_is_shared_only_while_it_is_in_flight(make_prompt, scripted):
    judge, prompt = scripted(JudgeError("HTTP 500"), RELEVANT), make_prompt()
    bench = JudgeBench(judge, identity=IDENTITY, max_tokens=9)
    with pytest.raises(JudgeError):
        bench.handle("c", "a").ask(prompt, {"answer": "x"})
    assert bench.handle("c", "b").ask(prompt, {"answer": "x"}).verdict == "relevant"


def test_repeats_have_verdicts_of_their_own(make_prompt, scripted):
    judge, prompt = scripted(RELEVANT, '{"verdict": "partial"}'), make_prompt()
    bench = JudgeBench(judge, identity=IDENTITY, max_tokens=9)
    verdicts = [bench.handle("c", "m", repeat=n).ask(prompt, {"answer": "x"}).verdict for n in (0, 1, 0, 1)]
    assert verdicts == ["relevant", "partial", "relevant", "partial"]


def test_when_the_one_that_asks_is_stopped_another_takes_its_place():
    sharing, started, stop = Sharing(), threading.Event(), threading.Event()
    asked, verdict = [], Verdict(None, error="no reply")

    def stopped():
        started.set()
        stop.wait(5)
        raise KeyboardInterrupt
        yield

    def good():
        asked.append("second")
        return verdict
        yield

    def lead():
        with pytest.raises(KeyboardInterrupt):
            drive(sharing.ask("key", stopped, lambda: None))

    leader = threading.Thread(target=lead)
    leader.start()
    started.wait(5)
    results = []
    follower = threading.Thread(target=lambda: results.append(drive(sharing.ask("key", good, lambda: None))))
    follower.start()
    stop.set()
    leader.join(5)
    follower.join(5)
    assert results == [verdict]
    assert asked == ["second"]
