# SPDX-License-Identifier: BSD-3-Clause
"""Jobs that time whole commands: by the clock, in processor time, and by what they print about themselves."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO

from ferry.check.inputs import INPUTS, Place
from ferry.check.job import Figures, Job, Row, full_name
from ferry.check.libraries import environment_with
from ferry.check.targets import Command, Plan
from ferry.folders import MeasureError, program_in, temporary_folder
from ferry.native import PROGRAM_TIMEOUT_S, UnavailableError, describe_exit, indented_tail
from ferry.neighbours import World

#: The exit status of a command when this machine lacks what it measures, as that of the benchmark programs.
LACKING = 3
#: How long after an interrupt a wait for a program may go on, at most.
INTERRUPT_S = 0.5


def _inputs(plan: Plan, place: Place) -> dict[str, tuple[str, ...]]:
    """Make what the plan's commands read. One that cannot be made here is left out, with a note of its own."""
    made = {name: INPUTS[name](place) for name in plan.inputs}
    return {name: words for name, words in made.items() if words}


def _words(command: Command, inputs: dict[str, tuple[str, ...]], place: Place) -> list[str]:
    """Return a command's words, its places filled. Raises UnavailableError."""
    words: list[str] = []
    for word in command.words:
        for name in re.findall(r"\{(\w+)\}", word):
            if name not in ("bin", "bench", "here", *inputs):
                raise UnavailableError(f"there is no {{{name}}} here")
        if word[1:-1] in inputs and word.startswith("{"):
            words += inputs[word[1:-1]]
            continue
        for name in ("bench", "bin", "here"):
            if f"{{{name}}}" in word:
                word = word.replace(f"{{{name}}}", str(getattr(place, name)))
        words.append(word)
    return [_program(words[0], command, place), *words[1:]]


def _program(word: str, command: Command, place: Place) -> str:
    """Return the program's path. Raises UnavailableError."""
    if "/" in word:
        path = Path(os.path.normpath(word))
        if not path.is_file():
            raise UnavailableError(f"{path} is not there; run `make {command.target}` in Ferry's folder")
        return str(program_in(path.parent, path.name))
    found = shutil.which(word, path=place.search)
    if found is None:
        raise UnavailableError(f"{word} is not in $PATH")
    return found


def _settings(command: Command, way: str, place: Place) -> dict[str, str]:
    """Return the variables that a way sets, with the folders in them filled in."""
    settings = command.settings.get(way, {})
    return {
        name: value.replace("{bench}", str(place.bench)).replace("{here}", str(place.here))
        for name, value in settings.items()
    }


def rows_of_commands(plan: Plan, place: Place) -> list[Row]:
    """Return the rows of a plan's commands: what is compared with each other in one. Raises UnavailableError."""
    if not plan.commands:
        return []
    inputs = _inputs(plan, place)
    rows: dict[tuple[str, int | None], Row] = {}
    printed: dict[str, str] = {}
    for command in plan.commands:
        try:
            words = _words(command, inputs, place)
        except UnavailableError as error:
            if command.required:
                raise
            place.leave_out(f"{command.name}: {error}")
            continue
        for threads in command.threads or (None,):
            # what has libraries is compared among these, what has none with the other commands
            row = rows.setdefault((command.name if command.libraries else "", threads), [])
            for way, library in (command.libraries or {"": ""}).items():
                try:
                    environment = environment_with(library or None, place.bench, threads)
                    environment |= _settings(command, way, place)
                except UnavailableError as error:
                    place.leave_out(f"{way}: {error}")
                    continue
                same = partial(_same_output, printed) if plan.same_output else None
                label = full_name(way, command.name, threads)
                row.append(Job(label, partial(_take, command, words, environment | {"LC_ALL": "C"}, label, same)))
    return list(rows.values())


def _same_output(printed: dict[str, str], label: str, text: str) -> None:
    """Raise MeasureError when a command prints something else than the first one did."""
    first, expected = next(iter(printed.items()), (label, text))
    printed.setdefault(first, expected)
    if text != expected:
        raise MeasureError(f"{label} does not print what {first} prints; one of them is wrong")


@contextlib.contextmanager
def _interrupts_later() -> Iterator[None]:
    """Put an interrupt off until the end, so that a process that was just started is known to who has to end it."""
    is_ignored = signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    if is_ignored or threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        signal.raise_signal(signal.SIGINT)


def _wait(process: subprocess.Popen[bytes], limit_s: float) -> tuple[int, float]:
    """Return how a process ended and its processor time in nanoseconds. After `limit_s` it is killed."""
    left_s = limit_s
    ending = os.pidfd_open(process.pid)
    try:
        # Python takes an interrupt between two calls only. One that comes just before a call is taken after it, so
        # no call here lasts for long.
        while not select.select([ending], [], [], min(left_s, INTERRUPT_S))[0]:
            left_s -= INTERRUPT_S
            if left_s <= 0:
                process.kill()
                break
    finally:
        os.close(ending)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, (usage.ru_utime + usage.ru_stime) * 1e9


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def _take(
    command: Command,
    words: list[str],
    environment: dict[str, str],
    label: str,
    same: Callable[[str, str], None] | None,
    world: World,
) -> Figures:
    """Run the copies side by side until the last has ended. Raises MeasureError."""
    limit_s = command.limit_s or PROGRAM_TIMEOUT_S * (1 + world.loops)
    folder = temporary_folder()
    with tempfile.TemporaryFile(dir=folder) as output, tempfile.TemporaryFile(dir=folder) as errors:
        began = time.perf_counter()
        processes: list[subprocess.Popen[bytes]] = []
        try:
            for _ in range(command.copies):
                with _interrupts_later():
                    processes.append(
                        subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
                    )
            ended = [_wait(process, limit_s) for process in processes]
        except BaseException:
            # an interrupt may be for this process alone; what it started would go on
            for process in processes:
                process.kill()
                process.wait()
            raise
        wall = (time.perf_counter() - began) * 1e9
        said, printed = _text(errors), _text(output)
    for code, _ in ended:
        if code == LACKING:
            raise UnavailableError(f"{label}: {said.strip()}")
        late = command.limit_s is not None and code == -signal.SIGKILL and wall >= command.limit_s * 1e9
        if code != 0 and not late:
            raise MeasureError(f"`{' '.join(words)}` {describe_exit(code)}:\n{indented_tail(said)}")
    if same:
        same(label, printed)
    found = {f"{label} wall": wall, f"{label} cpu": sum(cpu for _, cpu in ended)}
    return found | _printed(command, label, printed, said)


def _printed(command: Command, label: str, output: str, errors: str) -> Figures:
    """Return what a command says of itself. Raises MeasureError."""
    found: Figures = {}
    if command.prints == "json":
        try:
            said = json.loads(output)
        except json.JSONDecodeError as error:
            raise MeasureError(f"{label} did not print one JSON object: {error}") from error
        found |= {f"{label} {name}": float(value) * 1e9 for name, value in said.items()}
    for patterns, unit_ns in ((command.seconds, 1e9), (command.microseconds, 1e3)):
        for name, pattern in patterns.items():
            number = re.search(pattern, errors, re.M)
            if not number:
                raise MeasureError(f"{label} did not print {name} on standard error:\n{indented_tail(errors)}")
            found[f"{label} {name}"] = float(number[1]) * unit_ns
    return found
