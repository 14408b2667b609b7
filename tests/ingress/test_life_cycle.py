# SPDX-License-Identifier: BSD-3-Clause
"""The table of docs/ingress-life-cycle.md is the one that unit/test_ingress_life_cycle.c tests, cell by cell.

It has a row for every public function.
"""

import re
import subprocess

from native import make
from paths import BUILD, ROOT

DOCUMENT = ROOT / "docs" / "ingress-life-cycle.md"
#: For a provider that stands for one elsewhere: only its own library thread may call these, and others change nothing.
FOR_STANDING_PROVIDERS = {"ingress_event_lost", "ingress_event_watch", "ingress_provider_library"}
#: What any thread may call for a provider, at any place: unit/test_ingress_post.c; and what only reads a request.
FOR_EVERY_THREAD = {"ingress_answer_post", "ingress_provider_wake", "ingress_request_left_ns"}
#: For thread_begin, which is no place of the table.
FOR_THREAD_BEGIN = {"ingress_cancel_watch", "ingress_chain_pass"}
HEADERS = (ROOT / "include/ferry/ingress.h", ROOT / "include/ferry/ingress_provider.h")
#: A row of the table: its name stands in code.
ROW = re.compile(r"^\| `(ingress_[^`]+)` \|.*\|$", re.M)


def rows_tested() -> list[str]:
    program = BUILD / "tests" / "test_ingress_life_cycle"
    make(BUILD, program)
    done = subprocess.run([program, "--table"], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.splitlines()


def public_functions() -> set[str]:
    """Every function that the two headers declare."""
    found: set[str] = set()
    for header in HEADERS:
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        # declarations begin at the margin; a typedef's name is that of a type
        found |= set(re.findall(r"^(?!typedef)\w[\w *]*?\b(ingress_\w+)\(", text, re.M))
    return found


def test_the_document_has_what_is_tested() -> None:
    documented = [match[0] for match in ROW.finditer(DOCUMENT.read_text())]
    assert documented == rows_tested()


def test_every_public_function_has_a_row() -> None:
    functions = public_functions()
    assert {"ingress_submit", "ingress_handle_close_any"} <= functions
    rows = {row.split("`")[1].split(",")[0] for row in rows_tested()}
    without = FOR_STANDING_PROVIDERS | FOR_EVERY_THREAD | FOR_THREAD_BEGIN
    assert functions >= without
    assert rows == functions - without
