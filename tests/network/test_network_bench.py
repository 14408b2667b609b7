# SPDX-License-Identifier: BSD-3-Clause
"""The benchmark of the network starts its own server."""

import json
import subprocess
from pathlib import Path

import pytest
from nats_server import NATS_SERVER, NEEDS_SERVER
from paths import BUILD

#: PATH as Debian sets it for a user.
OF_A_USER = "/usr/local/bin:/usr/bin:/bin"


@NEEDS_SERVER
def test_a_user_finds_the_server() -> None:
    if NATS_SERVER is None or str(Path(NATS_SERVER).parent) not in (*OF_A_USER.split(":"), "/usr/sbin"):
        pytest.skip("this nats-server is not Debian's")
    done = subprocess.run(
        [BUILD / "bench" / "network", "--n", "1", "--repetitions", "1", "--variant", "nats:call"],
        capture_output=True, text=True, env={"PATH": OF_A_USER, "LD_LIBRARY_PATH": str(BUILD / "lib")}, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    samples = [json.loads(line) for line in done.stdout.splitlines()]
    assert any(sample.get("variant") == "nats:call" for sample in samples), done.stdout
