# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the ferry command share."""

import subprocess
from pathlib import Path

import pytest
from ferry.advise.errors import AdviseError
from ferry.advise.record import STRACE_OPTIONS, check_strace


@pytest.fixture(scope="session")
def can_trace() -> str:
    """Find a strace that may trace here; tests that need one are skipped where there is none."""
    try:
        return check_strace()
    except AdviseError as error:
        pytest.skip(f"no tracing here: {error}")


@pytest.fixture(scope="session")
def real_trace(can_trace: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Trace a shell that lists a directory."""
    path = tmp_path_factory.mktemp("trace") / "trace"
    script = "ls -l / >/dev/null; cat /etc/hostname >/dev/null"
    options = [option for option in STRACE_OPTIONS if not option.startswith("--daemonize")]
    subprocess.run([can_trace, *options, f"--output={path}", "--", "sh", "-c", script], check=True)
    return path
