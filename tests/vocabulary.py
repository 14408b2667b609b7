# SPDX-License-Identifier: BSD-3-Clause
"""The words that tests/tidy.py refuses, and where; docs/nomenclature.md has them for people.

Add the files of a part to the `where` of a word as soon as they are free of it, and to PLAIN as soon as each of their
sentences names what it speaks of.
"""

import re
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Retired:
    """A word that is not used any more, and the word to use (docs/nomenclature.md)."""

    #: The word, as an expression; a name's parts between `_` are words too.
    pattern: str
    use: str
    #: How the names of the files begin that are free of it.
    where: tuple[str, ...]
    #: Names that contain it and stay, since users' programs contain them.
    kept: str = r"$^"

    @cached_property
    def expression(self) -> re.Pattern[str]:
        """What finds the word, whatever its case."""
        return re.compile(rf"(?<![a-z])(?:{self.pattern})(?![a-z])", re.IGNORECASE)


#: What belongs to libraries behind a thread.
INGRESS = (
    *("src/ingress/", "nim/", "hosts/", "tests/ingress/model/"),
    *("include/ferry/ingress", "include/ferry/cpp/", "include/ferry/binding.h", "docs/ingress", "man/ferry_ingress"),
    *("src/network/", "include/ferry/network.h", "tests/network/"),
)
#: The core of it, where some words are taken that mean something else, or nothing special, elsewhere.
CORE = ("src/ingress/", "tests/ingress/model/", "docs/ingress", "include/ferry/ingress", "man/ferry_ingress")
#: The OpenMP runtime, with what its tests and documents say of it.
OPENMP = (
    *("src/openmp/", "tests/openmp/model/", "tests/openmp/stress/", "man/libferryomp", "include/ferry/openmp"),
    *("docs/openmp.md", "docs/results/openmp.md", "docs/decisions/0014", "docs/decisions/0015"),
)
#: Where threads wait.
WAITING = (*INGRESS, *OPENMP, "src/thread/", "haskell/cbits/", "tests/openmp/model/", "tests/ingress/", "docs/results/")
#: The Haskell package's C and Cmm, and what decides how they work.
HASKELL_C = ("haskell/cbits/", "haskell/cmm/", "haskell/openmp/c", "docs/decisions/0016", "docs/decisions/0017")
#: All but what runs virtual machines.
NOT_VIRTUAL = (
    *("src/", "include/", "nim/", "hosts/", "haskell/", "examples/", "bench/", "tests/openmp/", "tests/ingress/"),
    *("tests/thread/", "tests/haskell/", "tests/helpers/", "tests/nim/", "tests/walk/", "tests/batch/", "docs/openmp"),
    *("docs/haskell", "docs/ingress", "docs/guide", "docs/concepts", "docs/results/", "docs/decisions/001", "man/"),
    *("mk/openmp", "mk/haskell", "mk/ingress", "README.md"),
)
#: All but the tables of these words and what tests them.
EVERYWHERE = (
    *(*NOT_VIRTUAL, "kernel/", "tools/", "scripts/", "spec/", "mk/", "fuzz/", "docs/decisions/", "docs/advise"),
    *("docs/kernel", "tests/cli/", "tests/ferry/", "tests/kernel/", "tests/stress/", "tests/wire/", "CONTRIBUTING.md"),
)
#: What runs virtual machines: there a host would be the machine outside.
VIRTUAL = ("kernel/vm/", "docs/kernel.md")
#: Names of OpenMP's and libgomp's own that contain `host`.
HOST_KEPT = (
    r"(?i:the )?host devices?|\[host\]|\"host\"|host_uid|is_host|end_host|DEVICE_HOST"
    r"|_and_host_|const void \*host\b|\(void\)host\b|on the host \|"
)
#: Add the files of a part to `where` as soon as they are free of the word.
RETIRED = (
    Retired(r"seats?", "parker (how a thread sleeps), or eventcount (what many threads sleep on)", EVERYWHERE),
    Retired(
        r"announc(?:e[sd]?|ing|ements?)", "park, or say what the thread stores", (*INGRESS, *OPENMP, "src/thread/")
    ),
    Retired(r"(?<!door)(?<!house)keepers?", "monitor, owner or reference", EVERYWHERE),
    Retired(r"crowd(?:s|ed)?", "oversubscribed", WAITING),
    Retired(r"g(?:i|a)v(?:es?|ing)[ _]way", "yield", WAITING),
    Retired(r"(?:un)?dock(?:s|ed|ing)?|recall(?:s|ed|ing)?", "idle (of a worker), unpark", EVERYWHERE),
    Retired(
        r"put(?:s|ting)?[ _]off|at_once", "defer, deferred; undeferred", (*OPENMP, "src/thread/", "haskell/cbits/")
    ),
    Retired(r"is_root|inner_root|root threads?", "initial thread", (*WAITING, "tests/openmp/")),
    Retired(r"guests?", "co-scheduler (a runtime system); a guest is a virtual machine", NOT_VIRTUAL),
    Retired(
        r"hosts?",
        "host device (OpenMP's), or the system; a host calls a library",
        ("src/openmp/", "man/libferryomp", "docs/openmp.md"),
        kept=HOST_KEPT,
    ),
    Retired(r"hosts?", "the machine outside; a host calls a library", VIRTUAL),
    Retired(r"bars?", "target", (*INGRESS, "docs/decisions/0009", "docs/decisions/0010"), kept=r"\w+_bars\.py"),
    # the verb is common English, and so is `in turn`
    Retired(
        r"(?:an?|the|its|each|their|one|another|next|later|gives?|takes?)[ _]turns?(?!\(\))",
        "time slice, or an iteration of the loop",
        WAITING,
    ),
    Retired(r"turns|let[ _]in[ _]early|loose|is_fast", "time slices, preempt, given up, or in a batch", HASKELL_C),
    Retired(
        r"(?:\w*_)?rooms?(?:_\w*)?",
        "credits (of a lane), capacity (of memory), or a buffer",
        CORE,
        kept=r"(?:ingress_)?answer_?room",
    ),
    Retired(r"takers?|pushers?", "consumer, producer", CORE),
    Retired(r"doz(?:e[sd]?|ing)", "put to sleep", EVERYWHERE),
    Retired(r"farewells?", "the destructor's request", EVERYWHERE),
)
#: How the names of the files begin whose sentences have been made plain: each names what it speaks of.
PLAIN = (
    *(*INGRESS, *OPENMP, "docs/", "man/", "tests/openmp/model/", "tests/openmp/stress/", "tests/ingress/", "include/"),
    *HASKELL_C,
    *("bench/", "src/batch/", "src/walk/", "src/thread/", "examples/", "CONTRIBUTING.md", "README.md"),
)
#: A sentence or a clause that begins with `who` and asks nothing.
HEADLESS = re.compile(r"\bWho\b(?![^.]*\?)|(?:(?<!:)[:;] |/\*+ |// |# )who\b(?! ?[-+<=])")
