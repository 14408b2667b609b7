# SPDX-License-Identifier: BSD-3-Clause
"""Where an option says that something is to be written: a file, a device, a pipe, or - for standard output.

A regular file is replaced as a whole: its readers, and who runs out of disk, never see half of one. It keeps its mode
and owner, and a symbolic link to it stays a link. What is not a regular file is written through, as a shell's `>`
does: nobody who writes to /dev/full wants a file of that name in its place, least of all as root.

A file is written in place where replacing it would be something else: it has other names (hard links), it was opened by
somebody already (/dev/fd/3), its folder may not be written, it is a mount of its own (a container's), or its owner
cannot be kept. Only then can a full disk leave half a file.

Nothing but the standard library is imported: the scripts in bench/ use it without the ferry command's environment.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO

#: What stands for standard output, and for standard input where something is read.
DASH = "-"
#: What a folder says when no second file may be made in it, or the first not be replaced.
KEEPS_ITS_FILES = (errno.EACCES, errno.EPERM, errno.EBUSY, errno.EXDEV)
#: The folder of descriptors that are open already, with its symbolic links resolved.
DESCRIPTORS = re.compile(r"/proc/\d+(/task/\d+)?/fd")

#: Standard output, when an Output has claimed it.
_claimed: TextIO | None = None


class OutputError(Exception):
    """What an option named cannot be written. The text names the option, the file and the reason."""


@dataclass(frozen=True)
class Output:
    """An option, as messages name it, and what it was given."""

    option: str
    path: Path
    #: whether folders that are missing on the way are made
    parents: bool = False
    advice: str = "give a file that can be written"

    @property
    def is_standard_output(self) -> bool:
        """Whether it is -, so that nothing else should be printed there."""
        return str(self.path) == DASH

    def claim(self) -> None:
        """With -, keep standard output for it alone: what is printed from now on goes to standard error."""
        global _claimed
        if self.is_standard_output:
            _claimed, sys.stdout = sys.stdout, sys.stderr

    def check(self) -> None:
        """Raise what `write` would raise, as far as can be known before: minutes of measuring may lie between."""
        try:
            self._make_parents()
            _check(self.path)
        except OSError as error:
            raise self._error(error) from error

    def write(self, text: str) -> None:
        """Write it all. Raises OutputError."""
        try:
            self._make_parents()
            _write(self.path, text)
        except OSError as error:
            raise self._error(error) from error

    def _make_parents(self) -> None:
        if self.parents and not self.is_standard_output:
            self.path.parent.mkdir(parents=True, exist_ok=True)

    def _error(self, error: OSError) -> OutputError:
        reason = error.strerror or str(error)
        if self.is_standard_output:
            return OutputError(f"{self.option} -: standard output: {reason}")
        return OutputError(f"{self.option} {self.path}: {reason}; {self.advice}")


def open_input(path: Path) -> BinaryIO:
    """Open a file to be read, or standard input for -. Raises OSError."""
    return open(0, "rb", closefd=False) if str(path) == DASH else path.open("rb")


def require_folder(option: str, path: Path) -> None:
    """Refuse - where several files are to be written. Raises OutputError."""
    if str(path) == DASH:
        raise OutputError(f"{option} -: several files are written, so they cannot go to standard output; give a folder")


def _status(path: Path) -> os.stat_result | None:
    """Look what is there, behind symbolic links; None: nothing is."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _is_stdout(found: os.stat_result) -> bool:
    """Whether standard output is this very file: /dev/stdout, or `-o FILE >FILE`."""
    try:
        return os.path.samestat(found, os.fstat(1))
    except OSError:
        return False


def _refuse(code: int, path: Path) -> OSError:
    return OSError(code, os.strerror(code), str(path))


def _has_descriptor(path: Path) -> bool:
    return bool(DESCRIPTORS.fullmatch(os.path.realpath(path.parent)))


def _partial(target: Path) -> tuple[int, Path]:
    """Make a new file beside the target, with the mode that any new file gets here."""
    partial = target.with_name(f".ferry-{os.getpid()}-{secrets.token_hex(4)}.partial")
    return os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666), partial


def _check(path: Path) -> None:
    if str(path) == DASH:
        os.fstat(1)
        return
    found = _status(path)
    target = Path(os.path.realpath(path))
    if found is None:
        descriptor, partial = _partial(target)
        os.close(descriptor)
        partial.unlink()
    elif stat.S_ISDIR(found.st_mode):
        raise _refuse(errno.EISDIR, path)
    # opening a device may do something, and opening a FIFO waits for its reader
    elif not os.access(path, os.W_OK, effective_ids=True):
        raise _refuse(errno.EACCES, path)


def _write(path: Path, text: str) -> None:
    found = None if str(path) == DASH else _status(path)
    data = text.encode("utf-8", "surrogateescape")
    if str(path) == DASH or (found and _is_stdout(found)):
        _write_stdout(data)
        return
    if found is None:
        target = Path(os.path.realpath(path))
        _replace(target, data, None)
    elif stat.S_ISDIR(found.st_mode):
        raise _refuse(errno.EISDIR, path)
    elif not stat.S_ISREG(found.st_mode):
        _write_through(path, data, 0)
    elif found.st_nlink > 1 or _has_descriptor(path):
        _write_through(path, data, os.O_TRUNC)
    else:
        _replace(Path(os.path.realpath(path)), data, found)


def _write_stdout(data: bytes) -> None:
    stream = _claimed or sys.stdout
    # Python has no stream for a descriptor that was closed when it began
    if stream is None:
        raise _refuse(errno.EBADF, Path(DASH))
    try:
        stream.flush()
        # whatever encoding the terminal has, a file's is UTF-8
        stream.buffer.write(data)
        stream.flush()
    except OSError:
        # what is still buffered would be tried again at the end, and fail again
        with contextlib.suppress(OSError):
            stream.close()
        raise


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _write_through(path: Path, data: bytes, flags: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC | os.O_NOCTTY | flags)
    try:
        _write_all(descriptor, data)
    finally:
        os.close(descriptor)


def _replace(target: Path, data: bytes, old: os.stat_result | None) -> None:
    """Put a new file in the target's place. The target is not a link; `old` is what it was, if it was there."""
    if old and not os.access(target, os.W_OK, effective_ids=True):
        # a folder's owner may replace a file that is not to be written, and `>` does not
        raise _refuse(errno.EACCES, target)
    try:
        _replace_whole(target, data, old)
    except OSError as error:
        if old is None or error.errno not in KEEPS_ITS_FILES:
            raise
        _write_through(target, data, os.O_TRUNC)


def _replace_whole(target: Path, data: bytes, old: os.stat_result | None) -> None:
    descriptor, partial = _partial(target)
    try:
        try:
            if old:
                # the owner first: a change of owner takes bits of the mode away
                os.fchown(descriptor, old.st_uid, old.st_gid)
                os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
            _write_all(descriptor, data)
        finally:
            os.close(descriptor)
        partial.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise
