# SPDX-License-Identifier: BSD-3-Clause
"""Measure what a round trip of a codec costs in Python: encode a dataclass, decode another.

Prints the lines that README.md describes, of the boundary `codec`; one of the `n` calls is one round trip. WAY is
`python-cbor` or `python-c`, ours, or `cbor2`: dictionaries written by hand around that library, as a program without
generated code would.
"""

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "hosts" / "python" / "src"), str(ROOT / "tests" / "ingress" / "python" / "echo" / "src")]

import cbor2  # noqa: E402 - after the path
from echo import ComplexRequest, EchoRequest, EchoResponse, _wire  # noqa: E402
from ferry_ingress import wire  # noqa: E402

#: A sample is repeated until it takes as long as this.
SAMPLE_NS_LEAST = 200_000
Run = Callable[[], object]


def from_request(request: EchoRequest) -> dict[str, Any]:
    """Make what cbor2 takes."""
    return {"message": request.message, "delay_ms": request.delay_ms}


def to_request(found: dict[str, Any]) -> EchoRequest:
    """Make what a program wants."""
    return EchoRequest(found["message"], found["delay_ms"])


def from_complex(request: ComplexRequest) -> dict[str, Any]:
    """Make what cbor2 takes."""
    made: dict[str, Any] = {"messages": [from_request(one) for one in request.messages], "tags": request.tags}
    if request.note is not None:
        made["note"] = request.note
    if request.retries is not None:
        made["retries"] = request.retries
    return made


def to_complex(found: dict[str, Any]) -> ComplexRequest:
    """Make what a program wants."""
    messages = [to_request(one) for one in found["messages"]]
    return ComplexRequest(messages, found["tags"], found.get("note"), found.get("retries"))


def there_and_back(blob: bytes) -> object:
    """Encode and decode bytes with cbor2."""
    return cbor2.loads(cbor2.dumps(blob))


def ours(codec: wire.Codec[Any], value: object, way: wire.Wire) -> Run:
    """Return a round trip of ours."""
    assert codec.decode(way, codec.encode(way, value)) == value
    return lambda: codec.decode(way, codec.encode(way, value))


def variants() -> dict[str, Run]:
    """Return every way to make a round trip of every shape."""
    request = EchoRequest("hello from request 1", 10)
    response = EchoResponse("hello from request 1", "10 ms")
    several = ComplexRequest(
        [EchoRequest(f"hello from request {index}", 10 * index) for index in (1, 2, 3)],
        ["one", "two", "three"],
        "a remark",
        3,
    )
    shapes: list[tuple[str, wire.Codec[Any], Any, Run]] = [
        (
            "echo_request", _wire.ECHO_REQUEST_OBJECT, request,
            lambda: to_request(cbor2.loads(cbor2.dumps(from_request(request)))),
        ),
        (
            "echo_response", _wire.ECHO_RESPONSE_OBJECT, response,
            lambda: EchoResponse(**cbor2.loads(cbor2.dumps({"echoed": response.echoed, "timer": response.timer}))),
        ),
        (
            "complex_request", _wire.COMPLEX_REQUEST_OBJECT, several,
            lambda: to_complex(cbor2.loads(cbor2.dumps(from_complex(several)))),
        ),
    ]  # fmt: skip
    for name, size in (("bytes_100", 100), ("bytes_10k", 10 << 10), ("bytes_150k", 150 << 10), ("bytes_1m", 1 << 20)):
        blob = bytes(index * 7 & 255 for index in range(size))
        shapes.append((name, wire.BYTES, blob, partial(there_and_back, blob)))
    found: dict[str, Run] = {}
    for name, codec, value, theirs in shapes:
        assert theirs() == value
        found[f"python-cbor:{name}"] = ours(codec, value, wire.Wire.CBOR)
        found[f"python-c:{name}"] = ours(codec, value, wire.Wire.C)
        found[f"cbor2:{name}"] = theirs
    return found


def sample(run: Run, n: int) -> float:
    """Return the nanoseconds of n calls."""
    runs = 1
    while True:
        start = time.perf_counter_ns()
        for _ in range(runs * n):
            run()
        took = time.perf_counter_ns() - start
        if took >= SAMPLE_NS_LEAST:
            return took / runs
        runs *= 4


def main() -> None:
    """Print the lines."""
    parser = argparse.ArgumentParser(description="What does a round trip of a codec cost in Python?")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument("--repetitions", type=int, default=40)
    parser.add_argument("--n", type=int, default=20, help="round trips in one sample")
    parser.add_argument("--variant", default="", help="only these, with commas between")
    options = parser.parse_args()
    all_ = variants()
    names = options.variant.split(",") if options.variant else list(all_)
    unknown = [name for name in names if name not in all_]
    if unknown:
        parser.error(f"--variant: '{unknown[0]}' is none of {', '.join(all_)}")
    compiler = f"Python {platform.python_version()}, cbor2 {getattr(cbor2, '__version__', '5.6.5')}"
    cpus = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    machine = {
        "type": "machine", "cpu": cpus[0].split(": ")[1] if cpus else "unknown", "cores": len(cpus) or 1,
        "kernel": f"Linux {platform.release()} {platform.machine()}", "compiler": compiler, "mitigations": "not asked",
    }  # fmt: skip
    print(json.dumps(machine, separators=(",", ":")))
    for repetition in range(5 if options.quick else options.repetitions):
        for place in range(len(names)):
            name = names[(place + repetition) % len(names)]
            row = {
                "type": "sample", "boundary": "codec", "variant": name, "unit": "ns", "n": options.n,
                "repetition": repetition, "ns": round(sample(all_[name], options.n), 3),
            }  # fmt: skip
            print(json.dumps(row, separators=(",", ":")))


if __name__ == "__main__":
    main()
