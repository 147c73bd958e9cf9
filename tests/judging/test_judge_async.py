import asyncio
import concurrent.futures
import threading
import time

import pytest

from ragproof_core.errors import JudgeError
from ragproof_core.judging.bench import JudgeBench
from ragproof_core.models.judging import JudgeReply

RELEVANT = '{"verdict": "relevant"}'
DELAY = 0.03


class Counting:
    """A judge that takes a while and knows how many calls are in it, in three ways of writing the hook."""

    def __init__(self):
        self.lock = threading.Lock()
        self.calls = self.now = self.most = 0
        self.threads = set()
        self.pool = concurrent.futures.ThreadPoolExecutor(32)

    def enter(self, by):
        with self.lock:
            self.calls += 1
            self.now += by
            self.most = max(self.most, self.now)
            self.threads.add(threading.current_thread().name)

    def blocking(self, request):
        self.enter(1)
        time.sleep(DELAY)
        self.now -= 1
        return JudgeReply(RELEVANT)

    async def awaitable(self, request):
        self.enter(1)
        await asyncio.sleep(DELAY)
        self.now -= 1
        return JudgeReply(RELEVANT)

    def future(self, request):
        return self.pool.submit(self.blocking, request)


WAYS = {"blocking": None, "awaitable": None, "future": True}


def bench_of(judge, way, **options):
    return JudgeBench(getattr(judge, way), identity={"type": "x"}, max_tokens=9, asynchronous=WAYS[way], **options)


def ask_from(from_loop, handle, prompt):
    if from_loop:
        return asyncio.run(handle.ask_async(prompt, {"answer": "x"}))
    return handle.ask(prompt, {"answer": "x"})


@pytest.mark.parametrize("way", WAYS)
def test_asks_from_a_loop_run_side_by_side_and_do_not_block_it(make_prompt, way):
    judge, prompt = Counting(), make_prompt()
    bench = bench_of(judge, way, concurrency=10)
    ticks = 0

    async def tick():
        nonlocal ticks
        while True:
            await asyncio.sleep(DELAY / 10)
            ticks += 1

    async def main():
        ticking = asyncio.ensure_future(tick())
        asks = [bench.handle("c", "m").ask_async(prompt, {"answer": str(n)}) for n in range(20)]
        replies = await asyncio.gather(*asks)
        ticking.cancel()
        return replies

    assert [reply.verdict for reply in asyncio.run(main())] == ["relevant"] * 20
    assert judge.calls == 20
    assert 2 <= judge.most <= 10
    assert ticks >= 5
    assert threading.main_thread().name not in judge.threads
    bench.close()


@pytest.mark.parametrize("way", WAYS)
def test_threads_and_loops_share_one_limit(make_prompt, way):
    judge, prompt = Counting(), make_prompt()
    bench = bench_of(judge, way, concurrency=3)

    async def from_loop():
        await asyncio.gather(*(bench.handle("c", "m").ask_async(prompt, {"answer": f"a{n}"}) for n in range(9)))

    with concurrent.futures.ThreadPoolExecutor(9) as pool:
        asks = [pool.submit(bench.handle("c", "m").ask, prompt, {"answer": f"s{n}"}) for n in range(9)]
        asyncio.run(from_loop())
        assert {ask.result().verdict for ask in asks} == {"relevant"}
    assert judge.calls == 18
    assert judge.most == 3
    bench.close()


@pytest.mark.parametrize("way", WAYS)
def test_a_blocking_ask_works_inside_a_running_loop(make_prompt, way):
    bench, prompt = bench_of(Counting(), way), make_prompt()

    async def main():
        return bench.handle("c", "m").ask(prompt, {"answer": "x"}).verdict

    assert asyncio.run(main()) == "relevant"
    bench.close()


def test_equal_asks_from_a_loop_and_a_thread_are_one_call(make_prompt):
    judge, prompt = Counting(), make_prompt()
    bench = bench_of(judge, "blocking")

    async def main():
        asks = [bench.handle("c", "m").ask_async(prompt, {"answer": "same"}) for _ in range(5)]
        threads = [asyncio.to_thread(bench.handle("c", "m").ask, prompt, {"answer": "same"}) for _ in range(3)]
        return await asyncio.gather(*asks, *threads)

    assert len(asyncio.run(main())) == 8
    assert judge.calls == 1
    bench.close()


def test_a_cancelled_ask_gives_its_place_and_its_lead_to_others(make_prompt):
    calls, prompt = [], make_prompt()

    async def slow_at_first(request):
        calls.append(request)
        await asyncio.sleep(60 if len(calls) == 1 else 0)
        return JudgeReply(RELEVANT)

    bench = JudgeBench(slow_at_first, identity={"type": "x"}, max_tokens=9, concurrency=1)

    async def main():
        first = asyncio.ensure_future(bench.handle("c", "a").ask_async(prompt, {"answer": "same"}))
        await asyncio.sleep(0.05)
        follower = asyncio.ensure_future(bench.handle("c", "b").ask_async(prompt, {"answer": "same"}))
        quitter = asyncio.ensure_future(bench.handle("c", "c").ask_async(prompt, {"answer": "same"}))
        in_line = asyncio.ensure_future(bench.handle("c", "d").ask_async(prompt, {"answer": "other"}))
        await asyncio.sleep(0.05)
        quitter.cancel()
        in_line.cancel()
        await asyncio.sleep(0)
        first.cancel()
        return await asyncio.gather(first, follower, quitter, in_line, return_exceptions=True)

    first, follower, quitter, in_line = asyncio.run(asyncio.wait_for(main(), 10))
    assert isinstance(first, asyncio.CancelledError)
    assert isinstance(quitter, asyncio.CancelledError)
    assert isinstance(in_line, asyncio.CancelledError)
    assert follower.verdict == "relevant"
    assert len(calls) == 2
    bench.close()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("from_loop", [False, True])
def test_a_call_that_takes_too_long_is_given_up(make_prompt, way, from_loop):
    judge, prompt = Counting(), make_prompt()
    bench = bench_of(judge, way, api_timeout=DELAY / 10, concurrency=1)
    handle = bench.handle("c", "m")
    with pytest.raises(JudgeError, match=r"^no reply within 0\.003 s$"):
        ask_from(from_loop, handle, prompt)
    with pytest.raises(JudgeError, match="no reply within"):  # the place is free again
        handle.ask(prompt, {"answer": "y"})
    bench.close()


@pytest.mark.parametrize("from_loop", [False, True])
def test_a_call_cancelled_where_it_runs_is_a_judge_error(make_prompt, from_loop):
    def cancelled(request):
        future = concurrent.futures.Future()
        future.cancel()
        return future

    bench = JudgeBench(cancelled, identity={"type": "x"}, max_tokens=9, asynchronous=True)
    handle, prompt = bench.handle("c", "m"), make_prompt()
    with pytest.raises(JudgeError, match="judge x failed: CancelledError"):
        ask_from(from_loop, handle, prompt)


def test_a_call_cancelled_while_a_loop_waits_is_a_judge_error(make_prompt):
    started = []

    def pending(request):
        started.append(concurrent.futures.Future())
        return started[-1]

    bench, prompt = JudgeBench(pending, identity={"type": "x"}, max_tokens=9, asynchronous=True), make_prompt()

    async def main():
        asking = asyncio.ensure_future(bench.handle("c", "m").ask_async(prompt, {"answer": "x"}))
        await asyncio.sleep(0.02)
        started[0].cancel()
        await asking

    with pytest.raises(JudgeError, match="judge x failed: CancelledError"):
        asyncio.run(main())
