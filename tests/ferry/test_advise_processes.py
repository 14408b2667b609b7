# SPDX-License-Identifier: BSD-3-Clause
"""Processes and programs of a trace: who made whom, who is a thread, and which program made a call."""

from ferry.advise.processes import UNKNOWN, Census, name, take_census
from ferry.advise.runs import find_runs
from ferry.advise.strace_parser import parse_lines

FORK = "clone(child_stack=NULL, flags=0x1200000 /* CLONE_CHILD_CLEARTID */|17 /* SIGCHLD */, child_tidptr=0x7f)"
THREAD = "clone3({flags=0x3d0f00 /* CLONE_VM|CLONE_THREAD */, exit_signal=0}, 88)"


def census(*lines: str) -> Census:
    trace = parse_lines(lines)
    return take_census(trace, find_runs(trace).runs)


def test_a_process_with_one_program() -> None:
    found = census('1 execve("/bin/ls", ["ls"], 0x1) = 0', "1 getuid() = 0", "1 getgid() = 0")
    (process,) = found.processes
    assert (process.pid, process.parent, process.threads) == (1, None, [1])
    assert process.programs == {"/bin/ls": 3}
    assert list(found.of_run.values()) == ["/bin/ls"]


def test_a_child_runs_its_parent_s_program_until_it_makes_its_own() -> None:
    found = census(
        '1 execve("/bin/sh", ["sh"], 0x1) = 0',
        f"1 {FORK} = 2",
        "2 getuid() = 0",
        "2 getgid() = 0",
        '2 execve("/missing/ls", ["ls"], 0x1) = -1 ENOENT (No such file or directory)',
        '2 execve("/bin/ls", ["ls"], 0x1) = 0',
        "2 getuid() = 0",
        "2 getgid() = 0",
        "1 wait4(-1, NULL, 0, NULL) = 2",
    )
    assert [(one.pid, one.parent) for one in found.processes] == [(1, None), (2, 1)]
    assert found.processes[1].programs == {"/bin/sh": 3, "/bin/ls": 3}
    assert found.programs() == {"/bin/sh": (2, 6), "/bin/ls": (1, 3)}
    assert sorted(found.of_run.values()) == ["/bin/ls", "/bin/sh"]


def test_a_thread_is_no_process() -> None:
    found = census('1 execve("/bin/x", ["x"], 0x1) = 0', f"1 {THREAD} = 2", "2 getuid() = 0", "2 getgid() = 0")
    (process,) = found.processes
    assert process.threads == [1, 2]
    assert process.programs == {"/bin/x": 4}


def test_a_process_runs_one_program_after_the_other() -> None:
    found = census('1 execve("/bin/env", ["env"], 0x1) = 0', "1 brk(NULL) = 1", '1 execve("/bin/ls", ["ls"], 0x1) = 0')
    assert found.processes[0].programs == {"/bin/env": 2, "/bin/ls": 1}


def test_what_ran_before_the_trace_is_unknown() -> None:
    found = census("1 getuid() = 0", "1 getgid() = 0", "7 getuid() = 0", "7 getgid() = 0")
    assert [(one.pid, one.programs) for one in found.processes] == [(1, {UNKNOWN: 2}), (7, {UNKNOWN: 2})]
    assert name(UNKNOWN) == UNKNOWN
    assert name("/usr/bin/git") == "git"


def test_ids_that_are_used_again_end() -> None:
    found = census(f"1 {FORK} = 2", f"2 {FORK} = 1", "2 getuid() = 0", f"3 {FORK} = 3")
    assert {thread for one in found.processes for thread in one.threads} == {1, 2, 3}
