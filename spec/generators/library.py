# SPDX-License-Identifier: BSD-3-Clause
"""What the library and its tests get: <ferry/uapi.h>, the calls of a batch, the reasons of a refusal, their names."""

from generators.common import BANNER, BSD, SHARED, UAPI, Spec, batch_layout, calls, generic_numbers, kernel_entry

#: Words of 64 calls in an allow list that <batch/calls.h> may hold.
CALL_WORDS = 16


def uapi_h(spec: Spec) -> str:
    """Write <ferry/uapi.h>."""
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


def allow_list(numbers: list[int]) -> list[str]:
    """Write the words of an allow list as an initialiser's lines."""
    words = [0] * CALL_WORDS
    for number in numbers:
        words[number // 64] |= 1 << (number % 64)
    while not words[-1]:
        words.pop()
    return [f"\t0x{word:016x}ULL," for word in words]


def calls_h(spec: Spec) -> str:
    """Write the calls that the library lets a batch make, a bit for each number of each architecture."""
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
    """Write the error and the sentence for each reason of a refusal."""
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


def names_h(spec: Spec) -> str:
    """Write calls and reasons by name, for the conformance program."""
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
