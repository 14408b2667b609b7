# SPDX-License-Identifier: BSD-3-Clause
"""Which consecutive calls are runs, which word copies they need, and which runs have one shape."""

import pytest
from ferry.advise.dataflow import Feed
from ferry.advise.runs import RUN_CALLS_MAX, Found, Run, find_runs
from ferry.advise.shapes import fold, group_runs, steps_of
from ferry.advise.strace_parser import parse_lines

OPEN = 'openat(AT_FDCWD, "/a/{0}", O_RDONLY) = 3'
READ = 'read(3, "text of the file", 4096) = 16'
STAT = 'newfstatat(3, "", {st_mode=S_IFREG|0644, st_size=258, ...}, AT_EMPTY_PATH) = 0'
MAP = "mmap(NULL, 258, PROT_READ, MAP_PRIVATE, 3, 0) = 0x7f0000000000"
CLOSE = "close(3) = 0"


def found(*lines: str) -> Found:
    trace = parse_lines(lines)
    assert trace.unreadable == 0, trace.unreadable_examples
    return find_runs(trace)


def names(run: Run) -> list[str]:
    return [call.name for call in run.calls]


def shapes(*lines: str) -> list[str]:
    return [group.text() for group in group_runs(found(*lines).runs)]


def test_a_descriptor_a_size_and_an_address_are_fed() -> None:
    (run,) = found(OPEN, STAT, MAP, CLOSE, "munmap(0x7f0000000000, 258) = 0").runs
    assert run.feeds == [
        (),
        (Feed(0, 0),),
        (Feed(1, 1, "st_size"), Feed(4, 0)),
        (Feed(0, 0),),
        (Feed(0, 2), Feed(1, 1, "st_size")),
    ]
    assert run.copies == 6


def test_statx_pairs_duplicates_and_identities_are_fed() -> None:
    (run,) = found(
        "pipe2([5, 6], 0) = 0",
        "fcntl(6, F_DUPFD_CLOEXEC, 0) = 7",
        "close(5) = 0",
        "close(7) = 0",
        "getpid() = 400",
        "gettid() = 401",
        "tgkill(400, 401, SIGABRT) = 0",
        'statx(9, "", AT_EMPTY_PATH, STATX_SIZE, {stx_mask=STATX_SIZE, stx_size=77, ...}) = 0',
        "mmap(NULL, 77, PROT_READ, MAP_PRIVATE, 9, 0) = 0x7f0000000000",
    ).runs
    assert run.feeds[1:4] == [(Feed(0, 0, "pair[1]"),), (Feed(0, 0, "pair[0]"),), (Feed(0, 1),)]
    assert run.feeds[6] == (Feed(0, 4), Feed(1, 5))
    assert run.feeds[8] == (Feed(1, 7, "stx_size"),)


def test_a_closed_descriptor_feeds_no_more() -> None:
    (run,) = found(OPEN, CLOSE, "fsync(3) = 0").runs
    assert run.feeds == [(), (Feed(0, 0),), ()]


def test_what_fcntl_asks_is_no_descriptor() -> None:
    (run,) = found("fcntl(4, F_GETFD) = 1", "fsync(1) = 0").runs
    assert run.feeds == [(), ()]


def test_copying_from_read_to_write_is_a_run_and_anything_else_written_is_not() -> None:
    (run,) = found(READ, 'write(1, "text of the file", 16) = 16').runs
    assert run.feeds[1] == (Feed(2, 0),)
    assert found(READ, 'write(1, "TEXT OF THE FILE", 16) = 16').runs == []
    assert found(STAT, 'write(1, "258\\n", 4) = 4').runs == []
    assert len(found("close(9) = 0", 'write(1, "258\\n", 4) = 4').runs) == 1


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ("mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f0000000000",
         "mprotect(0x7f0000001000, 4096, PROT_READ) = 0", "an address inside a mapping just made"),
        ("brk(NULL) = 0x555500000000", "brk(0x555500021000) = 0x555500021000", "the heap's end plus something"),
        (READ, "mmap(NULL, 5000, PROT_READ, MAP_PRIVATE, 3, 0) = 0x7f0000000000", "a length after the file was read"),
        (READ, 'pread64(3, "x", 1, 64) = 1', "an offset after the file was read"),
        ("getdents64(3, 0x5500000000 /* 3 entries */, 32768) = 80",
         'newfstatat(3, "name", {st_mode=S_IFREG|0644, st_size=1, ...}, 0) = 0', "a path after a directory was listed"),
        ('read(3, "ref: refs/heads/main\\n", 255) = 21', 'openat(AT_FDCWD, ".git/refs/heads/main", O_RDONLY) = 4',
         "a path that was just read"),
    ],
)  # fmt: skip
def test_a_computed_argument_ends_a_run(first: str, second: str, why: str) -> None:
    result = found(first, second)
    assert result.runs == []
    assert result.ends[f"computed: {why}"] == 1


def test_a_path_known_before_does_not_end_a_run() -> None:
    known = 'access("name", R_OK) = 0'
    listed = "getdents64(3, 0x5500000000 /* 3 entries */, 32768) = 80"
    assert [names(run) for run in found(known, "exit_group(0) = ?", listed, known).runs] == [["getdents64", "access"]]
    assert found(listed, known).runs == []
    assert len(found("getdents64(3, 0x5500000000 /* 0 entries */, 32768) = 0", known).runs) == 1


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("execve(\"/bin/true\", [\"true\"], 0x7ffc00000000 /* 3 vars */) = 0", "execve cannot be batched"),
        ("fork() = 12", "fork cannot be batched"),
        ("clone3({flags=CLONE_VM}, 88) = 12", "clone3 cannot be batched"),
        ("no_such_call(1) = 0", "no_such_call cannot be batched"),
        ("--- SIGALRM {si_signo=SIGALRM} ---", "a signal was delivered"),
        ("read(0, 0x7ff0, 1) = ? ERESTARTSYS (To be restarted if SA_RESTART is set)",
         "a call was interrupted or did not return"),
    ],
)  # fmt: skip
def test_what_ends_a_run(line: str, why: str) -> None:
    result = found("close(4) = 0", "close(5) = 0", line, "close(6) = 0", "close(7) = 0")
    assert [len(run.calls) for run in result.runs] == [2, 2]
    assert result.ends[why] == 1


def test_a_wait_is_the_last_call_of_a_run() -> None:
    result = found("close(4) = 0", "wait4(-1, NULL, 0, NULL) = 12", "close(5) = 0", "close(6) = 0")
    assert [names(run) for run in result.runs] == [["close", "wait4"], ["close", "close"]]
    woken = found("futex(0x55550000, FUTEX_WAKE_PRIVATE, 1) = 0", "close(5) = 0")
    assert len(woken.runs) == 1


def test_user_code_between_calls_ends_a_run() -> None:
    def line(at_us: int) -> str:
        return f"7 {1000 + at_us / 1e6:.6f} getuid() = 0 <0.000010>"

    starts = [0, 30, 60, 90, 1000, 1030, 1060]  # gaps of 20 µs, which is tracing, and one of 900
    trace = parse_lines(map(line, starts))
    result = find_runs(trace)
    assert [len(run.calls) for run in result.runs] == [4, 3]
    assert result.tracing_gap_us == pytest.approx(20, abs=1)
    assert [len(run.calls) for run in find_runs(trace, 2000).runs] == [7]
    assert result.ends["user code ran between"] == 1


def test_threads_do_not_mix() -> None:
    result = found(
        '1 openat(AT_FDCWD, "/a", O_RDONLY) = 3',
        "2 close(3) = 0",
        '1 read(3, "x", 10) = 1',
        "2 close(4) = 0",
        "1 close(3) = 0",
    )
    assert sorted(names(run) for run in result.runs) == [["close", "close"], ["openat", "read", "close"]]


def test_a_run_is_bounded() -> None:
    result = found(*["getuid() = 0"] * (RUN_CALLS_MAX + 3))
    assert [len(run.calls) for run in result.runs] == [RUN_CALLS_MAX, 3]


def test_a_call_alone_is_no_run() -> None:
    result = found("close(1) = 0", "exit_group(0) = ?")
    assert (result.runs, result.alone) == ([], 2)


def test_repeats_are_written_once() -> None:
    chain = [OPEN.format(1), READ, CLOSE]
    assert shapes(*chain * 4) == ["(openat→read→close)×4"]
    assert shapes("getuid() = 0", *chain * 2, "getuid() = 0") == ["getuid (openat→read→close)×2 getuid"]
    missing = 'openat(AT_FDCWD, "/b", O_RDONLY) = -1 ENOENT (No such file or directory)'
    assert shapes(missing, missing, *chain) == ["openat!×2 openat→read→close"]


def test_runs_that_differ_in_repeats_or_values_only_are_one_group() -> None:
    chain = [OPEN.format("x"), READ, CLOSE]
    other = [line.replace("3", "8").replace("/a/x", "/b/y") for line in chain]
    (group,) = group_runs(found(*chain * 2, "exit_group(0) = ?", *other * 5).runs)
    assert (group.text(), len(group.runs), group.calls) == ("(openat→read→close)×2…5", 2, 21)
    assert len(group.example.calls) == 15


def test_runs_of_other_data_flow_are_other_groups() -> None:
    unfed = 'read(9, "x", 10) = 1'
    assert len(shapes(OPEN.format(1), READ, "exit_group(0) = ?", OPEN.format(1), unfed)) == 2


def test_folding_loses_nothing() -> None:
    (run,) = found(*[OPEN.format(1), READ, CLOSE] * 3, *["getuid() = 0"] * 5, "getgid() = 0", "getuid() = 0").runs
    steps = steps_of(run)
    unfolded = [step for part in fold(steps) for _ in range(part.times) for step in part.steps]
    assert unfolded == steps
