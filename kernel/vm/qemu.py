# SPDX-License-Identifier: GPL-2.0-only
"""Boot a kernel in QEMU, without hardware virtualisation, and bring back what it and its programs said.

QEMU ends when the machine reboots, which its init does when the tests are done and a panic does at once. One that takes
longer than its limit is killed, and so is one whose log grows without end.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from vm.say import EXIT_UNAVAILABLE, TELL_SECONDS, UnavailableError, VmError, say

QEMU = "qemu-system-x86_64"
LOG_BYTES_MAX = 64 << 20
#: The processor: everything this QEMU emulates, so that SMEP, SMAP and the like are on.
CPU = "max"
#: A guest's clock is that of the machine outside: while that does something else, the kernel's watchdogs run on. They
#: are told to wait for as long as they can, so that they report the kernel, and not other work outside.
PATIENT = ("watchdog_thresh=60", "rcupdate.rcu_cpu_stall_timeout=300", "sysctl.kernel.hung_task_timeout_secs=480")
#: Debian's kernels would take the HPET for their clock, since each core is in a socket of its own. Its 32 bits wrap in
#: 43 s: where the emulator does not run for half of that (the machine outside is busy, or has stopped it), the guest's
#: time goes back by 21 s, and its timers wait for times that do not come. The TSC has 64 bits, and QEMU keeps it the
#: same on all cores.
CLOCK = "tsc=reliable"
#: A kernel with that clock patches `sched_clock_cpu()` late in its start, by a breakpoint first. If a second core comes
#: by meanwhile, QEMU 7.2 seems to keep its translation of the breakpoint, and a core that comes by when the patch is
#: done dies by `Oops: int3`, now and then on a busy machine. So a kernel starts on one core, and the guest's init adds
#: the others. The kernel would patch its locks for one core, and again for two, which takes seconds; it is told not to.
#: What is patched later, while tests run, may still end so.
ONE_CORE = ("maxcpus=1", "noreplace-smp")


@dataclass(frozen=True)
class Machine:
    """What to boot."""

    image: Path
    initramfs: Path
    memory_mib: int = 512
    cores: int = 2
    #: One guest nanosecond for each instruction, whatever the machine outside does; with a single core.
    counted: bool = False
    #: Added to the kernel's command line.
    append: tuple[str, ...] = ()
    timeout_s: int = 180

    def command(self, folder: Path) -> list[str]:
        """Return QEMU's command line; the serial ports go to files in `folder`."""
        # on a busy machine a virtual timer may come too late for the kernel's own look at whether there is one
        words = ["console=ttyS0", "loglevel=7", "panic=-1", "oops=panic", "no_timer_check"]
        # where instructions are counted nothing waits for the machine outside, and no figure is to change
        words += [*PATIENT, *(() if self.counted else (CLOCK, *ONE_CORE)), *self.append]
        # each in a socket of its own: a kernel without ACPI sees no more than one of each socket
        smp = "1" if self.counted else f"{self.cores},sockets={self.cores}"
        accelerator = ["-accel", "tcg,thread=single" if self.counted else "tcg,thread=multi"]
        return [
            # however this program ends, QEMU ends with it
            *("setpriv", "--pdeathsig", "KILL", QEMU),
            *("-M", "pc", "-cpu", CPU, "-m", str(self.memory_mib), "-smp", smp),
            *accelerator,
            *(("-icount", "shift=0,sleep=off") if self.counted else ()),
            *("-nodefaults", "-display", "none", "-no-reboot"),
            *("-kernel", str(self.image), "-initrd", str(self.initramfs), "-append", " ".join(words)),
            *("-serial", f"file:{folder / 'console.log'}", "-serial", f"file:{folder / 'tests.tap'}"),
        ]


@dataclass(frozen=True)
class Outcome:
    """What a boot brought: the kernel's log, what the programs said, and, if it was not let finish, why."""

    console: str
    tests: str
    seconds: float
    stopped: str = field(default="")


def available() -> str:
    """Return why QEMU cannot be used here, or nothing."""
    return "" if shutil.which(QEMU) else f"there is no {QEMU}; install qemu-system-x86 (scripts/install/deps.sh kernel)"


def status_of(work: Callable[[], int]) -> int:
    """Do what needs QEMU; return its exit status, or one that says that it could not be done, after saying why."""
    try:
        if why := available():
            raise UnavailableError(why)
        return work()
    except UnavailableError as error:
        print(f"vm: {error}", file=sys.stderr)
        return EXIT_UNAVAILABLE
    except VmError as error:
        print(f"vm: {error}", file=sys.stderr)
        return 1


def boot(machine: Machine, folder: Path, what: str) -> Outcome:
    """Boot, wait, and return the outcome; raises UnavailableError without QEMU. Nothing is left running."""
    if why := available():
        raise UnavailableError(why)
    folder.mkdir(parents=True, exist_ok=True)
    console, tests = folder / "console.log", folder / "tests.tap"
    for file in (console, tests):
        file.write_bytes(b"")
    start = told = time.monotonic()
    stopped = ""
    errors = folder / "qemu.log"
    with (
        errors.open("w") as stderr,
        subprocess.Popen(machine.command(folder), stderr=stderr, stdin=subprocess.DEVNULL) as p,
    ):
        try:
            while not stopped:
                try:
                    status = p.wait(timeout=0.2)
                    stopped = f"QEMU ended with status {status}: {errors.read_text().strip()}" if status else ""
                    break
                except subprocess.TimeoutExpired:
                    pass
                now = time.monotonic()
                if now - start > machine.timeout_s:
                    stopped = f"QEMU was killed: it had not ended after {machine.timeout_s} s"
                elif console.stat().st_size + tests.stat().st_size > LOG_BYTES_MAX:
                    stopped = f"QEMU was killed: its logs had grown to {LOG_BYTES_MAX >> 20} MiB"
                elif now - told > TELL_SECONDS:
                    told = now
                    lines = [line for line in text_of(tests).splitlines() if line.strip()]
                    say(f"{what}: {now - start:.0f} s: {lines[-1][:70] if lines else 'booting'}")
        finally:
            p.kill()
    return Outcome(text_of(console), text_of(tests), time.monotonic() - start, stopped)


def text_of(file: Path) -> str:
    """Return a serial port's bytes as text."""
    return file.read_bytes().decode(errors="replace").replace("\r", "")
