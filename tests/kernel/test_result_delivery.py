"""Results on their way to the store: in batches, one at a time, none lost and none twice."""

import threading
import time

import pytest

from ragproof_core.engine.delivery import BATCH, MOST_WAITING, Delivery
from ragproof_core.models.run import CaseResult


def result(index: int) -> CaseResult:
    return CaseResult(index=index, case_id=f"c{index}", kind="qa", status="ok", scores={})


def test_a_full_batch_is_handed_over_by_who_completes_it():
    batches = []
    delivery = Delivery(batches.append, 250)
    for index in range(250):
        delivery.put(result(index))
    assert [len(batch) for batch in batches] == [BATCH, BATCH]
    assert (delivery.accepted, delivery.all_delivered, delivery.complete, delivery.due) == (200, True, False, True)
    delivery.flush()
    assert [row.index for batch in batches for row in batch] == list(range(250))
    assert (delivery.complete, delivery.due) == (True, False)


def test_one_batch_at_a_time_and_none_twice():
    inside, together, taken = [], [], []

    def accept(batch):
        inside.append(1)
        together.append(len(inside))
        time.sleep(0.001)
        taken.extend(row.index for row in batch)
        inside.pop()

    delivery = Delivery(accept, 4000)
    threads = [
        threading.Thread(target=lambda part=part: [delivery.put(result(index)) for index in part])
        for part in (range(start, 4000, 8) for start in range(8))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    delivery.close()
    assert set(together) == {1}
    assert sorted(taken) == list(range(4000))
    assert delivery.complete


def test_results_do_not_pile_up_behind_a_slow_store():
    gate, most = threading.Event(), []

    def accept(batch):
        most.append(len(batch))
        gate.wait()

    delivery = Delivery(accept, 10 * MOST_WAITING)

    def work():
        for index in range(5 * MOST_WAITING):
            delivery.put(result(index))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    time.sleep(0.2)
    assert delivery.delivered <= BATCH + MOST_WAITING + len(threads)
    gate.set()
    for thread in threads:
        thread.join()
    delivery.close()
    assert sum(most) == 10 * MOST_WAITING


def test_after_a_failure_nothing_more_is_handed_over():
    calls = []

    def accept(batch):
        calls.append(len(batch))
        raise OSError("disk full")

    delivery = Delivery(accept, 500)
    for index in range(BATCH - 1):
        delivery.put(result(index))
    with pytest.raises(OSError, match="disk full"):
        delivery.put(result(BATCH - 1))
    for index in range(BATCH, 3 * BATCH):
        delivery.put(result(index))
    delivery.flush()
    assert (calls, delivery.accepted) == ([BATCH], 0)


def test_a_batch_that_an_interrupt_fell_into_is_handed_over_again():
    taken = []

    def accept(batch):
        if not taken:
            taken.append("interrupted")
            raise KeyboardInterrupt
        taken.extend(row.index for row in batch)

    delivery = Delivery(accept, 500)
    delivery.put(result(0))
    with pytest.raises(KeyboardInterrupt):
        delivery.flush()
    delivery.put(result(1))
    delivery.close()
    delivery.put(result(2))
    delivery.flush()
    assert taken == ["interrupted", 0, 1]
    assert delivery.accepted == 2


def test_what_came_in_while_a_slow_store_was_busy_waits_its_time():
    delivery = Delivery(lambda batch: time.sleep(0.25), 10)
    delivery.put(result(0))
    time.sleep(0.21)
    assert delivery.due
    delivery.flush()
    delivery.put(result(1))
    assert not delivery.due
