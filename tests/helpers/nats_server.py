# SPDX-License-Identifier: BSD-3-Clause
"""A NATS server and a provider's process for tests: on loopback, on a free port, ended with the test."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import time
from pathlib import Path

from paths import BUILD

PATIENCE = 60.0
#: The library in C++, which is built without Nim.
LIBRARY = BUILD / "lib" / "echo-cpp" / "libecho.so"
#: What stands for it at hosts.
STANDING = BUILD / "lib" / "echo-nats"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """nats-server with messages of up to 8 MiB, so that a payload of 1 MiB fits."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self._config = folder / "nats.conf"
        self._config.write_text(f"listen: 127.0.0.1:{self.port}\nmax_payload: 8MB\nmax_pending: 64MB\n")
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            ["nats-server", "-c", str(self._config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        end = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                assert time.monotonic() < end, "nats-server does not listen"
                time.sleep(0.02)
            else:
                return

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)

    def publish(self, subject: str, data: bytes, reply: str = "") -> None:
        """Publish as any client may, by the protocol itself."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as client:
            head = f'CONNECT {{"verbose":false}}\r\nPUB {subject} {reply} {len(data)}\r\n'.encode()
            client.sendall(head + data + b"\r\nPING\r\n")
            seen = b""
            while b"PONG" not in seen:
                more = client.recv(4096)
                assert more, seen
                seen += more


class Provider:
    """`ferry-serve` with the echo library, once it has said that it serves."""

    def __init__(self, server: Server, *arguments: str, url: str = "") -> None:
        self.process = subprocess.Popen(
            [BUILD / "bin" / "ferry-serve", LIBRARY, url or server.url, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"LD_LIBRARY_PATH": str(LIBRARY.parent)},
        )
        assert self.process.stdout
        readable, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        assert readable, "ferry-serve says nothing"
        self.line = self.process.stdout.readline()
        assert self.line.startswith("serving echo at "), self.process.stderr
        self.subject = self.line.split(" as ")[1].strip()

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe
            pipe.close()
        return status
