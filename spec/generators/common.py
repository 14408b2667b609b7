# SPDX-License-Identifier: BSD-3-Clause
"""What every generator needs: the specification, licences and banners, and the C that more than one header has."""

from typing import Any

Spec = dict[str, Any]

SHARED = "SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only"
UAPI = "SPDX-License-Identifier: BSD-3-Clause OR (GPL-2.0-only WITH Linux-syscall-note)"
KERNEL_SHARED = "SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause"
KERNEL_UAPI = "SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR BSD-3-Clause"
BSD = "SPDX-License-Identifier: BSD-3-Clause"
BANNER = "Generated from spec/batch.toml by spec/generate.py; edit that file and run `make generate`."


def calls(spec: Spec) -> list[tuple[int, str, str, bool]]:
    """Every system call as (number, name, group, allowed), by number."""
    rows = [
        (number, name, group, body["verdict"] == "allow")
        for group, body in spec["calls"].items()
        for name, number in body["numbers"].items()
    ]
    rows.sort()
    numbers = [row[0] for row in rows]
    if len(set(numbers)) != len(numbers):
        raise SystemExit("spec/batch.toml: a system call number stands in two groups")
    return rows


C_KINDS = {kind: f"__{kind}" for kind in ("s16", "u8", "u32", "s64", "u64")}
C_KINDS |= {"struct batch_slot": "struct batch_slot"}


def c_struct(name: str, fields: list[Spec]) -> list[str]:
    """Write a struct, a comment behind each field."""
    out = [f"struct {name} {{"]
    for field in fields:
        count = f"[{field['count']}]" if "count" in field else ""
        out.append(f"\t{C_KINDS[field['type']]} {field['name']}{count}; /* {field['doc']} */")
    return [*out, "};", ""]


def c_comment(lines: list[str]) -> list[str]:
    """Write a comment of several lines."""
    return ["/*", *(f" * {line}".rstrip() for line in lines), " */"]


def kernel_entry(spec: Spec) -> list[str]:
    """Write what the kernel's front ends and their callers share."""
    kernel = spec["kernel"]
    out: list[str] = []
    for struct in kernel["struct"]:
        out += [*c_comment(struct["doc"]), *c_struct(struct["name"], struct["fields"])]
    for row in kernel["constants"]:
        out += [f"/* {row['doc']} */", f"#define {row['name']} {row['value']}", ""]
    out += c_comment(kernel["result"])
    for row in kernel["result_macros"]:
        out += [f"/* {row['doc']} */", f"#define {row['name']} {row['value']}"]
    return [*out, ""]


def batch_layout(spec: Spec) -> list[str]:
    """Write what a batch is made of."""
    out: list[str] = []
    for row in spec["constant"]:
        out += [f"/* {row['doc']} */", f"#define {row['name']} ({row['value']})", ""]
    for row in spec["limit"]:
        out += [f"/* {row['doc']} */", f"#define {row['name']} {row['value']}", ""]
    known = " | ".join(spec["flags"]) or "0"
    out += ["/* every flag this version defines */", f"#define BATCH_FLAGS_KNOWN {known}", ""]
    return [*out, "/* One call of a batch: one cache line. */", *c_struct("batch_slot", spec["slot"]["fields"])]


def generic_numbers(spec: Spec) -> dict[str, int]:
    """Every system call of <asm-generic/unistd.h> that the specification knows, by name."""
    same_from = spec["generic"]["same_from"]
    below = {name: number for number, name in enumerate(spec["generic"]["names"].split()) if name != "-"}
    known = {name: number for number, name, _, _ in calls(spec)}
    if strangers := below.keys() - known.keys():
        raise SystemExit(f"spec/batch.toml: [generic] names calls that no group has: {', '.join(sorted(strangers))}")
    return below | {name: number for name, number in known.items() if number >= same_from}


def parameter_name(declaration: str) -> str:
    """Name of a C declaration's parameter: "const char *path" has path."""
    return declaration.rsplit(" ", 1)[1].lstrip("*")


def parameter_type(declaration: str) -> str:
    """Type of a C declaration's parameter: "const char *path" has const char *."""
    return declaration.removesuffix(parameter_name(declaration)).strip()
