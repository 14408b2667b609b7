# SPDX-License-Identifier: BSD-3-Clause
"""Certificates and NATS credentials for tests, made by openssl: of an authority, an operator, an account and users."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

#: The first byte of each kind of key, as nkeys have it.
OPERATOR, ACCOUNT, USER, SEED = 14 << 3, 0, 20 << 3, 18 << 3


def _openssl(*words: str | Path) -> bytes:
    return subprocess.run(["openssl", *words], check=True, capture_output=True).stdout


class Authority:
    """Signs certificates."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self.certificate, self.key = folder / f"{name}.pem", folder / f"{name}.key"
        _openssl(
            "req", "-x509", *self._new_key(self.key), "-out", self.certificate, "-days", "2", "-subj", f"/CN={name}"
        )

    @staticmethod
    def _new_key(path: Path) -> tuple[str | Path, ...]:
        return ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", path)

    def sign(self, name: str, alternative: str) -> tuple[Path, Path]:
        """Return a certificate for that alternative name, and its key."""
        certificate, key = self._folder / f"{name}.pem", self._folder / f"{name}.key"
        request, extensions = self._folder / f"{name}.csr", self._folder / f"{name}.ext"
        extensions.write_text(f"subjectAltName={alternative}\n")
        _openssl("req", "-new", *self._new_key(key), "-out", request, "-subj", f"/CN={name}")
        _openssl(
            "x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key, "-CAcreateserial",
            "-out", certificate, "-days", "2", "-extfile", extensions,
        )  # fmt: skip
        return certificate, key


def _crc16(data: bytes) -> int:
    """Return the CRC of nkeys (CCITT, XMODEM)."""
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def _nkey(data: bytes) -> str:
    return base64.b32encode(data + _crc16(data).to_bytes(2, "little")).decode().rstrip("=")


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Identity:
    """A pair of ed25519 keys, as NATS names and uses them."""

    def __init__(self, folder: Path, name: str, kind: int) -> None:
        self._folder, self._name = folder, name
        self._key = folder / f"{name}.ed25519"
        _openssl("genpkey", "-algorithm", "ed25519", "-out", self._key)
        secret = _openssl("pkey", "-in", self._key, "-outform", "DER")[-32:]
        public = _openssl("pkey", "-in", self._key, "-pubout", "-outform", "DER")[-32:]
        self.public = _nkey(bytes([kind]) + public)
        self.seed = _nkey(bytes([SEED | kind >> 5, (kind & 31) << 3]) + secret)

    def signature(self, data: bytes) -> str:
        path = self._folder / f"{self._name}.tbs"
        path.write_bytes(data)
        return _base64(_openssl("pkeyutl", "-sign", "-rawin", "-inkey", self._key, "-in", path))

    def token(self, subject: Identity, claims: dict[str, Any]) -> str:
        """Return a JWT in which this identity says that of another one."""
        head = {"typ": "JWT", "alg": "ed25519-nkey"}
        body = {"jti": "test", "iat": 1, "iss": self.public, "sub": subject.public, "name": subject._name}
        text = ".".join(_base64(json.dumps(part).encode()) for part in (head, body | {"nats": claims | {"version": 2}}))
        return f"{text}.{self.signature(text.encode())}"


class Account:
    """An operator with one account."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        operator = Identity(folder, "operator", OPERATOR)
        self._account = Identity(folder, "account", ACCOUNT)
        limits = dict.fromkeys(("subs", "conn", "leaf", "imports", "exports", "data", "payload"), -1)
        claims = {"type": "account", "limits": limits | {"wildcards": True}}
        preload = f'{self._account.public}: "{operator.token(self._account, claims)}"'
        own = operator.token(operator, {"type": "operator"})
        #: What the server's configuration has to say.
        self.configuration = f'operator: "{own}"\nresolver: MEMORY\nresolver_preload: {{ {preload} }}\n'

    def user(self, name: str, publish: Sequence[str], subscribe: Sequence[str]) -> User:
        identity = Identity(self._folder, name, USER)
        claims = {"type": "user", "pub": {"allow": publish}, "sub": {"allow": subscribe}, "subs": -1, "data": -1}
        token = self._account.token(identity, claims | {"payload": -1})
        return User(self._folder / f"{name}.creds", identity, token)


class User:
    """A user of an account, and the file with its credentials."""

    def __init__(self, credentials: Path, identity: Identity, token: str) -> None:
        self.credentials, self.identity, self.token = credentials, identity, token
        credentials.write_text(
            f"-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n"
            f"-----BEGIN USER NKEY SEED-----\n{identity.seed}\n------END USER NKEY SEED------\n"
        )
