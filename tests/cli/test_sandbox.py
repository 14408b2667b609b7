# SPDX-License-Identifier: BSD-3-Clause
"""Programs in a sandbox that refuses one of their calls: a clear error, nothing left open, no wrong answer."""

import errno
import platform
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from sandbox import refusing

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the filters name calls by x86-64 numbers")

FSTAT, NFSSERVCTL, PROCESS_VM_READV, FACCESSAT2, RT_SIGACTION = 5, 180, 310, 439, 13

Run = Callable[..., subprocess.CompletedProcess[str]]


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


def test_total_closes_what_it_could_not_map(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"\x01")
    refuse = refusing(FSTAT, errno.EPERM)

    def before() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (12, 12))
        refuse()

    done = run("total", *["file"] * 40, before=before)
    assert (done.returncode, done.stdout) == (1, "grand total: 0\n")
    assert done.stderr == "total: file: Operation not permitted\n" * 40


@pytest.mark.parametrize("code", [errno.EPERM, errno.ENOSYS])
def test_total_reads_sizes_where_the_copying_call_is_refused(run: Run, tmp_path: Path, code: int) -> None:
    """Podman's default profile refuses it, and a kernel may be built without it."""
    (tmp_path / "file").write_bytes(b"\x01\x02")
    done = run("total", "file", "missing", "file", before=refusing(PROCESS_VM_READV, code))
    assert (done.returncode, done.stdout) == (1, "grand total: 6\n")
    assert done.stderr == "total: missing: No such file or directory\n"


def test_pathsearch_says_that_the_call_is_missing(run: Run, tmp_path: Path) -> None:
    done = run("pathsearch", "-e", "ls", before=refusing(FACCESSAT2, errno.ENOSYS))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "pathsearch: ls: this kernel has no faccessat2: Linux 5.8 or newer is needed\n"


@pytest.mark.parametrize("option", [[], ["-e"]])
def test_pathsearch_does_not_call_absent_what_it_may_not_ask_about(run: Run, option: list[str]) -> None:
    """Older container runtimes answer EPERM to calls that they do not know."""
    done = run("pathsearch", *option, "ls", before=refusing(FACCESSAT2, errno.EPERM))
    assert (done.returncode, done.stdout) == (1, "")
    said = "a sandbox refuses faccessat2; allow it, or search with `command -v`"
    assert done.stderr == f"pathsearch: ls: {said}\n"


def test_unimpl_does_not_time_a_sandbox(run: Run) -> None:
    done = run("unimpl", "-n", "1", "-t", "1", before=refusing(NFSSERVCTL, errno.EPERM))
    assert done.returncode == 1
    assert done.stderr == "unimpl: the call gave -1, not -38: it is intercepted here\n"


def test_sigreset_does_not_run_the_command_half_reset(run: Run) -> None:
    done = run("sigreset", "echo", "ran", before=refusing(RT_SIGACTION, errno.EPERM, argument=(0, 40)))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "sigreset: cannot reset RTMIN+6: Operation not permitted\n"
