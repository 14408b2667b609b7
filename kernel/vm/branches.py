# SPDX-License-Identifier: GPL-2.0-only
"""Read in the built module that it may run where indirect branches are tracked (IBT), which QEMU does not emulate.

There a call or jump through a pointer must land on an ENDBR, and the kernel writes over those ENDBRs at boot and when a
module is loaded whose functions nothing takes the address of (objtool lists them in .ibt_endbr_seal). So in the module:

- the dispatcher is reached by static calls, which are direct: each is listed for the kernel to patch, and until then
  jumps by a trampoline whose jump is direct too;
- nothing is called or jumped to through a pointer but by batch_call_table(), for kernels whose entry code does the same
  with the same table;
- every function whose address is anywhere in its data or code begins with an ENDBR that is not sealed.

What the patched call in a running kernel is, tests/root_dispatch.c reads there.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from vm.say import VmError
from vm.tap import Result

ENDBR64 = b"\xf3\x0f\x1e\xfa"
#: The one function that calls through a pointer: into sys_call_table[].
MAY_BRANCH = {"batch_call_table"}
DISPATCHER = "__SCK__batch_dispatch"
#: Where functions' addresses are that someone may call; other sections describe code to tools and to the kernel.
DATA = re.compile(r"\.(data|rodata|init\.data|gnu\.linkonce\.this_module|data\.\S+|rodata\.\S+)|__param")
TEXT = re.compile(r"\.(text|init\.text|exit\.text|static_call\.text)")
TRAMPOLINES = ".static_call.text"
#: The opcodes of direct branches, which have a relocation as a plain address has: call, jmp, and 0f 8x.
DIRECT = (0xE8, 0xE9)


@dataclass(frozen=True)
class Place:
    """A byte of a section."""

    section: str
    offset: int


#: Where in its section, of what type, and what it points at: a place in a section, or a symbol that is elsewhere.
Relocation = tuple[int, str, Place | str]


@dataclass
class Object:
    """What matters of a relocatable ELF file."""

    contents: dict[str, bytes]
    symbols: dict[str, Place]
    functions: dict[Place, str]
    #: By the section that they are in.
    relocations: dict[str, list[Relocation]] = field(default_factory=dict)

    def function(self, place: Place) -> str:
        """Return the function that a place is in."""
        at = [(start.offset, name) for start, name in self.functions.items() if start.section == place.section]
        return max(((offset, name) for offset, name in at if offset <= place.offset), default=(0, f"{place}"))[1]


def run(*command: str | Path) -> str:
    """Return what a command of binutils prints."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def read(path: Path) -> Object:
    """Read an object file by what readelf says of it."""
    whole, sections, contents = path.read_bytes(), {}, {}
    for line in run("readelf", "-SW", path).splitlines():
        if found := re.match(r"\s*\[\s*(\d+)\] (\S+)\s+(\w+)\s+[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+)", line):
            number, name, kind, offset, size = found.groups()
            sections[number] = name
            if kind != "NOBITS":
                contents[name] = whole[int(offset, 16) : int(offset, 16) + int(size, 16)]
    functions, symbols = {}, {}
    for line in run("readelf", "-sW", path).splitlines():
        found = re.match(r"\s*\d+: ([0-9a-f]+)\s+\S+ (\w+)\s+\w+\s+\w+\s+(\d+) (\S+)$", line)
        if found and found[3] in sections:
            place = Place(sections[found[3]], int(found[1], 16))
            symbols[found[4]] = place
            if found[2] == "FUNC" and not found[4].startswith("__pfx_"):
                functions[place] = found[4]
    it = Object(contents, symbols, functions)
    section = ""
    for line in run("readelf", "-rW", path).splitlines():
        if found := re.match(r"Relocation section '\.rela(\S+)'", line):
            section = found[1]
        elif found := re.match(r"([0-9a-f]{16})\s+[0-9a-f]+ (\S+)\s+[0-9a-f]{16} (\S+) ([+-]) ([0-9a-f]+)", line):
            addend = int(found[5], 16) * (1 if found[4] == "+" else -1)
            # a section stands for its first byte
            base = symbols.get(found[3], Place(found[3], 0) if found[3] in contents else None)
            to = Place(base.section, base.offset + addend) if base else found[3]
            it.relocations.setdefault(section, []).append((int(found[1], 16), found[2], to))
    return it


def pairwise(entries: list[Relocation]) -> list[tuple[Relocation, Relocation]]:
    """Return relocations two by two."""
    return list(zip(entries[::2], entries[1::2], strict=True))


def addresses(it: Object) -> set[Place]:
    """Return every place in code whose address is in data or code, and not merely branched to."""
    taken = set()
    for section, relocations in it.relocations.items():
        for offset, kind, to in relocations:
            if not isinstance(to, Place) or not TEXT.fullmatch(to.section):
                continue
            if DATA.fullmatch(section) and kind == "R_X86_64_64":
                taken.add(to)
            elif TEXT.fullmatch(section):
                code = it.contents[section]
                direct = code[offset - 1] in DIRECT or (code[offset - 2] == 0x0F and code[offset - 1] & 0xF0 == 0x80)
                if kind in ("R_X86_64_32S", "R_X86_64_64"):
                    taken.add(to)
                elif not direct:
                    # relative to the end of the field
                    taken.add(Place(to.section, to.offset + 4))
    # a trampoline's address is given to static_call_update(), which writes to it
    return {place for place in taken if place in it.functions and place.section != TRAMPOLINES}


def listed(it: Object, section: str) -> list[Place]:
    """Return the places that a section of objtool's lists, in the first word of each entry or in its only one."""
    return [to for _, _, to in it.relocations.get(section, []) if isinstance(to, Place) and TEXT.fullmatch(to.section)]


def applies(headers: Path) -> bool:
    """Return whether modules for a kernel are built for IBT."""
    return "CONFIG_X86_KERNEL_IBT=y" in (headers / ".config").read_text().splitlines()


def judge(module: Path) -> list[Result]:
    """Return whether a module that was built for a kernel with IBT may run where it is enforced."""
    it = read(module)
    if ".ibt_endbr_seal" not in it.contents:
        raise VmError(f"{module} was not built with CONFIG_X86_KERNEL_IBT: it has no .ibt_endbr_seal")
    indirect = {it.function(place) for place in listed(it, ".retpoline_sites")}
    current = ""
    for line in run("objdump", "-d", "--no-show-raw-insn", module).splitlines():
        if found := re.match(r"[0-9a-f]+ <(\S+)>:$", line):
            current = found[1]
        elif re.search(r"\t(?:notrack )?(?:call|jmp)\w* +\*", line):
            indirect.add(current)
    calls = it.relocations.get(".static_call_sites", [])
    key = it.symbols[DISPATCHER]
    # a tail call is listed with its key's lowest bit set
    keys = {key, Place(key.section, key.offset + 1)}
    sites = [site for (_, _, site), (_, _, of) in pairwise(calls) if isinstance(site, Place) and of in keys]
    direct = all(it.contents[site.section][site.offset] in DIRECT for site in sites)
    taken, sealed = addresses(it), set(listed(it, ".ibt_endbr_seal"))
    bad = {
        it.functions[place]
        for place in taken
        if it.contents[place.section][place.offset : place.offset + 4] != ENDBR64 or place in sealed
    }
    names = sorted(it.functions[place] for place in taken)
    return [
        result("the dispatcher is called directly", bool(sites) and direct, f"{len(sites)} static calls"),
        result("nothing else is called through a pointer", indirect <= MAY_BRANCH, f"in {sorted(indirect)}"),
        result(
            "whatever has its address taken begins with ENDBR",
            not bad and "batch_ioctl" in names,
            f"without it: {sorted(bad)}; of {names}",
        ),
    ]


def result(name: str, good: bool, said: str) -> Result:
    """Return one result."""
    return Result(f"branches: {name}", "ok" if good else "not ok", said)
