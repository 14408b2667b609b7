# SPDX-License-Identifier: BSD-3-Clause
"""Safe Rust stays safe: a program that forbids unsafe code drops what the Rust host hands out, in every order from
every thread, with the core, the library and Rust itself under AddressSanitizer. A failure names its FERRY_SEED."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from native import make, native_environment
from paths import BUILD, ROOT

ADDRESS = BUILD / "address"
CRATE = ROOT / "tests" / "ingress" / "rust" / "drops" / "src"
PROGRAM = ADDRESS / "rust" / "x86_64-unknown-linux-gnu" / "debug" / "echo-drops"
SECONDS = 900 + int(os.environ.get("FERRY_STRESS_SECONDS", "0"))
CASES = 5
MIRI_UNAVAILABLE = 3


@pytest.mark.parametrize("path", sorted(CRATE.glob("*.rs")), ids=lambda path: path.name)
def test_the_crate_is_safe(path: Path) -> None:
    assert "#![forbid(unsafe_code)]" in path.read_text()


def test_address_sanitizer_finds_nothing_whoever_drops_what() -> None:
    make(ADDRESS, ADDRESS / "lib/echo-cpp/libecho.so", sanitize="address,undefined")
    subprocess.run(
        [ROOT / "scripts/compile/rust_asan.sh", ADDRESS, "--quiet", "--package", "echo-drops"],
        check=True,
        timeout=SECONDS,
    )
    environment = native_environment() | {"LD_LIBRARY_PATH": f"{ADDRESS}/lib:{ADDRESS}/lib/echo-cpp"}
    done = subprocess.run([PROGRAM], capture_output=True, text=True, timeout=SECONDS, env=environment, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-8000:]
    assert len(re.findall(r"^ok ", done.stdout, re.M)) == CASES + 1


def test_miri_finds_nothing_whoever_drops_what() -> None:
    if shutil.which("rustup") is None:
        pytest.skip("there is no rustup, from which alone Miri comes")
    command = [str(ROOT / "scripts/test/miri.sh"), str(BUILD), "1", "drops"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode == MIRI_UNAVAILABLE:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-8000:]
