# SPDX-License-Identifier: BSD-3-Clause
"""Threads of Python that use the ingress at the same moment, each for itself or with a loop of its own.

A Python without an interpreter lock (`--disable-gil`) runs them in parallel; with one, one of them runs at a time.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from paths import BUILD, ROOT

os.environ.setdefault("ECHO_LIBRARY", str(BUILD / "nim" / "lib" / "libecho.so"))
os.environ.setdefault("FERRY_INGRESS_LIBRARY", str(BUILD / "lib" / "libferryingress.so.0"))
sys.path[:0] = [str(ROOT / "hosts" / "python" / "src"), str(ROOT / "build" / "echo" / "python" / "src")]

from echo import AsyncEcho, Consultation, Echo, PickAsked  # noqa: E402 - after its path

PATIENCE = 60.0
WAIT_MS = int(1000 * PATIENCE)
THREADS = 4
ROUNDS = 10
LISTENERS = 20


def test_listeners_of_many_threads_hear_their_own_events() -> None:
    def listen(begin: threading.Barrier) -> list[int]:
        heard, all_heard = [0] * LISTENERS, threading.Semaphore(0)

        def noting(index: int) -> Callable[[object], None]:
            def note(_: object) -> None:
                heard[index] += 1
                all_heard.release()

            return note

        with Echo.create("x", timeout=PATIENCE) as host:
            begin.wait(PATIENCE)
            held = [host.on_tick(noting(index)) for index in range(LISTENERS)]
            host.ticks(1)
            for _ in held:
                assert all_heard.acquire(timeout=PATIENCE)
        return heard

    for _ in range(ROUNDS):
        with ThreadPoolExecutor(THREADS) as pool:
            found = list(pool.map(listen, [threading.Barrier(THREADS)] * THREADS))
        assert found == [[1] * LISTENERS] * THREADS


class Loop:
    """A loop in a thread of its own, which notices when another thread does what only its own may do."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.loop.set_debug(True)
        self._thread = threading.Thread(target=self.loop.run_forever)
        self._thread.start()

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(PATIENCE)
        self.loop.close()


def test_a_context_that_answers_in_another_loop_is_destroyed() -> None:
    other, has_asked = Loop(), threading.Event()

    async def never(_: PickAsked) -> int:
        has_asked.set()
        await asyncio.sleep(PATIENCE)
        return 0

    async def answer(host: AsyncEcho) -> None:
        host.answer_pick(never)

    async def destroy() -> Consultation:
        host = await AsyncEcho.create("x")
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(answer(host), other.loop))
        asked = asyncio.create_task(host.consult("tea", ["tea"], WAIT_MS))
        await asyncio.to_thread(has_asked.wait, PATIENCE)
        await host.destroy()
        return (await asked).outcome

    try:
        assert asyncio.run(asyncio.wait_for(destroy(), PATIENCE)) == Consultation.UNHEARD
    finally:
        other.stop()
