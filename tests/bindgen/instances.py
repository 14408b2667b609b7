# SPDX-License-Identifier: BSD-3-Clause
"""Every function of a C++ binding, instantiated: a compiler looks at the bodies of its templates only then."""

from __future__ import annotations

import re
from pathlib import Path

#: A class, and the class template that has its methods.
_CLASSES = re.compile(r"^class (\w+)\s*:[^{;]*?\bpublic\s+(\w+)<\1>\s*\{", re.M)
_COMPARED = re.compile(r"^template <class T_ = (\w+)>\s+bool\s+operator==", re.M)


def of(header: Path) -> str:
    """Return the lines that instantiate all functions of a header whose callers give no types."""
    text = header.read_text()
    namespace = re.findall(r"^namespace (\w+)$", text, re.M)[0]
    classes, compared = _CLASSES.findall(text), _COMPARED.findall(text)
    assert len(classes) == text.count("template <class Self_> class "), "a class template that no class is made of"
    assert len(compared) == len(re.findall(r"\boperator==\(", text))
    lines = [f"template class ::{namespace}::{forms}<::{namespace}::{name}>;" for name, forms in classes]
    for name in compared:
        type_ = f"::{namespace}::{name}"
        lines += (f"template bool ::{namespace}::operator{sign}<{type_}>(const {type_} &, const {type_} &);"
                  for sign in ("==", "!="))  # fmt: skip
    return "\n".join(lines) + "\n"
