# SPDX-License-Identifier: BSD-3-Clause
"""One session: compile the tests that apply, run each with every library at every number of threads, collect.

The libraries of one test and number of threads run one after the other, so that a busy machine meets both. A test that
ran into the time limit with a library is not run again with more threads: it counts as failed.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

from openmp.conformance.build import GCC, Compilers, Program, compile_test
from openmp.conformance.report import REFERENCE, Report, Result
from openmp.conformance.run import Library, check_loaded, run_test
from openmp.conformance.suite import Test

PROGRESS_STEP = 50
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Plan:
    """How to run; `options` are the compiler's."""

    build: Path
    libraries: list[Library]
    threads: list[int]
    jobs: int
    limit_s: float
    options: tuple[str, ...] = ()
    compilers: Compilers = field(default_factory=lambda: GCC)
    reference: str = REFERENCE
    allowed: dict[str, str] = field(default_factory=dict)


def why_not(test: Test) -> str:
    """Say why a test is not run here; empty when it is."""
    if test.directives.skip:
        return test.directives.skip
    return "" if test.directives.do == "run" else f"only to {test.directives.do}"


def compile_all(plan: Plan, tests: list[Test], progress: Progress) -> list[Program]:
    """Compile, several at once, in the order of the tests."""
    folder = plan.build / "conformance" / "programs"
    folder.mkdir(parents=True, exist_ok=True)
    programs: dict[str, Program] = {}
    with ThreadPoolExecutor(plan.jobs) as pool:
        compiling = [pool.submit(compile_test, test, folder, plan.options, plan.compilers) for test in tests]
        for future in as_completed(compiling):
            program = future.result()
            programs[program.test.identity] = program
            if len(programs) % PROGRESS_STEP == 0:
                progress(len(programs), len(tests), "compiled")
    return [programs[test.identity] for test in tests]


def run_everywhere(plan: Plan, program: Program) -> Result:
    """Run one test with every library at every number of threads."""
    result = Result(program.test.identity, program.test.kind)
    hung: set[str] = set()
    for threads in plan.threads:
        for library in plan.libraries:
            if library.name not in hung:
                outcome = run_test(program, library, threads, plan.limit_s)
                result.outcomes.setdefault(library.name, {})[threads] = outcome
                if outcome.reason.startswith("timeout"):
                    hung.add(library.name)
    return result


def conduct(plan: Plan, tests: list[Test], progress: Progress) -> Report:
    """Compile and run the tests. Raises LibraryError when a library is not the one that programs load."""
    libraries = {library.name: str(library.folder or "the system's") for library in plan.libraries}
    report = Report(plan.threads, libraries, plan.reference, allowed=plan.allowed)
    applicable = []
    for test in tests:
        reason = why_not(test)
        if reason:
            report.not_run.setdefault(reason, []).append(test.identity)
        else:
            applicable.append(test)
    programs = compile_all(plan, applicable, progress)
    for program in programs:
        if not program.path:
            report.not_run.setdefault(program.why, []).append(program.test.identity)
    compiled = [program for program in programs if program.path]
    for library in plan.libraries:
        check_loaded([program.path for program in compiled if program.path], library)
    results: dict[str, Result] = {}
    with ThreadPoolExecutor(plan.jobs) as pool:
        for future in as_completed([pool.submit(run_everywhere, plan, program) for program in compiled]):
            result = future.result()
            results[result.identity] = result
            if len(results) % PROGRESS_STEP == 0:
                progress(len(results), len(compiled), "run")
    report.results = [results[program.test.identity] for program in compiled]
    return report
