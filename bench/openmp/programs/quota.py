# SPDX-License-Identifier: BSD-3-Clause
"""Run a command with a CPU quota: quota.py PROCESSORS COMMAND….

The command runs in a control group of its own. Making one needs root and the cpu controller (version 1 or 2); without
them the exit status is 3.
"""

import os
import subprocess
import sys
from pathlib import Path

PERIOD_US = 100_000
LACKING = 3
ROOTS = ((Path("/sys/fs/cgroup/cpu"), "cpu.cfs_quota_us"), (Path("/sys/fs/cgroup"), "cgroup.subtree_control"))


def place() -> Path | None:
    """Return where groups with a quota can be made."""
    for root, needed in ROOTS:
        if not os.access(root / needed, os.W_OK):
            continue
        if needed.startswith("cpu.") or "cpu" in (root / needed).read_text().split():
            return root
    return None


def limit(group: Path, processors: float) -> None:
    """Give a group its quota."""
    quota_us = round(processors * PERIOD_US)
    if (group / "cpu.max").exists():
        (group / "cpu.max").write_text(f"{quota_us} {PERIOD_US}")
    else:
        (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
        (group / "cpu.cfs_quota_us").write_text(str(quota_us))


def main() -> int:
    """Return the command's exit status."""
    root = place()
    if root is None:
        sys.stderr.write("quota.py: it needs root, and the cpu controller of control groups\n")
        return LACKING
    group = root / f"ferry-bench-{os.getpid()}"
    group.mkdir()
    try:
        limit(group, float(sys.argv[1]))
        enter = ["sh", "-c", 'echo $$ >"$0/cgroup.procs" && exec "$@"', str(group)]
        return subprocess.run([*enter, *sys.argv[2:]], check=False).returncode
    finally:
        group.rmdir()


if __name__ == "__main__":
    sys.exit(main())
