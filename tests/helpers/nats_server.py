# SPDX-License-Identifier: BSD-3-Clause
"""A NATS server and a provider's process for tests: on loopback, on a free port, ended with the test."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import socket
import subprocess
import threading
import time
from io import RawIOBase
from pathlib import Path
from typing import Self

import pytest
from paths import BUILD, ROOT

#: Debian's lies where a user's PATH does not lead.
NATS_SERVER = shutil.which("nats-server", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")
NEEDS_SERVER = pytest.mark.skipif(
    NATS_SERVER is None, reason="nats-server is not installed (scripts/install/deps.sh network)"
)
PATIENCE = 60.0
#: The library in C++, which is built without Nim.
LIBRARY = BUILD / "lib" / "echo-cpp" / "libecho.so"
#: What stands for it at hosts.
STANDING = BUILD / "lib" / "echo-nats"


def python_host(url: str, library: Path = STANDING / "libecho.so") -> dict[str, str]:
    """The environment of a program in Python that calls the echo library behind a server."""
    return {
        "PYTHONPATH": f"{ROOT / 'hosts/python/src'}:{ROOT / 'build/echo/python/src'}",
        "ECHO_LIBRARY": str(library),
        "FERRY_INGRESS_LIBRARY": str(BUILD / "lib" / "libferryingress.so.0"),
        "FERRY_NATS_URL": url,
    }


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """nats-server with messages of up to 8 MiB, so that a payload of 1 MiB fits."""

    def __init__(self, folder: Path, more: str = "", port: int = 0) -> None:
        self.port = port or free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self._config = folder / "nats.conf"
        self._config.write_text(f"listen: 127.0.0.1:{self.port}\nmax_payload: 8MB\nmax_pending: 64MB\n{more}")
        self.start()

    def start(self) -> None:
        assert NATS_SERVER
        self.process = subprocess.Popen(
            [NATS_SERVER, "-c", str(self._config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
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


class Line:
    """A way to a server that can be cut: then nothing arrives and nothing says so, as if all packets were lost."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"nats://127.0.0.1:{self._listener.getsockname()[1]}"
        self._peers: dict[socket.socket, socket.socket] = {}
        self._is_open = threading.Event()
        self._is_open.set()
        self._ends = False
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _accept(self) -> None:
        near, _ = self._listener.accept()
        try:
            far = socket.create_connection(("127.0.0.1", self._port), PATIENCE)
        except OSError:
            near.close()
        else:
            self._peers |= {near: far, far: near}

    def _pass_on(self, source: socket.socket) -> None:
        if not (target := self._peers.get(source)):
            return
        try:
            data = source.recv(1 << 18)
            target.sendall(data)
        except OSError:
            data = b""
        if not data:
            for end in (source, target):
                del self._peers[end]
                end.close()

    def _run(self) -> None:
        while not self._ends:
            ready, _, _ = select.select([self._listener, *self._peers], [], [], 0.1)
            self._is_open.wait()
            for one in ready:
                if one is self._listener:
                    self._accept()
                else:
                    self._pass_on(one)
        for one in (self._listener, *self._peers):
            one.close()

    def stall(self) -> None:
        self._is_open.clear()

    def resume(self) -> None:
        self._is_open.set()

    def cut(self, seconds: float) -> None:
        self.stall()
        time.sleep(seconds)
        self.resume()

    def close(self) -> None:
        self._ends = True
        self.resume()
        self._thread.join()


class Provider:
    """`ferry-serve` with the echo library or another one, once it has said that it serves."""

    def __init__(
        self,
        server: Server | Doorkeeper,
        *arguments: str,
        url: str = "",
        library: Path = LIBRARY,
        settings: dict[str, str] | None = None,
    ) -> None:
        self.process = subprocess.Popen(
            [BUILD / "bin" / "ferry-serve", library, url or server.url, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"LD_LIBRARY_PATH": str(library.parent)} | (settings or {}),
        )
        assert self.process.stdout
        readable, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        assert readable, "ferry-serve says nothing"
        self.line = self.process.stdout.readline()
        assert self.line.startswith("serving "), self.process.stderr
        self.subject = self.line.split(" as ")[1].strip()

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe
            pipe.close()
        return status

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """A test that fails leaves no process behind; pytest would tell the next one of it."""
        self.process.kill()
        self.process.wait(PATIENCE)
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe
            pipe.close()


class Doorkeeper:
    """A stand-in for a server: it lets clients in or refuses them, each as it is told, and then does next to nothing.

    `lets_in` has an answer for each client in its order, and the last one for all that come after.
    """

    def __init__(self, *lets_in: bool) -> None:
        self._lets_in = lets_in
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"nats://127.0.0.1:{self._listener.getsockname()[1]}"
        #: The clients that wanted in.
        self.connects = 0
        self._ends = False
        self._client: socket.socket | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._ends:
            self._client, _ = self._listener.accept()
            # a client that was refused goes without reading on
            with (
                self._client,
                self._client.makefile("rwb", buffering=0) as stream,
                contextlib.suppress(ConnectionError),
            ):
                self._serve(stream)

    def _serve(self, stream: RawIOBase) -> None:
        stream.write(
            b'INFO {"server_id":"stand-in","version":"2.9.10","proto":1,"headers":true,"auth_required":true,'
            b'"nonce":"ABCDEFGHIJKLMNO","max_payload":1048576}\r\n'
        )
        for line in iter(stream.readline, b""):
            if line.startswith(b"CONNECT "):
                self.connects += 1
            elif line.startswith(b"PING"):
                if not self._lets_in[min(self.connects, len(self._lets_in)) - 1]:
                    stream.write(b"-ERR 'Authorization Violation'\r\n")
                    return
                stream.write(b"PONG\r\n")

    def send_away(self) -> None:
        """Interrupt the connection of the client that is in."""
        assert self._client
        self._client.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._ends = True
        socket.create_connection(self._listener.getsockname(), PATIENCE).close()
        self._thread.join()
        self._listener.close()
