# SPDX-License-Identifier: BSD-3-Clause
"""What hosts see when a provider, a NATS server or another host goes away, and of what has no business there."""

import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from nats_server import LIBRARY, NEEDS_SERVER, STANDING, Line, Provider, Server, python_host
from paths import BUILD, ROOT

pytestmark = NEEDS_SERVER
SECONDS = 120
PRELUDE = """
import os, signal, sys, threading, time
from echo import AsyncEcho, Echo, EchoRequest
from ferry_ingress import IngressError, Status

def status(call):
    try:
        call()
    except IngressError as error:
        return Status(error.status).name
    return "OK"

def say(*what):
    print(*what, flush=True)
"""


class Host:
    """A program in Python with the library behind the server; each line that it reads is answered by one."""

    def __init__(self, url: str, program: str, library: Path = STANDING / "libecho.so") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PRELUDE + textwrap.dedent(program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | python_host(url, library),
        )

    def line(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def go_on(self) -> None:
        assert self.process.stdin
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def rest(self) -> list[str]:
        out, _ = self.process.communicate(timeout=SECONDS)
        assert self.process.returncode == 0
        return out.splitlines()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    made = Server(tmp_path)
    yield made
    made.kill()


@pytest.fixture
def serve(server: Server) -> Iterator[Callable[..., Provider]]:
    made: list[Provider] = []

    def start(*arguments: str) -> Provider:
        made.append(Provider(server, *arguments))
        return made[-1]

    yield start
    for provider in made:
        if provider.process.poll() is None:
            provider.end(signal.SIGKILL)


@pytest.fixture
def line(server: Server) -> Iterator[Line]:
    made = Line(server.port)
    yield made
    made.close()


def test_nobody_serves(server: Server) -> None:
    host = Host(server.url, "try: Echo.create('hi ')\nexcept IngressError as error: say(error.status, error)")
    assert host.rest() == [f"14 nobody serves 'echo' at {server.url}; start `ferry serve` there"]


def test_no_server(server: Server) -> None:
    server.kill()
    host = Host(server.url, "try: Echo.create('hi ')\nexcept IngressError as error: say(error.status, error)")
    assert host.rest()[0].startswith(f"14 {server.url}: ")


def test_a_server_that_is_slow_to_answer_is_asked_again(line: Line, serve: Callable[..., Provider]) -> None:
    """On a machine that is full the server takes longer to accept a connection than one attempt lasts."""
    serve()
    line.stall()
    program = """
    begun = time.monotonic()
    say(status(lambda: Echo.create("hi ", timeout=0.5)), time.monotonic() - begun < 2)
    with Echo.create("hi ", timeout=60) as echo:
        say(echo.echo(EchoRequest("there", 0), timeout=60).echoed)
    """
    host = Host(line.url, program)
    assert host.line() == "TIMEOUT True"
    time.sleep(2.5)
    line.resume()
    assert host.rest() == ["hi there"]


def test_a_server_that_never_answers_is_given_up(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"nats://127.0.0.1:{silent.getsockname()[1]}"
        host = Host(url, "try: Echo.create('hi ')\nexcept IngressError as error: say(error.status, error)")
        assert host.rest()[0].startswith(f"14 {url}: ")


def test_a_password_in_an_address_is_refused_and_not_repeated(server: Server) -> None:
    url = server.url.replace("nats://", "nats://me:secret@")
    (line,) = Host(url, "try: Echo.create('hi ')\nexcept IngressError as error: say(error.status, error)").rest()
    assert line.startswith("14 an address may not have a user or a password")
    done = subprocess.run(
        [BUILD / "bin" / "ferry-serve", LIBRARY, url], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 1
    assert "secret" not in line + done.stdout + done.stderr


def test_another_interface_is_refused(server: Server, serve: Callable[..., Provider], tmp_path: Path) -> None:
    serve()
    source = (ROOT / "build" / "echo" / "nats" / "echo_nats.c").read_text()
    hash_ = source.split(".hash = ")[1].split(",")[0]
    (tmp_path / "other.c").write_text(source.replace(hash_, "0x1"))
    library = tmp_path / "libecho.so"
    subprocess.run(
        ["cc", "-shared", "-fPIC", f"-I{ROOT}/include", "-o", library, tmp_path / "other.c", f"-L{BUILD}/lib",
         "-lferrynetwork", f"-Wl,-rpath,{BUILD}/lib"], check=True,
    )  # fmt: skip
    program = "from echo import _library\n_library.LIBRARY.interface_hash = 1\nsay(status(lambda: Echo.create('hi ')))"
    assert Host(server.url, program, library).rest() == ["WRONG_INTERFACE"]


WAITS = """
    echo = Echo.create("hi ", timeout=60)
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(status(lambda: echo.echo(EchoRequest("slow", DELAY), timeout=60))))
        for _ in range(20)
    ]
    for thread in threads: thread.start()
    time.sleep(1.5)
    say("waiting")
    sys.stdin.readline()
    for thread in threads: thread.join()
    say(sorted(set(found)), len(found))
"""


def test_a_provider_that_is_killed_loses_what_was_under_way(server: Server, serve: Callable[..., Provider]) -> None:
    provider = serve()
    after = "    say(status(lambda: echo.echo(EchoRequest('again', 0), timeout=60)))\n"
    host = Host(server.url, WAITS.replace("DELAY", "50_000") + after)
    assert host.line() == "waiting"
    provider.end(signal.SIGKILL)
    host.go_on()
    assert host.rest() == ["['LOST'] 20", "CLOSED"]


def test_a_server_that_is_killed_loses_what_was_under_way(server: Server, serve: Callable[..., Provider]) -> None:
    serve()
    after = """
    say("lost")
    sys.stdin.readline()
    # the provider's connection may be back later than this one's
    end = time.monotonic() + 60
    while status(lambda: echo.echo(EchoRequest("there", 0), timeout=60)) != "OK": assert time.monotonic() < end
    say(echo.echo(EchoRequest("there", 0), timeout=60).echoed)
    with Echo.create("hi ", timeout=60) as other:
        say(other.echo(EchoRequest("you", 0), timeout=60).echoed)
"""
    host = Host(server.url, WAITS.replace("DELAY", "50_000") + after)
    assert host.line() == "waiting"
    server.kill()
    host.go_on()
    assert [host.line(), host.line()] == ["['LOST'] 20", "lost"]
    server.start()
    host.go_on()
    assert host.rest() == ["hi there", "hi you"]


def test_a_provider_that_is_told_to_end_answers_first(server: Server, serve: Callable[..., Provider]) -> None:
    provider = serve()
    after = "    say(status(lambda: echo.echo(EchoRequest('again', 0), timeout=60)))\n"
    host = Host(server.url, WAITS.replace("DELAY", "4_000") + after)
    assert host.line() == "waiting"
    assert provider.end() == 0
    host.go_on()
    assert host.rest() == ["['OK'] 20", "CLOSED"]


def test_a_host_that_is_killed_leaves_its_context(server: Server, serve: Callable[..., Provider]) -> None:
    serve("1")
    host = Host(server.url, "echo = Echo.create('hi ', timeout=60)\nsay('open')\nsys.stdin.readline()")
    assert host.line() == "open"
    again = """
    say(status(lambda: Echo.create("hi ", timeout=60)))
    say("full")
    sys.stdin.readline()
    end = time.monotonic() + 60
    while (became := status(lambda: Echo.create("hi ", timeout=60))) == "NO_CONTEXT" and time.monotonic() < end:
        time.sleep(0.2)
    say(became)
    """
    other = Host(server.url, again)
    assert [other.line(), other.line()] == ["NO_CONTEXT", "full"]
    host.process.kill()
    host.process.communicate()
    other.go_on()
    assert other.rest() == ["OK"]


def test_a_handler_does_not_begin_after_its_deadline(server: Server, tmp_path: Path) -> None:
    """The deadline travels: OK, TIMEOUT (4) and OK, and the handler of the second never ran."""
    counts = tmp_path / "counts"
    counts.write_bytes(bytes(3))
    tests = BUILD / "tests" / "network"
    provider = Provider(server, library=tests / "libcount.so", settings={"COUNT_FILE": str(counts)})
    done = subprocess.run(
        [tests / "count-deadline"],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        env=os.environ | {"FERRY_NATS_URL": server.url},
    )
    assert provider.end() == 0
    assert (done.returncode, done.stdout) == (0, "0 4 0\n"), done
    assert list(counts.read_bytes()) == [1, 0, 1]


def test_what_is_no_message_is_ignored(server: Server, serve: Callable[..., Provider]) -> None:
    provider = serve()
    corpus = sorted((ROOT / "fuzz" / "corpus" / "network").iterdir())
    assert len(corpus) > 5
    hash_ = bytes.fromhex(provider.subject.rsplit(".", 1)[1])[::-1]
    for path in corpus:
        data = path.read_bytes()
        # once as it is, and once with the hash of the interface, so that its records are looked at
        for message in (data, data[:8] + hash_ + data[16:]):
            for end in ("open", "static"):
                server.publish(f"{provider.subject}.{end}", message, "_INBOX.nobody")
    program = "with Echo.create('hi ', timeout=60) as echo: say(echo.echo(EchoRequest('you', 0), timeout=60).echoed)"
    assert Host(server.url, program).rest() == ["hi you"]
    assert provider.process.poll() is None
