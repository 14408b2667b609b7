# SPDX-License-Identifier: BSD-3-Clause
"""<ferry/typed.h>: a builder for each system call, with the argument types that its manual page gives."""

import re

from generators.common import BANNER, BSD, Spec, parameter_name, parameter_type


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
    """Write <ferry/typed.h>."""
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
