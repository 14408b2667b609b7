# SPDX-License-Identifier: BSD-3-Clause
"""Debian's kernel 6.12 with the module, booted in QEMU: every result of its tests, and nothing in its log.

`make vm-test` does the same with every kernel. Without a network, QEMU or busybox nothing can be booted, and the one
test that is left says so.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from paths import BUILD, ROOT
from vm import qemu
from vm.__main__ import SHORT_SHARE, judge
from vm.kernels import KERNELS, SHORT
from vm.say import EXIT_UNAVAILABLE

#: It takes two or three minutes on an idle machine; this is for what hangs.
SHORT_TIMEOUT_S = 4800


def vm(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "vm", "--build", BUILD, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": "kernel"} | environment,
        timeout=SHORT_TIMEOUT_S,
    )


@pytest.fixture(scope="module")
def short() -> subprocess.CompletedProcess[str]:
    """The run of `make test`."""
    done = vm("--short")
    if done.returncode == EXIT_UNAVAILABLE:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    return done


def test_the_module_passes_on_debians_kernel(short: subprocess.CompletedProcess[str]) -> None:
    lines = short.stdout.splitlines()
    assert short.returncode == 0, short.stdout + short.stderr
    said = (BUILD / "kernel" / "runs" / SHORT / "tests.tap").read_text(errors="replace")
    assert f"# one cell in {SHORT_SHARE} is run" in said
    assert [line for line in lines if line.startswith("not ok")] == [], short.stdout + short.stderr
    assert f"- {SHORT}: nothing in the kernel's log" in short.stdout
    assert lines[-1] == f"1..{sum(line.startswith('ok ') for line in lines)}"


def test_the_guests_clock_does_not_wrap(short: subprocess.CompletedProcess[str]) -> None:
    # an emulator that did not run for half a minute put a clock of 32 bits back, and the guest stood still
    del short
    said = (BUILD / "kernel" / "runs" / SHORT / "console.log").read_text(errors="replace")
    assert re.findall(r"Switched to clocksource (\S+)", said)[-1] == "tsc"


def test_the_kernel_starts_on_one_core(short: subprocess.CompletedProcess[str]) -> None:
    # a second core died by a breakpoint of the patches that the kernel makes when it knows that its clock is stable
    del short
    said = (BUILD / "kernel" / "runs" / SHORT / "console.log").read_text(errors="replace")
    assert said.index("sched_clock: Marking stable") < said.index("Booting Node 0 Processor 1 ")


def boot_init(script: str, folder: Path, timeout_s: int = 900) -> qemu.Outcome:
    """Boot with an init of our own."""
    from vm import initramfs

    archive = initramfs.Initramfs()
    for name in ("dev", "proc", "sys", "bin"):
        archive.directory(name)
    archive.device("dev/console", 5, 1)
    archive.file("bin/busybox", initramfs.busybox().read_bytes())
    archive.file("init", b"#!/bin/busybox sh\n" + script.encode())
    (folder / "initramfs.gz").write_bytes(archive.packed())
    image = next((BUILD / "kernel").glob(f"debian-{KERNELS[SHORT].series}-*/vmlinuz"))
    return qemu.boot(qemu.Machine(image, folder / "initramfs.gz", timeout_s=timeout_s), folder, "a test")


def failures(outcome: qemu.Outcome) -> dict[str, str]:
    return {result.name: result.said for result in judge(outcome) if result.status == "not ok"}


def test_a_panic_fails(short: subprocess.CompletedProcess[str], tmp_path: Path) -> None:
    del short  # where anything can be booted at all
    failed = failures(boot_init("exit 3\n", tmp_path))
    assert "ended before its tests did" in failed["the machine ends"]
    assert "Attempted to kill init" in failed["nothing in the kernel's log"]


def test_a_machine_that_hangs_is_killed(short: subprocess.CompletedProcess[str], tmp_path: Path) -> None:
    del short
    failed = failures(boot_init("while :; do /bin/busybox sleep 1; done\n", tmp_path, timeout_s=12))
    assert failed["the machine ends"].startswith("QEMU was killed: it had not ended after 12 s")


def test_an_unknown_kernel_is_refused() -> None:
    done = vm("debian-2.4")
    assert done.returncode == 2
    assert "there is no kernel 'debian-2.4'; the known ones are: debian-6.12" in done.stderr


def test_an_unknown_test_is_refused() -> None:
    done = vm("--only", "signals", "--only", "nothing", SHORT)
    assert done.returncode == 2
    assert "there is no test 'nothing'; the known ones are: blocking, compiled, " in done.stderr


def test_only_what_is_chosen_runs(short: subprocess.CompletedProcess[str]) -> None:
    del short
    done = vm("--only", "machine", SHORT)
    assert done.returncode == 0, done.stdout + done.stderr
    programs = {line.split(": ")[1] for line in done.stdout.splitlines() if " - " in line}
    assert programs == {"insmod", "machine", "rmmod", "the machine ends", "nothing in the kernel's log"}


def test_a_program_has_a_root_of_its_own(short: subprocess.CompletedProcess[str], tmp_path: Path) -> None:
    from vm import initramfs

    del short
    for name in ("bin", "dev", "proc", "sys", "tmp"):
        (tmp_path / name).mkdir()
    shutil.copy(initramfs.busybox(), tmp_path / "bin" / "busybox")
    (tmp_path / "program").write_text("#!/bin/busybox sh\ncd / && busybox ls -1 program dev/batch /init\nexit 3\n")
    (tmp_path / "program").chmod(0o755)
    done = vm("--root", str(tmp_path), SHORT)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "dev/batch\n" in done.stdout
    assert "program\n" in done.stdout
    assert "/init: No such file" in done.stdout


def test_a_root_without_a_program_is_refused(tmp_path: Path) -> None:
    done = vm("--root", str(tmp_path), SHORT)
    assert done.returncode == 2
    assert f"there is no program {tmp_path}/program that can be run" in done.stderr


def test_without_qemu_it_says_so(tmp_path: Path) -> None:
    done = vm("--short", PATH=str(tmp_path))
    assert done.returncode == EXIT_UNAVAILABLE
    assert "there is no qemu-system-x86_64; install qemu-system-x86" in done.stderr
    assert "Bail out!" in done.stdout
