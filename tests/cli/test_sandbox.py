# SPDX-License-Identifier: BSD-3-Clause
"""Programs in a sandbox that refuses one of their calls: a clear error, nothing left open, no wrong answer."""

import ctypes
import errno
import platform
import resource
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the filters name calls by x86-64 numbers")

FSTAT, NFSSERVCTL, PROCESS_VM_READV, FACCESSAT2, RT_SIGACTION = 5, 180, 310, 439, 13
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
#: BPF: load word, jump if equal, return. See seccomp(2).
LOAD, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06
RETURN_ERRNO, RETURN_ALLOW = 0x00050000, 0x7FFF0000
ARGUMENT_OFFSET = 16

Run = Callable[..., subprocess.CompletedProcess[str]]


def filter_program(nr: int, code: int, argument: tuple[int, int] | None) -> bytes:
    """Return a filter under which call nr fails with code; with argument (k, v), only if its k-th word is v."""
    rules = [(LOAD, 0, 0, 0), (JUMP_EQUAL, 0, 3 if argument else 1, nr)]
    if argument:
        rules += [(LOAD, 0, 0, ARGUMENT_OFFSET + 8 * argument[0]), (JUMP_EQUAL, 0, 1, argument[1])]
    rules += [(RETURN, 0, 0, RETURN_ERRNO | code), (RETURN, 0, 0, RETURN_ALLOW)]
    return b"".join(struct.pack("HBBI", *rule) for rule in rules)


def refusing(nr: int, code: int, argument: tuple[int, int] | None = None) -> Callable[[], None]:
    """Return what makes the process refuse a call, to be run between fork and exec."""
    program = filter_program(nr, code, argument)

    def apply() -> None:
        text = ctypes.create_string_buffer(program, len(program))
        header = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(text))
        libc = ctypes.CDLL(None, use_errno=True)
        assert libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
        assert libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header, 0, 0) == 0

    return apply


@pytest.fixture
def run(each_bin_dir: Path, environment: dict[str, str], tmp_path: Path) -> Run:
    def inner(name: str, *arguments: str, before: Callable[[], None]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [each_bin_dir / name, *arguments],
            capture_output=True,
            text=True,
            env=environment,
            cwd=tmp_path,
            preexec_fn=before,
            timeout=600,
        )

    return inner


@pytest.mark.parametrize("nr", [FSTAT, PROCESS_VM_READV])
def test_total_closes_what_it_could_not_map(run: Run, tmp_path: Path, nr: int) -> None:
    (tmp_path / "file").write_bytes(b"\x01")
    refuse = refusing(nr, errno.EPERM)

    def before() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (12, 12))
        refuse()

    done = run("total", *["file"] * 40, before=before)
    assert (done.returncode, done.stdout) == (1, "grand total: 0\n")
    assert done.stderr == "total: file: Operation not permitted\n" * 40


def test_pathsearch_says_that_the_call_is_missing(run: Run, tmp_path: Path) -> None:
    done = run("pathsearch", "-e", "ls", before=refusing(FACCESSAT2, errno.ENOSYS))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "pathsearch: ls: this kernel has no faccessat2: Linux 5.8 or newer is needed\n"


def test_unimpl_does_not_time_a_sandbox(run: Run) -> None:
    done = run("unimpl", "-n", "1", "-t", "1", before=refusing(NFSSERVCTL, errno.EPERM))
    assert done.returncode == 1
    assert done.stderr == "unimpl: the call gave -1, not -38: it is intercepted here\n"


def test_sigreset_does_not_run_the_command_half_reset(run: Run) -> None:
    done = run("sigreset", "echo", "ran", before=refusing(RT_SIGACTION, errno.EPERM, argument=(0, 40)))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "sigreset: cannot reset RTMIN+6: Operation not permitted\n"
