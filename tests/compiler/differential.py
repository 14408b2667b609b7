# SPDX-License-Identifier: BSD-3-Clause
"""Compare random programs with and without the compiler plugin: the same calls in the same order with the same results.

Usage: differential.py --build BUILD [--programs N] [--seed N] [--jobs N]

Each file of functions (programs.py) is compiled without the plugin and with it, and run under strace in a fresh folder:
plainly, with batches run by `loop`, and with batches off. What strace prints has to be the same but for what is listed
in `normalised`. The exit status is 1 when a file differs; its sources and traces are kept in BUILD/compiler. A file
that differs is printed as soon as it is found, and how far the run is goes to standard error.
FERRY_CC in the environment is the compiler (gcc).
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from compiler.programs import source

#: The compiler whose plugin is looked at.
GCC = os.environ.get("FERRY_CC", "gcc")
#: Functions in a file: as many as make compiling and starting strace cheap for each.
FUNCTIONS = 100
TIMEOUT_SECONDS = 300
#: How often a long run says how far it is.
TELL_SECONDS = 15
#: Calls of the C library and of the executor that are not the program's.
FOREIGN = re.compile(r"^(process_vm_readv|getpid|getrandom|brk|exit_group|dup2\(1, 200)")


@dataclass(frozen=True)
class Outcome:
    """What one file came to."""

    seed: int
    batched: int
    calls: int
    slots_ran: bool
    difference: str


def normalised(trace: str) -> list[str]:
    """The calls of a trace behind the first of main, where addresses have no value.

    glibc asks for the state of a descriptor by newfstatat with an empty path, and says itself that a negative one is
    bad; a batch has fstat. Results of a mapping are addresses.
    """
    lines = trace.splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("dup2(1, 200"))
    calls = []
    for line in lines[begin + 1 :]:
        if FOREIGN.match(line) or line.startswith("+++"):
            continue
        call = re.sub(r"^newfstatat\((-?\d+), \"\", (.*), AT_EMPTY_PATH\)", r"fstat(\1, \2)", line)
        call = re.sub(r"0x[0-9a-f]{5,}", "ADDRESS", call)
        call = re.sub(r"\s+=", " =", call)
        if not re.match(r"fstat\(-", call):
            calls.append(call)
    return calls


def run(program: Path, folder: Path, mode: str) -> tuple[str, list[str]]:
    """Run a program in a fresh folder; what it printed and its calls."""
    with tempfile.TemporaryDirectory(dir=folder) as fresh:
        for name, content in (("a", b"x" * 100), ("b", b"\5\0\0\0\0\0\0\0")):
            Path(fresh, name).write_bytes(content)
        Path(fresh, "d").mkdir()
        trace = folder / f"{program.name}.{mode}.trace"
        ended = subprocess.run(
            ["strace", "-s", "80", "-e", "signal=none", "-o", trace, program],
            cwd=fresh,
            env={**os.environ, "FERRY_COMPILED": mode},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=TIMEOUT_SECONDS,
        )
        raw = trace.read_text(errors="replace")
        return ended.stdout.decode(), normalised(raw)


def plugin_of(library: Path) -> Path:
    """The plugin for GCC's version."""
    version = subprocess.run([GCC, "-dumpversion"], capture_output=True, text=True, check=True).stdout.strip()
    return library / f"ferry/gcc-{version}/libferry_gcc.so"


def compile_file(build: Path, text: Path, program: Path, level: str, with_plugin: bool) -> str:
    """Compile one file; what the plugin said."""
    library = build / "lib"
    plugin = [f"-fplugin={plugin_of(library)}", "-fchecking", "-fopt-info"] if with_plugin else []
    linked = ["-L", str(library), "-Wl,--no-as-needed", "-lferry", f"-Wl,-rpath,{library}"] if with_plugin else []
    # no -Werror: random programs pass what they should not, such as -1 as a count
    command = [GCC, level, "-w", *plugin, "-o", str(program), str(text), *linked]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=TIMEOUT_SECONDS).stderr


def compare(build: Path, seed: int, count: int, keep: Path) -> Outcome:
    """Compare one file of programs."""
    folder = Path(tempfile.mkdtemp(prefix=f"seed{seed}-", dir=keep))
    text, plain, batched = folder / "programs.c", folder / "plain", folder / "batched"
    text.write_text(source(seed, count))
    compile_file(build, text, plain, "-O0", with_plugin=False)
    said = compile_file(build, text, batched, ("-O1", "-O2", "-O3", "-Os")[seed % 4], with_plugin=True)
    expected = run(plain, folder, "off")
    difference = ""
    for mode in ("loop", "off"):
        given = run(batched, folder, mode)
        if given != expected:
            at = next((n for n, pair in enumerate(zip(expected[1], given[1], strict=False)) if pair[0] != pair[1]), -1)
            difference = f"{mode}: call {at}: {expected[1][at : at + 1]} and {given[1][at : at + 1]}; see {folder}"
            break
    ran = "fstat(" in (folder / "batched.loop.trace").read_text(errors="replace")
    if not difference:
        subprocess.run(["rm", "-rf", folder], check=True)
    return Outcome(seed, len(re.findall("optimized: batched", said)), len(expected[1]), ran, difference)


def main() -> int:
    """Compare as many programs as asked for; the exit status."""
    parser = argparse.ArgumentParser(description="Compare random programs with and without the compiler plugin.")
    parser.add_argument("--build", type=Path, required=True, help="the folder with lib/")
    parser.add_argument("--programs", type=int, default=1000, help="functions to compare (1000)")
    parser.add_argument("--seed", type=int, default=0, help="the first file's seed (0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="files at the same time")
    asked = parser.parse_args()
    keep = asked.build.resolve() / "compiler"
    keep.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    with ThreadPoolExecutor(asked.jobs) as workers:
        seeds = range(asked.seed, asked.seed + -(-asked.programs // FUNCTIONS))
        outcomes = []
        told = begin
        for outcome in workers.map(lambda seed: compare(asked.build.resolve(), seed, FUNCTIONS, keep), seeds):
            outcomes.append(outcome)
            if outcome.difference:
                print(f"seed {outcome.seed}: {outcome.difference}", flush=True)
            if time.monotonic() - told > TELL_SECONDS:
                told = time.monotonic()
                print(f"  {told - begin:.0f} s: {len(outcomes)} of {len(seeds)} files", file=sys.stderr, flush=True)
    wrong = [outcome for outcome in outcomes if outcome.difference]
    print(
        f"{len(outcomes) * FUNCTIONS} programs, {sum(outcome.calls for outcome in outcomes)} calls, "
        f"{sum(outcome.batched for outcome in outcomes)} batches compiled, "
        f"{len(wrong)} of {len(outcomes)} files differ, {time.monotonic() - begin:.0f} s"
    )
    return 1 if wrong or not all(outcome.slots_ran and outcome.batched for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
