# SPDX-License-Identifier: BSD-3-Clause
"""The conformance programs of C and C++, and chains in Rust, unchanged, with their library behind a NATS server."""

import subprocess
from collections.abc import Iterator

import pytest
from native import native_environment
from nats_server import NEEDS_SERVER, STANDING, Provider, Server
from paths import BUILD

pytestmark = NEEDS_SERVER
SECONDS = 240
#: Cases of the program in Rust.
CHAINS = (
    "a_handle_is_opened_read_and_closed_by_a_chain",
    "parts_of_results_are_taken",
    "promises_stand_inside_objects_that_are_passed",
    "promises_stand_in_maps",
    "a_chain_reaches_into_variants",
    "a_chain_gives_what_calls_in_turn_give",
    "a_chain_of_drafts_gives_what_calls_in_turn_give",
    "what_needs_a_failed_call_is_skipped",
    "of_a_refused_chain_nothing_has_run",
    "a_chain_is_awaited_and_cancelled",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("nats"))
    provider = Provider(made)
    yield made
    assert provider.end() == 0
    made.kill()


def environment(server: Server) -> dict[str, str]:
    return native_environment() | {
        "LD_LIBRARY_PATH": f"{STANDING}:{BUILD / 'lib'}",
        "FERRY_NATS_URL": server.url,
    }


@pytest.mark.parametrize(
    "name",
    ["test_c_conformance", "test_c_conformance_cbor", "test_c_chains", "test_cpp_conformance", "test_cpp_chains"],
)
def test_programs_run_unchanged(server: Server, name: str) -> None:
    done = subprocess.run(
        [BUILD / "tests" / name], capture_output=True, text=True, timeout=SECONDS, check=False, env=environment(server)
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_chains_in_rust_run_unchanged(server: Server) -> None:
    done = subprocess.run(
        [BUILD / "rust" / "debug" / "echo-conformance", *CHAINS],
        capture_output=True, text=True, timeout=SECONDS, check=False, env=environment(server),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("\nok ") == len(CHAINS)


def test_the_library_is_really_elsewhere(server: Server) -> None:
    """Without a provider the same program fails, so the tests above cannot pass by a library of this process."""
    nowhere = environment(server) | {"FERRY_NATS_URL": f"{server.url}/nobody"}
    program = BUILD / "tests" / "test_c_conformance_cbor"
    done = subprocess.run([program], capture_output=True, text=True, timeout=SECONDS, check=False, env=nowhere)
    assert done.returncode != 0
