# SPDX-License-Identifier: GPL-2.0-only
"""What runs in the test machine: the selftests, linked statically, and the module built for the kernel that boots."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from vm import build
from vm.debian import Fetched
from vm.kernels import Kernel
from vm.say import VmError, run_logged

SELFTESTS = build.ROOT / "kernel" / "selftests"
MODULE = build.ROOT / "kernel" / "module"


def tests(folder: Path) -> dict[str, bytes]:
    """Build the selftests and return them by name."""
    out = folder / "selftests"
    out.mkdir(parents=True, exist_ok=True)
    sources = [*SELFTESTS.glob("*.c"), *(Path(__file__).parent / "tests").glob("*.c")]
    found: dict[str, bytes] = {}
    for source in sorted(sources):
        program = out / source.stem
        command = [build.compiler(), "-static", "-O2", "-g0", "-Wall", "-Wextra", "-pthread", "-o"]
        subprocess.run([*command, program, source], check=True)
        found[source.stem] = program.read_bytes()
    return found


def files(folder: Path, kernel: Kernel, fetched: Fetched) -> dict[str, bytes]:
    """Return what else the initramfs holds: the module, where there is one to build."""
    if not (MODULE / "Makefile").exists():
        return {}
    return {"batch.ko": module(folder, kernel, fetched).read_bytes()}


def module(folder: Path, kernel: Kernel, fetched: Fetched) -> Path:
    """Build the module for a kernel, in a copy of its source. A warning is an error."""
    out = folder / "modules" / kernel.name
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(
        build.ROOT / "kernel", out / "kernel", ignore=shutil.ignore_patterns("vm", "patches", "__pycache__")
    )
    log = folder / "modules" / f"{kernel.name}.log"
    variables = (fetched.headers / ".kernelvariables").read_text() if not kernel.config else ""
    wanted = next((word for word in variables.split() if word.startswith("$(CROSS_COMPILE)gcc-")), "").partition(")")[2]
    gcc = build.compiler(wanted)
    options = [*build.WITHOUT_BTF, *(build.WITHOUT_NEW_OPTIONS if gcc != wanted else ())]
    command = ["make", "-C", str(fetched.headers), f"M={out / 'kernel' / 'module'}", f"CC={gcc}", *options, "modules"]
    run_logged(f"building the module for {kernel.name}", command, log, environment=dict(os.environ))
    if "warning: " in log.read_text().replace("warning: pahole version differs", ""):
        raise VmError(f"the module builds with warnings for {kernel.name}:\n{log.read_text()}")
    return next((out / "kernel" / "module").glob("*.ko"))
