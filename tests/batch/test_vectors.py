# SPDX-License-Identifier: BSD-3-Clause
"""The vectors as a whole: every rule has one, every vector names rules that exist, and the runner can fail."""

import errno
import platform
import re
import subprocess
from pathlib import Path

import pytest
from native import native_environment
from paths import BUILD, ROOT
from sandbox import refusing

VECTORS = sorted((ROOT / "spec" / "vectors").glob("*.batch"))
PROCESS_VM_READV = 310
RULES = re.findall(r"^\*\*(R\d+)", (ROOT / "spec" / "program.md").read_text(), re.M)


def rules_of(vector: Path) -> list[str]:
    line = re.search(r"^; rules:(.*)$", vector.read_text(), re.M)
    assert line, f"{vector.name} names no rule"
    return line.group(1).split()


def run(text: str, tmp_path: Path) -> tuple[int, str]:
    """The runner's exit status and output for a vector of this text."""
    vector = tmp_path / "made.batch"
    vector.write_text(text)
    done = subprocess.run(
        [str(BUILD / "tests" / "conformance"), str(vector)],
        capture_output=True,
        text=True,
        timeout=600,
        env=native_environment(),
    )
    return done.returncode, done.stdout


def test_rules_are_numbered_without_gaps() -> None:
    assert [f"R{i + 1}" for i in range(len(RULES))] == RULES
    assert len(RULES) >= 20


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_vector(rule: str) -> None:
    assert any(rule in rules_of(vector) for vector in VECTORS), f"{rule} of spec/program.md has no vector"


@pytest.mark.parametrize("vector", VECTORS, ids=lambda path: path.stem)
def test_every_vector_names_rules_that_exist(vector: Path) -> None:
    assert set(rules_of(vector)) <= set(RULES)


@pytest.mark.parametrize(
    "setting", ["HOSTTEST_INTERRUPT=restart", "HOSTTEST_INTERRUPT=result", "HOSTTEST_FILTER=1"], ids=str.lower
)
def test_the_vectors_hold_when_each_call_is_interrupted_or_asked_about(setting: str) -> None:
    name, _, value = setting.partition("=")
    done = subprocess.run(
        [BUILD / "tests" / "conformance-core", "-e", "kernel", "spec/vectors"],
        capture_output=True,
        text=True,
        timeout=600,
        cwd=ROOT,
        env=native_environment() | {name: value},
    )
    assert done.returncode == 0, done.stdout
    passed = len(re.findall(r"^ok ", done.stdout, re.M))
    # all but those that are about functions
    assert passed > len(VECTORS) // 2
    assert done.stdout.splitlines()[-1] == f"1..{passed}"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the filter names the call by its x86-64 number")
@pytest.mark.parametrize("code", [errno.EPERM, errno.ENOSYS])
def test_the_vectors_hold_where_process_vm_readv_is_refused(code: int) -> None:
    """Podman's default profile refuses it, and a kernel may be built without it."""
    done = subprocess.run(
        [BUILD / "tests" / "conformance", "-e", "loop", "spec/vectors"],
        capture_output=True,
        text=True,
        timeout=600,
        cwd=ROOT,
        env=native_environment(),
        preexec_fn=refusing(PROCESS_VM_READV, code),
    )
    assert done.returncode == 0, done.stdout
    assert len(re.findall(r"^ok ", done.stdout, re.M)) > len(VECTORS) // 2


GOOD = """; rules: R2 R7
close(-1) ; error(uring): -EOPNOTSUPP NOT_CARRIED
getpid()
; run: -EBADF >0 last 1
; run(null): 0 0 last 1
"""


def test_a_good_vector_passes(tmp_path: Path) -> None:
    status, output = run(GOOD, tmp_path)
    assert status == 0, output
    # one for each executor; that of the kernel is skipped where the kernel has none
    assert len(re.findall(r"^ok ", output, re.M)) == 6


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("-EBADF >0", "-EPERM >0", "slot 0 gave -9"),
        ("-EBADF >0", "-EBADF -", "slot 1 gave"),
        ("-EBADF >0", "- >0", "slot 0 gave"),
        (">0 last 1", ">0 last 0", "the last slot was 1, not 0"),
        ("; run: -EBADF >0 last 1", "; error: -EINVAL ARGC", "returned 1 with error code 0"),
        ("getpid()", "getpid() argc=7", "refused: reason 5, slot 1"),
        ("; run: -EBADF >0 last 1\n", "", "says nothing about this executor"),
        ("run(null)", "run(nul)", "no such executor"),
        ("close(-1)", "data a = 8\n; after: &a = 1\nclose(-1)", "the word is 0x0, not 0x1"),
        ("close(-1)", 'data a = "x"\n; after: &a = "y"\nclose(-1)', "other bytes"),
        ("; run:", "; runs:", "unknown directive 'runs:'"),
        ("getpid()", "getpod()", "line 3: unknown call 'getpod'"),
        ("getpid()", "close(&nothing)", "no memory is named 'nothing'"),
        ("getpid()", "wdcpy($ret[7], $ret[0])", "line 3: there is no slot 7"),
        ("-EBADF >0", "-EBADF", "1 results for 2 slots"),
        ("; rules: R2 R7", "", "name the rules"),
        ("getpid()", "getpid() fail=32768", "fail is from -32768 to 32767"),
    ],
)
def test_a_wrong_vector_fails(old: str, new: str, complaint: str, tmp_path: Path) -> None:
    assert old in GOOD
    status, output = run(GOOD.replace(old, new), tmp_path)
    assert status == 1
    assert "not ok" in output
    assert complaint in output


def test_a_killed_batch_fails_alone(tmp_path: Path) -> None:
    status, output = run(
        "; rules: R2\ngetpid()\nwdcpy(0, 0)\ntkill(0, 9)\n; run: >0 -EFAULT -EINVAL last 2\n", tmp_path
    )
    assert status == 1
    assert "not ok 1 - made.batch/null" in output
    assert "\nok 2 - made.batch/loop" in output


def test_the_runner_names_a_missing_file() -> None:
    done = subprocess.run(
        [str(BUILD / "tests" / "conformance"), "nowhere.batch"],
        capture_output=True,
        text=True,
        env=native_environment(),
    )
    assert done.returncode == 1
    assert "nowhere.batch/read" in done.stdout
