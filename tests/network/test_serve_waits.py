# SPDX-License-Identifier: BSD-3-Clause
"""`ferry serve` before its server is there: it waits and says so, and what waiting cannot change ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from nats_identity import Account
from nats_server import LIBRARY, NEEDS_SERVER, PATIENCE, Server, free_port, python_host
from paths import BUILD

pytestmark = NEEDS_SERVER
SECONDS = 240
SERVE = BUILD / "bin" / "ferry-serve"

Serving = subprocess.Popen[str]
GREET = """
from echo import Echo, EchoRequest
with Echo.create("hi ") as echo: print(echo.echo(EchoRequest("you", 0)).echoed)
"""


@pytest.fixture
def serve() -> Iterator[Callable[..., Serving]]:
    made: list[Serving] = []

    def start(url: str, **settings: str) -> Serving:
        pipe = subprocess.PIPE
        made.append(
            subprocess.Popen([SERVE, LIBRARY, url], stdout=pipe, stderr=pipe, text=True, env=os.environ | settings)
        )
        return made[-1]

    yield start
    for process in made:
        process.kill()
        process.communicate()


def notice(process: Serving) -> str:
    assert process.stderr
    return process.stderr.readline()


def test_a_server_that_starts_later_is_waited_for(serve: Callable[..., Serving], tmp_path: Path) -> None:
    port = free_port()
    url = f"nats://127.0.0.1:{port}"
    process = serve(url)
    said = f"ferry serve: the NATS server: {url}: No server available for connection; waiting for it, 0 s so far\n"
    assert notice(process) == said
    assert process.poll() is None
    server = Server(tmp_path, port=port)
    assert process.stdout
    assert process.stdout.readline().startswith(f"serving echo at {url} as ")
    done = subprocess.run(
        ["python3", "-c", GREET], env=os.environ | python_host(url), capture_output=True, text=True, timeout=SECONDS,
        check=False,
    )  # fmt: skip
    assert done.stdout == "hi you\n", done.stderr
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0
    server.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_wait(serve: Callable[..., Serving], number: signal.Signals) -> None:
    process = serve(f"nats://127.0.0.1:{free_port()}")
    assert "waiting" in notice(process)
    process.send_signal(number)
    assert process.wait(PATIENCE) == 0
    assert process.communicate() == ("", "")


def test_a_server_that_comes_and_refuses_ends_the_wait(serve: Callable[..., Serving], tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    stranger = Account(tmp_path / "other").user("provider", ["_INBOX.>"], ["ferry.echo.>"])
    port = free_port()
    process = serve(f"nats://127.0.0.1:{port}", FERRY_NATS_CREDENTIALS=str(stranger.credentials))
    assert "waiting" in notice(process)
    server = Server(tmp_path, Account(tmp_path).configuration, port)
    assert process.wait(PATIENCE) == 1
    assert "Authorization Violation" in process.communicate()[1]
    server.kill()


def test_the_wait_has_the_bound_that_is_given() -> None:
    url = f"nats://127.0.0.1:{free_port()}"
    for seconds, waits in ((0, 0), (1, 1)):
        began = time.monotonic()
        done = subprocess.run(
            [BUILD / "bin" / "ferry", "serve", LIBRARY, "--nats", url, "--wait", str(seconds)],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert time.monotonic() - began >= seconds
        assert done.returncode == 1
        lines = done.stderr.splitlines()
        assert len(lines) == waits + 1
        assert lines[-1] == f"ferry serve: the NATS server: {url}: No server available for connection"


def test_what_waiting_cannot_change_is_no_reason_to_wait() -> None:
    for url in ("http://127.0.0.1", "nats://127.0.0.1:port"):
        done = subprocess.run([SERVE, LIBRARY, url], capture_output=True, text=True, timeout=SECONDS, check=False)
        assert done.returncode == 1
        assert "waiting" not in done.stderr


def test_a_name_that_nobody_knows_is_told_from_a_server_that_is_not_there(serve: Callable[..., Serving]) -> None:
    """Both are waited for: where containers start, the name of one that has not started is not known."""
    line = notice(serve("nats://no..name:4222"))
    assert "no..name:4222: " in line
    assert "waiting" in line
    assert "No server available" not in line
