# SPDX-License-Identifier: BSD-3-Clause
"""TLS and credentials as docs/ingress-network.md has them, with a server that insists on both, and its permissions."""

from __future__ import annotations

import json
import os
import re
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from nats_identity import Account, Authority, User
from nats_server import LIBRARY, NEEDS_SERVER, PATIENCE, STANDING, Doorkeeper, Provider, Server
from paths import BUILD, ROOT

pytestmark = NEEDS_SERVER
SECONDS = 240
CONFORMANCE = BUILD / "tests" / "test_c_conformance_cbor"


def permissions(who: str) -> tuple[list[str], list[str]]:
    """What the page's table says that a user may publish, and subscribe to."""
    page = (ROOT / "docs" / "ingress-network.md").read_text()
    row = re.search(rf"^\| {who} of `echo` \|(.*)\|(.*)\|$", page, re.M)
    assert row, who
    return re.findall("`(.*?)`", row[1]), re.findall("`(.*?)`", row[2])


class Secured:
    """A server that insists on certificates and credentials."""

    def __init__(self, folder: Path, alternative: str = "IP:127.0.0.1") -> None:
        self.authority = Authority(folder, "authority")
        certificate, key = self.authority.sign("server", alternative)
        self.certificate, self.key = self.authority.sign("client", "DNS:client")
        account = Account(folder)
        self.host = account.user("host", *permissions("hosts"))
        self.provider = account.user("provider", *permissions("providers"))
        self.server = Server(
            folder,
            f'tls {{ cert_file: "{certificate}", key_file: "{key}", ca_file: "{self.authority.certificate}",'
            f" verify: true }}\n{account.configuration}",
        )
        self.url = self.server.url.replace("nats://", "tls://")

    def settings(self, user: User) -> dict[str, str]:
        """The environment of a program of that user."""
        return {
            "FERRY_NATS_CREDENTIALS": str(user.credentials),
            "FERRY_NATS_CA": str(self.authority.certificate),
            "FERRY_NATS_CERT": str(self.certificate),
            "FERRY_NATS_KEY": str(self.key),
        }

    def connect(self, user: User) -> ssl.SSLSocket:
        """Connect as any client may that has the user's files, by the protocol itself."""
        plain = socket.create_connection(("127.0.0.1", self.server.port), PATIENCE)
        nonce = json.loads(plain.recv(1 << 16).removeprefix(b"INFO "))["nonce"]
        context = ssl.create_default_context(cafile=self.authority.certificate)
        context.load_cert_chain(self.certificate, self.key)
        client = context.wrap_socket(plain, server_hostname="127.0.0.1")
        options = {"verbose": False, "jwt": user.token, "sig": user.identity.signature(nonce.encode())}
        client.sendall(f"CONNECT {json.dumps(options)}\r\nPING\r\n".encode())
        assert client.recv(4096) == b"PONG\r\n"
        return client


@pytest.fixture
def secured(tmp_path: Path) -> Iterator[Secured]:
    made = Secured(tmp_path)
    yield made
    made.server.kill()


def run_host(url: str, settings: dict[str, str]) -> subprocess.CompletedProcess[str]:
    mine = {"LD_LIBRARY_PATH": f"{STANDING}:{BUILD / 'lib'}", "FERRY_NATS_URL": url}
    return subprocess.run(
        [CONFORMANCE], capture_output=True, text=True, timeout=SECONDS, check=False, env=os.environ | mine | settings
    )


def run_serve(url: str, settings: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BUILD / "bin" / "ferry-serve", LIBRARY, url],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        env=os.environ | settings,
    )


def test_everything_works_with_certificates_credentials_and_the_permissions_of_the_page(secured: Secured) -> None:
    with Provider(secured.server, url=secured.url, settings=secured.settings(secured.provider)) as provider:
        done = run_host(secured.url, secured.settings(secured.host))
        assert done.returncode == 0, done.stdout + done.stderr
        assert provider.end() == 0


def test_without_an_authority_that_is_named_those_of_the_system_hold(secured: Secured) -> None:
    settings = secured.settings(secured.provider)
    system = {"SSL_CERT_FILE": settings.pop("FERRY_NATS_CA")}
    with Provider(secured.server, url=secured.url, settings=settings | system) as provider:
        assert provider.end() == 0


def test_who_lacks_something_is_refused_and_nothing_secret_is_said(secured: Secured, tmp_path: Path) -> None:
    whole = secured.settings(secured.provider)
    other = Authority(tmp_path, "other")
    for settings in (
        whole | {"FERRY_NATS_CA": str(other.certificate)},
        {name: value for name, value in whole.items() if name != "FERRY_NATS_CA"},
        {name: value for name, value in whole.items() if name not in ("FERRY_NATS_CERT", "FERRY_NATS_KEY")},
        {name: value for name, value in whole.items() if name != "FERRY_NATS_CREDENTIALS"},
        whole | {"FERRY_NATS_CREDENTIALS": str(tmp_path / "nowhere")},
    ):
        done = run_serve(secured.url, settings)
        assert done.returncode == 1, settings
        assert done.stderr.startswith(f"ferry serve: the NATS server: {secured.url}: "), done.stderr
        assert secured.provider.identity.seed not in done.stdout + done.stderr
        assert secured.provider.token not in done.stdout + done.stderr


def test_an_address_of_tls_is_never_served_in_plain_text(tmp_path: Path) -> None:
    """libnats 3.4 by itself takes tls:// for nats://."""
    server = Server(tmp_path)
    url = server.url.replace("nats://", "tls://")
    done = run_serve(url, {})
    said = run_host(url, {})
    server.kill()
    assert (done.returncode, done.stdout) == (1, "")
    assert "Secure Connection not available" in done.stderr
    assert said.returncode != 0
    assert "Secure Connection not available" in said.stdout + said.stderr


@pytest.fixture
def doorkeeper() -> Iterator[Callable[..., Doorkeeper]]:
    made: list[Doorkeeper] = []

    def make(*lets_in: bool) -> Doorkeeper:
        made.append(Doorkeeper(*lets_in))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def credentials(tmp_path: Path) -> dict[str, str]:
    user = Account(tmp_path).user("provider", *permissions("providers"))
    return {"FERRY_NATS_CREDENTIALS": str(user.credentials)}


def test_a_refusal_of_credentials_is_final_after_four(
    doorkeeper: Callable[..., Doorkeeper], credentials: dict[str, str]
) -> None:
    """libnats before 3.8 leaves one signature of 256 out; the next attempt signs another nonce."""
    late = doorkeeper(False, False, False, True)
    with Provider(late, settings=credentials) as provider:
        assert provider.end() == 0
    assert late.connects == 4
    for settings, connects in ((credentials, 4), ({}, 1)):
        never = doorkeeper(False)
        done = run_serve(never.url, settings)
        assert done.returncode == 1
        assert "Authorization Violation" in done.stderr
        assert never.connects == connects


def test_a_provider_ends_when_it_is_not_let_in_again(
    doorkeeper: Callable[..., Doorkeeper], credentials: dict[str, str]
) -> None:
    """Credentials that were revoked, say. It would serve nobody from there on."""
    server = doorkeeper(True, False)
    with Provider(server, settings=credentials) as provider:
        server.send_away()
        assert provider.process.wait(PATIENCE) == 1
        assert provider.process.stderr
        assert provider.process.stderr.read().startswith(f"ferry serve: the NATS server: {server.url}: ")


def test_a_server_with_a_certificate_for_another_name_is_refused(tmp_path: Path) -> None:
    elsewhere = Secured(tmp_path, "DNS:elsewhere.example")
    done = run_serve(elsewhere.url, elsewhere.settings(elsewhere.provider))
    elsewhere.server.kill()
    assert done.returncode == 1
    assert "address mismatch" in done.stderr, done.stderr


@pytest.mark.parametrize(
    ("who", "line", "complaint"),
    [
        ("host", "SUB ferry.> 1", 'Subscription to "ferry.>"'),
        ("host", "SUB ferry.echo.> 1", 'Subscription to "ferry.echo.>"'),
        ("host", "PUB ferry.other.open 0\r\n", 'Publish to "ferry.other.open"'),
        ("host", "PUB _INBOX.somebody 0\r\n", 'Publish to "_INBOX.somebody"'),
        ("provider", "SUB ferry.other.> 1", 'Subscription to "ferry.other.>"'),
        ("provider", "SUB _INBOX.> 1", 'Subscription to "_INBOX.>"'),
        ("provider", "PUB ferry.echo.open 0\r\n", 'Publish to "ferry.echo.open"'),
    ],
)
def test_the_permissions_of_the_page_keep_others_out(secured: Secured, who: str, line: str, complaint: str) -> None:
    with secured.connect(secured.host if who == "host" else secured.provider) as client:
        client.sendall(f"{line}\r\nPING\r\n".encode())
        said = client.recv(4096)
        assert f"Permissions Violation for {complaint}" in said.decode()
