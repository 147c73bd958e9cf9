"""CPU and wall time of judge calls against bare httpx loops, at an endpoint that is already running.

usage: python judge_calls.py --url http://127.0.0.1:8000/v1 [--clients judge,bare-async,bare-threads]
         [--calls 1000] [--concurrency 64] [--repeat 5]

``judge`` calls the component from threads, as the kernel does. ``bare-async`` is one event loop over several async
clients, ``bare-threads`` the same threads with one plain client each; both post the same bytes and parse the reply.
CPU is this process's own; imports and the TLS context are outside.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx
from ragproof_judge_openai import OpenAI

from ragproof_core.models.judging import JudgeRequest

SCHEMA = {
    "type": "object",
    "properties": {
        "claims": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"claim": {"type": "string"}, "supported": {"type": "boolean"}},
                "required": ["claim", "supported"],
            },
        }
    },
    "required": ["claims"],
}
CONTEXT = "\n".join(f"[c{n}] " + "the pump valve holds the rated pressure. " * 12 for n in range(10))
TLS = httpx.create_ssl_context()


def request(number: int) -> JudgeRequest:
    user = f'Case {number}. Reply as {{"claims":[]}}.\n\n{CONTEXT}'
    return JudgeRequest("You are a strict judge. Reply with JSON.", user, SCHEMA, "groundedness", 1024)


def body(number: int) -> dict[str, object]:
    asked = request(number)
    messages = [{"role": "system", "content": asked.system}, {"role": "user", "content": asked.user}]
    return {"model": "m", "messages": messages, "max_tokens": 1024, "temperature": 0}


def judge(url: str, calls: int, concurrency: int) -> None:
    component = OpenAI(OpenAI.Settings(model="m", base_url=url, api_key="x"))
    with ThreadPoolExecutor(concurrency) as threads:
        list(threads.map(lambda number: component.complete(request(number)), range(calls)))
    component.close()


def bare_threads(url: str, calls: int, concurrency: int) -> None:
    idle = [httpx.Client(verify=TLS, trust_env=False, timeout=60) for _ in range(concurrency)]

    def call(number: int) -> None:
        client = idle.pop()
        client.post(f"{url}/chat/completions", json=body(number), headers={"authorization": "Bearer x"}).json()
        idle.append(client)

    with ThreadPoolExecutor(concurrency) as threads:
        list(threads.map(call, range(calls)))
    for client in idle:
        client.close()


def bare_async(url: str, calls: int, concurrency: int) -> None:
    async def main() -> None:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        count = max(1, concurrency // 4)
        clients = [httpx.AsyncClient(verify=TLS, trust_env=False, timeout=60, limits=limits) for _ in range(count)]
        turns, gate = itertools.cycle(clients), asyncio.Semaphore(concurrency)

        async def call(number: int) -> None:
            async with gate:
                headers = {"authorization": "Bearer x"}
                reply = await next(turns).post(f"{url}/chat/completions", json=body(number), headers=headers)
                reply.json()

        await asyncio.gather(*(call(number) for number in range(calls)))
        for client in clients:
            await client.aclose()

    asyncio.run(main())


CLIENTS: dict[str, Callable[[str, int, int], None]] = {
    "judge": judge,
    "bare-async": bare_async,
    "bare-threads": bare_threads,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True)
    parser.add_argument("--clients", default=",".join(CLIENTS))
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in options.clients.split(",")}
    for _ in range(options.repeat):
        for name, measured in times.items():
            cpu, wall = time.process_time(), time.perf_counter()
            CLIENTS[name](options.url, options.calls, options.concurrency)
            measured.append((time.process_time() - cpu, time.perf_counter() - wall))
    for name, measured in times.items():
        cpu = statistics.median(pair[0] for pair in measured) / options.calls * 1000
        wall = statistics.median(pair[1] for pair in measured)
        print(f"{name:13s} {cpu:6.3f} ms CPU a call, {wall:6.2f} s for {options.calls} calls")


if __name__ == "__main__":
    main()
