# SPDX-License-Identifier: GPL-2.0-only
"""What root_crun needs in a guest: Debian's crun, and a container under the profile that Docker has by default.

Both come from Debian's packages: crun with its libraries, and the profile of seccomp from Docker's source. The profile
says what it allows on which architecture, from which kernel on and with which capabilities. Docker makes of it the list
that crun is given, and this file does the same for a container with the capabilities that Docker gives by default.

libseccomp compiles that list for crun. It knows system calls by their names, and no name for batch(2). So there are two
containers. One is under the profile as it is. In the other, the filter that libseccomp has compiled of the same profile
stands behind statements that allow batch(2), which is what libseccomp would write if it had the name; crun takes such a
filter ready-made. root_crun joins the two in the guest, since this machine's Debian may be too old for that crun.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Collection, Mapping
from typing import Any

from vm import build
from vm.debian import Archive
from vm.kernels import Kernel
from vm.say import VmError

#: Which files of each package are in FOLDER in the guest; what names no folder is a library.
PACKAGES = {
    "crun": ("usr/bin/crun",),
    "libc6": ("lib64/ld-linux-x86-64.so.2", "libc.so.6", "libm.so.6"),
    "libcap2": ("libcap.so.2",),
    "libseccomp2": ("libseccomp.so.2",),
    "libsystemd0": ("libsystemd.so.0",),
    "libyajl2": ("libyajl.so.2",),
}
LIBRARIES = "usr/lib/x86_64-linux-gnu"
FOLDER = "crun"
#: Docker's source, and the profile in it.
DOCKER = "golang-github-docker-docker-dev"
PROFILE = "usr/share/gocode/src/github.com/docker/docker/profiles/seccomp/default.json"
#: What a container of Docker may do, unless it is told otherwise (oci/caps/defaults.go there).
CAPABILITIES = tuple(
    f"CAP_{name}"
    for name in (
        *("CHOWN", "DAC_OVERRIDE", "FSETID", "FOWNER", "MKNOD", "NET_RAW", "SETGID", "SETUID", "SETFCAP", "SETPCAP"),
        *("NET_BIND_SERVICE", "SYS_CHROOT", "KILL", "AUDIT_WRITE"),
    )
)
#: The architecture's name in the profile's conditions, and in the list for crun.
ARCHITECTURE = "amd64"
NATIVE = "SCMP_ARCH_X86_64"
#: What the list for crun has of each of the profile's rules.
OF_A_RULE = ("names", "action", "errnoRet", "args")
#: Namespaces that every kernel here has, and those of Debian's: the minimal ones have neither System V's IPC nor IP.
NAMESPACES = ("mount", "pid", "uts", "cgroup")
MORE_NAMESPACES = ("ipc", "network")
#: Statements of BPF, and what a filter answers (linux/bpf_common.h, linux/seccomp.h).
LOAD, JUMP_EQUAL, ANSWER = 0x20, 0x15, 0x06
ANSWERS = {"allow": 0x7FFF0000, "log": 0x7FFC0000}
AUDIT_ARCH_X86_64 = 0xC000003E
#: Where a filter finds a call's number and architecture (struct seccomp_data).
AT_NUMBER, AT_ARCHITECTURE = 0, 4
#: What root_crun replaces by a filter in base64.
PLACE = "@FILTER@"


def version(text: str) -> tuple[int, ...]:
    """Return the first two numbers of a kernel's version, which are all that the profile compares."""
    return tuple(int(part) for part in text.split(".")[:2])


def applies(rule: Mapping[str, Any], capabilities: Collection[str], series: str) -> bool:
    """Return whether a rule of the profile is for this architecture, a kernel and a container, as Docker decides it."""
    includes, excludes = rule.get("includes") or {}, rule.get("excludes") or {}
    if ARCHITECTURE in excludes.get("arches", ()) or any(name in capabilities for name in excludes.get("caps", ())):
        return False
    if "minKernel" in excludes and version(series) >= version(excludes["minKernel"]):
        return False
    if includes.get("arches") and ARCHITECTURE not in includes["arches"]:
        return False
    if "minKernel" in includes and version(series) < version(includes["minKernel"]):
        return False
    return all(name in capabilities for name in includes.get("caps", ()))


def rules(profile: Mapping[str, Any], capabilities: Collection[str], series: str) -> dict[str, Any]:
    """Return what crun is told of the profile for a container: `linux.seccomp` of its description."""
    kinds = next(entry for entry in profile["archMap"] if entry["architecture"] == NATIVE)
    return {
        "defaultAction": profile["defaultAction"],
        "defaultErrnoRet": profile["defaultErrnoRet"],
        "architectures": [kinds["architecture"], *kinds["subArchitectures"]],
        "syscalls": [
            {name: rule[name] for name in OF_A_RULE if name in rule}
            for rule in profile["syscalls"]
            if applies(rule, capabilities, series)
        ],
    }


def description(profile: Mapping[str, Any], kernel: Kernel) -> dict[str, Any]:
    """Return the description of a container that runs /command, as root with Docker's capabilities."""
    mounts: list[dict[str, Any]] = [
        {"destination": "/proc", "type": "proc", "source": "proc"},
        {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "mode=755"]},
        {"destination": "/dev/shm", "type": "tmpfs", "source": "shm", "options": ["nosuid", "nodev", "mode=1777"]},
    ]
    namespaces = list(NAMESPACES)
    if not kernel.config:
        namespaces += MORE_NAMESPACES
        # as `docker run --device /dev/batch` has it there
        mounts.append({"destination": "/dev/batch", "type": "bind", "source": "/dev/batch", "options": ["bind"]})
    return {
        "ociVersion": "1.0.2",
        "process": {
            "terminal": False,
            "user": {"uid": 0, "gid": 0},
            "args": ["/bin/sh", "/command"],
            # the filter may be tried: it does not kill
            "env": ["PATH=/programs:/bin", "BATCH_FILTERED=1"],
            "cwd": "/",
            "capabilities": dict.fromkeys(("bounding", "effective", "permitted"), CAPABILITIES),
        },
        "root": {"path": "rootfs"},
        "hostname": "ferry",
        "mounts": mounts,
        "linux": {
            "namespaces": [{"type": name} for name in namespaces],
            "seccomp": rules(profile, CAPABILITIES, kernel.series),
        },
    }


def before(number: int, answer: str) -> bytes:
    """Return the statements that answer one system call of this architecture, and leave all else to what follows."""
    statements = (
        (LOAD, 0, 0, AT_ARCHITECTURE),
        (JUMP_EQUAL, 0, 3, AUDIT_ARCH_X86_64),
        (LOAD, 0, 0, AT_NUMBER),
        (JUMP_EQUAL, 0, 1, number),
        (ANSWER, 0, 0, ANSWERS[answer]),
    )
    return b"".join(struct.pack("<HBBI", *statement) for statement in statements)


def batch_number() -> int:
    """Return the number of batch(2)."""
    header = (build.ROOT / "kernel" / "include" / "uapi" / "linux" / "batch.h").read_text()
    if not (found := re.search(r"^#define BATCH_SYSCALL_NR (\d+)$", header, re.M)):
        raise VmError("there is no BATCH_SYSCALL_NR in kernel/include/uapi/linux/batch.h")
    return int(found.group(1))


def files(archive: Archive, kernel: Kernel) -> dict[str, bytes]:
    """Return crun, its libraries, and what it is told. Raises UnavailableError."""
    archive.update()
    unpacked = archive.folder / "crun"
    for package in (*PACKAGES, DOCKER):
        archive.unpack(package, unpacked)
    found = {}
    for name in (name for names in PACKAGES.values() for name in names):
        at = name if "/" in name else f"{LIBRARIES}/{name}"
        inside = at if at.startswith("usr/") else f"usr/{at}"
        found[f"{FOLDER}/{at}"] = (unpacked / inside).read_bytes()
    told = description(json.loads((unpacked / PROFILE).read_text()), kernel)
    found[f"{FOLDER}/profile.json"] = json.dumps(told).encode()
    ready = told | {"annotations": {"run.oci.seccomp_bpf_data": PLACE}}
    found[f"{FOLDER}/ready.json"] = json.dumps(ready).encode()
    for answer in ANSWERS:
        found[f"{FOLDER}/{answer}.bpf"] = before(batch_number(), answer)
    return found
