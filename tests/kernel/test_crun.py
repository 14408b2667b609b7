# SPDX-License-Identifier: BSD-3-Clause
"""Of a profile as Docker writes it, crun is told what Docker would tell it."""

import json
import struct
from typing import Any

import pytest
from vm import crun
from vm.kernels import KERNELS

ALLOW = "SCMP_ACT_ALLOW"


def profile(*rules: dict[str, Any]) -> dict[str, Any]:
    """Return a profile with these rules, each of one call."""
    kinds = [
        {"architecture": "SCMP_ARCH_AARCH64", "subArchitectures": ["SCMP_ARCH_ARM"]},
        {"architecture": "SCMP_ARCH_X86_64", "subArchitectures": ["SCMP_ARCH_X86", "SCMP_ARCH_X32"]},
    ]
    return {"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 1, "archMap": kinds, "syscalls": list(rules)}


@pytest.mark.parametrize(
    ("conditions", "stands"),
    [
        ({}, True),
        ({"includes": {}, "excludes": {}}, True),
        ({"includes": {"arches": ["amd64", "x32"]}}, True),
        ({"includes": {"arches": ["s390", "s390x"]}}, False),
        ({"excludes": {"arches": ["amd64"]}}, False),
        ({"excludes": {"arches": ["s390"]}}, True),
        ({"includes": {"caps": ["CAP_SYS_CHROOT"]}}, True),
        ({"includes": {"caps": ["CAP_SYS_CHROOT", "CAP_SYS_ADMIN"]}}, False),
        ({"excludes": {"caps": ["CAP_SYS_ADMIN"]}}, True),
        ({"excludes": {"caps": ["CAP_SYS_ADMIN", "CAP_KILL"]}}, False),
        ({"includes": {"minKernel": "4.8"}}, True),
        ({"includes": {"minKernel": "6.12"}}, True),
        ({"includes": {"minKernel": "6.13"}}, False),
        ({"includes": {"minKernel": "10.0"}}, False),
        ({"excludes": {"minKernel": "6.12"}}, False),
        ({"excludes": {"minKernel": "6.13"}}, True),
    ],
)
def test_a_rule_stands_where_its_conditions_hold(conditions: dict[str, Any], stands: bool) -> None:
    told = crun.rules(profile({"names": ["read"], "action": ALLOW, **conditions}), crun.CAPABILITIES, "6.12")
    assert told["syscalls"] == ([{"names": ["read"], "action": ALLOW}] if stands else [])


def test_what_a_rule_says_is_kept() -> None:
    arguments = [{"index": 0, "value": 40, "op": "SCMP_CMP_NE"}]
    rules = (
        {"names": ["socket"], "action": ALLOW, "args": arguments, "comment": "no vsock"},
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38},
    )
    told = crun.rules(profile(*rules), crun.CAPABILITIES, "6.12")
    assert told == {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": 1,
        "architectures": ["SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32"],
        "syscalls": [{"names": ["socket"], "action": ALLOW, "args": arguments}, rules[1]],
    }


@pytest.mark.parametrize(("name", "there"), [("debian-6.12", True), ("plain-6.12", False)])
def test_the_device_is_in_the_container_where_there_is_one(name: str, there: bool) -> None:
    told = crun.description(profile(), KERNELS[name])
    assert ("/dev/batch" in {mount["destination"] for mount in told["mounts"]}) == there
    assert json.loads(json.dumps(told)) == json.loads(json.dumps(crun.description(profile(), KERNELS[name])))


def run(statements_of: bytes, number: int, architecture: int) -> int | None:
    """Return what a filter answers about a call; None if it leaves that to what follows."""
    statements = list(struct.iter_unpack("<HBBI", statements_of))
    word, at = 0, 0
    while at < len(statements):
        code, equal, other, value = statements[at]
        at += 1
        if code == crun.LOAD:
            word = {crun.AT_NUMBER: number, crun.AT_ARCHITECTURE: architecture}[value]
        elif code == crun.JUMP_EQUAL:
            at += equal if word == value else other
        else:
            assert code == crun.ANSWER
            return int(value)
    return None


def test_one_call_is_answered_and_all_else_is_left() -> None:
    number = crun.batch_number()
    allowing = crun.before(number, "allow")
    assert run(allowing, number, crun.AUDIT_ARCH_X86_64) == crun.ANSWERS["allow"]
    assert run(crun.before(number, "log"), number, crun.AUDIT_ARCH_X86_64) == crun.ANSWERS["log"]
    assert run(allowing, number + 1, crun.AUDIT_ARCH_X86_64) is None
    # the same number is another call of a 32-bit program
    assert run(allowing, number, 0x40000003) is None
