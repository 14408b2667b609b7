# SPDX-License-Identifier: BSD-3-Clause
"""The Rust host: its own tests, and the echo library called from Rust, also under valgrind."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from paths import BUILD, CARGO, ROOT

PROGRAM = BUILD / "rust" / "debug" / "echo-conformance"
SECONDS = 300
#: Cases that end what is still referred to elsewhere; under valgrind each reference is looked at.
LIVES = (
    "a_call_may_be_dropped_at_any_time",
    "many_are_submitted_together",
    "a_context_may_be_awaited",
    "a_listener_may_end_itself_and_call",
    "the_last_owner_may_be_a_callback",
    "what_waits_when_a_context_ends_is_told",
    "of_a_refused_chain_nothing_has_run",
    "a_chain_is_awaited_and_cancelled",
    "a_chain_of_a_context_that_ends_is_answered",
    "streams_give_every_value",
    "a_stream_that_is_left_is_seen_by_the_library",
    "a_stream_of_values_ends_with_its_context",
)


def conformance(*command: str) -> list[str]:
    """Run the program; return its lines, one for each case."""
    libraries = f"{BUILD / 'lib'}:{BUILD / 'nim' / 'lib'}"
    environment = os.environ | {"LD_LIBRARY_PATH": libraries, "RUST_BACKTRACE": "0"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()[1:]


def test_the_crates_pass_their_own_tests() -> None:
    command = [str(CARGO), str(BUILD), "test", "--quiet", "--workspace"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert sum(int(count) for count in re.findall(r"(\d+) passed", done.stdout)) >= 10


def test_the_echo_library_is_called() -> None:
    lines = conformance(str(PROGRAM))
    assert len(lines) >= 30
    assert [line for line in lines if not line.startswith("ok ")] == []


def test_nothing_is_used_after_its_end_or_leaked() -> None:
    lines = conformance(
        "valgrind", "-q", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite",
        str(PROGRAM), *LIVES,
    )  # fmt: skip
    assert len(lines) == len(LIVES)


@pytest.mark.parametrize("path", sorted((ROOT / "hosts" / "rust").glob("*/src/**/*.rs")), ids=lambda path: path.name)
def test_unsafe_is_in_two_modules_and_says_why(path: Path) -> None:
    lines = path.read_text().splitlines()
    places = [number for number, line in enumerate(lines) if re.search(r"\bunsafe (\{|impl)", line)]
    # the second takes bytes that it has seen to be ASCII for a text
    assert path.name in ("core.rs", "short.rs") or path.parent.name == "core" or places == []
    for number in places:
        above = lines[max(0, number - 8) : number]
        assert any("// SAFETY: " in line for line in above), f"{path}:{number + 1}"
