# SPDX-License-Identifier: GPL-2.0-only
"""What runs in the test machine: the selftests, linked statically, and the module built for the kernel that boots."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType

from vm import build, crun, initramfs
from vm.debian import Archive, Fetched
from vm.kernels import RELEASES, Kernel
from vm.say import UnavailableError, VmError, run_logged

KERNEL = build.ROOT / "kernel"
SELFTESTS = KERNEL / "selftests"
UAPI = KERNEL / "include" / "uapi"
OURS = Path(__file__).parent / "tests"
#: What the module is made of, in KERNEL.
MODULE_PARTS = ("Kbuild", "core", "module", "include")
#: What of the repository's own programs runs there.
NATIVE = ("tests/conformance", "tests/kernel_part", "bench/kernel", "bin/mdu", "bin/readmany", "bin/total")
#: Runs one of them under a filter like that of a container.
CONFINE = Path(__file__).with_name("confine.c")
#: Copies its input by batches, by the original's header.
R0W1 = Path(__file__).with_name("r0w1.c")
#: What writes programs for the compiler plugin, a seed and how many.
RANDOM_PROGRAMS = (build.ROOT / "tests" / "compiler" / "programs.py", "1", "100")
#: Answers what OpenMP's default team size is.
SIZES = build.ROOT / "tests" / "openmp" / "containers" / "sizes.c"
#: Makes batches of a program's system calls.
BATCHED = Path(__file__).with_name("batched.h")
#: Takes the limit away that the kernel's selftests have for a processor that is not emulated.
PATIENT = Path(__file__).with_name("patient.h")
#: And what programs of a folder in OURS may use.
LIBRARY = "lib/libferry.a"
#: A compiler's, modpost's or sparse's complaint about our code.
WARNING = re.compile(r"^(?!warning: (?:pahole|the compiler)).*\b(?:warning|error): ", re.I)
#: sparse beside the compiler. No release of it knows the operator that 7.2's headers have by this name.
SPARSE = ("C=2", "CF=-D__typeof_unqual__=__typeof__")
#: What sparse says of the kernel's own macros, which ask for the length of a string in a constant expression.
MACROS = re.compile(r"^(\S+\.c):(\d+):\d+: error: bad constant expression$")
MACRO_LINE = re.compile(r"^(?:MODULE_\w+|module_param)\(")


def obtain(archive: Archive, kernel: Kernel) -> Fetched:
    """Fetch or build a kernel."""
    return build.kernel(archive, kernel) if kernel.config else archive.kernel(RELEASES[kernel.series])


def image(
    archive: Archive,
    kernel: Kernel,
    fetched: Fetched,
    folder: Path,
    only: Collection[str] = (),
    more: Mapping[str, bytes] = MappingProxyType({}),
) -> Path:
    """Build everything that runs on a kernel, and make what it boots into; of the tests `only` these, or all."""
    chosen = [name for name in names() if not only or name in only]
    return initramfs.make(
        tests(archive.folder, chosen),
        files(archive, kernel, fetched, chosen) | dict(more),
        folder / "initramfs.gz",
    )


def scripts() -> dict[str, Path]:
    """Return the tests that are shell scripts, by name."""
    return {file.name: file for file in OURS.iterdir() if file.is_file() and not file.suffix}


def sources() -> dict[str, list[Path]]:
    """Return what each test that is compiled is made of, by its name: one file, or all files of a folder."""
    found = {source.stem: [source] for source in [*SELFTESTS.glob("*.c"), *OURS.glob("*.c")]}
    folders = (folder for folder in OURS.iterdir() if folder.is_dir())
    return found | {folder.name: parts for folder in folders if (parts := sorted(folder.glob("*.c")))}


def names() -> list[str]:
    """Return the names of all tests, in the order in which they run."""
    return sorted([*scripts(), *sources()])


def tests(folder: Path, chosen: Collection[str]) -> dict[str, bytes]:
    """Build the tests that are chosen and return what init runs, by name."""
    out = folder / "selftests"
    out.mkdir(parents=True, exist_ok=True)
    library = folder / "static" / LIBRARY
    found = {name: script.read_bytes() for name, script in scripts().items() if name in chosen}
    for name, parts in sources().items():
        if name not in chosen:
            continue
        program = out / name
        command = [build.compiler(), "-static", "-O2", "-g0", "-Wall", "-Wextra", "-pthread", f"-I{UAPI}", "-o"]
        # a folder's may be of libferry as well; what is a file goes into the kernel's selftests, where it is not
        if len(parts) > 1:
            native(folder, (LIBRARY,))
            parts = [*parts, library]
            command.insert(1, f"-I{build.ROOT / 'include'}")
        subprocess.run([*command, program, *parts], check=True)
        found[name] = program.read_bytes()
    return found


def native(folder: Path, names: tuple[str, ...]) -> dict[str, bytes]:
    """Build programs of the repository, linked statically, and return them by name; a library too."""
    out = folder / "static"
    out.mkdir(parents=True, exist_ok=True)
    # what is linked is compiled where it is for all: that make knows which of it is stale
    for part in ("obj", "whole"):
        if not (out / part).is_symlink():
            (out / part).symlink_to(f"../../{part}")
    for built, options in ((folder.parent, []), (out, ["LDFLAGS=-static -s"])):
        wanted = [f"{built}/{name}" for name in names]
        command = ["make", "-s", "-C", str(build.ROOT), f"-j{build.jobs()}", f"BUILD={built}", *options, *wanted]
        run_logged(f"building {', '.join(names)}", command, folder / "static.log")
    return {name.rpartition("/")[2]: (out / name).read_bytes() for name in names}


def contained(folder: Path) -> dict[str, bytes]:
    """Build what puts a container's filter up, and a program by the original's header that runs there."""
    native(folder, (LIBRARY,))
    found = {}
    for source, options in (
        (CONFINE, (f"-I{UAPI}",)),
        (R0W1, (f"-I{build.ROOT / 'include' / 'compat'}", str(folder / "static" / LIBRARY))),
    ):
        program = folder / "static" / source.stem
        command = [build.compiler(), "-static", "-O2", "-g0", "-Wall", "-Wextra", "-Werror", "-o", str(program)]
        subprocess.run([*command, str(source), *options], check=True)
        found[source.stem] = program.read_bytes()
    return found


def compiled(folder: Path) -> dict[str, bytes]:
    """Build random programs of system calls with the compiler plugin. Raises UnavailableError."""
    native(folder, (LIBRARY,))
    gcc = build.compiler()
    version = subprocess.run([gcc, "-dumpversion"], capture_output=True, text=True, check=True).stdout.strip()
    plugin = folder.parent / f"lib/ferry/gcc-{version}/libferry_gcc.so"
    make = ["make", "-s", "-C", str(build.ROOT), f"-j{build.jobs()}", f"BUILD={folder.parent}", f"CC={gcc}", "compiler"]
    run_logged("building the compiler plugin", make, folder / "compiler.log")
    if not plugin.exists():
        raise UnavailableError(f"there are no headers for plugins of {gcc}; run scripts/install/deps.sh compiler")
    source, program = folder / "static" / "compiled.c", folder / "static" / "compiled"
    written = subprocess.run([sys.executable, *RANDOM_PROGRAMS], stdout=subprocess.PIPE, check=True)
    source.write_bytes(written.stdout)
    # random programs pass what they should not, such as -1 as a count
    command = [gcc, "-static", "-O2", "-g0", "-w", f"-fplugin={plugin}", f"-I{build.ROOT / 'include'}", "-o"]
    # compiled code refers to libferry weakly, which takes nothing out of an archive
    linked = ["-Wl,-u,ferry_compiled_run", str(folder / "static" / LIBRARY)]
    subprocess.run([*command, program, source, *linked], check=True)
    return {"compiled": program.read_bytes()}


def sizes(folder: Path) -> dict[str, bytes]:
    """Build what answers questions about OpenMP's team sizes, with our runtime in it."""
    library = folder.parent / "lib" / "libferryomp.a"
    make = ["make", "-s", "-C", str(build.ROOT), f"-j{build.jobs()}", f"BUILD={folder.parent}", str(library)]
    run_logged("building lib/libferryomp.a", make, folder / "static.log")
    part, program = folder / "static" / "sizes.o", folder / "static" / "sizes"
    gcc = build.compiler()
    # the compiler that links with -fopenmp would take libgomp.a
    subprocess.run([gcc, "-O2", "-g0", "-fopenmp", "-c", "-o", str(part), str(SIZES)], check=True)
    # the linker would warn of dlopen, for tools, which a static program does not find
    linked = ["-static", "-pthread", "-Wl,--no-warnings", "-o", str(program), str(part), str(library), "-lm"]
    subprocess.run([gcc, *linked], check=True)
    return {"sizes": program.read_bytes()}


def seccomp(archive: Archive, kernel: Kernel) -> dict[str, bytes]:
    """Build the kernel's own selftests of seccomp, from its source: as they are, and with their calls in batches."""
    tests = archive.source(RELEASES[kernel.series]) / "tools" / "testing" / "selftests"
    batched = [f"-I{UAPI}", f"-I{KERNEL / 'core'}", "-include", str(BATCHED)]
    found = {}
    for name, options in {"seccomp_direct": [], "seccomp_batched": batched}.items():
        program = archive.folder / "static" / name
        command = [build.compiler(), "-static", "-O1", "-g0", "-w", "-pthread", "-D_GNU_SOURCE", f"-I{tests}", *options]
        command += ["-include", str(PATIENT)]
        run_logged(
            f"building {name}",
            [str(word) for word in (*command, "-o", program, tests / "seccomp" / "seccomp_bpf.c", "-lcap")],
            archive.folder / f"{name}.log",
        )
        found[name] = program.read_bytes()
    return found


def vectors() -> dict[str, bytes]:
    """Return spec/vectors."""
    return {f"vectors/{file.name}": file.read_bytes() for file in sorted((build.ROOT / "spec" / "vectors").iterdir())}


def files(archive: Archive, kernel: Kernel, fetched: Fetched, chosen: Collection[str]) -> dict[str, bytes]:
    """Return what else the initramfs holds: the module, programs of the repository, the vectors, what tests run."""
    folder = archive.folder
    programs, others = native(folder, NATIVE) | contained(folder), vectors()
    if "compiled" in chosen:
        programs |= compiled(folder)
    if "root_quota" in chosen:
        programs |= sizes(folder)
    if kernel.config and kernel.patched and "root_seccomp" in chosen:
        programs |= seccomp(archive, kernel)
    if "root_crun" in chosen:
        others |= crun.files(archive, kernel)
    # where there is batch(2), the kernel's headers have the names of the module's, and nothing needs the device
    device = {} if kernel.config else {"batch.ko": module(folder, kernel, fetched).read_bytes()}
    return {
        **device,
        **{f"programs/{name}": data for name, data in programs.items()},
        **others,
    }


def module_of(folder: Path, kernel: Kernel) -> Path:
    """Return where the module for a kernel is built."""
    return folder / "modules" / kernel.name / "batch.ko"


def complaints(log: str, out: Path) -> list[str]:
    """Return what the compiler, modpost and sparse complain of."""
    found = []
    for line in log.splitlines():
        place = MACROS.match(line)
        # from 7.2 on the paths are relative to the module's folder
        if place and MACRO_LINE.match((out / place[1]).read_text().splitlines()[int(place[2]) - 1]):
            continue
        if WARNING.search(line):
            found.append(line)
    return found


def module(folder: Path, kernel: Kernel, fetched: Fetched) -> Path:
    """Build the module for a kernel, in a copy of its source. A warning is an error."""
    out = module_of(folder, kernel).parent
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for part in MODULE_PARTS:
        source = KERNEL / part
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, out / part)
    log = folder / "modules" / f"{kernel.name}.log"
    options, version = list(build.WITHOUT_BTF), ""
    if not kernel.config:
        version = (
            found[0] if (found := re.findall(r"gcc-\d+", (fetched.headers / ".kernelvariables").read_text())) else ""
        )
    gcc = build.compiler(version)
    if version and gcc != version:
        options += build.WITHOUT_NEW_OPTIONS
    options += SPARSE if shutil.which("sparse") else ()
    command = ["make", "-C", str(fetched.headers), f"M={out}", f"CC={gcc}", *options, "modules"]
    run_logged(f"building the module for {kernel.name}", command, log)
    if warnings := complaints(log.read_text(), out):
        raise VmError(f"the module builds with warnings for {kernel.name}:\n" + "\n".join(warnings))
    return module_of(folder, kernel)
