# SPDX-License-Identifier: BSD-3-Clause
"""`ferry advise --lines`: which line makes a call, and what the compiler plugin said of it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ferry.advise.errors import AdviseError
from ferry.advise.sources import Line, Plugin
from ferry.advise.strace_parser import parse_lines
from ferry.advise.trace import Call, Site
from paths import ROOT

PROGRAM = """\
#include <fcntl.h>
#include <unistd.h>
static __attribute__((noinline)) int opened(void)
{
	int fd = open("/etc/hostname", O_RDONLY);

	return fd < 0 ? 0 : fd;
}
int main(void)
{
	char byte;
	int fd = opened();

	if (read(fd, &byte, 1) < 0)
		return 1;
	return close(fd);
}
"""
SAID = """\
elsewhere/a.c:7:12: optimized: batched 3 calls in 5 slots: openat, read, close
a.c:7:12: missed: not inlinable: main/0 -> open/1, function body not available
a.c:9:3: missed:   no batch goes on here: a store, which a later call might see or undo
"""


def calls(text: str) -> list[Call]:
    items = parse_lines(text.splitlines()).threads
    return [item for thread in items.values() for item in thread if isinstance(item, Call)]


def test_a_call_has_the_innermost_frame_outside_of_the_c_library() -> None:
    (first, second) = calls(
        "getpid() = 1\n"
        " > /usr/lib/x86_64-linux-gnu/libc.so.6(getpid+0xd) [0xd82ad]\n"
        " > /tmp/prog(inner+0x3c) [0x10ac]\n"
        " > /tmp/prog(main+0x4c) [0x11ac]\n"
        "getppid() = 1\n"
        " > /usr/lib64/ld-linux-x86-64.so.2(_dl_map_object+0x1) [0x10]\n"
    )
    assert first.site == Site("/tmp/prog", "inner", 0x10AC)
    assert second.site is None


def test_frames_are_no_unreadable_lines() -> None:
    trace = parse_lines([" > /tmp/prog(+0x3c) [0x10ac]", " > [vdso](x) [0x1]", "getpid() = 1"])
    assert (trace.unreadable, trace.calls) == (0, 1)


def test_the_plugin_is_found_by_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "said").write_text(SAID)
    plugin = Plugin.read(tmp_path / "said")
    assert plugin.of([None, Line("/src/a.c", 9), Line("/src/a.c", 7)]).startswith("batched 3 calls")
    assert plugin.of([Line("/src/a.c", 9)]) == "no batch goes on here: a store, which a later call might see or undo"
    assert plugin.of([Line("/src/b.c", 7), None]).startswith("nothing")


def test_a_file_in_which_the_plugin_says_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "said").write_text("a.c:1:1: error: expected ';'\n")
    with pytest.raises(AdviseError, match="-fopt-info-optimized-missed"):
        Plugin.read(tmp_path / "said")


@pytest.mark.parametrize("linked", ["-pie", "-no-pie"])
def test_the_lines_of_a_program_are_named(tmp_path: Path, linked: str) -> None:
    if shutil.which("addr2line") is None:
        pytest.skip("binutils' addr2line is not installed")
    (tmp_path / "prog.c").write_text(PROGRAM)
    subprocess.run(["gcc", "-g", "-O2", linked, "-o", tmp_path / "prog", tmp_path / "prog.c"], check=True)
    done = subprocess.run(
        [sys.executable, "-m", "ferry", "advise", "--lines", "--gap-us", "1e9", "--json", "-", "--", tmp_path / "prog"],
        capture_output=True,
        text=True,
        env=dict(os.environ) | {"PYTHONPATH": str(ROOT / "tools/ferry/src"), "FERRY_BENCH": "/nonexistent"},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    lines = {
        (Path(line).name, call["call"])
        for group in json.loads(done.stdout)["groups"]
        for line, call in zip(group["lines"], group["example"], strict=True)
        if line
    }
    assert {("prog.c:5", "openat"), ("prog.c:14", "read"), ("prog.c:16", "close")} <= lines
    assert "prog.c:14 read" in done.stderr
