# SPDX-License-Identifier: BSD-3-Clause
"""Chains with their library behind a NATS server: the cases of tests/ingress/test_chains_python.py, one round trip for
each chain, and what becomes of a chain when the provider's process ends in the middle."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nats_server import NEEDS_SERVER, STANDING, Provider, Server, free_port, python_host
from paths import BUILD, GO, ROOT

pytestmark = NEEDS_SERVER
SECONDS = 240
PATIENCE = 60.0


class Counted(Server):
    """A server that says how many messages it was sent."""

    def __init__(self, folder: Path) -> None:
        self.monitor = free_port()
        super().__init__(folder, f"http: 127.0.0.1:{self.monitor}\n")

    def messages(self) -> int:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.monitor}/varz", timeout=PATIENCE) as answer:
            found: dict[str, Any] = json.load(answer)
        return int(found["in_msgs"])


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Counted]:
    made = Counted(tmp_path)
    yield made
    made.kill()


@pytest.fixture
def provider(server: Counted) -> Iterator[Provider]:
    made = Provider(server)
    yield made
    if made.process.poll() is None:
        made.end(signal.SIGKILL)


def test_cases(server: Counted, provider: Provider) -> None:
    script = ROOT / "tests" / "ingress" / "test_chains_python.py"
    # a build that is new enough is checked by the tests that do not go over the network
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", script, "-k", "not in_c and not in_go"],
        capture_output=True, text=True, timeout=SECONDS, check=False, cwd=ROOT,
        env=os.environ | python_host(server.url) | {"FERRY_STALE": "run"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-6000:]
    assert " 0 failed, 0 skipped" in done.stdout
    assert provider.end() == 0


def test_cases_in_go(server: Counted, provider: Provider) -> None:
    done = subprocess.run(
        [GO, BUILD, "test", "-count=1", "-v", "-run", "^TestChains$", "."],
        cwd=ROOT / "tests" / "ingress" / "go", capture_output=True, text=True, timeout=SECONDS, check=False,
        env=os.environ | {"ECHO_LIBRARY": str(STANDING / "libecho.so"), "FERRY_NATS_URL": server.url},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-6000:]
    assert done.stdout.count("    --- PASS: TestChains/") == 34
    assert provider.end() == 0


PROGRAM = """
import sys
from echo import Echo

echo = Echo.create("p ", timeout=60)

def chain():
    batch = echo.batch()
    reader = batch.open("text")
    read = batch.read(reader, 9)
    batch.close(reader)
    batch.submit(60)
    assert read.result() == "text"

def singles():
    reader = echo.open("text", timeout=60)
    assert echo.read(reader, 9, timeout=60) == "text"
    echo.close(reader, timeout=60)

for line in sys.stdin:
    {"chain": chain, "singles": singles}[line.strip()]()
    print("done", flush=True)
"""


def test_a_chain_is_one_round_trip(server: Counted, provider: Provider) -> None:
    host = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | python_host(server.url),
    )  # fmt: skip
    assert host.stdin
    assert host.stdout

    def counted(what: str) -> int:
        assert host.stdin
        assert host.stdout
        before = server.messages()
        print(what, file=host.stdin, flush=True)
        assert host.stdout.readline() == "done\n"
        return server.messages() - before

    # probes come in between now and then
    assert min(counted("chain") for _ in range(5)) == 2
    assert min(counted("singles") for _ in range(5)) == 6
    host.stdin.close()
    assert host.wait(PATIENCE) == 0
    host.stdout.close()


MIDDLE = """
import sys, threading, time
from echo import Echo, EchoRequest
from ferry_ingress import IngressError, Status

echo = Echo.create("p ", timeout=60)
batch = echo.batch()
first = batch.echo(EchoRequest("first", 0))
slow = batch.echo(EchoRequest(first.echoed, 50_000))
after = batch.echo(EchoRequest(slow.echoed, 0))
other = batch.sum(1, 2)
thread = threading.Thread(target=batch.submit)
thread.start()
time.sleep(1)
print("waiting", flush=True)
thread.join()
for promise in (first, slow, after, other):
    try:
        promise.result()
        print("OK")
    except IngressError as error:
        print(Status(error.status).name)
"""


def test_a_provider_that_is_killed_in_the_middle_loses_the_rest(server: Counted, provider: Provider) -> None:
    host = subprocess.Popen(
        [sys.executable, "-c", MIDDLE], stdout=subprocess.PIPE, text=True, env=os.environ | python_host(server.url)
    )
    assert host.stdout
    assert host.stdout.readline() == "waiting\n"
    provider.end(signal.SIGKILL)
    out, _ = host.communicate(timeout=SECONDS)
    assert out.split() == ["OK", "LOST", "LOST", "LOST"]


def test_a_chain_that_is_longer_than_a_message_is_refused(server: Counted, provider: Provider) -> None:
    program = """
from echo import Echo
from ferry_ingress import TooLargeError

echo = Echo.create("p ", timeout=60)
batch = echo.batch()
promises = [batch.bytes(b"x" * 1_000_000) for _ in range(9)]
batch.submit(60)
for promise in promises:
    try:
        promise.result()
    except TooLargeError as error:
        assert "chain" in str(error)
    else:
        raise SystemExit("accepted")
batch = echo.batch()
last = batch.bytes(batch.bytes(b"x" * 1_000_000))
batch.submit(60)
print(len(last.result()))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=SECONDS, check=False,
        env=os.environ | python_host(server.url),
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("1000000\n", 0), done.stderr
