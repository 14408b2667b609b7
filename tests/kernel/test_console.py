# SPDX-License-Identifier: BSD-3-Clause
"""The scanner of a kernel's log: it finds every kind of report, and nothing in a healthy log."""

import pytest
from vm.console import REPORTS, excerpt, scan

#: One report of each sort, as kernels 6.1 to 7.2 print its first line.
HARM = [
    ("panic", "[    1.52] Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b"),
    ("oops", "[   12.001234] Oops: 0002 [#1] PREEMPT SMP NOPTI"),
    ("oops", "[   12.0] Oops: general protection fault, probably for non-canonical address 0xdead: 0000 [#1] SMP"),
    ("oops", "[   12.00] BUG: kernel NULL pointer dereference, address: 0000000000000008"),
    ("oops", "[   12.00] BUG: unable to handle page fault for address: ffffc90000000000"),
    ("bug", "[    9.1] kernel BUG at mm/usercopy.c:102!"),
    ("bug", "[    9.1] BUG: Bad rss-counter state mm:00000000 type:MM_ANONPAGES val:1"),
    ("bug", "[    9.1] BUG batch_slots (Not tainted): Objects remaining in batch_slots on __kmem_cache_shutdown()"),
    ("warning", "[    3.0][  T77] WARNING: CPU: 0 PID: 77 at kernel/batch.c:77 batch_run+0x12/0x40"),
    ("warning", "[    3.0] WARNING: kernel/batch.c:77 at batch_run+0x12/0x40, CPU#1: test/77"),
    ("warning", "[    3.0] WARNING: possible circular locking dependency detected"),
    ("lockdep", "[    3.0] inconsistent lock state"),
    ("lockdep", "[    3.0] 1 lock held by batch/77: possible recursive locking detected"),
    ("warning", "[    3.0] WARNING: suspicious RCU usage"),
    ("lockdep", "[    3.0] kernel/batch.c:12 suspicious RCU usage"),
    ("warning", "[    3.0] WARNING: lock held when returning to user space!"),
    ("bug", "[    3.0] BUG: scheduling while atomic: batch/77/0x00000002"),
    ("bug", "[    3.0] BUG: sleeping function called from invalid context at include/linux/uaccess.h:162"),
    ("RCU stall", "[   26.0] rcu: INFO: rcu_preempt self-detected stall on CPU"),
    ("RCU stall", "[   26.0] rcu: INFO: rcu_sched detected stalls on CPUs/tasks:"),
    ("RCU stall", "[   26.0] rcu: INFO: rcu_preempt detected expedited stalls on CPUs/tasks: { 0-.... }"),
    ("bug", "[   30.0] watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [batch:77]"),
    ("hung task", "[  130.0] INFO: task batch:77 blocked for more than 60 seconds."),
    ("bug", "[    3.0] BUG: KASAN: slab-out-of-bounds in batch_run+0x12/0x40 at addr ffff8880"),
    ("sanitizer", "[    3.0] UBSAN: array-index-out-of-bounds in kernel/batch.c:12:3"),
    ("sanitizer", "[    3.0][   T77] KASAN: null-ptr-deref in range [0x0000000000000000-0x0000000000000007]"),
    ("slab", "[    3.0] usercopy: Kernel memory overwrite attempt detected to SLUB object 'kmalloc-64'"),
    ("slab", "[    3.0] list_add corruption. prev->next should be next"),
    ("slab", "[    3.0] refcount_t: underflow; use-after-free."),
    ("leak", "unreferenced object 0xffff888006d65a00 (size 64):"),
    ("leak", "[   70.0] kmemleak: 3 new suspected memory leaks (see /sys/kernel/debug/kmemleak)"),
    ("allocation", "[    3.0] batch: page allocation failure: order:4, mode:0x40cc0(GFP_KERNEL|__GFP_COMP)"),
    ("entry", "[    3.0] traps: Missing ENDBR: __x64_sys_getppid+0x0/0x10"),
]
HEALTHY = """\
[    0.000000] Linux version 6.12.95+deb12-amd64 (debian-kernel@lists.debian.org) (gcc-12 (Debian 12.2.0-14) 12.2.0)
[    0.000000] Command line: console=ttyS0 loglevel=7 panic=-1 oops=panic vm.note=WARNING:
[    0.000000] BIOS-provided physical RAM map:
[    0.004000] DEBUG: nothing
[    0.100000] rcu: Hierarchical RCU implementation.
[    0.100000] rcu: \tRCU calculated value of scheduler-enlistment delay is 25 jiffies.
[    0.200000] Spectre V2 : Mitigation: Retpolines
[    0.200000] Kernel command line: oops=panic panic=-1
[    0.300000] Lock dependency validator: Copyright (c) 2006 Red Hat, Inc., Ingo Molnar
[    0.400000] kmemleak: Kernel memory leak detector initialized (mem pool available: 39000)
[    0.400000] kmemleak: Automatic memory scanning thread started
[    0.500000] debug_vm_pgtable: [debug_vm_pgtable         ]: Validating architecture page table helpers
[    0.600000] batch: loading out-of-tree module taints kernel.
[    0.600000] batch: module verification failed: signature and/or required key missing - tainting kernel
[    1.000000] traps: hostile[77] general protection fault ip:401000 sp:7ffc0 error:0 in hostile[401000+1000]
[    1.000000] hostile[77]: segfault at 8 ip 0000000000401000 sp 00007ffc0 error 4 in hostile[401000+1000]
[    1.000000] Out of memory: Killed process 77 (hostile) total-vm:1000kB, anon-rss:100kB
[    2.000000] reboot: Restarting system
"""


@pytest.mark.parametrize(("kind", "line"), HARM)
def test_a_report_is_found(kind: str, line: str) -> None:
    findings = scan(HEALTHY + line + "\n[    3.1] Call Trace:\n" + HEALTHY)
    assert [(found.kind, found.text) for found in findings] == [(kind, line)]


def test_a_healthy_log_has_none() -> None:
    assert scan(HEALTHY) == []


def test_what_a_kernel_says_before_it_runs_init_is_its_own() -> None:
    run = "[    2.5] Run /init as init process\n"
    assert scan(HARM[0][1] + "\n" + run + HEALTHY) == []
    (found,) = scan(HARM[0][1] + "\n" + run + HARM[1][1] + "\n")
    assert (found.kind, found.line) == ("oops", 3)


def test_reports_are_found_in_their_order_with_what_follows() -> None:
    log = HEALTHY + HARM[0][1] + "\n" + HEALTHY + HARM[1][1] + "\nCall Trace:\n"
    first, second = scan(log)
    assert (first.kind, second.kind) == ("panic", "oops")
    assert second.line > first.line
    assert excerpt(log, second).endswith("Call Trace:")


def test_every_kind_is_known() -> None:
    assert {kind for kind, _ in HARM} <= set(REPORTS)
