# SPDX-License-Identifier: BSD-3-Clause
"""What a run of the suite found: counts by kind, each difference by name, and the same as JSON.

A test passes with a library when it passes at every number of threads that was asked for. A difference is a test that
the reference, libgomp or libomp, passes and our library does not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from openmp.conformance.run import Outcome
from openmp.conformance.suite import KINDS

REFERENCE = "libgomp"
OURS = "ours"
#: Up to so many tests that were not run are named.
NAMED_MAX = 3


@dataclass
class Result:
    """A test's outcomes: library -> number of threads -> outcome."""

    identity: str
    kind: str
    outcomes: dict[str, dict[int, Outcome]] = field(default_factory=dict)

    def passed(self, library: str) -> bool | None:
        """Whether the test passed with a library; None when it did not run with it."""
        outcomes = self.outcomes.get(library)
        return all(outcome.passed for outcome in outcomes.values()) if outcomes else None

    def reasons(self, library: str) -> str:
        """Return why it failed, with the numbers of threads of each reason."""
        grouped: dict[str, list[str]] = {}
        for threads, outcome in sorted(self.outcomes.get(library, {}).items()):
            if outcome.reason:
                grouped.setdefault(outcome.reason, []).append(str(threads))
        return "; ".join(f"{reason} ({', '.join(counts)} threads)" for reason, counts in grouped.items())

    def output(self, library: str) -> str:
        """Return the end of what it printed at the first failure."""
        failed = (outcome for outcome in self.outcomes.get(library, {}).values() if not outcome.passed)
        return next((outcome.output for outcome in failed if outcome.output), "")


@dataclass
class Report:
    """All results, and what was not run: reason -> identities."""

    threads: list[int]
    libraries: dict[str, str]
    reference: str = REFERENCE
    results: list[Result] = field(default_factory=list)
    not_run: dict[str, list[str]] = field(default_factory=dict)
    #: Differences that are no fault of ours: identity -> why.
    allowed: dict[str, str] = field(default_factory=dict)
    #: What the reference failed in an earlier session, for a session without it.
    known_failures: set[str] = field(default_factory=set)

    def differences(self) -> list[Result]:
        """Return the tests that ours fails and the reference does not."""
        return [
            result
            for result in self.results
            if result.passed(OURS) is False
            and result.passed(self.reference) is not False
            and result.identity not in self.known_failures
            and result.identity not in self.allowed
        ]

    def counts(self, kind: str, library: str) -> tuple[int, int]:
        """Return how many tests of a kind passed with a library, and how many ran."""
        verdicts = [result.passed(library) for result in self.results if result.kind == kind]
        return sum(verdict is True for verdict in verdicts), sum(verdict is not None for verdict in verdicts)

    def lines(self) -> Iterator[str]:
        """Yield the report for people."""
        threads = ", ".join(map(str, self.threads))
        yield f"OMP_NUM_THREADS {threads}; passed: at each of them"
        for kind in KINDS:
            for library in self.libraries:
                passed, ran = self.counts(kind, library)
                if ran:
                    yield f"  {kind:14} {library:8} {passed:4} of {ran} passed"
        for reason, identities in self.not_run.items():
            named = ", ".join(identities) if len(identities) <= NAMED_MAX else f"{len(identities)} tests"
            yield f"  not run, {reason}: {named}"
        if self.reference in self.libraries:
            for result in self.results:
                if result.passed(self.reference) is False:
                    yield f"  fails with {self.reference}: {result.identity}: {result.reasons(self.reference)}"
                elif result.passed(OURS) is False and result.identity in self.allowed:
                    yield f"  fails with ours: {result.identity}: {self.allowed[result.identity]}"
        differences = self.differences()
        if OURS in self.libraries:
            yield f"{len(differences)} differences: what {self.reference} passes and ours fails"
        for result in differences:
            yield f"  {result.identity}: {result.reasons(OURS)}"

    def to_json(self) -> dict[str, Any]:
        """Return the report for programs."""
        return {
            "threads": self.threads,
            "libraries": self.libraries,
            "counts": {
                kind: {library: dict(zip(("passed", "ran"), self.counts(kind, library), strict=True))}
                for kind in KINDS
                for library in self.libraries
            },
            "differences": [
                {"test": result.identity, "reason": result.reasons(OURS), "output": result.output(OURS)}
                for result in self.differences()
            ],
            "not_run": self.not_run,
            "tests": [
                {
                    "test": result.identity,
                    "kind": result.kind,
                    "failures": {
                        library: {str(threads): outcome.reason for threads, outcome in by_threads.items()}
                        for library, by_threads in result.outcomes.items()
                    },
                }
                for result in self.results
            ],
        }

    def remember(self, file: Path) -> None:
        """Bring the file of the reference's failures up to date, or read it when the reference took no part."""
        known = set(json.loads(file.read_text())) if file.exists() else set()
        verdicts = {result.identity: result.passed(self.reference) for result in self.results}
        known -= {identity for identity, verdict in verdicts.items() if verdict is True}
        known |= {identity for identity, verdict in verdicts.items() if verdict is False}
        self.known_failures = known
        if self.reference in self.libraries:
            file.write_text(json.dumps(sorted(known)) + "\n")

    def to_text(self) -> str:
        """Return the JSON."""
        return json.dumps(self.to_json(), indent=1) + "\n"
