# SPDX-License-Identifier: BSD-3-Clause
"""What the Haskell package gets: constants, and a function for each system call."""

import re

from generators.common import BANNER, BSD, Spec, parameter_name

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
    """Spell a name of C as one of Haskell: slot_bytes is slotBytes."""
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
    """Write Ferry.Internal.Spec: constants, limits, and where each field of a slot lies."""
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
    """Write Ferry.Internal.SystemCalls: a function for each system call."""
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
