# SPDX-License-Identifier: BSD-3-Clause
"""Which arguments a run's own earlier calls produce, and whether a word copy can carry them.

A trace shows values, not where a program got them. These rules decide; each errs on the side of ending the run, except
that a word which looks known beforehand is believed (a skeleton's reader must check that).

* A descriptor that a call of the run returned is fed from that result; any other was open before.
* A length of a mapping that equals the size a stat of the run gave is fed from that field; a length written that
  equals what a read of the run returned, of the same bytes, is fed from that result.
* An address that a call of the run returned is fed; one inside such a mapping needs an addition, which a batch cannot
  do: computed. So is a new end of the heap after asking for the old one.
* After data was read from a descriptor in the run, lengths of mappings and offsets of the same descriptor that are not
  fed are taken as computed from that data.
* A path is computed if the run listed a directory before and the path was not seen before the run, or if it occurs in
  bytes that the run read.
* Bytes written are computed if the run learnt anything before that they are not simply a copy of.
"""

from dataclasses import dataclass, field

from ferry.advise import signatures
from ferry.advise.trace import Call, Value
from ferry.advise.values import parse_number

#: bytes of a path's end that must occur in what was read for it to count as read there
PATH_TAIL_MIN = 3
#: results below this are not taken for addresses
ADDRESS_MIN = 0x10000

#: where a word that feeds an argument comes from: the call's result, or this field of what it filled in
RESULT = "result"


@dataclass(frozen=True, slots=True)
class Feed:
    """A word copy: argument `argument` is the word `word` of call `source` of the run."""

    argument: int
    source: int
    word: str = RESULT


@dataclass(frozen=True, slots=True)
class Computed:
    """An argument that a word copy cannot provide."""

    argument: int
    why: str


@dataclass(slots=True)
class _Mapping:
    source: int
    begin: int
    length: int


@dataclass
class Flow:
    """What the calls of one run so far have produced."""

    #: paths and strings the thread used before the run
    seen_before: frozenset[bytes] | set[bytes] = frozenset()
    count: int = 0
    descriptors: dict[int, Feed] = field(default_factory=dict)
    identities: dict[int, Feed] = field(default_factory=dict)
    sizes: dict[int, Feed] = field(default_factory=dict)
    reads: dict[int, tuple[Feed, Value | None]] = field(default_factory=dict)
    mappings: list[_Mapping] = field(default_factory=list)
    heap_end: int | None = None
    data: list[bytes] = field(default_factory=list)
    data_descriptors: set[int] = field(default_factory=set)
    names_listed: bool = False
    learnt: bool = False

    def feeds(self, call: Call) -> list[Feed] | Computed:
        """Which word copies `call` needs as the run's next call, or the argument that none can provide."""
        letters = signatures.signature(call.name, len(call.arguments))
        found: list[Feed] = []
        for index, letter in enumerate(letters or ""):
            verdict = self._argument(call, index, letter)
            if isinstance(verdict, Computed):
                return verdict
            if verdict:
                found.append(Feed(index, verdict.source, verdict.word))
        return found

    def _argument(self, call: Call, index: int, letter: str) -> Feed | Computed | None:
        value = call.arguments[index]
        if letter == "p":
            return self._path(value, index)
        if letter == "i":
            return self._written(call, value, index)
        word = value.number
        if word is None:
            return None
        if letter == "d":
            return self.descriptors.get(word)
        if letter == "k":
            return self.identities.get(word)
        if letter == "a":
            return self._address(call, word, index)
        if letter == "n":
            return self._length(call, word, index)
        if letter == "f" and word and self._read_from(call):
            return Computed(index, "an offset after the file was read")
        return None

    def _read_from(self, call: Call) -> bool:
        """Whether the run has read data from the descriptor this call works on."""
        letters = signatures.signature(call.name, len(call.arguments)) or ""
        return any(
            letter == "d" and value.number in self.data_descriptors
            for letter, value in zip(letters, call.arguments, strict=False)
        )

    def _address(self, call: Call, word: int, index: int) -> Feed | Computed | None:
        if word < ADDRESS_MIN:
            return None
        if call.name == "brk" and self.heap_end is not None:
            return Computed(index, "the heap's end plus something")
        for mapping in reversed(self.mappings):
            if word == mapping.begin:
                return Feed(index, mapping.source)
            if mapping.begin < word < mapping.begin + mapping.length:
                return Computed(index, "an address inside a mapping just made")
        return None

    def _length(self, call: Call, word: int, index: int) -> Feed | Computed | None:
        if call.name in ("mmap", "munmap", "madvise", "mprotect", "msync") and word in self.sizes:
            return self.sizes[word]
        if call.name in signatures.WRITES_DATA and word in self.reads:
            return self.reads[word][0]
        if call.name == "mmap" and self._read_from(call):
            return Computed(index, "a length after the file was read")
        return None

    def _path(self, value: Value, index: int) -> Computed | None:
        path = value.data
        if path is None or path in (b"", b".", b"..", b"/"):
            return None
        if self.names_listed and path not in self.seen_before:
            return Computed(index, "a path after a directory was listed")
        tail = path.rstrip(b"/").rpartition(b"/")[2]
        if len(tail) >= PATH_TAIL_MIN and any(tail in data for data in self.data):
            return Computed(index, "a path that was just read")
        return None

    def _written(self, call: Call, value: Value, index: int) -> Computed | None:
        if not self.learnt:
            return None
        length = call.arguments[index + 1].number if index + 1 < len(call.arguments) else None
        source = self.reads.get(length) if length is not None else None
        if source and source[1] and value.data is not None and source[1].data is not None:
            common = min(len(value.data), len(source[1].data))
            if common and value.data[:common] == source[1].data[:common]:
                return None
        return Computed(index, "bytes written after the run learnt something")

    def admit(self, call: Call) -> None:
        """Record what `call`, now the run's last, produced."""
        index, self.count = self.count, self.count + 1
        if call.result is None or call.failed:
            return
        letters = signatures.signature(call.name, len(call.arguments)) or ""
        self._admit_result(call, index)
        if call.name in signatures.READS_NAMES and call.result > 0:
            self.names_listed = self.learnt = True
        if call.name in signatures.READS_DATA and call.result > 0:
            self._admit_data(call, index, letters)
        if call.name in signatures.READS_STATE:
            self.learnt = True
        for letter, value in zip(letters, call.arguments, strict=False):
            if letter in "sx":
                self._admit_size(value, index)
            elif letter == "t":
                self._admit_pair(value, index)

    def _admit_result(self, call: Call, index: int) -> None:
        assert call.result is not None
        if call.name in signatures.RETURNS_DESCRIPTOR and (call.name != "fcntl" or _duplicates(call)):
            self.descriptors[call.result] = Feed(0, index)
            self.data_descriptors.discard(call.result)
        elif call.name in signatures.RETURNS_IDENTITY:
            self.identities[call.result] = Feed(0, index)
        elif call.name == "brk":
            self.heap_end = call.result
        elif call.name in signatures.RETURNS_ADDRESS and len(call.arguments) > 1:
            length = call.arguments[2 if call.name == "mremap" else 1].number if len(call.arguments) > 2 else 0
            self.mappings.append(_Mapping(index, call.result, length or 0))
        elif call.name == "close" and call.arguments and call.arguments[0].number is not None:
            self.descriptors.pop(call.arguments[0].number, None)
            self.data_descriptors.discard(call.arguments[0].number)

    def _admit_data(self, call: Call, index: int, letters: str) -> None:
        assert call.result is not None
        self.learnt = True
        out = letters.find("o")
        value = call.arguments[out] if out >= 0 else None
        self.reads[call.result] = (Feed(0, index), value)
        if value is not None and value.data:
            self.data.append(value.data)
        if letters.startswith("d") and call.arguments[0].number is not None:
            self.data_descriptors.add(call.arguments[0].number)

    def _admit_size(self, value: Value, index: int) -> None:
        for word in ("st_size", "stx_size"):
            size = parse_number(value.fields.get(word, ""))
            if size:
                self.sizes[size] = Feed(0, index, word)

    def _admit_pair(self, value: Value, index: int) -> None:
        ends = value.text.strip("[]").split(", ")
        for place, end in enumerate(ends[:2]):
            descriptor = parse_number(end)
            if descriptor is not None:
                self.descriptors[descriptor] = Feed(0, index, f"pair[{place}]")


def _duplicates(call: Call) -> bool:
    """Whether this fcntl is F_DUPFD or F_DUPFD_CLOEXEC."""
    return len(call.arguments) > 1 and ("F_DUPFD" in call.arguments[1].text or call.arguments[1].number in (0, 0x406))
