# SPDX-License-Identifier: BSD-3-Clause
"""The boundaries that `ferry measure` knows: the one place a new boundary is added.

A boundary's figures come from native benchmark programs (`Programs`: bench/README.md has their schema), from one such
program run with several libraries (`Runtimes`), or from timing whole processes on trees of files (`Processes`). A
variant is called WAY or WAY:CALL; variants with the same CALL do the same work, and only those are compared.

long: one table.
"""

from __future__ import annotations

from dataclasses import dataclass

from ferry.system_libraries import LIBOMP

#: Batch sizes that ratios are given at: where a batch is small, and where the fixed cost no longer counts.
RATIO_SIZES = (10, 1000)
#: Where our libgomp.so.1 is, relative to FERRY_BENCH: where it was built, or where it was installed.
OURS = ("../lib/gomp", "../gomp")


@dataclass(frozen=True)
class Programs:
    """Benchmark programs in FERRY_BENCH; each is run `passes` times with `repetitions` repetitions."""

    names: tuple[str, ...]
    #: The target of the Makefile that builds them. `build` builds them wherever Ferry is built; what another builds may
    #: be missing, and is then left out.
    target: str = "build"
    #: More programs, each with the target that builds it; one that is missing is left out, with a note.
    more: tuple[tuple[str, str], ...] = ()
    passes: int = 5
    repetitions: int = 60
    quick_passes: int = 2
    quick_repetitions: int = 20


@dataclass(frozen=True)
class Process:
    """One command to time. `{bin}` and `{bench}` stand for the folders of the programs, `{tree}` for the tree."""

    variant: str
    command: tuple[str, ...]


@dataclass(frozen=True)
class Processes:
    """Commands timed whole (CPU time, user and system) on subtrees with rising numbers of entries."""

    commands: tuple[Process, ...]
    seconds: float = 30.0
    quick_seconds: float = 5.0
    sizes: int = 7
    quick_sizes: int = 5


@dataclass(frozen=True)
class Runtime:
    """A shared library by its WAY and the folders it may be in, relative to FERRY_BENCH; none: the loader's choice."""

    way: str
    folders: tuple[str, ...] = ()
    #: What to do when it is missing.
    advice: str = ""
    #: Where the system has it under a name of its own: patterns of files.
    system: tuple[str, ...] = ()
    required: bool = False
    #: A library that comes before those the program is linked with, for one that does not leave the choice to the path.
    preload: str = ""
    #: What the names of this WAY's variants begin with in the program: `held_` for `held_sum` as its `sum`.
    prefix: str = ""


@dataclass(frozen=True)
class Floor:
    """The floor of a CALL: a share of what a variant of the floor program takes."""

    call: str
    variant: str
    share: float
    #: A WAY that this is instead of the boundary's floor: another thing to compare with.
    way: str = ""


@dataclass(frozen=True)
class Runtimes:
    """One program in FERRY_BENCH that is run with several libraries, at several thread counts."""

    program: str
    library: str
    runtimes: tuple[Runtime, ...]
    variants: tuple[str, ...]
    sizes: tuple[int, ...]
    threads: tuple[int, ...]
    floor_program: str
    floors: tuple[Floor, ...]
    #: The target of the Makefile that builds the program, as of `Programs`.
    target: str = "build"
    #: More programs, each with the target that builds it; one that is missing is left out, with a note.
    more: tuple[tuple[str, str], ...] = ()
    passes: int = 5
    repetitions: int = 20
    quick_passes: int = 2
    quick_repetitions: int = 5


@dataclass(frozen=True)
class Guest:
    """A program in FERRY_BENCH for a kernel that few machines have: elsewhere its instructions are counted in QEMU."""

    program: str
    #: The kernels of kernel/vm to count on; CALLs are then called `CALL@KERNEL`.
    kernels: tuple[str, ...]
    #: Further programs, which are run in QEMU alone: they need more rights than a user has.
    more: tuple[str, ...] = ()
    repetitions: int = 20
    quick_repetitions: int = 5


@dataclass(frozen=True)
class Comparison:
    """A line of the summary: what a stranger would do, without Ferry and with it."""

    #: What is done, for people, in a few words.
    text: str
    #: The variant with Ferry.
    ferry: str
    #: The variants without it: the best of those that were measured counts.
    without: tuple[str, ...]
    #: What that is, for people; of several variants one word each, with `, ` between.
    without_text: str
    #: Where there is no room for all, lines of a lower rank are kept; by default its place among the boundary's own.
    rank: int | None = None


@dataclass(frozen=True)
class Boundary:
    """One entry of the table."""

    name: str
    #: What is crossed, for people.
    title: str
    #: What one of the n is, and what several are.
    item: str
    items: str
    source: Programs | Processes | Runtimes | Guest
    #: The WAY that is the physical floor of every other with the same CALL.
    floor: str
    #: What the floor is, for people.
    floor_text: str
    #: (batched WAY, naive WAY): what is compared besides each WAY with the floor.
    pairs: tuple[tuple[str, str], ...] = ()
    #: WAYs that do not do the work and are compared with nothing.
    apart: tuple[str, ...] = ()
    #: CALL -> what is called, for people.
    calls: tuple[tuple[str, str], ...] = ()
    ratio_sizes: tuple[int, ...] = RATIO_SIZES
    #: The first stands for the boundary where many are measured.
    summary: tuple[Comparison, ...] = ()


BOUNDARIES: tuple[Boundary, ...] = (
    Boundary(
        name="syscall",
        title="user → kernel, one system call per slot",
        item="call",
        items="calls",
        source=Programs(("syscall",)),
        floor="direct",
        floor_text="the system call instruction in a hand-written loop",
        pairs=(("loop", "libc"),),
        apart=("null",),
        calls=(
            ("unimplemented", "a call the kernel does not have: nothing but the entry"),
            ("getppid", "the least work a call can do"),
            ("rt_sigaction", "four arguments, little work"),
        ),
        summary=(Comparison("a system call, getppid", "loop:getppid", ("libc:getppid",), "libc"),),
    ),
    Boundary(
        name="kernel",
        title="user → kernel, a batch in one entry",
        item="call",
        items="calls",
        source=Guest("kernel", ("debian-6.12",), more=("interrupted",)),
        floor="direct",
        floor_text="the same calls in a hand-written loop, one entry each: here the batch is to be below it",
        calls=tuple(
            (f"{name}{where}", f"{text}{on}")
            for name, text in (
                ("unimplemented", "a call the kernel does not have"),
                ("getppid", "the least work a call can do"),
                ("fstat", "a call that does some work"),
                ("signal", "a signal with a handler, at each call"),
                ("signal-16", "a signal with a handler, at each 16th call"),
                ("stop", "a stop between two calls, and going on"),
                ("sleep", "a call that sleeps until another process writes"),
                ("sleep-stop", "the same, with a stop while it sleeps, and going on"),
                ("sleep-freeze", "the same, with its control group frozen while it sleeps, and thawed"),
            )
            for where, on in (("", ""), ("@debian-6.12", ", by /dev/batch of Debian's kernel"))
        ),
        summary=(
            Comparison(
                "a system call, getppid, in one kernel entry", "kernel:getppid", ("direct:getppid",), "one entry each"
            ),
        ),
    ),
    Boundary(
        name="function",
        title="C functions chosen at run time",
        item="call",
        items="calls",
        source=Programs(("function",)),
        floor="direct",
        floor_text="a bare indirect call through a function pointer",
        calls=(
            ("long", "two integers in, one out"),
            ("double", "two doubles in, one out"),
            ("mixed", "functions with results of several kinds, in a random order"),
            ("stop", "two integers in, one out; ends at the first negative one"),
        ),
        summary=(Comparison("a C function chosen at run time", "call:long", ("direct:long",), "a bare call", 1),),
    ),
    Boundary(
        name="uring",
        title="user → kernel through io_uring, many requests per entry",
        item="call",
        items="calls",
        source=Programs(("uring",)),
        floor="direct",
        floor_text="the same calls by the system call instruction, hand-written",
        pairs=(("uring", "libc"), ("auto", "libc"), ("loop", "libc")),
        calls=(
            ("file", "one small cached file opened, read and closed"),
            ("nop", "a request that does nothing, beside a call the kernel does not have"),
        ),
        ratio_sizes=(8, 256),
        summary=(Comparison("open, read, close of a small file", "auto:file", ("libc:file",), "libc"),),
    ),
    Boundary(
        name="haskell",
        title="Haskell → C, many functions per crossing",
        item="call",
        items="calls",
        source=Programs(("haskell",), target="haskell"),
        floor="wrapper",
        floor_text="a loop in C over the same calls, called once, unsafe",
        pairs=(("batched", "safe"), ("adaptive", "safe"), ("adaptive", "unsafe"), ("held", "safe")),
        apart=("prim", "carry"),
        calls=(
            ("getter", "a function that takes nothing and gives a number"),
            ("one", "one function of two words, again and again"),
            ("pointer", "a function that takes a pointer; `held` keeps the Capability until somebody wants it"),
            ("several", "four functions of two words, in turn"),
        ),
        summary=(
            Comparison("a C function from Haskell, by itself", "foreign:getter", ("safe:getter",), "a safe import"),
            Comparison("a C function from Haskell, in a batch", "adaptive:getter", ("safe:getter",), "a safe import"),
            Comparison(
                "a C function from Haskell, in a batch", "adaptive:getter", ("unsafe:getter",), "an unsafe import"
            ),
        ),
    ),
    Boundary(
        name="walk",
        title="a tree of files and its metadata",
        item="entry",
        items="entries",
        source=Processes(
            (
                Process("floor", ("{bench}/walk", "--floor", "-j1", "{tree}")),
                Process("mdu", ("{bin}/mdu", "-s", "-j1", "{tree}")),
                Process("du", ("du", "-s", "{tree}")),
            )
        ),
        floor="floor",
        floor_text="getdents64 and newfstatat alone, no user code",
        pairs=(("mdu", "du"),),
        ratio_sizes=(1_000, 30_000),
        summary=(Comparison("a file in a tree walked, CPU time", "mdu", ("du",), "GNU du"),),
    ),
    Boundary(
        name="tools",
        title="whole programs over small files, their calls in batches",
        item="file",
        items="files",
        source=Guest("tools", ("debian-6.12", "plain-6.12"), repetitions=5),
        floor="loop",
        floor_text="the same program with one entry for each call: here the kernel's batches are to be below it",
        pairs=(("kernel", "du"), ("kernel", "cat"), ("auto", "du"), ("auto", "cat"), ("auto", "kernel")),
        ratio_sizes=(300, 3_000),
        calls=tuple(
            (f"{name}{where}", f"{text}{on}")
            for name, text in (
                ("tree", "the usage of a tree: mdu through each executor, and du"),
                ("files", "the contents of files: readmany through each executor, and cat"),
            )
            for where, on in (
                ("", ""),
                ("@debian-6.12", ", by /dev/batch of Debian's kernel"),
                ("@plain-6.12", ", by batch(2) of a minimal kernel"),
            )
        ),
    ),
    Boundary(
        name="codec",
        title="a value → its message in a wire format, and back",
        item="round trip",
        items="round trips",
        source=Programs(
            ("codec", "codec-cpp"),
            more=(("codec-nim", "nim"), ("codec-rust", "host-benches"), ("codec-python", "host-benches")),
            passes=3,
            repetitions=20,
            quick_repetitions=5,
        ),
        floor="copy",
        floor_text="the message copied into a buffer, and out of it into memory that is allocated and freed",
        pairs=(
            ("c", "cbor"),
            ("cbor_borrowed", "cbor"),
            ("c_borrowed", "c"),
            ("cpp-cbor", "cbor"),
            ("cpp-c", "c"),
            ("nim-cbor", "cbor"),
            ("nim-c", "c"),
            ("cbor", "libcbor"),
            ("rust-cbor", "minicbor"),
            ("rust-c", "bincode"),
            ("python-cbor", "cbor2"),
            ("python-c", "python-cbor"),
        ),
        calls=(
            ("echo_request", "a text of 11 bytes and an integer"),
            ("echo_response", "two texts of 11 bytes"),
            ("complex_request", "four objects, three texts, two options"),
            ("variant", "a variant with a text"),
            ("variant_as_object", "an object with a text, of as many bytes in CBOR"),
            ("variants", "four variants with a text"),
            ("variants_as_objects", "four objects with a text and an integer, of as many bytes in CBOR"),
            ("bytes_100", "100 bytes"),
            ("bytes_1k", "1 KiB"),
            ("bytes_10k", "10 KiB"),
            ("bytes_64k", "64 KiB"),
            ("bytes_150k", "150 KiB"),
            ("bytes_1m", "1 MiB"),
        ),
        ratio_sizes=(10, 100),
        summary=(
            Comparison(
                "a message in CBOR, there and back, in C", "cbor:echo_request", ("libcbor:echo_request",), "libcbor"
            ),
            Comparison(
                "a message in CBOR, there and back, in Python",
                "python-cbor:echo_request",
                ("cbor2:echo_request",),
                "cbor2",
            ),
        ),
    ),
    Boundary(
        name="openmp",
        title="OpenMP constructs, one program with each library; @ is the number of threads",
        item="construct",
        items="constructs",
        source=Runtimes(
            program="openmp",
            library="libgomp.so.1",
            runtimes=(
                Runtime("ours", OURS, "run `make build` in Ferry's folder", required=True),
                Runtime("libgomp"),
                Runtime("libomp", advice="install LLVM's libomp (Debian: libomp-dev)", system=LIBOMP),
            ),
            variants=("fork_join", "barrier", "single", "critical", "task_wait"),
            sizes=(30, 300, 1000),
            threads=(1, 2),
            floor_program="handoff",
            floors=(Floor("fork_join@2", "line-paused", 1.0), Floor("barrier@2", "exchange", 1.0)),
        ),
        floor="floor",
        floor_text="bare loads and stores: a cache line to another core and back; of a barrier, a word from each",
        pairs=(("ours", "libgomp"), ("ours", "libomp")),
        calls=(
            ("fork_join@1", "an empty region of one thread"),
            ("fork_join@2", "an empty region of two threads"),
            ("barrier@1", "a barrier in a region of one thread"),
            ("barrier@2", "a barrier of two threads"),
        ),
        ratio_sizes=(30, 1000),
        summary=(
            Comparison(
                "an OpenMP region of two threads",
                "ours:fork_join@2",
                ("libgomp:fork_join@2", "libomp:fork_join@2"),
                "libgomp, libomp",
            ),
            Comparison(
                "an OpenMP barrier of two threads",
                "ours:barrier@2",
                ("libgomp:barrier@2", "libomp:barrier@2"),
                "libgomp, libomp",
            ),
        ),
    ),
    Boundary(
        name="ingress",
        title="host thread → library thread, requests to an echo, in C and typed; @ is the number of threads",
        item="request",
        items="requests",
        source=Programs(
            ("ingress", "ingress-cpp"),
            more=(
                ("ingress-rust", "host-benches"),
                ("ingress-go", "host-benches"),
                ("ingress-python", "host-benches"),
                ("ingress-python-nim", "nim-benches"),
            ),
            passes=3,
            repetitions=5,
            quick_passes=2,
            quick_repetitions=2,
        ),
        floor="line",
        floor_text="a cache line to another core and back",
        pairs=(
            ("async", "futex"),
            ("ask", "futex"),
            ("inbox", "futex"),
            ("cpp-c", "ask"),
            ("cpp-cbor", "ask"),
            ("cpp-chain", "cpp-c"),
            ("rust-c", "cpp-c"),
            ("python-cbor", "cpp-cbor"),
            ("python-async-cbor", "executor"),
            ("python-nim-cbor", "python-cbor"),
        ),
        apart=("futex", "executor"),
        calls=(
            ("call", "one small request after the other; async and inbox: 64 under way"),
            ("call@2", "the same from two threads"),
            ("call@8", "the same from eight threads"),
            ("large", "64 KiB there and back"),
            ("event", "an event of 512 bytes to one listener"),
            ("tick", "an event without a value to one listener"),
            ("handle", "open, read and close of a handle; cpp-chain: as one chain"),
            ("value", "a value of a stream, of which the program takes one after the other"),
            *(
                (f"requests@{threads}", f"small requests with callbacks, {threads} submitting")
                for threads in (1, 2, 4, 8)
            ),
        ),
        ratio_sizes=(1000, 30_000),
        summary=(
            Comparison("a request to another thread, 64 under way", "async:call", ("futex:call",), "a futex each"),
            Comparison(
                "a request from Python to a library in Nim",
                "python-nim-async-cbor:call",
                ("executor:call",),
                "run_in_executor",
                0,
            ),
            Comparison(
                "a request from Python to a library in C++",
                "python-async-cbor:call",
                ("executor:call",),
                "run_in_executor",
            ),
        ),
    ),
    Boundary(
        name="network",
        title="host → a library in another process, behind a NATS server; @ is the delay of the line, each way",
        item="request",
        items="requests",
        source=Programs(
            ("network",),
            target="network",
            more=(("network-grpc", "network-benches"),),
            passes=3,
            repetitions=3,
            quick_passes=1,
            quick_repetitions=1,
        ),
        floor="nats",
        floor_text="one bare request and its reply by libnats, one after the other",
        pairs=(("batch", "single"), ("single", "grpc"), ("batch", "grpc"), ("chain", "single")),
        calls=(
            ("call", "a small request on loopback"),
            ("call@1ms", "the same with 1 ms between host and server"),
            ("call@10ms", "the same with 10 ms"),
            ("handle", "open, read and close of a handle on loopback; chain: as one chain"),
            ("handle@1ms", "the same with 1 ms between host and server"),
            ("handle@10ms", "the same with 10 ms"),
        ),
        ratio_sizes=(1, 100),
        summary=(
            Comparison(
                "a request 1 ms away, in a batch",
                "batch:call@1ms",
                ("nats:call@1ms", "grpc:call@1ms"),
                "libnats, gRPC",
                2,
            ),
        ),
    ),
    Boundary(
        name="openmp-haskell",
        title="Haskell → OpenMP regions of two threads, alone and beside Haskell threads that compute",
        item="region or element",
        items="regions or elements",
        source=Runtimes(
            program="openmp-haskell",
            library="libgomp.so.1",
            runtimes=(
                Runtime("held", prefix="held_"),
                Runtime("safe"),
                Runtime("libgomp", preload="libgomp.so.1", advice="install libgomp1"),
            ),
            variants=("empty", "idle", "busy1", "busy2", "sum"),
            sizes=(30, 100, 300, 1000),
            threads=(2,),
            floor_program="openmp-haskell",
            floors=(
                Floor("empty@2", "loop_empty", 1.0),
                *(Floor(f"{call}@2", "loop", 1.0) for call in ("idle", "busy1", "busy2")),
                Floor("sum@2", "sequential", 0.5),
                Floor("sum@2", "sequential", 1.0, way="sequential"),
            ),
            target="haskell",
            repetitions=4,
            quick_repetitions=2,
        ),
        floor="floor",
        floor_text="the same regions from one loop in C with nothing beside them; half of the sequential sum",
        pairs=(("held", "libgomp"), ("safe", "libgomp"), ("held", "sequential"), ("libgomp", "sequential")),
        calls=(
            ("empty@2", "empty regions"),
            ("idle@2", "regions of ten barriers and about 6 µs of work, Haskell else idle"),
            ("busy1@2", "the same while one Haskell thread computes"),
            ("busy2@2", "the same while two Haskell threads compute"),
            ("sum@2", "one region that adds n sines"),
        ),
        ratio_sizes=(30, 1000),
        summary=(
            Comparison("a region from Haskell beside 2 busy threads", "held:busy2@2", ("libgomp:busy2@2",), "libgomp"),
            Comparison("an empty region from Haskell", "held:empty@2", ("libgomp:empty@2",), "libgomp"),
        ),
    ),
)


def by_name(name: str) -> Boundary | None:
    """Return the boundary of that name, if there is one."""
    return next((boundary for boundary in BOUNDARIES if boundary.name == name), None)


def way(variant: str) -> str:
    """Return the WAY of WAY:CALL."""
    return variant.partition(":")[0]


def call(variant: str) -> str:
    """Return the CALL of WAY:CALL; empty when there is none."""
    return variant.partition(":")[2]


def joined(way_: str, call_: str) -> str:
    """Put a variant's name together."""
    return f"{way_}:{call_}" if call_ else way_
