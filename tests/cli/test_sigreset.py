# SPDX-License-Identifier: BSD-3-Clause
"""sigreset: what the command inherits, as the kernel tells it in /proc/self/status."""

import ctypes
import re
import signal
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
STATUS = ("cat", "/proc/self/status")
#: By its number on x86-64.
RT_SIGACTION = 13
SIGNAL_COUNT = 64
FIXED = (signal.SIGKILL, signal.SIGSTOP)
#: A sanitizer catches signals of its own, which would show as changed.
QUIET_SANITIZER = ":".join(f"handle_{name}=0" for name in ("segv", "sigbus", "sigfpe", "sigill", "abort"))


def set_all(handler: int) -> None:
    """Ignore (1) or reset (0) every signal in this process, also those libc keeps for itself."""
    libc = ctypes.CDLL(None)
    action = (ctypes.c_ulong * 4)(handler, 0, 0, 0)
    for number in range(1, SIGNAL_COUNT + 1):
        if number not in FIXED:
            assert libc.syscall(RT_SIGACTION, number, action, None, 8) == 0


def ignore_all() -> None:
    set_all(1)


def block_two() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1, signal.SIGRTMIN])


@pytest.fixture
def sigreset(each_bin_dir: Path, environment: dict[str, str]) -> Run:
    def run(*arguments: str, before: Callable[[], None] | None = None) -> subprocess.CompletedProcess[str]:
        environment["ASAN_OPTIONS"] += ":" + QUIET_SANITIZER

        def start_clean() -> None:
            # what starts the tests may have come from posix_spawn, which leaves signals 32 and 33 ignored
            set_all(0)
            if before:
                before()

        return subprocess.run(
            [each_bin_dir / "sigreset", *arguments],
            capture_output=True,
            text=True,
            env=environment,
            preexec_fn=start_clean,
            timeout=600,
        )

    return run


def signals(done: subprocess.CompletedProcess[str], field: str) -> set[int]:
    found = re.search(rf"^{field}:\t([0-9a-f]+)$", done.stdout, re.M)
    assert found, done
    mask = int(found[1], 16)
    return {number for number in range(1, SIGNAL_COUNT + 1) if mask >> (number - 1) & 1}


def test_the_test_can_tell(environment: dict[str, str]) -> None:
    done = subprocess.run(STATUS, capture_output=True, text=True, env=environment, preexec_fn=ignore_all)
    assert len(signals(done, "SigIgn")) == SIGNAL_COUNT - len(FIXED)


def test_resets_every_signal(sigreset: Run) -> None:
    done = sigreset(*STATUS, before=ignore_all)
    assert (done.returncode, done.stderr) == (0, "")
    assert signals(done, "SigIgn") == set()


@pytest.mark.parametrize(
    ("options", "ignored"),
    [
        (["--ignore=HUP"], {1}),
        (["-i", "sigint,15", "--ignore", "RTMIN"], {2, 15, 34}),
        (["-iRTMIN+1,rtmax-2,SIGRTMAX,33"], {35, 62, 64, 33}),
    ],
)
def test_ignores_what_it_is_told_to(sigreset: Run, options: Sequence[str], ignored: set[int]) -> None:
    for before in (None, ignore_all):
        assert signals(sigreset(*options, *STATUS, before=before), "SigIgn") == ignored


@pytest.mark.parametrize(
    "name",
    ["NOPE", "", "0", "65", "-1", "99999999999999999999", "RTMIN-1", "RTMAX+1", "RTMIN+31", "RTMINX", "1x", "SIG"],
)
def test_names_a_signal_that_is_none(sigreset: Run, name: str) -> None:
    done = sigreset(f"--ignore=HUP,{name}", "true")
    assert done.returncode == 2
    assert f"--ignore: no signal '{name}'" in done.stderr


@pytest.mark.parametrize("name", ["KILL", "SIGSTOP", "9"])
def test_refuses_what_cannot_be_ignored(sigreset: Run, name: str) -> None:
    done = sigreset("--ignore", name, "true")
    assert done.returncode == 2
    assert f"{name} cannot be ignored" in done.stderr


def test_unblocks_only_if_asked(sigreset: Run) -> None:
    blocked = {int(signal.SIGUSR1), int(signal.SIGRTMIN)}
    assert signals(sigreset(*STATUS, before=block_two), "SigBlk") == blocked
    done = sigreset("-uv", *STATUS, before=block_two)
    assert signals(done, "SigBlk") == set()
    assert done.stderr == "USR1\tblocked -> unblocked\nRTMIN\tblocked -> unblocked\n"


def test_lists_what_changed(sigreset: Run) -> None:
    def ignore_two() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGRTMIN + 3, signal.SIG_IGN)

    assert sigreset("--list").stdout == ""
    assert sigreset("--list", before=ignore_two).stdout == "HUP\tignored -> default\nRTMIN+3\tignored -> default\n"
    assert sigreset("-l", "-i", "HUP,TERM", before=ignore_two).stdout == (
        "TERM\tdefault -> ignored\nRTMIN+3\tignored -> default\n"
    )
    done = sigreset("-v", "echo", "ran", before=ignore_two)
    assert (done.stdout, done.stderr) == ("ran\n", "HUP\tignored -> default\nRTMIN+3\tignored -> default\n")


def test_the_command_keeps_its_options_and_status(sigreset: Run) -> None:
    assert sigreset("sh", "-c", 'echo "$@"; exit 7', "sh", "-v", "--list").stdout == "-v --list\n"
    assert sigreset("--", "sh", "-c", "exit 7").returncode == 7


def test_says_why_a_command_cannot_run(sigreset: Run, tmp_path: Path) -> None:
    done = sigreset("no-such-command")
    assert (done.returncode, done.stderr) == (127, "sigreset: no-such-command: No such file or directory\n")
    done = sigreset(str(tmp_path))
    assert (done.returncode, done.stderr) == (126, f"sigreset: {tmp_path}: Permission denied\n")


def test_needs_a_command_or_list(sigreset: Run) -> None:
    done = sigreset("-v")
    assert done.returncode == 2
    assert "give one, or --list" in done.stderr
    done = sigreset("--list", "true")
    assert done.returncode == 2
    assert "use --verbose" in done.stderr
