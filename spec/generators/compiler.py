# SPDX-License-Identifier: BSD-3-Clause
"""What the compiler plugin gets: the functions of libc that are one system call each, and calls that have none."""

from generators.common import BANNER, BSD, Spec, calls

#: Words that one call takes.
ARGUMENTS_MAX = 6


def row(name: str, wrapper: Spec, number: int) -> str:
    """Write one function as an initialiser."""
    indices, constants = [], []
    for argument in wrapper["arguments"]:
        constant = isinstance(argument, str)
        indices.append(-1 if constant else argument)
        constants.append(int(argument.removeprefix("=")) if constant else 0)
    writes = sum(1 << index for index in wrapper.get("writes", []))
    flags = ", ".join(str(wrapper.get(flag, False)).lower() for flag in ("waits", "maps"))
    listed = [", ".join(map(str, values)) for values in (indices, constants)]
    words = f"{{ {listed[0]} }}, {{ {listed[1]} }}"
    return f'\t{{ "{name}", "{wrapper["call"]}", {number}, {len(indices)}, {words}, {writes}, {flags} }},'


def wrappers_h(spec: Spec) -> str:
    """Write the table of <compiler/wrappers.h>, by name."""
    numbers = {name: (number, allowed) for number, name, _, allowed in calls(spec)}
    out = [f"/* {BSD} */", f"/* {BANNER} */", "#ifndef FERRY_WRAPPERS_H", "#define FERRY_WRAPPERS_H", ""]
    out += ["static const struct wrapper wrappers[] = {"]
    for name, wrapper in sorted(spec["wrapper"].items()):
        number, allowed = numbers[wrapper["call"]]
        if not allowed or len(wrapper["arguments"]) > ARGUMENTS_MAX:
            raise SystemExit(f"spec/batch.toml: wrapper.{name}: no batch can make this call")
        out.append(row(name, wrapper, number))
    out += ["};", "", "static const struct raw_call raw_calls[] = {"]
    for name in sorted(spec["raw"]["calls"]):
        number, allowed = numbers[name]
        if not allowed:
            raise SystemExit(f"spec/batch.toml: raw: no batch can make {name}")
        out.append(f'\t{{ "{name}", {number} }},')
    return "\n".join([*out, "};", "", "#endif /* FERRY_WRAPPERS_H */", ""])
