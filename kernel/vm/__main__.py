# SPDX-License-Identifier: GPL-2.0-only
"""Boot each kernel, run the tests in it, and print one TAP stream.

Exit status: 0 passed, 1 failed, 2 a wrong command line, 3 this machine lacks what is needed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection
from pathlib import Path

from vm import bars, branches, build, console, measure, programs, qemu, root, tap
from vm.debian import Archive
from vm.kernels import KERNELS, SHORT, Kernel
from vm.say import EXIT_UNAVAILABLE, UnavailableError, VmError, say

#: How long one program, and a whole boot, may take on Debian's kernel: ten times what an idle machine needs, since what
#: hangs is found by these limits alone, and no program fails by being slow. The longest is root_hazard.
PROGRAM_SECONDS = 1800
BOOT_SECONDS = 5400
#: Of the hazards' cells that a batch runs, `--short` has one in so many run; all of them take two thirds of a boot.
SHORT_SHARE = 12


def run(archive: Archive, kernel: Kernel, only: Collection[str] = (), share: int = 1) -> list[tap.Result]:
    """Boot a kernel with the tests and return their results, and those about the kernel itself; count instructions.

    With `only`, these tests alone run, and nothing is counted. Of the hazards' cells a batch runs one in `share`.
    """
    if kernel.as_on:
        return bars.compare(archive, kernel)
    fetched = programs.obtain(archive, kernel)
    folder = archive.folder / "runs" / kernel.name
    image = programs.image(archive, kernel, fetched, folder, only)
    machine = qemu.Machine(
        fetched.image,
        image,
        memory_mib=kernel.memory_mib,
        append=(
            *kernel.append,
            f"vm.limit={PROGRAM_SECONDS * kernel.slowness}",
            f"vm.slots={kernel.slots}",
            f"vm.seconds={PROGRAM_SECONDS * kernel.slowness - 20}",
            f"vm.share={share}",
        ),
        timeout_s=BOOT_SECONDS * kernel.slowness,
    )
    say(f"{kernel.name}: booting {fetched.version}")
    outcome = qemu.boot(machine, folder, kernel.name)
    say(f"{kernel.name}: {outcome.seconds:.0f} s; its log is {folder / 'console.log'}")
    results = judge(outcome)
    if only:
        return results
    if not kernel.config and branches.applies(fetched.headers):
        results += branches.judge(programs.module_of(archive.folder, kernel))
    if kernel.fixed_bar:
        results += bars.count(archive, kernel)
    return results


def judge(outcome: qemu.Outcome) -> list[tap.Result]:
    """Return the results of a boot: what the programs said, how the machine ended, and what is in the kernel's log."""
    results, ended = tap.parse(outcome.tests)
    last = "\n".join(outcome.console.splitlines()[-30:])
    if outcome.stopped:
        results.append(tap.Result("the machine ends", "not ok", f"{outcome.stopped}\n{last}"))
    elif not ended:
        results.append(tap.Result("the machine ends", "not ok", f"it ended before its tests did\n{last}"))
    else:
        results.append(tap.Result("the machine ends", "ok"))
    findings = console.scan(outcome.console)
    said = "\n".join(f"line {found.line}: {found.kind}: {found.text}" for found in findings[:20])
    if findings:
        said += "\n\n" + console.excerpt(outcome.console, findings[0])
    results.append(tap.Result("nothing in the kernel's log", "not ok" if findings else "ok", said))
    return results


def say_figures(results: list[tap.Result]) -> None:
    """Tell the user what was counted."""
    for result in results:
        if result.name.startswith("instructions:") and result.said:
            say(result.said)


def print_results(kernel: str, results: list[tap.Result], first: int) -> None:
    """Print a kernel's results as TAP, numbered from `first`."""
    for number, result in enumerate(results, first):
        if result.status == "not ok":
            print("\n".join(f"# {line}" for line in result.said.splitlines()))
        skip = f" # SKIP {' '.join(result.said.split()) or 'no reason given'}" if result.status == "skip" else ""
        status = "not ok" if result.status == "not ok" else "ok"
        print(f"{status} {number} - {kernel}: {result.name}{skip}", flush=True)


def main() -> int:
    """Test the kernels that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m vm", description="Boot kernels in QEMU and run the tests in them.")
    parser.add_argument("kernel", nargs="*", help=f"the kernels to boot (default: all): {', '.join(KERNELS)}")
    parser.add_argument("--short", action="store_true", help=f"only {SHORT}, and a twelfth of the cells of hazards")
    parser.add_argument("--only", metavar="TEST", action="append", default=[], help="only this test; may be repeated")
    parser.add_argument("--measure", metavar="R", type=int, help="no tests, but R repetitions of a benchmark")
    parser.add_argument("--program", choices=measure.PROGRAMS, default="kernel", help="which one (default: kernel)")
    parser.add_argument(
        "--root", metavar="FOLDER", type=Path, help="no tests, but FOLDER/program, with FOLDER as its root"
    )
    parser.add_argument("--build", type=Path, default=build.ROOT / "build", help="the folder for all files")
    options = parser.parse_args()
    if unknown := [name for name in options.kernel if name not in KERNELS]:
        parser.error(f"there is no kernel '{unknown[0]}'; the known ones are: {', '.join(KERNELS)}")
    if unknown := [name for name in options.only if name not in programs.names()]:
        parser.error(f"there is no test '{unknown[0]}'; the known ones are: {', '.join(programs.names())}")
    if options.measure is not None:
        return measure.main(
            Archive(options.build / "kernel"), options.kernel or [SHORT], options.measure, options.program
        )
    if options.root is not None:
        return root.main(Archive(options.build / "kernel"), options.kernel or [SHORT], options.root)
    names = [SHORT] if options.short else options.kernel or list(KERNELS)
    archive = Archive(options.build / "kernel")
    count, failed = 0, 0
    print("TAP version 13")
    try:
        if why := qemu.available():
            raise UnavailableError(why)
        for name in names:
            results = run(archive, KERNELS[name], options.only, SHORT_SHARE if options.short else 1)
            say_figures(results)
            print_results(name, results, count + 1)
            count += len(results)
            failed += sum(result.status == "not ok" for result in results)
    except UnavailableError as error:
        print(f"Bail out! {error}", flush=True)
        print(f"vm: {error}", file=sys.stderr)
        return EXIT_UNAVAILABLE
    except VmError as error:
        print(f"Bail out! {str(error).splitlines()[0]}", flush=True)
        print(f"vm: {error}", file=sys.stderr)
        return 1
    print(f"1..{count}")
    say(f"{count - failed} of {count} passed on {len(names)} kernel{'s' if len(names) > 1 else ''}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
