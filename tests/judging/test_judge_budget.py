import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ragproof_core.errors import BudgetExceededError, ConfigError, JudgeError
from ragproof_core.judging.admission import Admission, Ticket
from ragproof_core.judging.bench import JudgeBench
from ragproof_core.judging.prices import PICODOLLARS, Prices, budget_picodollars, check_budget
from ragproof_core.judging.steps import drive
from ragproof_core.models.judging import JudgeReply, TokenUsage

RELEVANT = '{"verdict": "relevant"}'
IDENTITY = {"type": "scripted", "model": "m"}


class Billing:
    """A provider that counts what it charges, in micro-dollars, at $1 a million tokens each way."""

    def __init__(self, output_tokens, delay=0.0, fail=0.0, seed=0):
        self.output_tokens, self.delay, self.fail = output_tokens, delay, fail
        self.random = random.Random(seed)
        self.lock = threading.Lock()
        self.charged = self.calls = self.in_flight = self.most_in_flight = 0

    def __call__(self, request):
        with self.lock:
            self.calls += 1
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
            failing = self.random.random() < self.fail
            output = self.random.randint(1, self.output_tokens)
            delay = self.random.random() * self.delay
        time.sleep(delay)
        usage = TokenUsage(len(request.system + request.user) // 4, output)
        with self.lock:
            self.in_flight -= 1
            self.charged += usage.input_tokens + usage.output_tokens
        if failing:
            raise JudgeError("connection cut after the reply was made")
        return JudgeReply(RELEVANT, usage)


@pytest.mark.parametrize("seed", range(4))
def test_64_threads_never_spend_more_than_the_budget(make_prompt, seed):
    prompt = make_prompt()
    provider = Billing(100, delay=0.003, fail=0.1, seed=seed)
    budget = 0.02  # a call reserves about 0.001
    bench = JudgeBench(
        provider, identity=IDENTITY, max_tokens=100, prices=Prices(1.0, 1.0), budget=budget, concurrency=64
    )

    def ask(number):
        try:
            bench.handle(str(number), "m").ask(prompt, {"answer": f"answer {number}"})
        except JudgeError:
            return "failed"
        except BudgetExceededError:
            return "budget"
        return "ok"

    with ThreadPoolExecutor(64) as pool:
        outcomes = list(pool.map(ask, range(400)))
    assert provider.charged / 1e6 <= budget
    assert outcomes.count("budget") == 400 - provider.calls > 0
    assert outcomes.count("ok") + outcomes.count("failed") == provider.calls
    assert provider.calls >= 12  # a bench that let nothing in would pass the rest
    assert bench.stats.cost_usd <= provider.charged / 1e6


def test_concurrency_is_the_number_of_calls_in_flight(make_prompt):
    prompt, provider = make_prompt(), Billing(10, delay=0.01)
    bench = JudgeBench(provider, identity=IDENTITY, max_tokens=10, concurrency=5)
    with ThreadPoolExecutor(32) as pool:
        list(pool.map(lambda n: bench.handle("c", "m").ask(prompt, {"answer": str(n)}), range(100)))
    assert provider.most_in_flight == 5


def test_a_call_that_does_not_fit_waits_for_those_in_flight():
    admission = Admission(10, budget=100)
    first, second = Ticket(60), Ticket(60)
    drive(admission.enter(first))
    waiting = threading.Thread(target=lambda: drive(admission.enter(second)))
    waiting.start()
    time.sleep(0.05)
    assert not second.admitted
    admission.leave(first, spent=40)  # 40 spent + 60 reserved = 100
    waiting.join(5)
    assert second.admitted


def test_when_none_is_in_flight_the_budget_is_exceeded_for_good():
    admission = Admission(10, budget=100)
    first = Ticket(60)
    drive(admission.enter(first))
    admission.leave(first, spent=41)
    with pytest.raises(BudgetExceededError):
        drive(admission.enter(Ticket(60)))
    with pytest.raises(BudgetExceededError):
        drive(admission.enter(Ticket(1)))


def test_a_budget_is_spent_to_the_last_picodollar():
    admission = Admission(1, budget_picodollars(1.0))
    for _ in range(10):
        ticket = Ticket(budget_picodollars(0.1))
        drive(admission.enter(ticket))
        admission.leave(ticket, ticket.reserved)
    with pytest.raises(
        BudgetExceededError, match=r"may cost up to \$0\.000000 and \$1\.000000 of RAGPROOF_MAX_COST_USD"
    ):
        drive(admission.enter(Ticket(1)))


def test_the_repair_has_a_reservation_of_its_own(make_prompt):
    calls = []

    def bad(request):
        calls.append(request)
        return JudgeReply("no", TokenUsage(900, 100))

    # First call: about 900 bytes + 100 tokens at $1 a million; it costs 0.001, and the repair no longer fits.
    bench = JudgeBench(bad, identity=IDENTITY, max_tokens=100, prices=Prices(1.0, 1.0), budget=0.0018)
    handle = bench.handle("c", "m")
    with pytest.raises(BudgetExceededError):
        handle.ask(make_prompt(), {"answer": "x"})
    assert len(calls) == 1
    assert handle.raw == "no"
    assert bench.stats.cost_usd == 0.001


@pytest.mark.parametrize(("billed", "calls"), [(True, 1), (False, 5)])
def test_a_failed_call_stays_reserved_unless_it_was_not_billed(make_prompt, billed, calls):
    made = []

    def failing(request):
        made.append(request)
        error = JudgeError("no reply")
        error.billed = billed
        raise error

    prompt = make_prompt()
    bench = JudgeBench(failing, identity=IDENTITY, max_tokens=100, prices=Prices(1.0, 1.0), budget=0.0015)
    for number in range(5):
        with pytest.raises((JudgeError, BudgetExceededError)):
            bench.handle("c", "m").ask(prompt, {"answer": str(number)})
    assert len(made) == calls
    assert bench.stats.cost_usd == 0.0


def test_prices_are_exact():
    assert Prices(0.15, 0.6).picodollars(1_000_000, 1_000_000) == 750_000_000_000  # $0.75
    assert Prices(0.15, 0.6).picodollars(1, 0) == 150_000
    assert budget_picodollars(0.1) * 10 == PICODOLLARS


def test_a_budget_needs_prices():
    check_budget(None, None)
    check_budget(1.0, Prices(0, 0))
    with pytest.raises(ConfigError, match=r"RAGPROOF_MAX_COST_USD is 1, but .* RAGPROOF_JUDGE_INPUT_COST_PER_MTOK"):
        JudgeBench(Billing(1), identity=IDENTITY, max_tokens=1, budget=1.0)
