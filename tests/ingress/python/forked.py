# SPDX-License-Identifier: BSD-3-Clause
"""A program that forks beside busy threads, and uses contexts in the children. tests/ingress/test_fork_python.py runs
each of its parts, named on the command line."""

import asyncio
import multiprocessing
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from echo import AsyncEcho, Echo, EchoRequest
from ferry_ingress import ClosedError, DeadlineError

PATIENCE = 60.0
FORKS = 20
HELLO = EchoRequest("you", 0)


@contextmanager
def busy(host: Echo) -> Iterator[None]:
    """Have threads call, and make and end contexts, meanwhile."""
    over = threading.Event()

    def call() -> None:
        while not over.is_set():
            assert host.echo(EchoRequest("x" * 3000, 0), timeout=PATIENCE).echoed == "hi " + "x" * 3000

    def create() -> None:
        while not over.is_set():
            with Echo.create("hi ", timeout=PATIENCE) as made, made.echoed_events() as events:
                made.echo(HELLO, timeout=PATIENCE)
                assert events.wait(PATIENCE) is not None

    threads = [threading.Thread(target=what) for what in (call, call, create)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def in_child(run: Callable[[], None]) -> None:
    """Fork, run it there, and raise unless the child says that all is well."""
    child = os.fork()
    if child == 0:
        try:
            run()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def refused(call: Callable[[], object]) -> None:
    """Check that it is refused, and that the message says what to do."""
    message = ""
    try:
        call()
    except ClosedError as error:
        message = str(error)
    assert "open another" in message or "destroyed" in message


def use_own() -> None:
    """All that a program does with a context."""
    heard: list[str] = []
    with (
        Echo.create("hi ", timeout=PATIENCE) as host,
        host.echoed_events() as events,
        host.on_echoed(lambda event: heard.append(event.value.echoed)),
    ):
        assert host.echo(HELLO, timeout=PATIENCE).echoed == "hi you"
        found = events.wait(PATIENCE)
        assert found is not None
        assert found.value.echoed == "hi you"
    assert Echo.version(timeout=PATIENCE) == "0.1.0"


async def use_own_in_loop() -> None:
    """The same by asyncio."""
    async with await AsyncEcho.create("hi ") as host:
        events = host.echoed_events()
        assert (await host.echo(HELLO)).echoed == "hi you"
        found = await events.next()
        assert found is not None
        assert found.value.echoed == "hi you"


def blocking() -> None:
    """A child uses a context of its own; its parent's are closed."""
    with Echo.create("hi ", timeout=PATIENCE) as host, host.echoed_events() as events, busy(host):

        def child() -> None:
            refused(lambda: host.echo(HELLO, timeout=PATIENCE))
            refused(lambda: events.wait(PATIENCE))
            events.close()
            use_own()
            use_own()

        for _ in range(FORKS):
            in_child(child)
            assert host.echo(HELLO, timeout=PATIENCE).echoed == "hi you"


def loops() -> None:
    """A child runs a loop of its own, while its parent's has calls under way."""

    async def main() -> None:
        async with await AsyncEcho.create("hi ") as host:
            with Echo.create("hi ", timeout=PATIENCE) as other, busy(other):
                for _ in range(FORKS):
                    later = asyncio.ensure_future(host.echo(EchoRequest("you", 20)))
                    await asyncio.sleep(0)

                    def child(host: AsyncEcho = host) -> None:
                        async def forked() -> None:
                            await use_own_in_loop()
                            was_refused = False
                            try:
                                await host.echo(HELLO)
                            except ClosedError:
                                was_refused = True
                            assert was_refused
                            # the parent's loop is not touched by its end
                            await host.destroy(0.0)

                        asyncio._set_running_loop(None)
                        asyncio.set_event_loop(None)
                        with suppress(ClosedError):
                            asyncio.run(forked())

                    in_child(child)
                    assert (await later).echoed == "hi you"
                    assert (await host.echo(HELLO)).echoed == "hi you"

    asyncio.run(main())


def _square(number: int) -> int:
    with Echo.create("hi ", timeout=PATIENCE) as host:
        assert host.echo(HELLO, timeout=PATIENCE).echoed == "hi you"
    return number * number


def pool() -> None:
    """The start method `fork` of multiprocessing."""
    context = multiprocessing.get_context("fork")
    with Echo.create("hi ", timeout=PATIENCE) as host, busy(host):
        for _ in range(3):
            with context.Pool(3) as workers:
                assert workers.map(_square, range(20)) == [number * number for number in range(20)]
            process = context.Process(target=use_own)
            process.start()
            process.join()
            assert process.exitcode == 0
        assert host.echo(HELLO, timeout=PATIENCE).echoed == "hi you"


def places() -> None:
    """The cells of docs/ingress-life-cycle.md that Python can write, besides a child's."""
    inside: list[str] = []
    with Echo.create("hi ", timeout=PATIENCE) as host:
        # a listener may call, wait, open another context, and remove itself; not end its own context
        done = threading.Event()

        def listen(_: object) -> None:
            if not inside:
                inside.append(host.echo(HELLO, timeout=PATIENCE).echoed)
            with Echo.create("other ", timeout=PATIENCE) as other:
                inside.append(other.echo(HELLO, timeout=PATIENCE).echoed)
            subscription.close()
            done.set()

        subscription = host.on_echoed(listen)
        host.echo(HELLO, timeout=PATIENCE)
        assert done.wait(PATIENCE)
        assert inside[:2] == ["hi you", "other you"], inside
        # during destroying: what waits is told, and calls are refused
        told: list[BaseException] = []

        def wait() -> None:
            try:
                host.echo(EchoRequest("late", 60_000), timeout=PATIENCE)
            except ClosedError as error:
                told.append(error)

        waiting = threading.Thread(target=wait)
        waiting.start()
        host.echo(EchoRequest("soon", 1), timeout=PATIENCE)
        with suppress(DeadlineError):
            host.destroy(0.05)
        waiting.join()
        assert len(told) == 1
    # after it
    refused(lambda: host.echo(HELLO, timeout=PATIENCE))
    refused(lambda: host.echoed_events())
    host.destroy(1.0)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        {"blocking": blocking, "loops": loops, "pool": pool, "places": places}[name]()
        print("ok", name)
