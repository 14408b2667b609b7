#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write every generated table from spec/batch.toml.

Usage: spec/generate.py [--check]

Without options the files are written in place. With --check nothing is written: each file that differs from what would
be written is named on stderr and the exit status is 1. Needs only Python 3.11's standard library.
"""

import argparse
import re
import sys
import textwrap
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
Spec = dict[str, Any]

SHARED = "SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only"
UAPI = "SPDX-License-Identifier: BSD-3-Clause OR (GPL-2.0-only WITH Linux-syscall-note)"
KERNEL_SHARED = "SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause"
KERNEL_UAPI = "SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR BSD-3-Clause"
KERNEL_COLUMNS = 100
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
    out = [f"struct {name} {{"]
    for field in fields:
        count = f"[{field['count']}]" if "count" in field else ""
        out.append(f"\t{C_KINDS[field['type']]} {field['name']}{count}; /* {field['doc']} */")
    return [*out, "};", ""]


def c_comment(lines: list[str]) -> list[str]:
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


def uapi_h(spec: Spec) -> str:
    out = [
        f"/* {UAPI} */",
        f"/* {BANNER} */",
        "/*",
        " * The batch as kernel and user space share it: slot layout, constants, limits, how a batch enters the",
        " * kernel, and the reasons a batch is refused. spec/program.md says what they mean.",
        " */",
        "#ifndef FERRY_UAPI_H",
        "#define FERRY_UAPI_H",
        "",
        "#include <linux/ioctl.h>",
        "#include <linux/types.h>",
        "",
        *batch_layout(spec),
        *kernel_entry(spec),
    ]
    out += ["/* why a batch was refused */", "enum batch_reason {"]
    out += [f"\t{row['name']} = {row['value']}," for row in spec["reason"]]
    out += ["};", "", "#endif /* FERRY_UAPI_H */", ""]
    return "\n".join(out)


def kernel_uapi_h(spec: Spec) -> str:
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


#: Words of 64 calls in an allow list that <batch/calls.h> may hold.
CALL_WORDS = 16


def generic_numbers(spec: Spec) -> dict[str, int]:
    """Every system call of <asm-generic/unistd.h> that the specification knows, by name."""
    same_from = spec["generic"]["same_from"]
    below = {name: number for number, name in enumerate(spec["generic"]["names"].split()) if name != "-"}
    known = {name: number for number, name, _, _ in calls(spec)}
    if strangers := below.keys() - known.keys():
        raise SystemExit(f"spec/batch.toml: [generic] names calls that no group has: {', '.join(sorted(strangers))}")
    return below | {name: number for name, number in known.items() if number >= same_from}


def allow_list(numbers: list[int]) -> list[str]:
    """Write the words of an allow list as an initialiser's lines."""
    words = [0] * CALL_WORDS
    for number in numbers:
        words[number // 64] |= 1 << (number % 64)
    while not words[-1]:
        words.pop()
    return [f"\t0x{word:016x}ULL," for word in words]


def calls_h(spec: Spec) -> str:
    rows, generic = calls(spec), generic_numbers(spec)
    head = "static const unsigned long long batch__calls_allowed[BATCH__CALL_WORDS] = {"
    out = [
        f"/* {SHARED} */",
        f"/* {BANNER} */",
        "/*",
        " * The system calls a batch may make. The numbers are the specification's own, so that the answer does not",
        " * depend on the headers of the machine that built the library.",
        " */",
        "#ifndef FERRY_BATCH_CALLS_H",
        "#define FERRY_BATCH_CALLS_H",
        "",
        f"#define BATCH__CALL_WORDS {CALL_WORDS}",
        "#define BATCH__CALL_LIMIT (BATCH__CALL_WORDS * 64)",
        "",
        "/* bit n is set when system call n is allowed */",
        "#if defined(__x86_64__)",
        head,
        *allow_list([number for number, _, _, allowed in rows if allowed]),
        "};",
        "#elif defined(__aarch64__)",
        head,
        *allow_list([generic[name] for _, name, _, allowed in rows if allowed and name in generic]),
        "};",
        "#else",
        '#error "spec/batch.toml has the system calls of x86-64 and aarch64 only; add those of this machine"',
        "#endif",
        "",
        "/* whether slot number nr may reach the kernel; any value of nr is legal */",
        "static inline int batch__call_allowed(int nr)",
        "{",
        "\treturn (unsigned int)nr < BATCH__CALL_LIMIT && (batch__calls_allowed[nr / 64] >> (nr % 64) & 1);",
        "}",
        "",
        "#endif /* FERRY_BATCH_CALLS_H */",
        "",
    ]
    return "\n".join(out)


def reasons_h(spec: Spec) -> str:
    out = [
        f"/* {SHARED} */",
        f"/* {BANNER} */",
        "/* For each enum batch_reason: the error it is returned as, and the sentence a person reads. */",
        "#ifndef FERRY_BATCH_REASONS_H",
        "#define FERRY_BATCH_REASONS_H",
        "",
        "static const struct {",
        "\tint code;",
        "\tconst char *text;",
        "} batch__reasons[] = {",
    ]
    for row in spec["reason"]:
        code = f"-{row['errno']}" if row["errno"] else "0"
        out += [f"\t[{row['name']}] = {{ {code},", f'\t\t"{row["text"]}" }},']
    out += ["};", "", "#endif /* FERRY_BATCH_REASONS_H */", ""]
    return "\n".join(out)


def parameter_name(declaration: str) -> str:
    return declaration.rsplit(" ", 1)[1].lstrip("*")


def parameter_type(declaration: str) -> str:
    return declaration.removesuffix(parameter_name(declaration)).strip()


def converter(kind: str) -> str:
    """Name the function that takes a word of a C type: batch__from_const_char_pointer."""
    return "batch__from_" + kind.replace(" *", "_pointer").replace("struct ", "").replace(" ", "_")


#: Converters that <ferry/value.h> has.
IN_VALUE_H = ("unsigned long",)


def typed_converters(spec: Spec) -> list[str]:
    """Write a function for each type of argument, so that the compiler checks plain arguments as those of any call."""
    kinds = sorted({parameter_type(p) for parameters in spec["typed"].values() for p in parameters} - {*IN_VALUE_H})
    out = ["#ifndef __cplusplus", "/* What a plain argument of each type goes through, for its type to be checked. */"]
    for kind in kinds:
        space = "" if kind.endswith("*") else " "
        out += [
            f"static inline struct batch_argument {converter(kind)}({kind}{space}word)",
            "{",
            "\treturn batch__from_long((long)word);",
            "}",
            "",
        ]
    return [*out[:-1], "#else", 'extern "C++" {', "#endif", ""]


def typed_h(spec: Spec) -> str:
    out = [
        f"/* {BSD} */",
        f"/* {BANNER} */",
        "/*",
        " * Typed builders: batch_builder_NAME adds one system call with the argument types its manual page gives and",
        " * returns the value it will have. Each argument is a plain one of its type, or a value of the same batch.",
        " * Include <ferry/batch.h>, not this file.",
        " */",
        "#ifndef FERRY_TYPED_H",
        "#define FERRY_TYPED_H",
        "",
    ]
    structs = re.findall(r"struct \w+(?= \*)", str(spec["typed"]))
    out += [f"{struct};" for struct in sorted(set(structs))] + [""]
    out += [
        "/* Whether the compiler sees that no argument is a value; then the words alone are passed. */",
        "#define BATCH__ARE_WORDS(kinds) (__builtin_constant_p(kinds) && !(kinds))",
        "",
        *typed_converters(spec),
    ]
    for name, parameters in spec["typed"].items():
        names = [parameter_name(p) for p in parameters]
        taken = [f"BATCH__PARAMETER({parameter_type(p)}) {parameter_name(p)}" for p in parameters]
        given = [f"BATCH__ARGUMENT({converter(parameter_type(p))}, {parameter_name(p)})" for p in parameters]
        out += [
            f"#ifdef __NR_{name}",
            f"FERRY_INLINE struct batch_value batch_builder_{name}(",
            "\t" + ", ".join(["struct batch_builder *builder", *taken]) + ")",
            "{",
        ]
        if names:
            kinds = " | ".join(f"{n}.kind" for n in names)
            words = ", ".join(f"{n}.word" for n in names)
            out += [
                f"\tconst struct batch_argument arguments[] = {{ {', '.join(names)} }};",
                f"\tconst long words[] = {{ {words} }};",
                f"\tif (BATCH__ARE_WORDS({kinds}))",
                f"\t\treturn batch_builder_call(builder, __NR_{name}, {len(names)}, words);",
                f"\treturn batch_builder_add_arguments(builder, __NR_{name}, {len(names)}, arguments);",
                "}",
            ]
        else:
            out += [f"\treturn batch_builder_call(builder, __NR_{name}, 0, NULL);", "}"]
        if names:
            out += [
                "#ifndef __cplusplus",
                f"#define batch_builder_{name}({', '.join(['builder', *names])}) \\",
                f"\tbatch_builder_{name}({', '.join(['builder', *given])})",
                "#endif",
            ]
        out += ["#endif", ""]
    out += ["#ifdef __cplusplus", '} /* extern "C++" */', "#endif", "", "#endif /* FERRY_TYPED_H */", ""]
    return "\n".join(out)


def names_h(spec: Spec) -> str:
    generic = generic_numbers(spec)
    out = [
        f"/* {BSD} */",
        f"/* {BANNER} */",
        "/*",
        " * Calls and reasons by name, for texts that name them: NAMES_CALLS and NAMES_REASONS are initialisers. The",
        " * number of a call that this architecture does not have is -1.",
        " */",
        "#ifndef FERRY_TESTS_CONFORMANCE_NAMES_H",
        "#define FERRY_TESTS_CONFORMANCE_NAMES_H",
        "",
        "#if defined(__x86_64__)",
        "#define NAMES_NUMBER(x86_64, generic) x86_64",
        "#else",
        "#define NAMES_NUMBER(x86_64, generic) generic",
        "#endif",
        "",
        "#define NAMES_CALLS \\",
    ]
    out += [
        f'\t{{ "{name}", NAMES_NUMBER({number}, {generic.get(name, -1)}) }}, \\' for number, name, _, _ in calls(spec)
    ]
    out += ["", "#define NAMES_REASONS \\"]
    out += [f'\t{{ "{row["name"].removeprefix("BATCH_REASON_")}", {row["name"]} }}, \\' for row in spec["reason"]]
    out += ["", "#endif /* FERRY_TESTS_CONFORMANCE_NAMES_H */", ""]
    return "\n".join(out)


def spec_py(spec: Spec) -> str:
    out = [
        f"# {BSD}",
        f"# {BANNER}",
        '"""The batch specification as Python tables."""',
        "",
    ]
    for row in [*spec["constant"], *spec["limit"]]:
        out += [f"#: {row['doc']}", f"{row['name']} = {row['value']}"]
    out += ["", "#: calls that <ferry/batch.h> has a typed builder for", "TYPED = frozenset(", "    {"]
    out += [f'        "{name}",' for name in sorted(spec["typed"])]
    out += ["    }", ")"]
    out += ["", "#: x86-64 system call name -> (number, group, whether a batch may make it)"]
    out.append("CALLS: dict[str, tuple[int, str, bool]] = {")
    out += [f'    "{name}": ({number}, "{group}", {allowed}),' for number, name, group, allowed in calls(spec)]
    out += ["}", "", "#: group -> why its calls are allowed or denied", "GROUP_REASONS: dict[str, str] = {"]
    for group, body in spec["calls"].items():
        out += [f'    "{group}": (', f'        "{body["reason"]}"', "    ),"]
    out += ["}", ""]
    return "\n".join(out)


HASKELL_HEAD = (
    f"-- {BSD}",
    f"-- {BANNER}",
)
#: Calls that not every architecture has; each has another that does the same.
HASKELL_WITHOUT = ("open", "access")
#: C types as the Haskell package has them.
HASKELL_TYPES = {
    "int": "CInt",
    "unsigned int": "CUInt",
    "unsigned long": "CULong",
    "size_t": "CSize",
    "ssize_t": "CSsize",
    "off_t": "COff",
    "mode_t": "CMode",
    "uid_t": "CUid",
    "gid_t": "CGid",
    "char *": "(Ptr CChar)",
    "int *": "(Ptr CInt)",
    "unsigned int *": "(Ptr CUInt)",
    "off_t *": "(Ptr COff)",
}
#: Words of Haskell that are names of arguments.
HASKELL_RESERVED = ("type",)


def camel(name: str) -> str:
    first, *rest = name.lower().split("_")
    return first + "".join(word.capitalize() for word in rest)


def haskell_type(declared: str, variables: list[str]) -> str:
    """Give the Haskell type of a C declaration's type; each `void *` takes a type variable."""
    plain = declared.removeprefix("const ").strip()
    if plain == "void *":
        variables.append("abcdef"[len(variables)])
        return f"(Ptr {variables[-1]})"
    if plain.startswith("struct "):
        return f"(Ptr {plain.removeprefix('struct ').removesuffix(' *').capitalize()})"
    return HASKELL_TYPES[plain]


def haskell_spec(spec: Spec) -> str:
    rows = [*spec["constant"], *spec["limit"]]
    offsets, offset = {}, 0
    widths = {"s16": 2, "u8": 1, "s64": 8}
    for field in spec["slot"]["fields"]:
        offsets[field["name"]] = offset
        offset += widths[field["type"]] * int(field.get("count", 1))
    values = [(camel(row["name"]), row["value"], row["doc"]) for row in rows]
    values.append(("slotBytes", spec["slot"]["bytes"], "bytes of one slot"))
    values += [(camel(f"slot_{name}_offset"), at, f"where @{name}@ is in a slot") for name, at in offsets.items()]
    out = [
        *HASKELL_HEAD,
        "{-# OPTIONS_HADDOCK not-home #-}",
        "",
        "-- | The constants and limits of a batch.",
        "module Ferry.Internal.Spec",
        *[f"  {' ' if index else '('} {name}," for index, (name, _, _) in enumerate(values)],
        "  )",
        "where",
    ]
    for name, value, doc in values:
        out += ["", f"-- | {doc}".replace("*(long *)arg[0] = *(long *)arg[1]", "a word from one address to another")]
        out += [f"{name} :: Int", f"{name} = {value}"]
    return "\n".join([*out, ""])


def haskell_call(spec: Spec, name: str, parameters: list[str]) -> list[str]:
    """Write the wrapper of one system call."""
    variables: list[str] = []
    types = [haskell_type(p.removesuffix(parameter_name(p)).strip(), variables) for p in parameters]
    result = haskell_type(spec["typed_result"].get(name, "int"), variables)
    letters = [parameter_name(p) + "_" * (parameter_name(p) in HASKELL_RESERVED) for p in parameters]
    arrows = " ->\n  ".join([*(f"Value {t}" for t in types), f"Program 'SystemCalls (Value {result})"])
    paths = ", ".join(letter for letter in letters if letter == "path" or letter.endswith("_path"))
    waits = name not in spec["typed_prompt"]["calls"]
    return [
        "",
        f"-- | @{name}({', '.join(parameters) or 'void'})@. {'May block.' if waits else 'Never blocks.'}",
        f"{name} ::\n  {arrows}",
        " ".join([name, *(f"(Value {letter})" for letter in letters), "="]),
        f'  {"waiting" if waits else "prompt"} __NR_{name} "{name}" [{paths}] [{", ".join(letters)}]',
    ]


def haskell_calls(spec: Spec) -> str:
    typed = {name: row for name, row in spec["typed"].items() if name not in HASKELL_WITHOUT}
    structs = sorted({name.capitalize() for name in re.findall(r"struct (\w+) \*", str(typed))})
    out = [
        *HASKELL_HEAD,
        "{-# LANGUAGE CPP #-}",
        "{-# LANGUAGE DataKinds #-}",
        "{-# OPTIONS_HADDOCK not-home #-}",
        "",
        "-- | System calls as the calls of a program, with the argument types their manual pages give.",
        "module Ferry.Internal.SystemCalls",
        *[f"  {',' if index else '('} {name}" for index, name in enumerate(typed)],
        "  )",
        "where",
        "",
        "import Ferry.Internal.Program (Kind (..), Program, Source, Target (..), Value (..), addCall)",
        f"import Ferry.Struct ({', '.join(structs)})",
        "import Foreign.C.Types (CChar, CInt, CSize, CUInt, CULong)",
        "import Foreign.Ptr (Ptr)",
        "import System.Posix.Types (CGid, CMode, COff, CSsize, CUid)",
        "import Prelude (Bool (..), Int, String)",
        "",
        "#include <asm/unistd.h>",
        "",
        "-- | A call whose nature it is that it may take long: its name, its paths, its arguments.",
        "waiting :: Int -> String -> [Source] -> [Source] -> Program 'SystemCalls (Value r)",
        "waiting number = addCall (TargetSystemCall number True)",
        "",
        "-- | A call that ends within microseconds.",
        "prompt :: Int -> String -> [Source] -> [Source] -> Program 'SystemCalls (Value r)",
        "prompt number = addCall (TargetSystemCall number False)",
    ]
    for name, parameters in typed.items():
        out += haskell_call(spec, name, parameters)
    return "\n".join([*out, ""])


OUTPUTS: dict[str, Callable[[Spec], str]] = {
    "include/ferry/uapi.h": uapi_h,
    "include/ferry/typed.h": typed_h,
    "kernel/include/uapi/linux/batch.h": kernel_uapi_h,
    "kernel/core/batch_calls.h": kernel_calls_h,
    "src/batch/calls.h": calls_h,
    "src/batch/reasons.h": reasons_h,
    "tests/batch/conformance/names.h": names_h,
    "tools/ferry/src/ferry/spec.py": spec_py,
    "haskell/src/Ferry/Internal/Spec.hs": haskell_spec,
    "haskell/src/Ferry/Internal/SystemCalls.hs": haskell_calls,
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Write every generated table from spec/batch.toml.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file has drifted")
    check = parser.parse_args().check
    spec = tomllib.loads((ROOT / "spec" / "batch.toml").read_text())
    drifted = 0
    for name, write in OUTPUTS.items():
        path, text = ROOT / name, write(spec)
        if path.exists() and path.read_text() == text:
            continue
        if check:
            print(f"{name}: differs from what spec/batch.toml says; run `make generate`", file=sys.stderr)
            drifted += 1
        else:
            path.write_text(text)
            print(f"wrote {name}")
    return 1 if drifted else 0


if __name__ == "__main__":
    sys.exit(main())
