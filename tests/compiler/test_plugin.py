# SPDX-License-Identifier: BSD-3-Clause
"""The compiler plugin: what it says of each line, the slots it makes, and that programs do the same with it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from paths import BUILD, ROOT

from compiler.differential import GCC, compare, plugin_of

PLUGIN = plugin_of(BUILD / "lib")
CASES = sorted((ROOT / "tests/compiler/cases").glob("*.c"))
EXPECTED = re.compile(r"/\* ((?:no batch|batched).*?) \*/")
SAID = re.compile(r"^[^:]+:(\d+):\d+: (?:optimized|missed): ((?:no batch|batched).*?)\s*$", re.M)
SLOT = re.compile(r"note: (slot \d+: .*?)\s*$", re.M)

#: The slots that examples/c has by hand (jumps on failure, zero and more), for the same in plain C in cases/.
BY_HAND = {
    # examples/c/total/map_file.c
    "map_file": [
        "slot 0: openat stop 0 0: 4 arguments",
        "slot 1: wdcpy stop 0 0: argument 0 of slot 2 = result 0",
        "slot 2: fstat 3 0 3: 2 arguments",
        "slot 3: wdcpy stop 0 0: argument 1 of slot 5 = memory",
        "slot 4: wdcpy stop 0 0: argument 4 of slot 5 = result 0",
        "slot 5: mmap 0 0 0: 6 arguments",
        "slot 6: wdcpy stop 0 0: argument 0 of slot 7 = result 0",
        "slot 7: close stop stop stop: 1 arguments",
    ],
    # prepare_enter in src/walk/batches.c, on which mdu stands
    "mdu_leaf": [
        "slot 0: openat stop 0 0: 4 arguments",
        "slot 1: wdcpy stop 0 0: argument 0 of slot 2 = result 0",
        "slot 2: statx stop 0 0: 5 arguments",
        "slot 3: wdcpy stop 0 0: argument 0 of slot 4 = result 0",
        "slot 4: getdents64 stop stop stop: 3 arguments",
    ],
    # examples/c/pathsearch.c without -e, which asks by faccessat2
    "path_search": [
        "slot 0: access 0 stop 0: 2 arguments",
        "slot 1: access 0 stop 0: 2 arguments",
        "slot 2: access stop stop stop: 2 arguments",
    ],
    # examples/c/sigreset.c
    "signal_reset": [
        "slot 0: rt_sigaction 0 0 0: 4 arguments",
        "slot 1: rt_sigaction 0 0 0: 4 arguments",
        "slot 2: rt_sigaction stop stop stop: 4 arguments",
    ],
    # prepare_stat in src/walk/batches.c
    "stat_arguments": [
        "slot 0: statx 0 0 0: 5 arguments",
        "slot 1: statx 0 0 0: 5 arguments",
        "slot 2: statx 0 0 0: 5 arguments",
        "slot 3: statx stop stop stop: 5 arguments",
    ],
}


def explain(case: Path, *options: str) -> str:
    """What GCC with the plugin says of a file."""
    command = [GCC, "-O2", "-fno-inline", "-w", f"-fplugin={PLUGIN}", "-fchecking", "-c", "-o", os.devnull]
    done = subprocess.run([*command, *options, str(case)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_each_line_is_batched_or_says_why_not(case: Path) -> None:
    lines = case.read_text().splitlines()
    # a line that is nothing but an expectation is about the next one
    expected = {
        (number + line.lstrip().startswith("/*"), found[1])
        for number, line in enumerate(lines, 1)
        for found in EXPECTED.finditer(line)
    }
    said = {(int(line), text) for line, text in SAID.findall(explain(case, "-fopt-info-optimized-missed"))}
    assert expected, f"{case} expects nothing"
    assert expected <= said
    # nothing is batched that the file does not say
    assert {one for one in said if one[1].startswith("batched")} <= expected


@pytest.mark.parametrize("name", BY_HAND)
def test_an_example_has_the_slots_that_were_written_by_hand(name: str) -> None:
    said = explain(ROOT / f"tests/compiler/cases/{name}.c", "-fopt-info-note")
    assert SLOT.findall(said) == BY_HAND[name]


def test_random_programs_do_the_same(tmp_path: Path) -> None:
    outcome = compare(BUILD, 1, 40, tmp_path)
    assert not outcome.difference
    assert outcome.batched > 20
    assert outcome.slots_ran


def cc(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run `ferry cc`."""
    path = f"{ROOT / 'tools/ferry/src'}:{os.environ.get('PYTHONPATH', '')}"
    environment = {**os.environ, "PYTHONPATH": path, "FERRY_LIB": str(BUILD / "lib"), **variables}
    command = [sys.executable, "-m", "ferry", "cc", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)


#: Prints what the calls gave, and last what `ferry_compiled_slots_min` became: 1 where `loop` ran a batch.
PROGRAM = """
#include <fcntl.h>
#include <unistd.h>
#include <stdio.h>
#include <errno.h>
extern int ferry_compiled_slots_min __attribute__((weak));
int main(void)
{
	char t[8] = "";
	int fd = open("/proc/self/comm", O_RDONLY);
	if (fd < 0)
		return 1;
	long n = read(fd, t, 7);
	close(fd);
	int bad = close(fd);
	printf("%ld %s %d %d %d\\n", n, t, bad, errno == EBADF, &ferry_compiled_slots_min && ferry_compiled_slots_min == 1);
	return 0;
}
"""


@pytest.mark.parametrize(
    "options",
    ["-O2", "-O3 -march=native -flto", "-O2 -static", "-O1 -fno-pie -no-pie", "-Os -static-pie", "-O2 -x c++ -g3 -pg"],
)
def test_cc_compiles_links_and_runs(tmp_path: Path, options: str) -> None:
    text, program = tmp_path / "p.c", tmp_path / "p"
    text.write_text(PROGRAM)
    done = cc(*options.split(), "-fopt-info", "-o", program, text)
    assert done.returncode == 0, done.stderr
    assert "batched 4 calls in 7 slots: openat, read, close, close" in done.stderr
    for mode in ("loop", "kernel", "off", ""):
        environment = {**os.environ, "FERRY_COMPILED": mode}
        ran = subprocess.run([program], capture_output=True, text=True, env=environment, cwd=tmp_path)
        assert ran.stdout == f"2 p\n -1 1 {int(mode == 'loop')}\n"


@pytest.mark.parametrize("options", [["-m32"], ["-mx32"], ["-fsanitize=undefined"], ["-fprofile-generate"]])
def test_a_build_that_no_batch_fits_has_none(tmp_path: Path, options: list[str]) -> None:
    text = tmp_path / "p.c"
    # as a header of the system says it, which may not be installed for 32 bits
    text.write_text('# 1 "unistd.h" 1 3\nint close(int);\n# 1 "p.c" 2\nvoid two(void) { close(1); close(2); }\n')
    command = [GCC, "-O2", "-w", f"-fplugin={PLUGIN}", "-fopt-info-optimized-missed", "-c", "-o", os.devnull, *options]
    done = subprocess.run([*command, str(text)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "no batch" in done.stderr
    assert "batched" not in done.stderr


def test_a_log_has_a_line_for_each_batch(tmp_path: Path) -> None:
    text, program, log = tmp_path / "p.c", tmp_path / "p", tmp_path / "log"
    text.write_text(PROGRAM)
    assert cc("-O2", "-o", program, text).returncode == 0

    def run(mode: str, file: Path) -> "subprocess.CompletedProcess[str]":
        environment = {**os.environ, "FERRY_COMPILED": mode, "FERRY_COMPILED_LOG": str(file)}
        return subprocess.run([program], capture_output=True, text=True, env=environment, cwd=tmp_path)

    for _ in range(2):
        assert run("loop", log).stdout == "2 p\n -1 1 1\n"
    # the second close fails, and is made
    lines = [line.split() for line in log.read_text().splitlines()]
    assert [(calls, slots) for _, calls, slots in lines] == [("4", "7")] * 2
    assert len({process for process, _, _ in lines}) == 2
    assert run("off", tmp_path / "none").returncode == 0
    assert not (tmp_path / "none").exists()
    refused = run("loop", tmp_path / "missing" / "log")
    assert refused.stdout == "2 p\n -1 1 1\n"
    assert f"FERRY_COMPILED_LOG={tmp_path}/missing/log: No such file or directory" in refused.stderr


@pytest.mark.parametrize("option", ["-r", "-Wl,-r"])
def test_objects_are_joined_without_libferry(tmp_path: Path, option: str) -> None:
    # `ld -r` takes no shared library, and here is no archive
    library, text, part, program = (tmp_path / name for name in ("lib", "p.c", "part.o", "p"))
    library.mkdir()
    (library / "ferry").symlink_to(BUILD / "lib/ferry")
    for file in (BUILD / "lib").glob("libferry.so*"):
        (library / file.name).symlink_to(file)
    text.write_text(PROGRAM)
    done = cc("-O2", "-fno-pie", "-no-pie", "-nostdlib", option, "-o", part, text, FERRY_LIB=str(library))
    assert done.returncode == 0, done.stderr
    done = cc("-no-pie", "-o", program, part, FERRY_LIB=str(library))
    assert done.returncode == 0, done.stderr
    environment = {**os.environ, "FERRY_COMPILED": "loop"}
    ran = subprocess.run([program], capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert ran.stdout == "2 p\n -1 1 1\n"


def test_a_program_without_libferry_makes_its_calls(tmp_path: Path) -> None:
    case, text, program = ROOT / "tests/compiler/cases/path_search.c", tmp_path / "m.c", tmp_path / "m"
    text.write_text(
        "int search(const char *const *);\n"
        'int main(void) { const char *p[] = { "/missing", "/", "/" }; return search(p); }\n'
    )
    command = [GCC, "-O2", "-w", f"-fplugin={PLUGIN}", "-o", str(program), str(case), str(text)]
    subprocess.run(command, check=True, timeout=120)
    assert subprocess.run([program], timeout=60).returncode == 1


def fake_gcc(folder: Path, version: str) -> Path:
    """A compiler that says that it is GCC of this version."""
    fake = folder / "fake-gcc"
    fake.write_text(f"#!/bin/sh\necho {version}\n")
    fake.chmod(0o755)
    return fake


def test_cc_says_what_is_missing(tmp_path: Path) -> None:
    fake = str(fake_gcc(tmp_path, "9"))
    done = cc("-c", "x.c", FERRY_CC=fake, FERRY_LIB=str(tmp_path))
    assert done.returncode == 1
    assert f"the plugin for version 9 of {fake}: install GCC's headers for plugins (gcc-9-plugin-dev)" in done.stderr
    for version in ("8.5.0", "13"):
        folder = tmp_path / f"ferry/gcc-{version}"
        folder.mkdir(parents=True)
        (folder / "libferry_gcc.so").touch()
    done = cc("-c", "x.c", FERRY_CC=fake, FERRY_LIB=str(tmp_path))
    assert done.returncode == 1
    assert "there are plugins for 13, 8.5.0: set FERRY_CC to such a GCC, or install" in done.stderr
    done = cc("-c", "x.c", FERRY_CC="no-such-compiler")
    assert done.returncode == 1
    assert "cannot run no-such-compiler: No such file or directory; set FERRY_CC" in done.stderr
    assert done.stderr.startswith("ferry cc: ")


def test_cc_without_a_file_does_what_gcc_does() -> None:
    """A library to link would have GCC link a program of it alone."""
    done = cc()
    assert done.returncode == 1
    assert "no input files" in done.stderr
    assert cc("-v").returncode == 0
    assert cc("--version").stdout.startswith("gcc ")


def test_a_plugin_of_another_gcc_says_so(tmp_path: Path) -> None:
    """The plugin built for another GCC of the same version, as after an update of the compiler."""
    other = tmp_path / "libferry_gcc.so"
    content, count = re.subn(rb"\0[0-9]{8}\0", b"\x0019990101\0", PLUGIN.read_bytes())
    assert count, "the plugin has no record of the day of GCC that it was built for"
    other.write_bytes(content)
    case = str(ROOT / "tests/compiler/cases/path_search.c")
    command = [GCC, f"-fplugin={other}", "-c", "-o", os.devnull, case]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode != 0
    assert re.search(r"was built for GCC \S+ of 19990101 \(.*\), and this is GCC \S+ of 20", done.stderr)


def test_a_wrong_argument_of_the_plugin_is_named(tmp_path: Path) -> None:
    case = str(ROOT / "tests/compiler/cases/path_search.c")
    command = [GCC, f"-fplugin={PLUGIN}", "-fplugin-arg-libferry_gcc-calls=3", "-c", "-o", os.devnull, case]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode != 0
    assert "there is calls-min=N" in done.stderr
