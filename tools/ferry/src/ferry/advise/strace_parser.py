# SPDX-License-Identifier: BSD-3-Clause
"""Read what strace writes into a Trace.

Total on any text: a line that is not understood is counted, kept as an example and breaks the runs of its thread; it
never ends the reading. One file with all threads (`strace -f -o FILE`) is expected: each line begins with a thread's
number, `[pid N]`, or nothing when there is one thread. Times are optional, absolute (-ttt) or of the day (-t, -tt);
relative ones (-r) are not told from absolute ones, so a trace made with -r must not be given.
"""

import errno
import re
from collections.abc import Iterable

from ferry.advise.trace import Break, Call, Mark, Site, Trace
from ferry.advise.values import parse_number, parse_value, split_arguments

#: calls that one trace keeps; later ones are counted only
TRACE_CALLS_MAX = 2_000_000
#: lines quoted in the report when they could not be read
UNREADABLE_EXAMPLES_MAX = 3
#: characters of one line that are looked at
LINE_CHARACTERS_MAX = 1 << 20
#: results of calls that a signal interrupted and that the kernel makes again by itself
_RESTART = re.compile(r"ERESTART")

_PREFIX = re.compile(
    r"(?:\[pid\s+(?P<bracketed>\d{1,10})\]\s*|(?P<plain>\d{1,10})\s+(?=\S))?"
    r"(?:(?P<clock>\d{1,2}:\d{2}:\d{2}(?:\.\d{1,9})?)\s+|(?P<time>\d{1,12}\.\d{1,9})\s+)?"
)
_UNFINISHED = re.compile(r"\s*<unfinished \.\.\.>$")
_RESUMED = re.compile(r"<\.\.\. (?P<name>\w+) resumed>\s?(?P<rest>.*)$", re.DOTALL)
_NAME = re.compile(r"(?P<name>[a-z_]\w*)\(", re.IGNORECASE)
_RESULT = re.compile(
    r"\s*=\s*(?P<word>\?|-?0x[0-9a-fA-F]{1,16}|-?\d{1,20})(?:<[^<>]*>)?"
    r"(?:\s+(?P<error>E[A-Z0-9]+)\b)?(?P<note>.*?)\s*(?:<(?P<duration>\d+\.\d+)>)?\s*$",
    re.DOTALL,
)
#: a frame of a call's stack (-k): file, function and what is added to it, offset in the file
_FRAME = re.compile(r" > (?P<file>[^(]*)\((?P<function>[^+)]*)(?:\+0x[0-9a-f]+)?\) \[0x(?P<offset>[0-9a-f]{1,16})\]$")
#: whose frames are not a program's own
_C_LIBRARY = re.compile(r"(?:libc|ld-linux[\w-]*|libpthread)(?:-[\d.]+)?\.so[.\d]*$")
_REMARKS = re.compile(r"strace: |\[ Process |Process \d+ (?:attached|detached)")


class StraceParser:
    """Lines in, Trace out; keeps for each thread the call that is not finished yet."""

    def __init__(self) -> None:
        self.trace = Trace()
        self._unfinished: dict[int, tuple[str, float | None]] = {}
        #: the call whose stack the next lines may be, while it has no site
        self._placeless: Call | None = None

    def feed(self, line: str) -> None:
        """Take one line, without its newline."""
        self.trace.lines += 1
        line = line.rstrip("\r\n")[:LINE_CHARACTERS_MAX]
        if frame := _FRAME.match(line):
            self._take_frame(frame)
            return
        self._placeless = None
        prefix = _PREFIX.match(line)
        assert prefix is not None  # every part of it is optional
        thread = int(prefix["bracketed"] or prefix["plain"] or 0)
        rest = line[prefix.end() :]
        if not rest.strip():
            self.trace.remarks += 1
        elif not (self._remark(thread, rest) or self._call(thread, _seconds(prefix), rest)):
            self._unreadable(thread, line)

    def finish(self) -> Trace:
        """Close what is open: a call that never came back ends its thread."""
        for thread in self._unfinished:
            self.trace.add(Mark(thread, Break.EXIT))
        self._unfinished.clear()
        return self.trace

    def _take_frame(self, frame: re.Match[str]) -> None:
        self.trace.remarks += 1
        if self._placeless is not None and not _C_LIBRARY.search(frame["file"]):
            self._placeless.site = Site(frame["file"], frame["function"], int(frame["offset"], 16))
            self._placeless = None

    def _unreadable(self, thread: int, line: str) -> None:
        self.trace.unreadable += 1
        self.trace.add(Mark(thread, Break.UNREADABLE))
        if len(self.trace.unreadable_examples) < UNREADABLE_EXAMPLES_MAX:
            self.trace.unreadable_examples.append((self.trace.lines, line[:160]))

    def _remark(self, thread: int, rest: str) -> bool:
        """Take a line that is no call."""
        if rest.startswith("---") and rest.endswith("---"):
            self.trace.add(Mark(thread, Break.SIGNAL))
        elif rest.startswith("+++") and rest.endswith("+++"):
            self._unfinished.pop(thread, None)
            self.trace.add(Mark(thread, Break.EXIT))
        elif _REMARKS.match(rest):
            self.trace.foreign_personality |= "runs in 32 bit mode" in rest or "runs in x32 mode" in rest
        else:
            return False
        self.trace.remarks += 1
        return True

    def _call(self, thread: int, time_s: float | None, rest: str) -> bool:
        resumed = _RESUMED.match(rest)
        if resumed:
            begun = self._unfinished.pop(thread, None)
            if begun is None or not begun[0].startswith(resumed["name"] + "("):
                return False
            text, time_s = begun[0] + resumed["rest"], begun[1]
        else:
            text = rest
        cut = _UNFINISHED.search(text)
        if cut and _NAME.match(text):
            self._unfinished[thread] = (text[: cut.start()] + " ", time_s)
            self.trace.remarks += 1
            return True
        call = _parse_call(thread, time_s, text)
        if call is None:
            return False
        self.trace.calls += 1
        if self.trace.calls > TRACE_CALLS_MAX:
            self.trace.dropped += 1
        else:
            self.trace.add(call)
            self._placeless = call
        return True


def _seconds(prefix: re.Match[str]) -> float | None:
    if prefix["time"]:
        return float(prefix["time"])
    if prefix["clock"]:
        hours, minutes, seconds = prefix["clock"].split(":")
        return int(hours) * 3600 + int(minutes) * 60 + float(seconds)
    return None


def _parse_call(thread: int, time_s: float | None, text: str) -> Call | None:
    name = _NAME.match(text)
    split = split_arguments(text[name.end() :]) if name else None
    if name is None or split is None:
        return None
    result = _RESULT.match(split[1])
    if result is None:
        return None
    return Call(
        thread=thread,
        name=name["name"],
        arguments=[parse_value(part) for part in split[0]],
        result=_result_word(result),
        error=result["error"] or "",
        start_s=time_s,
        duration_s=float(result["duration"]) if result["duration"] else None,
    )


def _result_word(result: re.Match[str]) -> int | None:
    if result["word"] == "?" or _RESTART.match(result["error"] or ""):
        return None
    word = parse_number(result["word"])
    if result["error"] and word is not None and word < 0:
        return -int(getattr(errno, result["error"], -word))
    return word


def parse_lines(lines: Iterable[str]) -> Trace:
    """Read a whole trace."""
    parser = StraceParser()
    for line in lines:
        parser.feed(line)
    return parser.finish()
