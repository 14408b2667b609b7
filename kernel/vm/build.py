# SPDX-License-Identifier: GPL-2.0-only
"""Build kernels of our own from Debian's source with the series of patches, and the module for any kernel.

Everything is kept: a kernel is built again only when its source, the patches or its configuration have changed, and
then only what depends on the change, since a file that a new patch leaves as it was keeps its time.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

from patches.series import kernel_series, write

from vm.debian import Archive, Fetched
from vm.kernels import RELEASES, Kernel
from vm.say import VmError, run_logged, say

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CONFIGS = HERE / "config"
#: Where the module's newest compiler option is not known, Debian's own choice without it does the same.
WITHOUT_NEW_OPTIONS = ("CONFIG_CC_HAS_MIN_FUNCTION_ALIGNMENT=",)
#: A module's BTF is of use to tracers alone, and depends on the version of pahole.
WITHOUT_BTF = ("CONFIG_DEBUG_INFO_BTF_MODULES=",)


def jobs() -> int:
    """Return how many compilers run at once."""
    return len(os.sched_getaffinity(0))


def compiler(wanted: str = "") -> str:
    """Return a gcc: the one that is wanted where it is installed."""
    for name in (wanted, "gcc-12", "gcc"):
        if name and shutil.which(name):
            return name
    raise VmError("there is no gcc; install it (scripts/install/deps.sh build)")


def series_of(archive: Archive, kernel: Kernel) -> list[Path]:
    """Write the patches for a kernel, and return them in order, without the cover letter."""
    return write(kernel_series(kernel.series), archive.folder / f"patches-{kernel.series}")[1:]


def patched(source: Path, patches: list[Path], to: Path) -> None:
    """Make `to` the source with the patches applied. Unchanged files are shared with `source`."""
    digest = hashlib.sha256(b"".join(patch.read_bytes() for patch in patches) + str(source).encode()).hexdigest()
    mark = to / ".patched"
    if mark.exists() and mark.read_text() == digest:
        return
    fresh = to.with_name(to.name + ".fresh")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-al", source, fresh], check=True)
    touched: set[str] = set()
    for patch in patches:
        # patch(1) writes a new file and renames it, so that the shared one stays
        done = subprocess.run(
            ["patch", "-p1", "--force", "--no-backup-if-mismatch", "--fuzz=0", "-d", fresh, "-i", patch.absolute()],
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise VmError(f"{patch.name} does not apply to {source.name}:\n{done.stdout}{done.stderr}")
        touched |= {line.split(" ")[-1].strip("'") for line in done.stdout.splitlines() if line.startswith("patching ")}
    for name in touched:
        old, new = to / name, fresh / name
        if old.exists() and new.exists() and old.read_bytes() == new.read_bytes():
            os.utime(new, ns=(old.stat().st_atime_ns, old.stat().st_mtime_ns))
    (fresh / ".patched").write_text(digest)
    shutil.rmtree(to, ignore_errors=True)
    fresh.rename(to)


def fragments(kernel: Kernel) -> list[Path]:
    """Return the configuration's parts: what all have, where this series differs, what this kernel adds."""
    names = dict.fromkeys(("plain", f"plain-{kernel.series}", kernel.config))
    return [CONFIGS / name for name in names if (CONFIGS / name).exists()]


def configure(tree: Path, out: Path, fragments: list[Path], log: Path) -> None:
    """Write out/.config: tinyconfig and the fragments. An option that did not come to stand is an error."""
    wanted = "\n".join(fragment.read_text() for fragment in fragments)
    mark = out / ".fragments"
    if mark.exists() and mark.read_text() == wanted and (out / ".config").exists():
        return
    out.mkdir(parents=True, exist_ok=True)
    make = ["make", "-s", "-C", str(tree), f"O={out}", f"CC={compiler()}", f"HOSTCC={compiler()}"]
    run_logged(f"configuring {out.name}", [*make, "tinyconfig"], log)
    with (out / ".config").open("a") as file:
        file.write(wanted)
    run_logged(f"configuring {out.name}", [*make, "olddefconfig"], log)
    got = (out / ".config").read_text().splitlines()
    # what a later fragment says of an option counts
    last = {name: line for line in wanted.splitlines() for name in re.findall(r"\bCONFIG_\w+", line)[:1]}
    lacking = [line for line in last.values() if line.startswith("CONFIG_") and line not in got]
    if lacking:
        raise VmError(f"{out.name}: the kernel's configuration has not taken {', '.join(lacking)}")
    mark.write_text(wanted)


def kernel(archive: Archive, wanted: Kernel) -> Fetched:
    """Build a kernel of our own, or bring it up to date: minutes the first time."""
    source = archive.source(RELEASES[wanted.series])
    tree = archive.folder / f"linux-{wanted.series}" if wanted.patched else source
    if wanted.patched:
        patched(source, series_of(archive, wanted), tree)
    out = archive.folder / wanted.name
    log = archive.folder / f"{wanted.name}.log"
    configure(tree, out, fragments(wanted), log)
    make = ["nice", "-n", "5", "make", "-s", "-C", str(tree), f"O={out}", f"CC={compiler()}", f"HOSTCC={compiler()}"]
    run_logged(f"building {wanted.name}", [*make, f"-j{jobs()}", "bzImage", "modules_prepare"], log)
    version = (out / "include" / "config" / "kernel.release").read_text().strip()
    say(f"{wanted.name}: {version}, {(out / 'arch/x86/boot/bzImage').stat().st_size >> 10} KiB")
    return Fetched(version, out / "arch" / "x86" / "boot" / "bzImage", out)
