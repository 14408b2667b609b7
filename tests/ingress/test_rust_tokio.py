# SPDX-License-Identifier: BSD-3-Clause
"""A library in Rust on tokio, tests/ingress/rust/tokio: its methods wait for timers, channels and tasks of tokio, and
answers come from any thread. Its bindings are made from the shared object itself."""

from __future__ import annotations

import asyncio
import importlib
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from paths import BUILD, ROOT

LIBRARY = BUILD / "rust-tokio" / "debug" / "libwaiter.so"
HOST = ROOT / "hosts" / "python" / "src"
#: Waits for what other threads do are bounded, so that a fault is a failure and not a hang.
PATIENCE = 60.0
LONG_MS = 60_000
Run = Callable[[Callable[[Any], Awaitable[Any]]], Any]

os.environ["FERRY_INGRESS_LIBRARY"] = str(BUILD / "lib" / "libferryingress.so.0")
sys.path.insert(0, str(HOST))
from ferry_ingress import ClosedError, DeadlineError, FailedError  # noqa: E402 - after its path


def run_command(*command: object, **environment: str) -> subprocess.CompletedProcess[str]:
    words = list(map(str, command))
    return subprocess.run(
        words, capture_output=True, text=True, timeout=600, env=os.environ | environment, cwd=ROOT, check=False
    )


@pytest.fixture(scope="module")
def waiter(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The bindings of the library."""
    built = run_command("scripts/compile/rust_tokio.sh", BUILD)
    if built.returncode == 3:
        pytest.skip(built.stderr.strip().splitlines()[-1])
    assert built.returncode == 0, built.stderr
    out = tmp_path_factory.mktemp("waiter")
    made = run_command(
        sys.executable, "-m", "ferry", "bindgen", LIBRARY, "--lang", "python", "--out", out,
        PYTHONPATH=str(ROOT / "tools" / "ferry" / "src"),
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    os.environ["WAITER_LIBRARY"] = str(LIBRARY)
    sys.path.insert(0, str(out / "src"))
    return importlib.import_module("waiter")


@pytest.fixture
def run(waiter: Any) -> Run:
    """Runs a coroutine function with a context of its own."""

    def run_with(made: Callable[[Any], Awaitable[Any]]) -> Any:
        async def main() -> Any:
            async with asyncio.timeout(PATIENCE), await waiter.AsyncWaiter.open() as host:
                return await made(host)

        return asyncio.run(main())

    return run_with


async def until(is_so: Callable[[], Awaitable[bool]]) -> None:
    while not await is_so():
        await asyncio.sleep(0.002)


def test_naps_answer_in_the_order_in_which_they_are_over(run: Run) -> None:
    async def naps(host: Any) -> None:
        values = await asyncio.gather(*(host.nap(delay_ms, delay_ms) for delay_ms in (150, 100, 50, 0)))
        assert values == [150, 100, 50, 0]
        assert await host.order() == [0, 50, 100, 150]
        waits = await host.waits()
        assert (waits.running, waits.dropped) == (0, 0)

    run(naps)


def test_other_calls_are_served_while_one_waits(run: Run) -> None:
    async def listening(host: Any) -> None:
        waiting = [asyncio.create_task(host.listen()) for _ in range(3)]

        async def all_wait() -> bool:
            return bool((await host.waits()).running == 3)

        await until(all_wait)
        assert not any(task.done() for task in waiting)
        await host.ring()
        await asyncio.gather(*waiting)
        assert (await host.waits()).dropped == 0

    run(listening)


def test_answers_come_from_any_thread(run: Run) -> None:
    async def anywhere(host: Any) -> None:
        assert await host.compute(False) == "ferry-tokio"
        assert await asyncio.gather(*(host.elsewhere(number % 3, number) for number in range(50))) == list(range(50))
        assert await asyncio.gather(*(host.threaded(number) for number in range(50))) == list(range(50))
        assert [number async for number in host.numbers(100)] == list(range(100))

    run(anywhere)


def test_statics_wait_too(waiter: Any) -> None:
    assert asyncio.run(waiter.AsyncWaiter.greet("you", 1)) == "hello, you"
    with pytest.raises(FailedError, match="there is no name"):
        asyncio.run(waiter.AsyncWaiter.greet("", 1))


def test_a_cancelled_wait_is_dropped(run: Run) -> None:
    async def leaving(host: Any) -> None:
        tasks = [asyncio.create_task(call) for call in (host.nap(LONG_MS, 1), host.listen())]

        async def both_wait() -> bool:
            return bool((await host.waits()).running == 2)

        await until(both_wait)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

        async def both_ended() -> bool:
            waits = await host.waits()
            return (waits.running, waits.dropped) == (0, 2)

        await until(both_ended)
        assert await host.nap(0, 7) == 7

    run(leaving)


def test_a_context_ends_while_calls_wait(waiter: Any) -> None:
    async def ending() -> None:
        host = await waiter.AsyncWaiter.open()
        waiting = [asyncio.create_task(host.nap(LONG_MS, 1)), asyncio.create_task(host.elsewhere(20, 1))]

        async def waits() -> bool:
            return bool((await host.waits()).running == 1)

        await until(waits)
        with pytest.raises(DeadlineError):
            await host.close(0.05)
        done = await asyncio.gather(*waiting, return_exceptions=True)
        assert isinstance(done[0], ClosedError)
        # another context is served by tokio all the same
        async with await waiter.AsyncWaiter.open() as other:
            assert await other.nap(1, 5) == 5

    asyncio.run(ending())


def test_a_panic_is_the_failure_of_its_call(run: Run) -> None:
    async def panicking(host: Any) -> None:
        for delay_ms in (0, 1):
            with pytest.raises(FailedError, match="the library panicked"):
                await host.panic(delay_ms)
        with pytest.raises(FailedError, match="panicked"):
            await host.compute(True)
        with pytest.raises(FailedError, match="the library dropped the call without an answer"):
            await host.forget()
        waits = await host.waits()
        assert (waits.running, waits.dropped) == (0, 2)
        assert await host.nap(0, 7) == 7

    run(panicking)


FORKED = """
import asyncio, os, sys
from waiter import AsyncWaiter

async def nap(value):
    async with asyncio.timeout(60), await AsyncWaiter.open() as host:
        assert await host.nap(1, value) == value
        assert await host.compute(False) == "ferry-tokio"

asyncio.run(nap(1))
child = os.fork()
if child == 0:
    asyncio.run(nap(2))
    os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
asyncio.run(nap(3))
"""


def test_a_forked_child_has_a_runtime_of_its_own(waiter: Any) -> None:
    path = f"{HOST}:{Path(waiter.__file__).parents[1]}"
    done = run_command(sys.executable, "-c", FORKED, PYTHONPATH=path)
    assert done.returncode == 0, done.stderr
