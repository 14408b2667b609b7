# SPDX-License-Identifier: BSD-3-Clause
"""The specification as Python tables, for `ferry`."""

from generators.common import BANNER, BSD, Spec, calls


def spec_py(spec: Spec) -> str:
    """Write the tables."""
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
