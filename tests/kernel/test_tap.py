# SPDX-License-Identifier: BSD-3-Clause
"""What the test machine's programs said, made one list: nothing that went wrong is lost."""

import pytest
from vm.tap import Result, parse

GOOD = "# kernel 6.12\n# program a\nTAP version 13\n1..2\nok 1 - one\nok 2 - two # SKIP no device\n# exit a 0\n# end\n"


def test_results_are_named_after_their_program() -> None:
    assert parse(GOOD) == ([Result("a: one", "ok"), Result("a: two", "skip", "no device")], True)


def test_a_serial_port_ends_lines_its_own_way() -> None:
    assert parse(GOOD.replace("\n", "\r\n")) == parse(GOOD)


def test_what_was_said_before_a_failure_is_kept() -> None:
    results, _ = parse("# program a\n1..1\n# expected 1\n# got 2\nnot ok 1 - one\n# exit a 1\n# end\n")
    assert results == [Result("a: one", "not ok", "# expected 1\n# got 2")]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("# program a\n1..2\nok 1 - one\n# exit a 0\n# end\n", "a: gave 1 results of the 2 it promised"),
        ("# program a\n1..1\nok 1 - one\n# exit a 3\n# end\n", "a: ended with status 3"),
        ("# program a\n1..1\n# exit a 137\n# end\n", "a: was killed, most likely since it took too long"),
        ("# program a\n1..1\nok 1 - one\n", "a: did not end"),
        ("# program a\nno tap at all\n# exit a 2\n# end\n", "a: ended with status 2"),
    ],
)
def test_a_program_that_goes_wrong_is_a_failure(text: str, name: str) -> None:
    results, _ = parse(text)
    assert [result.name for result in results if result.status == "not ok"] == [name]


def test_a_program_may_skip_all() -> None:
    results, _ = parse("# program a\n1..0 # SKIP no device\n# exit a 4\n# end\n")
    assert results == [Result("a", "skip", "no device")]


def test_a_machine_that_stops_is_noticed() -> None:
    assert parse("# program a\n1..1\nok 1 - one\n# exit a 0\n")[1] is False
