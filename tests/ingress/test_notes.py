# SPDX-License-Identifier: BSD-3-Clause
"""The notes: a library in Nim over SQLite, and what people run on it. Folders and files are real."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from native import native_environment
from paths import BUILD, ROOT

NOTES = ROOT / "examples" / "notes"
LIBRARY = BUILD / "nim" / "lib" / "libnotes.so"
#: What is committed of its bindings: language -> folder.
BINDINGS = {"cpp": "cpp/binding", "python": "python/binding"}
#: Waits for what other processes do are bounded, so that a fault is a failure and not a hang.
PATIENCE_S = 120.0
DIGEST = {
    "NOTES_LIBRARY": str(LIBRARY),
    "FERRY_INGRESS_LIBRARY": str(BUILD / "lib" / "libferryingress.so.0"),
    "PYTHONPATH": f"{ROOT}/hosts/python/src:{NOTES}/python/binding/src",
    "PYTHONDONTWRITEBYTECODE": "1",
}


def run(*command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=PATIENCE_S, env=os.environ | variables, cwd=ROOT
    )


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Some notes, and files that are none."""
    home = tmp_path / "notes"
    (home / "deep").mkdir(parents=True)
    (home / "ferry.md").write_text("# Ferry\n\nMany calls, one crossing. #boat #work\n")
    (home / "deep" / "tea.txt").write_text("Naïve crossing of the kitchen. #work\n")
    (home / "image.png").write_bytes(b"crossing")
    (home / "broken.md").write_bytes(b"\xff crossing")
    yield home


def compile_nim(source: str, output: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """With the compiler that still has db_sqlite."""
    nim = BUILD / "nim" / "bookworm" / "bin" / "nim"
    fetched = run("scripts/nim.sh", "bookworm", BUILD / "nim" / "bookworm")
    if fetched.returncode == 3:
        pytest.skip(fetched.stderr.strip().splitlines()[-1])
    options = ["--hints:off", "--styleCheck:error", "--threads:on", f"-p:{ROOT}/nim/src", f"-o:{output}"]
    return run(nim, "c", *options, f"--nimcache:{output}.cache", *more, NOTES / "nim" / source)


def test_the_index(tmp_path: Path) -> None:
    done = compile_nim("test_index.nim", tmp_path / "test_index")
    assert done.returncode == 0, done.stderr
    done = run(tmp_path / "test_index")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "[FAILED]" not in done.stdout and done.stdout.count("[OK]") >= 9


def test_the_description_is_what_the_compiler_writes(tmp_path: Path) -> None:
    output = tmp_path / "notes.json"
    done = compile_nim("notes.nim", tmp_path / "libnotes.so", "--compileOnly", f"-d:ferryInterface={output}")
    assert done.returncode == 0, done.stderr
    assert json.loads(output.read_text()) == json.loads((NOTES / "notes.json").read_text()), (
        "examples/notes/notes.json has drifted: compile notes.nim with -d:ferryInterface=examples/notes/notes.json"
    )


@pytest.mark.parametrize("lang", BINDINGS)
def test_the_bindings_have_not_drifted(lang: str) -> None:
    out = NOTES / BINDINGS[lang]
    command = (sys.executable, "-m", "ferry", "bindgen", NOTES / "notes.json", "--lang", lang, "--out", out, "--check")
    done = run(*command, PYTHONPATH=str(ROOT / "tools" / "ferry" / "src"))
    assert done.returncode == 0, done.stderr


def digest(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    assert LIBRARY.exists(), "run `make nim`"
    return run(sys.executable, NOTES / "python" / "notes_digest.py", *arguments, **native_environment(), **DIGEST)


def test_a_digest(folder: Path) -> None:
    done = digest(folder, "--find", "cross*")
    assert done.returncode == 0, done.stderr
    assert "2 notes, " in done.stdout
    assert "#work in 2" in done.stdout
    assert "left out: broken.md: broken.md is not UTF-8 at byte 0" in done.stdout
    assert "deep/tea.txt" in done.stdout and "Naïve «crossing» of the kitchen" in done.stdout
    assert "image.png" not in done.stdout


def test_an_index_in_a_file_is_kept(folder: Path, tmp_path: Path) -> None:
    database = tmp_path / "index.sqlite"
    assert digest(folder, "--database", database).returncode == 0
    assert database.stat().st_size > 0
    again = digest(folder, "--database", database, "--find", "ferry")
    assert again.returncode == 0 and "ferry.md" in again.stdout


def test_faults_are_named(folder: Path, tmp_path: Path) -> None:
    missing = digest(tmp_path / "nowhere")
    assert missing.returncode == 1 and "there is no folder" in missing.stderr
    query = digest(folder, "--find", '"open')
    assert query.returncode == 1 and "a quotation mark is not closed" in query.stderr


def test_changes_are_followed(folder: Path) -> None:
    command = [sys.executable, NOTES / "python" / "notes_digest.py", folder, "--follow"]
    environment = os.environ | native_environment() | DIGEST
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        lines = process.stdout
        try:
            assert "2 notes" in lines.readline()
            while "left out" not in lines.readline():
                pass
            # what follows is shown once the listener is there, so it is done until it is seen
            fresh = folder / "fresh.md"
            os.set_blocking(lines.fileno(), False)
            seen = ""
            until = time.monotonic() + PATIENCE_S
            while "fresh.md" not in seen:
                assert time.monotonic() < until, seen
                fresh.write_text(f"fresh {time.monotonic_ns()}\n")
                time.sleep(0.1)
                seen += lines.read() or ""
            fresh.unlink()
            while "removed: fresh.md" not in seen:
                assert time.monotonic() < until, seen
                time.sleep(0.05)
                seen += lines.read() or ""
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0
