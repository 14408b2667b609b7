# SPDX-License-Identifier: BSD-3-Clause
"""Run a command under strace and read its trace while it runs.

strace runs as the command's grandchild (-D), so that the command stays our child: its exit status is its own and its
standard streams are not touched. The trace comes through a named pipe, so it takes no disk; strace closes the pipe in
the command. A second process that goes on after the command has ended (a daemon) is waited for a little and then let
go, untraced.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ferry.advise.errors import AdviseError, temporary_folder
from ferry.advise.strace_parser import StraceParser
from ferry.advise.trace import Trace

#: all threads in one file, seconds since 1970 and durations in ns, strings printable, symbols in comments
STRACE_OPTIONS = (
    "--follow-forks",
    "--daemonize=grandchild",
    "--absolute-timestamps=format:unix,precision:ns",
    "--syscall-times=ns",
    "--strings-in-hex=non-ascii",
    "--string-limit=256",
    "--const-print-style=verbose",
    "--quiet=attach,personality",
)
#: how long background processes of the command are waited for after it has ended
LINGER_S = 2.0
CHECK_TIMEOUT_S = 20.0


@dataclass
class Recorded:
    """What running the command gave."""

    trace: Trace
    #: as a shell has it: 128 + N when signal N killed the command
    status: int
    #: processes of the command that still ran when the recording ended
    left_running: int = 0


@dataclass
class Timed:
    """One run of the command without strace."""

    wall_s: float
    cpu_s: float


def find_command(name: str) -> None:
    """Fail as a shell does if the command cannot be run."""
    if shutil.which(name):
        return
    if "/" in name and Path(name).exists():
        raise AdviseError(f"'{name}' cannot be executed: give CMD as a program, or `sh FILE` for a script", 126)
    raise AdviseError(f"no command '{name}' in $PATH: check the spelling after `--`", 127)


def check_strace() -> str:
    """Find strace and see that it may trace here. Returns its path."""
    strace = shutil.which("strace")
    if strace is None:
        raise AdviseError(
            "strace is not installed, and it records the calls: install it (apt-get install strace), or give"
            " --strace FILE with a trace made elsewhere by `strace -f -ttt -T -o FILE CMD`"
        )
    try:
        done = subprocess.run(
            [strace, *STRACE_OPTIONS, "--output=/dev/null", "--trace=none", "--", shutil.which("true") or "true"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=CHECK_TIMEOUT_S,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        raise AdviseError("strace hangs on `true`: give --strace FILE with a trace made elsewhere") from None
    except OSError as error:
        said = f"{strace} cannot be run: {error.strerror}"
        raise AdviseError(f"{said}; or give --strace FILE with a trace made elsewhere") from None
    if done.returncode != 0 or "strace:" in done.stderr:
        said = done.stderr.strip() or f"exit status {done.returncode}"
        raise AdviseError(
            f"strace cannot trace here; it said: {said}\n"
            "Tracing needs ptrace: see /proc/sys/kernel/yama/ptrace_scope (0 or 1), a container's seccomp profile"
            " (--cap-add SYS_PTRACE) and strace 5.6 or newer; or give --strace FILE with a trace made elsewhere"
        )
    return strace


def command_environment() -> dict[str, str]:
    """Take the caller's environment, without the folder that the ferry command put in front of $PYTHONPATH."""
    environment = dict(os.environ)
    own = str(Path(__file__).resolve().parents[2])
    rest = [entry for entry in environment.get("PYTHONPATH", "").split(":") if entry and entry != own]
    environment.pop("PYTHONPATH", None)
    return environment | ({"PYTHONPATH": ":".join(rest)} if rest else {})


def record(command: Sequence[str], stacks: bool = False) -> Recorded:
    """Run the command under strace to its end, with the stack of each call if asked."""
    find_command(command[0])
    strace = check_strace()
    parser = StraceParser()
    with tempfile.TemporaryDirectory(prefix="ferry-advise-", dir=temporary_folder()) as folder:
        pipe = Path(folder) / "trace"
        os.mkfifo(pipe, 0o600)
        reading = os.fdopen(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
        # held until the command has ended, so that the reader does not see the end before strace has begun
        writing = os.open(pipe, os.O_WRONLY | os.O_CLOEXEC)
        os.set_blocking(reading.fileno(), True)
        reader = threading.Thread(target=_read, args=(reading, parser), daemon=True)
        reader.start()
        try:
            options = [*STRACE_OPTIONS, *(["--stack-traces"] if stacks else []), f"--output={pipe}"]
            status = _run([strace, *options, "--", *command])
        finally:
            os.close(writing)
        left = _finish(reader, parser)
        reading.close()
    trace = parser.finish()
    if not trace.calls:
        raise AdviseError("strace recorded no call; what it said stands above. Try --strace FILE with a trace of yours")
    return Recorded(trace, status, left)


def _read(stream: BinaryIO, parser: StraceParser) -> None:
    for line in stream:
        if line.endswith(b"\n"):  # strace was stopped while it wrote any other
            parser.feed(line.decode("latin-1"))


def _run(arguments: Sequence[str]) -> int:
    """Run to the end; an interrupt from the terminal is the command's to handle."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        code = subprocess.run(arguments, env=command_environment()).returncode
    except OSError as error:
        raise AdviseError(f"{arguments[0]} cannot be run: {error.strerror}") from None
    finally:
        signal.signal(signal.SIGINT, before)
    return code if code >= 0 else 128 - code


def _finish(reader: threading.Thread, parser: StraceParser) -> int:
    """Wait for the end of the trace; stop strace if something else keeps running. Returns how many processes do."""
    reader.join(LINGER_S)
    left = 0
    while reader.is_alive():
        tracers = {thread: _tracer(thread) for thread in list(parser.trace.threads)}
        running = {thread for thread, tracer in tracers.items() if tracer}
        left = max(left, len(running))
        for tracer in {tracer for tracer in tracers.values() if tracer}:
            os.kill(tracer, signal.SIGKILL)
        reader.join(0.1)
    return left


def _tracer(thread: int) -> int:
    """Find the strace process that traces this thread, or 0."""
    try:
        status = Path(f"/proc/{thread}/status").read_text()
        tracer = int(status.partition("TracerPid:")[2].split()[0])
        return tracer if tracer and Path(f"/proc/{tracer}/comm").read_text().strip() == "strace" else 0
    except (OSError, ValueError, IndexError):
        return 0


def time_command(command: Sequence[str]) -> Timed:
    """Run the command once more without strace, its input empty and its output thrown away."""
    null = subprocess.DEVNULL
    begin = time.monotonic()
    try:
        process = subprocess.Popen(command, stdin=null, stdout=null, stderr=null, env=command_environment())
    except OSError as error:
        raise AdviseError(f"{command[0]} cannot be run once more: {error.strerror}") from None
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Timed(time.monotonic() - begin, usage.ru_utime + usage.ru_stime)
