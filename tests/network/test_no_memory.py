# SPDX-License-Identifier: BSD-3-Clause
"""A provider's process that gets no more memory goes on, and says so to its hosts where it can."""

import os
import subprocess
import time
from pathlib import Path

from failing import ALL, build_failing, fail
from nats_server import NEEDS_SERVER, Provider, Server
from paths import BUILD

pytestmark = NEEDS_SERVER
NETWORK = BUILD / "tests" / "network"
#: From the host's first message on, about; before them the process may end and say that it cannot start.
CALLS = range(6, 16)
#: A host has asked then.
SECONDS = 1.0


def test_a_provider_without_memory_goes_on(tmp_path: Path) -> None:
    server = Server(tmp_path)
    failing = build_failing(tmp_path)
    counts = tmp_path / "counts"
    counts.write_bytes(bytes(300))
    try:
        for first in CALLS:
            settings = {"COUNT_FILE": str(counts)} | fail(failing, "", first, ALL)
            with Provider(server, library=NETWORK / "libcount.so", settings=settings) as provider:
                host = subprocess.Popen(
                    [NETWORK / "count-host", "300", "3000", tmp_path / "became"],
                    stdout=subprocess.DEVNULL,
                    env=os.environ | {"FERRY_NATS_URL": server.url},
                )
                time.sleep(SECONDS)
                assert provider.process.poll() is None, f"call {first} and all later ones fail: it has ended"
                host.kill()
                host.wait()
    finally:
        server.kill()
