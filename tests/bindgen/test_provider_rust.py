# SPDX-License-Identifier: BSD-3-Clause
"""`ferry bindgen --provider rust`: a library's first form builds without a warning, its author's files stay, and
mistakes are refused by the compiler, by name."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from bindgen.test_generate import ECHO, bindgen
from paths import BUILD, CARGO, ROOT

RUNTIME = ROOT / "hosts" / "rust" / "ferry-ingress-provider"
#: What an author does wrong -> what is said of it.
MISTAKES = {
    "a method is missing": (
        r"\n    fn read\(.*?\n    }\n",
        "\n",
        r"not all trait items implemented, missing: `read`",
    ),
    "a method is misspelt": (r"fn read\(", "fn reed(", r"method `reed` is not a member of trait `Library`"),
    "a parameter of another type": (r"_bytes_max: u32", "_bytes_max: u64", r"method `read` has an incompatible type"),
    "a result of another type": (
        r'Err\("version is not written yet"\.into\(\)\)',
        "Ok(5.into())",
        r"the trait bound `Reply<String>: From<\{integer\}>` is not satisfied|Reply<String>",
    ),
    "the author's type is not there": (r"\bEcho\b", "Reverb", r"cannot find type `Echo` in the crate root"),
    "a context leaves its thread": (
        r'Err\("ticks is not written yet"\.into\(\)\)',
        "let context = _context.clone(); std::thread::spawn(move || context.emit_tick()); Ok(().into())",
        r"cannot be sent between threads safely",
    ),
}


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [CARGO, BUILD, "check", "--offline"]
    command += ["--manifest-path", folder / "Cargo.toml", "--target-dir", BUILD / "rust-libraries"]
    environment = os.environ | {"RUSTFLAGS": "-Dwarnings", "CARGO_TERM_COLOR": "never"}
    return subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment, check=False)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library") / "echo"
    done = bindgen(
        ECHO, "--provider", "rust", "--out", folder, "--runtime", RUNTIME, path=os.environ.get("PATH", "/usr/bin:/bin")
    )
    assert done.returncode == 0, done.stderr
    assert {Path(line) for line in done.stdout.splitlines()} == {
        folder / path
        for path in (
            "Cargo.toml", "src/lib.rs", "src/generated/mod.rs", "src/generated/types.rs", "src/generated/params.rs",
        )
    }  # fmt: skip
    return folder


def test_the_first_form_builds(library: Path) -> None:
    done = check(library)
    assert done.returncode == 0, done.stderr


def test_the_authors_files_stay(library: Path) -> None:
    source = library / "src" / "lib.rs"
    before = source.read_text()
    source.write_text(before + "// mine\n")
    try:
        path = os.environ.get("PATH", "/usr/bin:/bin")
        again: list[str | Path] = ["--provider", "rust", "--out", library, "--runtime", RUNTIME]
        done = bindgen(ECHO, *again, path=path)
        assert done.returncode == 0
        assert str(source) not in done.stdout
        assert source.read_text().endswith("// mine\n")
        assert bindgen(ECHO, *again, "--check", path=path).returncode == 0
    finally:
        source.write_text(before)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named(library: Path, mistake: str) -> None:
    pattern, instead, said = MISTAKES[mistake]
    source = library / "src" / "lib.rs"
    before = source.read_text()
    wrong = re.sub(pattern, instead, before, flags=re.S)
    assert wrong != before
    source.write_text(wrong)
    try:
        done = check(library)
    finally:
        source.write_text(before)
    assert done.returncode != 0
    assert re.search(said, done.stderr), done.stderr
