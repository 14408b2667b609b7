# SPDX-License-Identifier: BSD-3-Clause
"""The rules of the Makefile hold on a machine that has nothing yet, however many jobs make runs at a time."""

import re

from paths import ROOT

RULE = re.compile(r"^(?P<target>[a-z][\w-]*):(?P<prerequisites>[^=#\n]*)", re.M)


def test_what_a_target_installs_is_there_before_anything_is_built() -> None:
    installing = {}
    for path in (ROOT / "Makefile", *sorted((ROOT / "mk").glob("*.mk"))):
        for rule in RULE.finditer(path.read_text()):
            prerequisites = rule["prerequisites"].split()
            if any(name.startswith("deps-") for name in prerequisites):
                installing[rule["target"]] = prerequisites
    assert "build" in installing
    # make -j builds prerequisites at the same time, also by a compiler that one of them installs
    assert {target: names for target, names in installing.items() if len(names) > 1} == {}
