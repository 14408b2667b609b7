# SPDX-License-Identifier: BSD-3-Clause
"""Which OpenMP runtimes a program has that `ferry omp` does not replace, before it starts and while it runs.

A runtime is told by the names of the variables that it reads, which are in it however it was linked, renamed or
stripped. What a program is linked with is asked of its own loader (`--list`), in the environment it will have, so run
paths, preloading and LD_LIBRARY_PATH are followed as they will be. What it loads later is seen by a watcher, a process
beside it that looks at the memory maps of the program and its descendants until the program ends.

Non-goals: programs whose libraries come and go between two looks of the watcher, and what a static program that was
encrypted or compressed has in it.
"""

from __future__ import annotations

import contextlib
import functools
import mmap
import os
import select
import shutil
import signal
import struct
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

#: A larger file is not searched.
SEARCHED_BYTES_MAX = 1 << 30
#: Interpreters of interpreters are followed so far, as the kernel does.
INTERPRETERS_MAX = 4
#: A loader that takes longer to list what it would load has hung.
LIST_TIMEOUT_S = 10
#: The watcher's first look at a program, and the longest time between two looks; each wait is twice the last.
LOOK_FIRST_S, LOOK_LAST_S = 0.05, 5.0

#: What only GNU's libgomp has all of; Ferry's runtime reads the same variables and words its errors differently.
GNU_MARKS = (b"GOMP_SPINCOUNT\0", b"libgomp: ", b"Thread creation failed")
#: The same of LLVM's libomp and Intel's libiomp5.
LLVM_MARKS = (b"KMP_BLOCKTIME\0", b"KMP_AFFINITY\0", b"KMP_SETTINGS\0", b"KMP_LIBRARY\0")


class Kind(Enum):
    """What a file has to do with OpenMP."""

    NONE = 0
    GNU = 1
    LLVM = 2


@dataclass(frozen=True)
class Elf:
    """The part of a program's header that says who may load it."""

    #: Width and machine.
    abi: bytes
    #: Its loader; none for a static program.
    interpreter: str | None


def read_elf(path: str) -> Elf | None:
    """Read an ELF header of this machine's byte order; None for any other file."""
    with contextlib.suppress(OSError, struct.error), Path(path).open("rb") as file:
        start = file.read(64)
        if start[:4] != b"\x7fELF":
            return None
        wide = start[4] == 2
        offset = struct.unpack_from("=Q" if wide else "=I", start, 32 if wide else 28)[0]
        size, count = struct.unpack_from("=HH", start, 54 if wide else 42)
        interpreter = None
        for k in range(count):
            file.seek(offset + k * size)
            header = file.read(size)
            if struct.unpack_from("=I", header)[0] == 3:  # PT_INTERP
                where, length = (struct.unpack_from("=Q" if wide else "=I", header, at)[0] for at in _spans(wide))
                file.seek(where)
                interpreter = os.fsdecode(file.read(length).rstrip(b"\0"))
        return Elf(start[4:5] + start[18:20], interpreter)
    return None


def _spans(wide: bool) -> tuple[int, int]:
    """Return where a program header has its offset and its size in the file."""
    return (8, 32) if wide else (4, 16)


@functools.cache
def kind_of(path: str) -> Kind:
    """Search a file for a runtime."""
    try:
        with Path(path).open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if not 0 < size <= SEARCHED_BYTES_MAX:
                return Kind.NONE
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
                if all(text.find(mark) >= 0 for mark in GNU_MARKS):
                    return Kind.GNU
                return Kind.LLVM if all(text.find(mark) >= 0 for mark in LLVM_MARKS) else Kind.NONE
    except (OSError, ValueError):
        return Kind.NONE


def program_of(command: tuple[str, ...]) -> str | None:
    """Return the file that the kernel will run: the program, or the interpreter of a script."""
    found = shutil.which(command[0])
    for _ in range(INTERPRETERS_MAX):
        if found is None or not Path(found).is_file():
            return None
        with contextlib.suppress(OSError), Path(found).open("rb") as file:
            line = file.readline(4096)
            if not line.startswith(b"#!"):
                return found
            words = os.fsdecode(line[2:]).split()
            if words[:1] and Path(words[0]).name == "env":
                words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
            found = shutil.which(words[0]) if words else None
            continue
        return None
    return None


def linked_with(program: str, interpreter: str, environment: dict[str, str]) -> list[str]:
    """Return the files that the loader would load for a program; none when it cannot say."""
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        listed = subprocess.run(
            [interpreter, "--list", program], env=environment, capture_output=True, timeout=LIST_TIMEOUT_S, check=False
        )
        lines = [os.fsdecode(line).strip() for line in listed.stdout.splitlines()]
        files = [line.partition(" => ")[2] or line for line in lines]
        return [file.rpartition(" (0x")[0] or file for file in files if file.startswith("/")]
    return []


@dataclass(frozen=True)
class Complaint:
    """What to say of a runtime that is not replaced, once for each program that has it."""

    #: The program's file and the runtime's.
    of: tuple[str, str]
    text: str


@dataclass(frozen=True)
class Replacing:
    """What `ferry omp` puts in the place of libgomp, libomp and libiomp5, and how."""

    library: str
    preload: bool

    def complaints(self, program: str, files: Iterable[str]) -> Iterator[Complaint]:
        """Yield what to say of a program and the files that it is linked with or has mapped."""
        for file, text in self._texts(program, files):
            yield Complaint((os.path.realpath(program), os.path.realpath(file)), text)

    def _texts(self, program: str, files: Iterable[str]) -> Iterator[tuple[str, str]]:
        ours = os.path.realpath(self.library)
        kinds = {file: kind_of(file) for file in dict.fromkeys([program, *files]) if os.path.realpath(file) != ours}
        elf, own = read_elf(program), read_elf(ours)
        foreign = elf and own and elf.abi != own.abi
        for file, kind in kinds.items():
            if kind is Kind.NONE:
                continue
            if foreign:
                text = f"{program} is for another kind of processor than {self.library}, so {file} runs its regions"
            else:
                text = self._of(kind, program, file)
            if text:
                yield file, text

    def _of(self, kind: Kind, program: str, file: str) -> str:
        gnu = kind is Kind.GNU
        if file == program or ("gomp" if gnu else "omp") not in Path(file).name:
            return (
                f"{file} has GNU's libgomp linked into it, which cannot be replaced; "
                "link it with the shared libgomp instead (without -static)"
                if gnu
                else f"{file} has the OpenMP runtime of LLVM or Intel linked into it, which cannot be replaced; "
                "link it with the shared libomp instead (without -static-openmp)"
            )
        if not self.preload:
            what = "a libgomp" if gnu else "an OpenMP runtime of LLVM or Intel"
            return (
                f"{program} finds {what} of its own, {file}, before Ferry's runtime; "
                "run it by `ferry omp --preload`, which comes first"
            )
        return ""

    def before(self, command: tuple[str, ...], environment: dict[str, str]) -> list[Complaint]:
        """Return what to say before a command is started; nothing of one that cannot be."""
        program = program_of(command)
        elf = read_elf(program) if program else None
        if program is None or elf is None:
            return []
        files = linked_with(program, elf.interpreter, environment) if elf.interpreter else []
        return list(self.complaints(program, files))


def mapped_by(process: int) -> tuple[str, list[str]] | None:
    """Return a process's program and the files it may execute code of; None when it is gone or not ours to see."""
    try:
        program = str(Path(f"/proc/{process}/exe").readlink())
        lines = Path(f"/proc/{process}/maps").read_text(errors="surrogateescape").splitlines()
    except OSError:
        return None
    found = [fields[5] for line in lines if len(fields := line.split(maxsplit=5)) == 6 and "x" in fields[1]]
    return program, [file for file in dict.fromkeys(found) if file.startswith("/")]


def family_of(process: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    yield process
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            children = (task / "children").read_text()
            for child in children.split():
                yield from family_of(int(child))


def watch(replacing: Replacing, process: int, watched: int, said: set[tuple[str, str]]) -> None:
    """Look at a process and its descendants until it ends; `watched` is a pidfd of it. Complain once of each file."""
    wait_s = LOOK_FIRST_S
    while not select.select([watched], [], [], wait_s)[0]:
        for member in list(family_of(process)):
            mapped = mapped_by(member)
            if mapped:
                say(replacing.complaints(*mapped), said)
        wait_s = min(2 * wait_s, LOOK_LAST_S)


def say(complaints: Iterable[Complaint], said: set[tuple[str, str]]) -> None:
    """Write what was not said yet to standard error; a closed one stops nothing."""
    for complaint in complaints:
        if complaint.of not in said:
            said.add(complaint.of)
            with contextlib.suppress(OSError):
                os.write(2, f"ferry omp: warning: {complaint.text}\n".encode(errors="surrogateescape"))


def start_watcher(replacing: Replacing, said: set[tuple[str, str]]) -> None:
    """Start a watcher of this process, which is to become the program.

    It is the child of a child that has ended, so that the program has no child it did not start. It holds nothing of
    the program's but standard error, which it gives back when the program ends.
    """
    process = os.getpid()
    try:
        watched = os.pidfd_open(process)
        child = os.fork()
    except OSError:
        return  # no watcher: what was said before the start is all there is
    if child:
        os.close(watched)
        os.waitpid(child, 0)
        return
    try:
        if os.fork() == 0:
            null = os.open(os.devnull, os.O_RDWR)
            for number in (0, 1):
                os.dup2(null, number)
            kept = os.dup2(watched, 3) if watched != 3 else 3
            os.closerange(4, os.sysconf("SC_OPEN_MAX"))
            os.nice(19)
            # an interrupt is the program's to answer; the watcher ends when the program has
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            watch(replacing, process, kept, said)
    finally:
        os._exit(0)
