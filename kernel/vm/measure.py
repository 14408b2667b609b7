# SPDX-License-Identifier: GPL-2.0-only
"""Count a program's instructions in a guest whose clock ticks once for each of them (QEMU's -icount shift=0).

What the guest takes for a nanosecond is an instruction: the figures are the same whatever else runs here, and they say
nothing about what an instruction costs. Above all, entering the kernel costs no more than the instructions of the entry
code: what a processor adds to that, a batch saves and these figures do not show.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from vm import console, programs, qemu, tools
from vm.debian import Archive
from vm.kernels import KERNELS, Kernel
from vm.say import VmError, say

UNIT = "instructions"
#: The programs of bench/ that may be measured.
PROGRAMS = ("kernel", "interrupted", "tools", "auto")
#: Those that work on files, which `tools` provides.
OF_FILES = ("tools", "auto")
#: Far more than counting takes (half a minute): a machine that others use may be slow by an order.
TIMEOUT_S = 1800
REPETITIONS_MAX = 1000


def lines_of(kernel: str, tests: str) -> Iterator[dict[str, object]]:
    """Return the benchmark's lines from what the guest said; samples are named after the kernel and have our unit.

    What `direct` took before the module was loaded is called `without`; what a container's filter added to calls is in
    variants of `confined` and, where the filter is run for each call, of `confined-by-arguments`.
    """
    program = ""
    for line in tests.splitlines():
        if re.match(r"# exit (?:measure|without|confined\S*) (?!0$)", line):
            raise VmError(f"{kernel}: the benchmark failed:\n{tests[-2000:]}")
        if line.startswith(("# program ", "# exit ")):
            program = line.removeprefix("# program ") if line.startswith("# program ") else ""
        elif program.startswith(("measure", "without", "confined")) and line.startswith("{"):
            entry = json.loads(line)
            if entry["type"] == "sample":
                variant = str(entry["variant"])
                if program == "without":
                    variant = variant.replace("direct:", "without:")
                elif program != "measure":
                    variant = f"{program.replace('--', '-')}-{variant}"
                entry |= {"unit": UNIT, "variant": f"{variant}@{kernel}"}
            yield entry


def files(archive: Archive, kernel: Kernel, folder: Path, program: str) -> dict[str, bytes]:
    """Return a benchmark, and the files of the initramfs that it needs there. Raises UnavailableError."""
    built = programs.native(archive.folder, (f"bench/{program}",))
    own = {f"programs/{name}": data for name, data in built.items()}
    return own | (tools.files(archive, kernel, folder) if program in OF_FILES else {})


def count(archive: Archive, kernel: Kernel, repetitions: int, *options: str, program: str = "kernel") -> str:
    """Boot a kernel, run the benchmark with options of init, and return what the programs said. Raises VmError."""
    fetched = programs.obtain(archive, kernel)
    folder = archive.folder / "measure" / kernel.name
    machine = qemu.Machine(
        fetched.image,
        programs.image(archive, kernel, fetched, folder, more=files(archive, kernel, folder, program)),
        memory_mib=kernel.memory_mib,
        counted=True,
        append=(f"vm.measure={repetitions}", f"vm.program={program}", *options),
        timeout_s=TIMEOUT_S,
    )
    say(f"{kernel.name}: counting instructions on {fetched.version}")
    outcome = qemu.boot(machine, folder, kernel.name)
    if outcome.stopped:
        raise VmError(f"{kernel.name}: {outcome.stopped}")
    if findings := console.scan(outcome.console):
        raise VmError(f"{kernel.name}: the kernel was harmed:\n{console.excerpt(outcome.console, findings[0])}")
    if not any(line == "# exit measure 0" for line in outcome.tests.splitlines()):
        raise VmError(f"{kernel.name}: the benchmark did not end:\n{outcome.tests[-2000:]}")
    return outcome.tests


def main(archive: Archive, names: list[str], repetitions: int, program: str) -> int:
    """Measure on the kernels named, and print one machine line and the samples of all."""
    if not 1 <= repetitions <= REPETITIONS_MAX:
        print(f"vm: --measure {repetitions}: give 1 to {REPETITIONS_MAX} repetitions", file=sys.stderr)
        return 2
    return qemu.status_of(lambda: _print_samples(archive, names, repetitions, program))


def _print_samples(archive: Archive, names: list[str], repetitions: int, program: str) -> int:
    counts = {name: count(archive, KERNELS[name], repetitions, program=program) for name in names}
    found = [line for name, said in counts.items() for line in lines_of(name, said)]
    print(json.dumps(next(line for line in found if line["type"] == "machine")))
    for line in found:
        if line["type"] == "sample":
            print(json.dumps(line))
    return 0
