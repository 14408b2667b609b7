# SPDX-License-Identifier: GPL-2.0-only
"""Find in a kernel's log whatever says that the kernel was harmed: the verdict that no test can talk itself out of.

A finding is a kind of report and the line that shows it. Lines of what one report goes on to say (registers, call
trace) are not findings of their own, since a report has its first line in every case listed here. What a user program
did to itself (`traps: … general protection`, `segfault at`) is no finding.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

#: What comes before a line's text: the time, and the task or processor with CONFIG_PRINTK_CALLER.
STAMP = r"^(?:\[[\s\d.]+\])?(?:\[\s*[TC]\d+\])?\s*"

#: Kind of report -> how its first line begins, or what it holds.
REPORTS: dict[str, str] = {
    "panic": r"Kernel panic - not syncing",
    "oops": r"(?:Oops|Internal error|Unable to handle kernel|kernel NULL pointer dereference)\b"
    r"|unable to handle page fault",
    "bug": r"kernel BUG at|\bBUG(?: \w[\w-]*)?[:( ]",
    "warning": r"\bWARNING: |\bWARN_ON|DEBUG_LOCKS_WARN_ON",
    "general protection": r"(?<!traps: )\bgeneral protection fault, (?:probably|maybe)|general protection fault: \d{4}",
    "double fault": r"double fault|PANIC: ",
    "lockdep": r"possible (?:recursive locking|circular locking|irq lock inversion)|inconsistent lock state"
    r"|INFO: (?:trying to register non-static key|HARDIRQ-safe|SOFTIRQ-safe)|possible deadlock"
    r"|bad unlock balance|held lock freed|lock held when returning to user space|locks? still held"
    r"|suspicious RCU usage|Invalid wait context|BUG: MAX_LOCKDEP|INFO: lockdep is turned off",
    "sleep while atomic": r"scheduling while atomic|sleeping function called from invalid context"
    r"|sleeping thread in|do not call blocking ops",
    "RCU stall": r"rcu: INFO: \w+ (?:self-)?detect(?:ed)? (?:expedited )?stalls?|rcu_\w+ kthread (?:starved|timer)"
    r"|rcu: .*self-detected stall",
    "lockup": r"soft lockup|hard LOCKUP|Watchdog detected",
    "hung task": r"INFO: task .* blocked for more than",
    "sanitizer": r"\b(?:KASAN|KCSAN|KMSAN|KFENCE|UBSAN): ",
    "slab": r"^(?:BUG|INFO) \S+.*: (?:Poison|Redzone|Object|Freechain)|Slab corruption|list_(?:add|del) corruption"
    r"|refcount_t: |usercopy: Kernel memory (?:exposure|overwrite)",
    "leak": r"unreferenced object 0x|kmemleak: \d+ new suspected memory leaks"
    r"|kmemleak: .*(?:disabled|early log buffer)",
    "page state": r"Bad page (?:state|map|cache)|bad: scheduling|Bad rss-counter|non-zero pgtables_bytes|BUG: Bad",
    "allocation": r"page allocation failure|: allocation failure:",
    "entry": r"(?:IRQs not enabled|syscall .* left IRQs disabled|invalid address limit|unchecked MSR access)"
    r"|Missing ENDBR|CFI failure|control protection|stack segment:|Stack depth|corrupted stack end|stack-protector",
    "hardening": r"memcpy: detected|detected buffer overflow|stack guard page was hit|kernel stack overflow",
    "seccomp": r"notrace|fentry: .*failed",
}
#: Where a kernel's own start ends.
RUNS_INIT = re.compile(STAMP + "Run /init as init process")
FINDERS = {kind: re.compile(STAMP + r".*?(?:" + pattern + ")") for kind, pattern in REPORTS.items()}
#: Lines that hold such words and report nothing. Each says why it is here.
HARMLESS = re.compile(
    "|".join(
        (
            r"Command line:",  # repeats whatever we wrote there
            r"traps: .* (?:general protection|trap )",  # what a program did to itself
            r"kmemleak: Kernel memory leak detector initialized",
            r"Warning: unable to open an initial console",
        )
    )
)


@dataclass(frozen=True)
class Finding:
    """A report in a log."""

    kind: str
    line: int
    text: str


def _first(lines: list[str]) -> int:
    """Return the index of the first line that counts; where the kernel has not come as far as /init, of the first."""
    return next((index for index, line in enumerate(lines) if RUNS_INIT.search(line)), 0)


def scan(log: str) -> list[Finding]:
    """Return every line of a kernel's log that begins a report of harm, in order.

    What a kernel says before it runs /init is about itself on this emulator: nothing of ours has run yet.
    """
    findings = []
    lines = log.splitlines()
    for number, line in enumerate(lines[_first(lines) :], _first(lines) + 1):
        if HARMLESS.search(line):
            continue
        kind = next((kind for kind, finder in FINDERS.items() if finder.search(line)), None)
        if kind:
            findings.append(Finding(kind, number, line.strip()))
    return findings


def excerpt(log: str, finding: Finding, lines: int = 40) -> str:
    """Return a finding's line and what the kernel said after it."""
    return "\n".join(log.splitlines()[finding.line - 1 : finding.line - 1 + lines])
