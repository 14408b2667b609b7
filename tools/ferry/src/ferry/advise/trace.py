# SPDX-License-Identifier: BSD-3-Clause
"""What a trace holds: calls in the order each thread made them, and what came between."""

from dataclasses import dataclass, field
from enum import Enum


@dataclass(slots=True)
class Value:
    """One argument as strace printed it."""

    text: str
    #: the word, when strace printed one
    number: int | None = None
    #: the bytes, when strace printed a string
    data: bytes | None = None
    #: strace printed only the beginning of the string
    truncated: bool = False
    #: fields of a struct by name, as text; only the outermost
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Site:
    """Where a program makes a call: behind an instruction of a file that is mapped."""

    file: str
    function: str
    offset: int

    def __str__(self) -> str:
        """Write it as strace does, with the file's name alone."""
        return f"{self.file.rpartition('/')[2]}({self.function or hex(self.offset)})"


@dataclass(slots=True)
class Call:
    """One system call of one thread."""

    thread: int
    name: str
    arguments: list[Value]
    #: what the kernel returned (-errno on failure); None when strace printed `?`
    result: int | None
    #: the name after a failed result, such as ENOENT
    error: str = ""
    #: when the call was entered, or None in a trace without times
    start_s: float | None = None
    #: how long strace says that it took; None in a trace without -T
    duration_s: float | None = None
    #: the innermost frame outside of the C library, in a trace with stacks (-k)
    site: Site | None = None

    @property
    def failed(self) -> bool:
        """Whether the call returned -errno."""
        return self.result is not None and self.result < 0 and bool(self.error)


class Break(Enum):
    """What stands between two calls of one thread so that no batch spans it."""

    SIGNAL = "a signal was delivered"
    EXIT = "the thread ended"
    UNREADABLE = "a line of the trace could not be read"


@dataclass(slots=True)
class Mark:
    """A place in one thread's calls that no run spans."""

    thread: int
    what: Break


@dataclass
class Trace:
    """A whole trace: per thread its calls and marks in order."""

    threads: dict[int, list[Call | Mark]] = field(default_factory=dict)
    lines: int = 0
    calls: int = 0
    #: lines that say something else: signals, exits, strace's own remarks
    remarks: int = 0
    unreadable: int = 0
    #: the first lines that could not be read, with their numbers, for the report
    unreadable_examples: list[tuple[int, str]] = field(default_factory=list)
    #: calls beyond the limit, read but not kept
    dropped: int = 0
    #: strace said that a process runs 32-bit code, whose call numbers are others
    foreign_personality: bool = False

    def add(self, item: Call | Mark) -> None:
        """Append to the item's thread."""
        self.threads.setdefault(item.thread, []).append(item)
