# SPDX-License-Identifier: BSD-3-Clause
"""What strace writes is read; what it does not write is counted and never a crash."""

import errno

import pytest
from ferry.advise.dataflow import Flow
from ferry.advise.emit_c import EMIT_CALLS_MAX, emit_c
from ferry.advise.runs import find_runs
from ferry.advise.shapes import group_runs
from ferry.advise.strace_parser import parse_lines
from ferry.advise.trace import Break, Call, Mark, Trace
from ferry.advise.values import parse_number, parse_string, parse_value, split_arguments
from hypothesis import given, settings
from hypothesis import strategies as st

REAL = r"""
17128 1795241449.929650427 execve("/usr/bin/bash", ["bash", "-c", "a, b) = 3"], 0x7ffc0bc13840 /* 35 vars */) = 0 <0.000491649>
17128 1795241449.931027417 openat(-100 /* AT_FDCWD */, "/etc/ld.so.cache", 0x80000 /* O_RDONLY|O_CLOEXEC */) = 3 <0.000054401>
17128 1795241449.931140574 newfstatat(3, "", {st_mode=0100644 /* S_IFREG|0644 */, st_size=36887, ...}, 0x1000 /* AT_EMPTY_PATH */) = 0 <0.000041041>
17128 1795241449.931248204 mmap(NULL, 36887, 0x1 /* PROT_READ */, 0x2 /* MAP_PRIVATE */, 3, 0) = 0x7f16b8910000 <0.000045858>
17128 1795241449.935016918 ioctl(0, 0x5401 /* TCGETS */, 0x7ffdef141b10) = -1 ENOTTY (Inappropriate ioctl for device) <0.000037105>
17285 1795241451.076832 fcntl(6, 0x3 /* F_GETFL */) = 0x38800 (flags O_RDONLY|O_NONBLOCK|O_DIRECTORY) <0.000007502>
17285 1795241451.076921 getdents64(6, 0x5633c323cd10 /* 5 entries */, 32768) = 152 <0.000085797>
17128 1795241449.936 read(3, "# Locale \"x\"\n\t\\ \1\0013\x80"..., 4096) = 2996 <0.000037185>
17128 1795241449.96 wait4(-1, [{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0, NULL) = 17129 <0.001>
17128 1795241449.97 --- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=17129, si_uid=0} ---
17128 1795241449.98 exit_group(0) = ?
17128 1795241449.99 +++ exited with 0 +++
"""  # noqa: E501


def calls_of(trace: Trace) -> list[Call]:
    return [item for items in trace.threads.values() for item in items if isinstance(item, Call)]


def one_call(line: str) -> Call:
    trace = parse_lines([line])
    assert trace.calls == 1, trace
    return calls_of(trace)[0]


def test_reads_what_strace_writes() -> None:
    trace = parse_lines(REAL.strip().split("\n"))
    assert (trace.lines, trace.calls, trace.remarks, trace.unreadable) == (12, 10, 2, 0)
    by_name = {call.name: call for call in calls_of(trace)}
    assert by_name["execve"].arguments[1].text == '["bash", "-c", "a, b) = 3"]'
    opened = by_name["openat"]
    assert (opened.thread, opened.result, opened.failed) == (17128, 3, False)
    assert [value.number for value in opened.arguments] == [-100, None, 0x80000]
    assert opened.arguments[1].data == b"/etc/ld.so.cache"
    assert opened.start_s == pytest.approx(1795241449.931027417)
    assert opened.duration_s == pytest.approx(54.401e-6)
    assert by_name["newfstatat"].arguments[2].fields["st_size"] == "36887"
    assert by_name["mmap"].arguments[0].number == 0
    assert by_name["mmap"].result == 0x7F16B8910000
    assert (by_name["ioctl"].result, by_name["ioctl"].error) == (-errno.ENOTTY, "ENOTTY")
    assert by_name["fcntl"].result == 0x38800
    assert by_name["getdents64"].arguments[1].number == 0x5633C323CD10
    read = by_name["read"].arguments[1]
    assert read.truncated
    assert read.data == b'# Locale "x"\n\t\\ \x01\x013\x80'
    assert by_name["exit_group"].result is None


def test_joins_interrupted_calls_of_each_thread() -> None:
    trace = parse_lines(
        [
            "1 10.000000 read(0,  <unfinished ...>",
            "2 10.000100 futex(0x1000, FUTEX_WAIT, 1, NULL <unfinished ...>",
            '1 10.000200 <... read resumed>"hi", 100) = 2 <0.000150>',
            '1 10.000300 write(1, "hi", 2 <unfinished ...>',
            "2 10.000400 <... futex resumed>) = ? ERESTARTSYS (To be restarted if SA_RESTART is set) <0.000300>",
            "1 10.000500 <... write resumed>)        = 2 <0.000100>",
            "2 10.000600 +++ killed by SIGTERM (core dumped) +++",
        ]
    )
    assert trace.unreadable == 0
    read, write = trace.threads[1]
    assert isinstance(read, Call)
    assert isinstance(write, Call)
    assert (read.name, read.result, read.start_s, read.duration_s) == ("read", 2, 10.0, 0.00015)
    assert [value.text for value in read.arguments] == ["0", '"hi"', "100"]
    assert (write.name, write.result) == ("write", 2)
    futex, end = trace.threads[2]
    assert isinstance(futex, Call)
    assert futex.result is None
    assert end == Mark(2, Break.EXIT)


@pytest.mark.parametrize(
    "line",
    [
        "close(3) = 0",
        "close(3)                                = 0",
        "12:01:02 close(3) = 0",
        "12:01:02.123456 close(3) = 0 <0.000010>",
        "1795241449.931027 close(3) = 0 <0.000010>",
        "[pid  77] close(3) = 0",
        "[pid 77] 1795241449.931027 close(3) = 0",
        "77 close(3) = 0",
        "77    close(3</etc/passwd (deleted)>) = 0",
        "close(3<socket:[1234]>) = 0",
    ],
)
def test_reads_every_prefix(line: str) -> None:
    call = one_call(line)
    assert (call.name, call.result, call.arguments[0].number) == ("close", 0, 3)


def test_counts_and_quotes_what_it_cannot_read() -> None:
    trace = parse_lines(
        [
            "1 close(3) = 0",
            "1 ????( <unfinished ...>",
            '1 openat(AT_FDCWD, "/etc/pass',
            "1 <... read resumed>) = 0",
            "1 close(3] = 0",
            "1 close(3) = zero",
            "1 close(4) = 0",
            "2 read(3,  <unfinished ...>",
            "2 <... write resumed>) = 0",
        ]
    )
    assert (trace.calls, trace.unreadable) == (2, 6)
    assert [number for number, _ in trace.unreadable_examples] == [2, 3, 4]
    assert find_runs(trace).runs == []  # an unreadable line may hide anything


def test_knows_remarks_of_strace() -> None:
    trace = parse_lines(
        ["strace: Process 12 attached", "[ Process PID=12 runs in 32 bit mode. ]", "", "1 close(3) = 0"]
    )
    assert (trace.calls, trace.remarks, trace.unreadable) == (1, 3, 0)
    assert trace.foreign_personality


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("-1", -1),
        ("0644", 0o644),
        ("089", 89),
        ("0x7f00", 0x7F00),
        ("3</a>", 3),
        ("5 /* X */", 5),
        ("NULL", 0),
        ("8192*1024", None),
        ("O_RDONLY", None),
        ("0|O_X", None),
        ("9" * 400, None),
        ("", None),
    ],
)
def test_reads_words(text: str, number: int | None) -> None:
    assert parse_number(text) == number


def test_splits_arguments_at_their_own_commas_only() -> None:
    text = r'"a,b\"),", [1, {x=2, y="}"}], 3 /* p, q) */, f(4, 5)) = 0'
    assert split_arguments(text) == (
        [r'"a,b\"),"', '[1, {x=2, y="}"}]', "3 /* p, q) */", "f(4, 5)"],
        " = 0",
    )
    assert split_arguments(") = 1") == ([], " = 1")
    assert split_arguments("1, [2)") is None
    assert split_arguments('"never closed)') is None


@given(st.binary(max_size=60), st.booleans())
def test_strings_come_back_as_they_were(data: bytes, hexadecimal: bool) -> None:
    if hexadecimal:
        text = "".join(f"\\x{byte:02x}" for byte in data)
    else:
        text = "".join(chr(b) if 0x20 <= b < 0x7F and b not in b'"\\' else f"\\{b:03o}" for b in data)
    assert parse_string(f'"{text}"') == (data, False)
    assert parse_string(f'"{text}"...') == (data, True)
    assert split_arguments(f'"{text}", 1) = 0') == ([f'"{text}"', "1"], " = 0")


NOISE = st.text(alphabet=st.sampled_from('()[]{}"\\/*<>=,.?-+ \t0x19aE\x00é'), max_size=12)


@st.composite
def mutated_lines(draw: st.DrawFn) -> list[str]:
    """Real lines, each cut, glued or filled with noise somewhere."""
    source = REAL.strip().split("\n")
    lines = []
    for line in draw(st.lists(st.sampled_from(source), max_size=12)):
        at = draw(st.integers(0, len(line)))
        to = draw(st.integers(at, min(len(line), at + 8)))
        lines.append(line[:at] + draw(NOISE) + (line[to:] if draw(st.booleans()) else ""))
    return lines


@settings(max_examples=400, deadline=None)
@given(st.one_of(mutated_lines(), st.lists(st.text(max_size=80), max_size=8)))
def test_never_fails_on_any_text(lines: list[str]) -> None:
    trace = parse_lines(lines)
    assert trace.lines == len(lines)
    assert trace.lines == trace.calls + trace.remarks + trace.unreadable
    for call in calls_of(trace):
        Flow().feeds(call)
    found = find_runs(trace)
    for group in group_runs(found.runs):
        assert group.text()
        if len(group.example.calls) <= EMIT_CALLS_MAX:
            assert "batch_builder_finish" in emit_c(group.example, "noise")


@given(st.text(max_size=100))
def test_values_of_any_text(text: str) -> None:
    assert parse_value(text).text == text
