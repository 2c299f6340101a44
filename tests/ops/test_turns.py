"""Turns go in the order of coming: nobody overtakes, so that no request waits far longer than most."""

import time
from threading import Thread

from service.turns import Turns
from tests.patience import PATIENCE, until


def queued(turns: Turns) -> int:
    return len(turns._queue)


def test_those_that_wait_go_in_the_order_of_their_coming() -> None:
    turns, order = Turns(1), list[int]()

    def work(n: int) -> None:
        with turns:
            order.append(n)

    turns.acquire()
    threads = [Thread(target=work, args=(n,), daemon=True) for n in range(8)]
    for n, thread in enumerate(threads):
        thread.start()
        assert until(lambda n=n: queued(turns) == n + 1, every=0.001)
    turns.release()
    for thread in threads:
        thread.join(PATIENCE)
    assert order == list(range(8))


def test_who_has_had_a_turn_does_not_overtake_who_waits() -> None:
    turns, order = Turns(1), list[str]()

    def wait() -> None:
        with turns:
            order.append("waited")

    turns.acquire()
    other = Thread(target=wait, daemon=True)
    other.start()
    assert until(lambda: queued(turns) == 1, every=0.001)
    turns.release()
    with turns:
        order.append("again")
    other.join(PATIENCE)
    assert order == ["waited", "again"]


def test_no_more_than_so_many_at_once_and_all_come_back() -> None:
    turns, inside, most, done = Turns(3), set[int](), list[int](), list[int]()

    def work(n: int) -> None:
        for _ in range(50):
            with turns:
                inside.add(n)
                most.append(len(inside))
                time.sleep(0)
                inside.remove(n)
                done.append(n)

    threads = [Thread(target=work, args=(n,), daemon=True) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(done) == 600
    assert max(most) <= 3
    assert turns._free == 3
    assert not turns._queue
