# SPDX-License-Identifier: BSD-3-Clause
"""Which process each thread of a trace belongs to, and which programs the processes ran.

A process has an id and one thread or more; a program is a file that a process runs from an execve on, and that its
children run too until they make one of their own. So one process may run several programs, one after the other, and one
program may be run by many processes.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from ferry.advise.runs import Run
from ferry.advise.trace import Call, Trace

#: a program that was running before the trace began
UNKNOWN = "(before the trace)"
_MAKES = frozenset({"fork", "vfork", "clone", "clone3"})


@dataclass
class Process:
    """One process: its threads, and its calls by the program that made them."""

    pid: int
    #: the process that made it, if the trace shows that
    parent: int | None
    threads: list[int] = field(default_factory=list)
    #: programs in the order in which it ran them, by path, with the system calls of each
    programs: dict[str, int] = field(default_factory=dict)


@dataclass
class Census:
    """The processes of a trace, and the program of every run."""

    processes: list[Process]
    #: the program of a run, by the identity of its first call
    of_run: dict[int, str]

    def programs(self) -> dict[str, tuple[int, int]]:
        """Count for each program the processes that ran it and the calls it made, the most calls first."""
        processes: Counter[str] = Counter()
        calls: Counter[str] = Counter()
        for process in self.processes:
            processes.update(process.programs.keys())
            calls.update(process.programs)
        return {path: (processes[path], calls[path]) for path, _ in calls.most_common()}

    def of_runs(self, runs: Iterable[Run]) -> Counter[str]:
        """Count the runs by program."""
        return Counter(self.of_run[id(run.calls[0])] for run in runs)


@dataclass
class _Thread:
    process: Process
    program: str


def name(path: str) -> str:
    """Shorten a program's path to what people call it."""
    return PurePosixPath(path).name or path


def _is_thread(call: Call) -> bool:
    """Whether what the call made is a thread of the same process."""
    return any("CLONE_THREAD" in value.text for value in call.arguments)


def _image(call: Call) -> str | None:
    """Return the path of the program that a call has its process run from now on."""
    if call.result != 0 or call.name not in ("execve", "execveat"):
        return None
    data = call.arguments[call.name == "execveat"].data if len(call.arguments) > 1 else None
    return data.decode("utf-8", "replace") if data else UNKNOWN


def take_census(trace: Trace, runs: Iterable[Run]) -> Census:
    """Follow every thread from the call that made it."""
    wanted = {id(run.calls[0]) for run in runs}
    census = Census([], {})
    made: dict[int, _Thread] = {}
    makers = {
        item.result
        for items in trace.threads.values()
        for item in items
        if isinstance(item, Call) and item.name in _MAKES and (item.result or 0) > 0
    }
    # a thread is looked at behind its maker; where ids were used again, what made each other comes last
    starts = [thread for thread in trace.threads if thread not in makers]
    followed: set[int] = set()
    for start in [*starts, *trace.threads]:
        waiting = [start]
        while waiting:
            thread = waiting.pop()
            if thread in followed or thread not in trace.threads:
                continue
            followed.add(thread)
            if thread not in made:
                made[thread] = _Thread(Process(thread, None), UNKNOWN)
                census.processes.append(made[thread].process)
            waiting += _follow(trace, thread, made, census, wanted)
    return census


def _follow(trace: Trace, thread: int, made: dict[int, _Thread], census: Census, wanted: set[int]) -> Iterable[int]:
    """Count one thread's calls. Returns the threads it made."""
    here = made[thread]
    here.process.threads.append(thread)
    children = []
    for call in (item for item in trace.threads[thread] if isinstance(item, Call)):
        here.program = _image(call) or here.program
        here.process.programs[here.program] = here.process.programs.get(here.program, 0) + 1
        if id(call) in wanted:
            census.of_run[id(call)] = here.program
        if call.name in _MAKES and (call.result or 0) > 0 and call.result is not None and call.result not in made:
            process = here.process if _is_thread(call) else Process(call.result, here.process.pid)
            if process is not here.process:
                census.processes.append(process)
            made[call.result] = _Thread(process, here.program)
            children.append(call.result)
    return children
