# SPDX-License-Identifier: BSD-3-Clause
"""The conformance programs check the same: every case of tests/ingress/README.md is one, by name, in each language."""

import re

import pytest
from paths import ROOT

HERE = ROOT / "tests" / "ingress"
#: Language -> where its cases are listed, and what the name of one stands in.
PROGRAMS = {
    "C": ("c/test_c_conformance.c", r"cmocka_unit_test\((\w+)\)"),
    "C++": ("cpp/test_cpp_conformance.cpp", r"^TEST\((\w+)\)"),
    "Rust": ("rust/src/*.rs", r"""\(\s*"(\w+)",\s*[a-z]\w*,?\s*\),"""),
    "Go": ("go/*_test.go", r"""\{"(\w+)", \w+\},"""),
    "Python": ("test_echo_python.py", r"^def test_(\w+)\("),
}


def documented() -> list[str]:
    """Return the cases in the order of the table."""
    return re.findall(r"^\| `(\w+)` \|", (HERE / "README.md").read_text(), re.M)


@pytest.mark.parametrize("language", PROGRAMS)
def test_every_case_is_checked(language: str) -> None:
    files, pattern = PROGRAMS[language]
    found = [name for file in HERE.glob(files) for name in re.findall(pattern, file.read_text(), re.M)]
    assert len(found) == len(set(found))
    assert len(documented()) > 20
    assert [case for case in documented() if case not in found] == []


def test_a_case_of_every_language_is_documented() -> None:
    shared = set.intersection(
        *(
            {name for file in HERE.glob(files) for name in re.findall(pattern, file.read_text(), re.M)}
            for files, pattern in PROGRAMS.values()
        )
    )
    assert shared == set(documented())
