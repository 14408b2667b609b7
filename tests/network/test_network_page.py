# SPDX-License-Identifier: BSD-3-Clause
"""docs/ingress-network.md, followed line by line from where docs/ingress.md ends, in C and in Python."""

import re
import subprocess
from pathlib import Path

from installed import environment
from nats_server import NEEDS_SERVER, free_port
from paths import BUILD, ROOT

pytestmark = NEEDS_SERVER
SECONDS = 240
FIRST = (ROOT / "docs" / "ingress.md").read_text()
PAGE = (ROOT / "docs" / "ingress-network.md").read_text()
#: How long what runs beside the others may take to say that it is ready.
WAIT = 'await() { for _ in $(seq 3000); do "$@" && return; sleep 0.02; done; echo "$* failed"; exit 1; }'


def section(title: str) -> str:
    """Return what the first page says under a title."""
    (found,) = re.findall(rf"^## {re.escape(title)}\n(.*?)^## ", FIRST, re.M | re.S)
    return str(found)


def made(language: str, title: str, file: Path) -> list[str]:
    """Write the first page's program, and return how it is made; a line that runs it is left out."""
    text = section(title)
    (source,) = re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)
    file.write_text(source)
    return re.findall(r"^    ((?:ferry|cc) .*)$", text, re.M)


def steps() -> list[str]:
    """Return the lines that the page says to run in one's own folder."""
    own = PAGE[PAGE.index("2. In your own folder") : PAGE.index("## What it costs")]
    return re.findall(r"^       (\S.*)$", own, re.M)


def follow(folder: Path, lines: list[str]) -> str:
    command = ["bash", "-c", "set -eu\ntrap 'kill $(jobs -p)' EXIT\n" + "\n".join([WAIT, *lines])]
    done = subprocess.run(
        command, cwd=folder, env=environment() | {"HOME": str(folder)},
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, "\n".join([*lines, done.stdout, done.stderr])
    return done.stdout


def beside(line: str, port: int) -> list[str]:
    """Return a line that starts something, and the wait until that is ready, which a reader sees."""
    if line.startswith("/usr/sbin/nats-server"):
        return [f"{line.removesuffix('&')}-p {port} 2>server &", "await grep -qs 'Server is ready' server"]
    if line.startswith("ferry serve"):
        return [f"{line.removesuffix('&')}>served &", "serves=$!", "await grep -qs 'serving echo' served"]
    return [line]


def test_the_page_is_followed(tmp_path: Path, prefix: Path) -> None:
    (tmp_path / "ferry").symlink_to(prefix)
    port = free_port()
    first = [
        "export PATH=$HOME/ferry/bin:$PATH LD_LIBRARY_PATH=$HOME/ferry/lib PKG_CONFIG_PATH=$HOME/ferry/lib/pkgconfig",
        f"cp {BUILD}/lib/echo-cpp/libecho.so {ROOT}/examples/echo/echo.json .",
        "export LD_LIBRARY_PATH=.:$LD_LIBRARY_PATH",
        *made("c", "From C", tmp_path / "hello.c"),
        *made("python", "From Python", tmp_path / "hello.py"),
    ]
    page = steps()
    assert [line.split()[0] for line in page[:4]] == ["/usr/sbin/nats-server", "ferry", "ferry", "cc"]
    assert sum("hello" in line for line in page) == 2
    lines = [more for line in page for more in beside(line.replace("4222", str(port)), port)]
    # the variable of one library does the same
    assert "`ECHO_LIBRARY=nats://HOST:PORT/echo`" in PAGE
    lines.append(f"ECHO_LIBRARY=nats://127.0.0.1:{port}/echo ./hello")
    # by its number: a job that has ended already is no job any more
    ended = ["kill %2", "wait $serves", f"{page[4].replace('4222', str(port))} 2>&1 || echo failed"]
    said = follow(tmp_path, [*first, *lines, *ended]).splitlines()
    greeted = ["hello, world", "hello, everyone", "hello, world", "hello, again", "hello, world"]
    assert [line for line in said if line.startswith("hello, ")] == greeted
    assert said[-2:] == [f"echo: nobody serves 'echo' at nats://127.0.0.1:{port}; start `ferry serve` there", "failed"]
