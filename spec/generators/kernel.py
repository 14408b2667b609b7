# SPDX-License-Identifier: BSD-3-Clause
"""What the kernel's tree gets: <uapi/linux/batch.h> and the calls that a batch may make."""

import textwrap

from generators.common import (
    BANNER,
    KERNEL_SHARED,
    KERNEL_UAPI,
    Spec,
    batch_layout,
    c_comment,
    calls,
    kernel_entry,
)

KERNEL_COLUMNS = 100


def kernel_uapi_h(spec: Spec) -> str:
    """Write <uapi/linux/batch.h>."""
    out = [
        f"/* {KERNEL_UAPI} */",
        f"/* {BANNER} */",
        "/* A batch of system calls: what user space and the kernel share. batch(2) says what it means. */",
        "#ifndef _UAPI_LINUX_BATCH_H",
        "#define _UAPI_LINUX_BATCH_H",
        "",
        "#include <linux/ioctl.h>",
        "#include <linux/types.h>",
        "",
        *batch_layout(spec),
        *kernel_entry(spec),
        "#endif /* _UAPI_LINUX_BATCH_H */",
        "",
    ]
    return kernel_comments(out)


def kernel_comments(lines: list[str]) -> str:
    """Put comments behind code on lines of their own, above it, where the kernel's limit of 100 columns asks for it."""
    out: list[str] = []
    for line in lines:
        code, found, comment = line.partition("; /* ")
        if found and len(line.expandtabs(8)) > KERNEL_COLUMNS:
            comment, line = comment.removesuffix(" */"), f"{code};"
            indent = code[: len(code) - len(code.lstrip())]
            out.append(f"{indent}/* {comment} */")
        if line.startswith("/* ") and line.endswith(" */") and len(line) > KERNEL_COLUMNS:
            out += c_comment(textwrap.wrap(line[3:-3], KERNEL_COLUMNS - 3))
        else:
            out.append(line)
    return "\n".join(out)


def kernel_calls_h(spec: Spec) -> str:
    """Write the calls that the kernel lets a batch make, a bit for each number of x86-64."""
    rows = calls(spec)
    (checked,) = (number for number, name, _, _ in rows if name == "ioctl")
    limit = (rows[-1][0] // 64 + 1) * 64
    words = [0] * (limit // 64)
    for number, _, _, allowed in rows:
        if allowed and number != checked:
            words[number // 64] |= 1 << (number % 64)
    out = [
        f"/* {KERNEL_SHARED} */",
        f"/* {BANNER} */",
        "/*",
        " * The system calls a batch may make on x86-64: an allow list, so that a call this list has not",
        " * heard of is not made. The reason for each verdict is in spec/batch.toml. ioctl is allowed but",
        " * not listed: whether it would run a batch inside the batch is seen by its command.",
        " */",
        "#ifndef _BATCH_CALLS_H",
        "#define _BATCH_CALLS_H",
        "",
        "#include <linux/types.h>",
        "",
        f"#define BATCH_CALL_LIMIT {limit}",
        "",
        "/* bit n is set when system call n is allowed */",
        "static const u64 batch_calls_allowed[BATCH_CALL_LIMIT / 64] = {",
        *(f"\t0x{word:016x}ULL," for word in words),
        "};",
        "",
        "#endif /* _BATCH_CALLS_H */",
        "",
    ]
    return "\n".join(out)
