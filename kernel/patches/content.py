# SPDX-License-Identifier: GPL-2.0-only
"""What each patch of the series adds and changes: new files as text, changes of existing ones as anchored insertions.

The core's text is kernel/core's own. The few lines by which a system call differs from the device are taken out or put
in here, each by its exact text, so that a change of the core which this does not know of is an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

KERNEL = Path(__file__).resolve().parent.parent
FILES = Path(__file__).with_name("files")
MESSAGES = Path(__file__).with_name("messages")
SELFTESTS = "tools/testing/selftests"
NR_IOCTL = 16
#: Where the entry code chooses the stack offset of a task's next system call behind each one. Later kernels take one
#: from a generator when it is needed.
OFFSETS_CHOSEN_BEFORE = ("6.12",)

#: Takes the text of a file of the kernel and returns it with a change made.
Change = Callable[[str], str]


class DriftError(RuntimeError):
    """A text that the series is made from is not what this module expects; the message says which."""


@dataclass(frozen=True)
class Patch:
    """One patch of the series."""

    message: str
    new: dict[str, str] = field(default_factory=dict)
    changes: dict[str, Change] = field(default_factory=dict)


def replaced(text: str, old: str, new: str) -> str:
    """Replace the one occurrence of `old`."""
    if text.count(old) != 1:
        raise DriftError(f"expected once, found {text.count(old)} times: {old.strip().splitlines()[0]!r}")
    return text.replace(old, new)


def without(text: str, first: str, behind: str) -> str:
    """Take out what begins with `first` and ends before `behind`."""
    for part in (first, behind):
        if text.count(part) != 1:
            raise DriftError(f"expected once, found {text.count(part)} times: {part.strip().splitlines()[0]!r}")
    start, end = text.index(first), text.index(behind)
    if end <= start:
        raise DriftError(f"{behind!r} does not come behind {first!r}")
    return text[:start] + text[end:]


def before(anchor: str, new: str) -> Change:
    """Insert above the line that begins with `anchor`; there must be one."""

    def change(text: str) -> str:
        places = [match.start() for match in re.finditer(rf"^{re.escape(anchor)}", text, re.M)]
        if len(places) != 1:
            raise DriftError(f"{len(places)} lines begin with {anchor!r}")
        return text[: places[0]] + new + text[places[0] :]

    return change


def after(pattern: str, new: str) -> Change:
    """Insert below the last line that matches the whole of `pattern`."""

    def change(text: str) -> str:
        places = [match.end() for match in re.finditer(rf"^(?:{pattern})\n", text, re.M)]
        if not places:
            raise DriftError(f"no line is {pattern!r}")
        return text[: places[-1]] + new + text[places[-1] :]

    return change


def both(first: Change, second: Change) -> Change:
    """Make one change and then another."""
    return lambda text: second(first(text))


def read(path: str) -> str:
    """Return one of our own files."""
    return (KERNEL / path).read_text()


def number() -> int:
    """Return the system call's number."""
    found = re.search(r"^#define BATCH_SYSCALL_NR (\d+)$", read("include/uapi/linux/batch.h"), re.M)
    if not found:
        raise DriftError("include/uapi/linux/batch.h has no BATCH_SYSCALL_NR")
    return int(found.group(1))


def unbanner(text: str) -> str:
    """Take out the line that says which file of ours a text was generated from."""
    return re.sub(r"^/\* Generated from .*\*/\n", "", text, count=1, flags=re.M)


def uapi() -> str:
    """Return the header of user space: that of the device without the device."""
    text = unbanner(read("include/uapi/linux/batch.h"))
    text = replaced(text, "#include <linux/ioctl.h>\n", "")
    text = without(text, "/*\n * BATCH_IOC_RUN takes this.", "/*\n * What a run returns")
    return replaced(text, "What a run returns, by the ioctl and by the system call:", "What batch(2) returns:")


def section(text: str, pattern: str, what: str) -> str:
    """Return what a pattern finds in a text."""
    found = re.search(pattern, text, re.M | re.S)
    if not found:
        raise DriftError(f"{what} is not there any more")
    return found.group(0)


def core() -> str:
    """Return kernel/batch.c: the core, and the system call."""
    text, header = read("core/batch_core.c"), read("core/batch_core.h")
    described = section(header, r"^/\*\*\n \* batch_core_run\(\).*?\*/\n", "the description of batch_core_run()")
    needs = section(header, r"^ \* What the core needs.*? \*/\n", "what the core needs of its machine")
    needs = replaced(needs, "its machine and its front end is", "its machine is")
    needs = without(needs, " *\n * What it needs of its front end", " */\n")
    text = replaced(
        text,
        " * A call that a signal interrupts\n",
        f"{needs.removesuffix(' */' + chr(10))} *\n * A call that a signal interrupts\n",
    )
    own = '#include "batch_calls.h"\n#include "batch_core.h"\n#include "batch_watch.h"\n'
    text = replaced(text, own, "#include <trace/events/syscalls.h>\n#include <uapi/linux/batch.h>\n")
    text = replaced(text, "#include <asm/batch.h>\n", "#include <asm/batch.h>\n#include <asm/batch_calls.h>\n")
    signals = "#include <linux/sched/signal.h>\n"
    text = replaced(text, signals, signals + "#include <linux/seccomp.h>\n#include <linux/syscalls.h>\n")
    text = replaced(text, "#include <linux/build_bug.h>\n", "#include <linux/audit.h>\n#include <linux/build_bug.h>\n")
    run = "/*\n * A run. Beside the frame"
    text = replaced(text, run, f"{ours('watch.c')}\n{run}")
    text = without(text, " * long: ", " *\n * Invariants\n")
    text = without(text, "/*\n * Whether this ioctl would run a batch", "/* Whether a number is that of")
    for nr, what in (
        ("nr", "batch_call(frame, nr, shown)"),
        ("(s16)frame->head", "!batch_watch_allows(frame, __NR_ioctl)"),
    ):
        nested = f"\tif ({nr} == __NR_ioctl && !batch_is_nested(frame))\n\t\treturn {what};\n"
        text = replaced(text, nested, "")
    rules = "The refusals of R17, in its order, behind those that do not depend on the batch."
    text = replaced(text, rules, "Refuse what cannot be run: nothing has been done then.")
    text = replaced(text, "\nlong batch_core_run(", f"\n{described}static long batch_core_run(")
    last = "struct batch_resume __user *resume)\n{\n\tint code = batch_accept("
    text = replaced(text, f"\n\t\t    {last}", f"\n\t\t\t   {last}")
    return text + "\n" + ours("syscall.c")


def ours(name: str) -> str:
    """Return the text of one of files/, without the line of its licence."""
    return (FILES / name).read_text().split("\n", 1)[1]


def arch_header(series: str) -> str:
    """Return arch/x86/include/asm/batch.h: the module's, but for how it reaches the rest of the kernel."""
    text = read("module/include/asm/batch.h")
    text = replaced(
        text,
        "What the batch core needs of x86-64 when it is part of the module: see batch_core.h.",
        "What kernel/batch.c needs of x86-64.",
    )
    text = replaced(
        text,
        "#include <linux/static_call.h>\n",
        "#include <linux/randomize_kstack.h>\n#include <linux/resume_user_mode.h>\n",
    )
    chosen = series in OFFSETS_CHOSEN_BEFORE
    clock = "#include <asm/msr.h>\n" if chosen else ""
    text = replaced(text, "#include <asm/asm.h>\n", f"#include <asm/asm.h>\n{clock}#include <asm/syscall.h>\n")
    text = without(text, "/*\n * The dispatcher, set once", "/* task_work_run() is not for modules")
    text = without(text, "/* task_work_run() is not for modules", "#endif /* _ASM_X86_BATCH_H */")
    calls = ours("asm-batch.h")
    choose = "\tchoose_random_kstack_offset(rdtsc());\n"
    calls = replaced(calls, choose, choose if chosen else "")
    return replaced(text, "#endif /* _ASM_X86_BATCH_H */", calls + "\n#endif /* _ASM_X86_BATCH_H */")


def calls() -> str:
    """Return arch/x86/include/asm/batch_calls.h: the allow list."""
    text = unbanner(read("core/batch_calls.h"))
    text = replaced(
        text,
        "#ifndef _BATCH_CALLS_H\n#define _BATCH_CALLS_H\n",
        "#ifndef _ASM_X86_BATCH_CALLS_H\n#define _ASM_X86_BATCH_CALLS_H\n",
    )
    why = section(text, r" The reason for each verdict.*?\.(?=\n \*/)", "the reason for each verdict")
    text = replaced(text, why, "")
    # without a device no ioctl runs a batch
    first = section(text, r"(?<=\{\n\t)0x[0-9a-f]+(?=ULL,)", "the first word of the allow list")
    text = replaced(text, first, f"{int(first, 16) | 1 << NR_IOCTL:#018x}")
    return replaced(text, "#endif /* _BATCH_CALLS_H */", "#endif /* _ASM_X86_BATCH_CALLS_H */")


def seccomp_patch() -> Patch:
    """Return what a batch asks the filters by."""
    nowhere = "static inline bool seccomp_allows(const struct seccomp_data *sd)\n{\n\treturn false;\n}\n"
    return Patch(
        "1-seccomp.txt",
        changes={
            "include/linux/seccomp.h": both(
                before(
                    "extern void seccomp_filter_release(struct task_struct *tsk);\n",
                    "bool seccomp_allows(const struct seccomp_data *sd);\n",
                ),
                before("static inline void seccomp_filter_release(struct task_struct *tsk)\n", nowhere),
            ),
            "kernel/seccomp.c": before(
                "#endif /* CONFIG_SECCOMP_FILTER */\n\nstatic inline bool seccomp_may_assign_mode(",
                f"\n{ours('seccomp.c')}",
            ),
        },
    )


def core_patch() -> Patch:
    """Return the implementation, its number, its option, and what stands in for it where it is not built."""
    nr = number()
    generic = re.escape("#define __NR_syscalls ") + r"\d+"
    entry = f"\n#define __NR_batch {nr}\n__SYSCALL(__NR_batch, sys_batch)\n"

    def asm_generic(text: str) -> str:
        text = re.sub(rf"^{generic}$", f"#define __NR_syscalls {nr + 1}", text, flags=re.M)
        end = f"\n#undef __NR_syscalls\n#define __NR_syscalls {nr + 1}"
        return replaced(text, end, entry + end)

    prototype = (
        "asmlinkage long sys_batch(struct batch_slot __user *slots, long __user *rets,\n"
        "\t\t\t  unsigned long count, unsigned long flags,\n"
        "\t\t\t  struct batch_resume __user *resume);\n\n"
    )
    return Patch(
        "2-core.txt",
        new={"include/uapi/linux/batch.h": uapi(), "kernel/batch.c": core()},
        changes={
            "MAINTAINERS": before("BATMAN ADVANCED\n", (FILES / "maintainers.txt").read_text()),
            "include/linux/syscalls.h": both(
                before("struct rseq;\n", "struct batch_slot;\nstruct batch_resume;\n"),
                before("/*\n * Architecture-specific system calls\n */", prototype),
            ),
            "include/uapi/asm-generic/unistd.h": asm_generic,
            "init/Kconfig": before("config CACHESTAT_SYSCALL\n", (FILES / "kconfig.txt").read_text()),
            "kernel/Makefile": after(re.escape("obj-$(CONFIG_RSEQ) += rseq.o"), "obj-$(CONFIG_BATCH) += batch.o\n"),
            "kernel/sys_ni.c": before("/* restartable sequence */\n", "COND_SYSCALL(batch);\n\n"),
            "scripts/syscall.tbl": after(r"\d+\s+common\s.*", f"{nr}\tcommon\tbatch\t\t\t\tsys_batch\n"),
        },
    )


def x86_patch(series: str) -> Patch:
    """Return the wiring of x86-64, and which of its calls a batch may make."""
    entry = f"{number()}\t64\tbatch\t\t\tsys_batch\n"
    return Patch(
        "3-x86.txt",
        new={"arch/x86/include/asm/batch.h": arch_header(series), "arch/x86/include/asm/batch_calls.h": calls()},
        changes={
            "arch/x86/Kconfig": before(
                "\tselect ARCH_HAS_CACHE_LINE_SIZE\n", "\tselect ARCH_HAS_BATCH\t\t\tif X86_64\n"
            ),
            "arch/x86/entry/syscalls/syscall_64.tbl": after(r"4\d\d\s+common\s.*", entry),
        },
    )


def selftests_patch() -> Patch:
    """Return the selftests: kernel/selftests, which find the system call where there is no device."""
    sources = {file.name: file.read_text() for file in sorted((KERNEL / "selftests").glob("*.[ch]"))}
    header = '#include "../include/uapi/linux/batch.h"\n'
    sources["batch_test.h"] = replaced(sources["batch_test.h"], header, "#include <linux/batch.h>\n")
    programs = [name.removesuffix(".c") for name in sources if name.endswith(".c")]
    licence = "# SPDX-License-Identifier: GPL-2.0-only\n"
    listed = " \\\n".join(f"\t{name}" for name in programs)
    makefile = f"""{licence}CFLAGS += -O2 -Wall -Wextra $(KHDR_INCLUDES)
LDLIBS += -lpthread

TEST_GEN_PROGS := \\
{listed}

include ../lib.mk

$(TEST_GEN_PROGS): batch_test.h
"""
    folder = f"{SELFTESTS}/batch"
    return Patch(
        "4-selftests.txt",
        new={
            f"{folder}/.gitignore": licence + "".join(f"{name}\n" for name in programs),
            f"{folder}/Makefile": makefile,
            f"{folder}/config": "CONFIG_BATCH=y\n",
            **{f"{folder}/{name}": text for name, text in sources.items()},
        },
        changes={f"{SELFTESTS}/Makefile": before("TARGETS += bpf\n", "TARGETS += batch\n")},
    )


def patches(series: str) -> list[Patch]:
    """Return the series for a version of the kernel, in the order of Documentation/process/adding-syscalls.rst."""
    return [seccomp_patch(), core_patch(), x86_patch(series), selftests_patch()]


def man_page() -> Patch:
    """Return the patch for the man-pages project: batch(2)."""
    return Patch("man.txt", new={"man/man2/batch.2": (FILES / "batch.2").read_text()})
