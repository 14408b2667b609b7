# SPDX-License-Identifier: BSD-3-Clause
"""The standard streams of the ferry command: what cannot be written to standard output is an error, and said once.

What the terminal's encoding has no character for is written in plain ones: a locale without UTF-8 loses no measurement.

Python writes what is buffered when it ends, and then a full disk is a traceback and exit status 120, a closed standard
output no error at all, and a closed pipe silence with status 1.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


#: How tables and messages look where the encoding has none of these.
PLAIN = {
    "×": "x", "÷": "/", "·": "*", "−": "-", "–": "-", "—": "-", "…": "...", "≤": "<=", "≥": ">=", "→": "->",
    "µ": "u", "±": "+-", "²": "^2", "†": "*", "₁": "1", "₂": "2", "»": ">",
}  # fmt: skip
#: The name of the error handler that writes so.
IN_PLAIN = "ferry.plain"


class LostOutputError(click.ClickException):
    """Standard output cannot be written."""


class _Descriptor(io.FileIO):
    """A descriptor whose first failure is a LostOutputError, and which swallows everything after it."""

    lost = False

    def write(self, data: ReadableBuffer, /) -> int:
        """Write as a FileIO does."""
        if not self.lost:
            try:
                return super().write(data)
            except OSError as error:
                self.lost = True
                raise LostOutputError(f"standard output: {error.strerror}") from error
        return memoryview(data).nbytes


def _in_plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """Encode what an encoding lacks; a byte of a file name that is no text stays what it is."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    if "\udc80" <= character <= "\udcff":
        return bytes([ord(character) - 0xDC00]), error.start + 1
    return PLAIN.get(character, "?"), error.start + 1


def _occupy() -> None:
    """Occupy standard descriptors that are closed, so that no file that is opened later is taken for one.

    They are opened the wrong way round: reading standard input and writing standard output fail, as they should.
    """
    for descriptor, flags in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_RDONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, flags)
            os.set_inheritable(descriptor, True)


def watch_standard_output() -> None:
    """Have every failure to write to standard output raise LostOutputError; no encoding makes one fail."""
    _occupy()
    codecs.register_error(IN_PLAIN, _in_plain)
    was = sys.stdout
    descriptor = _Descriptor(1, "w", closefd=False)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(descriptor),
        encoding=was.encoding if was else "utf-8",
        errors=IN_PLAIN,
        line_buffering=descriptor.isatty(),
    )
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors=IN_PLAIN)


def finish(code: int) -> int:
    """Write what is left. Returns the exit status: that of the command, unless its output was lost."""
    try:
        sys.stdout.flush()
    except LostOutputError as lost:
        lost.show()
        return code or lost.exit_code
    return code
