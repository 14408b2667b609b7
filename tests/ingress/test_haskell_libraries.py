# SPDX-License-Identifier: BSD-3-Clause
"""Libraries in Haskell beside what the conformance programs check: exceptions, answers from other threads, the runtime
system in a process that forks or ends, and two libraries in one process."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from bindgen.test_generate import bindgen
from haskell_library import echo, link, needs_ghc
from paths import BUILD, ROOT

pytestmark = needs_ghc
TRIALS = ROOT / "tests" / "ingress" / "haskell"
SECONDS = 120
#: What a method throws -> what its host is told.
THROWN = {
    "error": "an error call",
    "exit": "ExitFailure 1",
    "arithmetic": "divide by zero",
    "later": "in a value",
    "half": "in half a value",
    "message": "the library threw an exception that cannot be shown",
    "blocked": "thread blocked indefinitely in an MVar operation",
    "forked blocked": "thread blocked indefinitely in an MVar operation",
    "thread": "in a thread",
    "taker": "in what takes the answer",
}


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a host in Python that calls the library trials, and the library echo, both in Haskell."""
    made = {"ECHO_LIBRARY": str(echo())}
    folder = tmp_path_factory.mktemp("trials")
    path = os.environ.get("PATH", "/usr/bin:/bin")
    commands: list[list[str | Path]] = [
        ["--provider", "haskell", "--out", folder],
        ["--lang", "python", "--out", folder / "python"],
    ]
    for words in commands:
        done = bindgen(TRIALS / "trials.json", *words, path=path)
        assert done.returncode == 0, done.stderr
    made["TRIALS_LIBRARY"] = str(link(folder, "trials", TRIALS / "Trials.hs"))
    found = [folder / "python" / "src", ROOT / "build" / "echo" / "python" / "src", ROOT / "hosts" / "python" / "src"]
    return made | {
        "FERRY_INGRESS_LIBRARY": str(BUILD / "lib" / "libferryingress.so.0"),
        "PYTHONPATH": ":".join(map(str, found)),
        "LD_LIBRARY_PATH": str(BUILD / "lib"),
    }


def host(libraries: dict[str, str], program: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a host in Python."""
    return subprocess.run(
        [sys.executable, *options, "-c", textwrap.dedent(program)], capture_output=True, text=True,
        env=os.environ | libraries, timeout=SECONDS, check=False,
    )  # fmt: skip


def says(libraries: dict[str, str], program: str, *options: str) -> list[str]:
    done = host(libraries, program, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_no_exception_ends_the_process(libraries: dict[str, str]) -> None:
    program = f"""
        from ferry_ingress import FailedError, IngressError, Status
        from trials import Trials
        for _ in range(2):
            try:
                Trials.create("throw", timeout=30)
            except FailedError as error:
                assert "the constructor throws" in str(error), error
        with Trials.create("", timeout=30) as host:
            for what, told in {THROWN!r}.items():
                try:
                    print("no failure:", what, host.throws(what, timeout=30))
                except FailedError as error:
                    assert told in str(error), (what, error)
            try:
                print("not cancelled:", host.throws("killed", timeout=30))
            except IngressError as error:
                assert error.status == Status.CANCELLED, error
            print(host.throws("nested", timeout=30), host.throws("nothing", timeout=30))
        """
    assert says(libraries, program) == ["nested nothing"]


def test_every_call_is_answered_once(libraries: dict[str, str]) -> None:
    program = """
        from concurrent.futures import ThreadPoolExecutor
        from ferry_ingress import FailedError
        from trials import Trials
        with Trials.create("", timeout=30) as host, ThreadPoolExecutor(150) as pool:
            try:
                print("dropped:", host.drop(timeout=60))
            except FailedError as error:
                print(error)
            print([host.twice(timeout=30) for _ in range(3)])
            held = [pool.submit(host.hold, timeout=60) for _ in range(150)]
            released = 0
            while released < 150:
                released += host.release(timeout=30)
            print(sorted(future.result() >= 0 for future in held) == [True] * 150)
        """
    said = says(libraries, program)
    assert "the library dropped the call without an answer" in said[0]
    assert said[1:] == ["[1, 1, 1]", "True"]


def test_a_cancelled_call_ends_while_its_value_is_computed(libraries: dict[str, str]) -> None:
    """The thread that serves it has given a value, which is computed when it is written: that takes hours."""
    program = """
        import asyncio
        from trials import AsyncTrials
        async def main():
            # leaving waits until the call is answered
            async with await AsyncTrials.create("") as host:
                task = asyncio.ensure_future(host.throws("lazy"))
                await host.rest(200)
                task.cancel()
                await asyncio.wait([task])
            print("left")
        asyncio.run(main())
        """
    assert says(libraries, program) == ["left"]


def test_an_exception_that_comes_late_costs_one_call(libraries: dict[str, str]) -> None:
    """A method has told another thread of its own, and that one throws while other calls of the batch are served."""
    program = """
        import asyncio
        from ferry_ingress import FailedError
        from trials import AsyncTrials
        async def main():
            async with await AsyncTrials.create("") as host:
                for steps in range(0, 8000, 400):
                    others = [host.add(1) for _ in range(40)]
                    calls = asyncio.gather(
                        host.rest(10), host.throws(f"late{steps}"), *others, host.rest(10), return_exceptions=True
                    )
                    said = await asyncio.wait_for(calls, 60)
                    failed = [one for one in said if isinstance(one, BaseException)]
                    assert all(isinstance(one, FailedError) and "late" in str(one) for one in failed), failed
                    assert len(failed) <= 1, failed
            print("done")
        asyncio.run(main())
        """
    assert says(libraries, program) == ["done"]


def test_a_thread_is_killed_while_it_answers(libraries: dict[str, str]) -> None:
    program = """
        import asyncio
        from trials import AsyncTrials
        async def main():
            async with await AsyncTrials.create("") as host:
                held = asyncio.ensure_future(host.hold())
                await host.rest(0)
                print(await host.throws("worker"))
                await asyncio.wait([held])
                print(held.exception())
        asyncio.run(main())
        """
    killed, told = says(libraries, program)
    assert killed == "thread killed"
    assert killed in told


def test_what_takes_the_duty_to_answer_is_not_masked(libraries: dict[str, str]) -> None:
    program = """
        from trials import Trials
        with Trials.create("", timeout=30) as host:
            print(host.throws("state", timeout=30), host.throws("forked state", timeout=30))
        """
    assert says(libraries, program) == ["Unmasked Unmasked"]


def test_any_thread_emits_events(libraries: dict[str, str]) -> None:
    program = """
        from trials import Trials
        with Trials.create("", timeout=30) as host, host.said_events() as events:
            host.announce(3, timeout=30)
            print([events.wait(30).value for _ in range(4)])
        """
    assert says(libraries, program) == ["[1, 2, 3, 0]"]


def test_two_libraries_share_a_process(libraries: dict[str, str]) -> None:
    program = """
        import threading
        from echo import Echo, EchoRequest
        from trials import Trials
        def use():
            for _ in range(5):
                with Echo.create("hi ", timeout=30) as one, Trials.create("", timeout=30) as other:
                    for number in range(200):
                        assert one.echo(EchoRequest("x" * number, 0), timeout=30).echoed == "hi " + "x" * number
                        assert other.add(1, timeout=30) == number + 1
        threads = [threading.Thread(target=use) for _ in range(3)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print("done")
        """
    assert says(libraries, program, "-X", "dev") == ["done"]


def test_a_library_that_is_loaded_late_is_kept(libraries: dict[str, str]) -> None:
    """GHC's runtime system has been started, and has collected, before it is there; nothing refers to it in between."""
    program = """
        import time
        from echo import Echo
        with Echo.create("hi ", timeout=30):
            time.sleep(0.5)
        from trials import Trials
        for _ in range(3):
            with Trials.create("", timeout=30) as host:
                host.add(2, timeout=30)
            # after 0.3 s without work it collects
            time.sleep(0.5)
        print("done")
        """
    assert says(libraries, program) == ["done"]


def test_a_forked_child_is_refused_and_the_parent_goes_on(libraries: dict[str, str]) -> None:
    program = """
        import os
        from echo import Echo, EchoRequest
        from ferry_ingress import FailedError
        with Echo.create("hi ", timeout=30) as host:
            host.echo(EchoRequest("you", 0), timeout=30)
            child = os.fork()
            if child == 0:
                try:
                    Echo.create("hi ", timeout=30)
                except FailedError as error:
                    os._exit(0 if "does not run in a forked child" in str(error) else 2)
                os._exit(1)
            assert os.waitpid(child, 0)[1] == 0
            print(host.echo(EchoRequest("you", 0), timeout=30).echoed)
        """
    assert says(libraries, program) == ["hi you"]


def test_a_child_that_was_forked_before_has_its_own(libraries: dict[str, str]) -> None:
    program = """
        import os
        from echo import Echo, EchoRequest
        child = os.fork()
        with Echo.create("hi ", timeout=30) as host:
            os.write(1, host.echo(EchoRequest("you", 0), timeout=30).echoed.encode() + b"\\n")
        if child:
            assert os.waitpid(child, 0)[1] == 0
        """
    assert says(libraries, program) == ["hi you"] * 2


@pytest.mark.parametrize("end", ["pass", "host.destroy(timeout=0.05)"])
def test_a_host_ends_beside_calls_in_flight(libraries: dict[str, str], end: str) -> None:
    program = f"""
        import ctypes, threading
        from contextlib import suppress
        from echo import Echo, EchoRequest
        from ferry_ingress import IngressError
        from trials import Trials
        host, other = Echo.create("hi ", timeout=30), Trials.create("", timeout=30)
        def call(what, *arguments):
            with suppress(IngressError):
                what(*arguments, timeout=60)
        for _ in range(20):
            threading.Thread(target=call, args=(host.echo, EchoRequest("you", 60000)), daemon=True).start()
        threading.Thread(target=call, args=(other.rest, 60000), daemon=True).start()
        threading.Event().wait(0.2)
        with suppress(IngressError):
            {end}
        print("done", flush=True)
        # as a program in C ends; Python would wait for what is in flight
        ctypes.CDLL(None).exit(0)
        """
    assert says(libraries, program) == ["done"]


def test_what_the_runtime_system_would_change_stays(libraries: dict[str, str]) -> None:
    program = """
        import locale, os, signal
        from echo import Echo
        locale.setlocale(locale.LC_CTYPE, "C")
        before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGTSTP)]
        def handled():
            # those below 32: glibc has others
            lines = [line.split() for line in open("/proc/self/status") if line.startswith("Sig")]
            return {name: value[-8:] for name, value in lines if name != "SigQ:"}
        status = handled()
        with Echo.create("hi ", timeout=30):
            pass
        assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGTSTP)] == before
        assert handled() == status
        print(locale.setlocale(locale.LC_CTYPE))
        """
    environment = libraries | {"GHCRTS": "-S --unknown", "LC_ALL": "C.UTF-8"}
    assert says(environment, program) == ["C"]


def test_a_slow_method_holds_up_no_reply_twice(libraries: dict[str, str]) -> None:
    """Three calls in one batch: the second's reply comes before the third, which is known to be slow, has ended."""
    program = """
        import asyncio, time
        from trials import AsyncTrials
        async def main():
            async with await AsyncTrials.create("") as host:
                await host.rest(20)
                waits = []
                async def quick():
                    begun = time.monotonic()
                    await host.add(1)
                    waits.append(time.monotonic() - begun)
                for _ in range(2):
                    await asyncio.gather(host.rest(50), quick(), host.rest(1000))
                print(max(waits) < 0.9, waits)
        asyncio.run(main())
        """
    said = says(libraries, program)
    assert said[0].startswith("True"), said


@pytest.mark.parametrize("links", ["shared", "static"])
def test_a_host_in_haskell_shares_the_runtime_system_or_is_refused(tmp_path: Path, links: str) -> None:
    library = echo().parent
    program = tmp_path / "host"
    command: list[str | Path] = ["ghc", "-v0", "-O0", "-threaded", *(["-dynamic"] if links == "shared" else [])]
    command += ["-outputdir", tmp_path, f"-I{ROOT / 'include'}", f"-I{ROOT / 'build' / 'echo' / 'c' / 'include'}"]
    command += [TRIALS / "Host.hs", TRIALS / "host_calls.c", f"-L{library}", "-lecho", f"-L{BUILD / 'lib'}"]
    subprocess.run([*command, "-lferryingress", "-o", program], check=True, timeout=SECONDS)
    environment = os.environ | {"LD_LIBRARY_PATH": f"{library}:{BUILD / 'lib'}"}
    done = subprocess.run([program], capture_output=True, text=True, env=environment, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    if links == "shared":
        assert done.stdout == "[500,500,500,500]\n"
    else:
        assert done.stdout.count("link it with -dynamic -threaded") == 4
