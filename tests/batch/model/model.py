# SPDX-License-Identifier: BSD-3-Clause
"""What a batch means, from spec/program.md alone: an interpreter that shares nothing with the library.

Memory is a dictionary of byte arrays by name, so that a word copy is two slices. An address is (memory, offset); `None`
is one that nothing is mapped at.
"""

import errno
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

#: R15: the call number of a word copy.
WORD_COPY = -2
SLOT_BYTES = 64
WORD_BYTES = 8

Address = tuple[str, int] | None


@dataclass
class Memory:
    """Named regions, each at an address the test chose."""

    regions: dict[str, bytearray]
    addresses: dict[str, int] = field(default_factory=dict)

    def find(self, address: int) -> Address:
        """Which region holds the whole word at the address (R16: a word partly outside is bad)."""
        for name, start in self.addresses.items():
            if start <= address and address + WORD_BYTES <= start + len(self.regions[name]):
                return name, address - start
        return None

    def word(self, place: tuple[str, int]) -> bytes:
        """The word there."""
        name, offset = place
        return bytes(self.regions[name][offset : offset + WORD_BYTES])

    def put(self, place: tuple[str, int], word: bytes) -> None:
        """Write the word there."""
        name, offset = place
        self.regions[name][offset : offset + WORD_BYTES] = word


@dataclass(frozen=True)
class SlotRead:
    """A slot as it is when it is about to run (R13)."""

    nr: int
    jumps: tuple[int, int, int]
    argc: int
    words: tuple[int, ...]


def read_slot(memory: Memory, index: int) -> SlotRead:
    """Decode slot `index`; flags and reserved bytes are not looked at (R11, R21)."""
    raw = memory.regions["slots"][index * SLOT_BYTES : (index + 1) * SLOT_BYTES]
    nr, fail, zero, positive, argc = struct.unpack_from("<hhhhB", raw)
    return SlotRead(nr, (fail, zero, positive), argc, struct.unpack_from("<6q", raw, 16))


def copy_word(memory: Memory, to: int, source: int) -> int:
    """R15, R16."""
    place, origin = memory.find(to), memory.find(source)
    if place is None or origin is None:
        return -errno.EFAULT
    memory.put(place, memory.word(origin))
    return 0


def run(memory: Memory, count: int, call: Callable[[int, tuple[int, ...]], int | None]) -> int:
    """Run the batch in memory["slots"], results to memory["rets"]. Returns the last index (R6).

    `call` gives the result of a call, or None when it is one that is not made (R12).
    """
    index = last = 0
    while index < count:
        slot = read_slot(memory, index)
        if slot.nr == WORD_COPY:
            result = copy_word(memory, slot.words[0], slot.words[1])
        else:
            made = call(slot.nr, slot.words)
            result = -errno.ENOSYS if made is None else made
        memory.put(("rets", index * WORD_BYTES), struct.pack("<q", result))
        last = index
        jump = slot.jumps[0 if result < 0 else 1 if result == 0 else 2]
        if jump < 0:
            break
        index += 1 + jump
    return last


@dataclass(frozen=True)
class Passed:
    """What is passed to verify, besides the slots' argument counts."""

    flags: int
    count: int
    slots_address: int
    rets_address: int


def verify(passed: Passed, argcs: list[int], slots_max: int) -> tuple[int, str, int]:
    """R17: (result, reason, slot)."""
    if passed.flags:
        return -errno.EINVAL, "FLAGS", -1
    if passed.count == 0:
        return -errno.EINVAL, "EMPTY", -1
    if passed.count > slots_max:
        return -errno.E2BIG, "TOO_LONG", -1
    if 0 in (passed.slots_address, passed.rets_address):
        return -errno.EFAULT, "NULL", -1
    if passed.slots_address % WORD_BYTES or passed.rets_address % WORD_BYTES:
        return -errno.EINVAL, "MISALIGNED", -1
    for index, argc in enumerate(argcs[: passed.count]):
        if argc > 6:
            return -errno.EINVAL, "ARGC", index
    return 0, "NONE", 0
