# SPDX-License-Identifier: BSD-3-Clause
"""The standard streams of the ferry command: what cannot be written to standard output is an error, and said once.

Python writes what is buffered when it ends, and then a full disk is a traceback and exit status 120, a closed standard
output no error at all, and a closed pipe silence with status 1.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


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
    """Have every failure to write to standard output raise LostOutputError."""
    _occupy()
    was = sys.stdout
    descriptor = _Descriptor(1, "w", closefd=False)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(descriptor),
        encoding=was.encoding if was else "utf-8",
        errors=was.errors if was else "surrogateescape",
        line_buffering=descriptor.isatty(),
    )


def finish(code: int) -> int:
    """Write what is left. Returns the exit status: that of the command, unless its output was lost."""
    try:
        sys.stdout.flush()
    except LostOutputError as lost:
        lost.show()
        return code or lost.exit_code
    return code
