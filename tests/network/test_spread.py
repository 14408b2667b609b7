# SPDX-License-Identifier: BSD-3-Clause
"""Static calls spread over the processes that serve a library: three do what three processors would.

The handlers sleep instead of computing, so that it shows on a machine with fewer processors.
"""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from nats_server import NEEDS_SERVER, Provider, Server
from paths import BUILD

pytestmark = NEEDS_SERVER
TESTS = BUILD / "tests" / "network"
# A sleep is long beside what a call computes, so the processes wait for sleeps and not for processors.
CALLERS, CALLS, SLEEP_US = 32, 20, 8_000


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    made = Server(tmp_path)
    yield made
    made.kill()


def milliseconds(server: Server, counts: Path, providers: int) -> int:
    """How long the calls take with so many processes; each is done once."""
    counts.write_bytes(bytes(CALLERS * CALLS))
    settings = {"COUNT_FILE": str(counts)}
    made = [Provider(server, library=TESTS / "libcount.so", settings=settings) for _ in range(providers)]
    done = subprocess.run(
        [TESTS / "count-spread", str(CALLERS), str(CALLS), str(SLEEP_US)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | {"FERRY_NATS_URL": server.url},
    )
    for provider in made:
        provider.end(signal.SIGKILL)
    assert done.returncode == 0, done.stderr
    assert set(counts.read_bytes()) == {1}
    return int(done.stdout)


def times_the_work(server: Server, counts: Path) -> float:
    """One process and three are measured at about the same time: beside others each takes longer."""
    return milliseconds(server, counts, 1) / milliseconds(server, counts, 3)


def test_three_providers_do_two_and_a_half_times_the_work_of_one(server: Server, tmp_path: Path) -> None:
    # which process gets a message is chance: 2.7 to 2.9 on an idle machine, and less beside others
    assert any(times_the_work(server, tmp_path / "counts") >= 2.5 for _ in range(4))
