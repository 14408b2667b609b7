# SPDX-License-Identifier: BSD-3-Clause
"""Seccomp filters for the programs that tests run: a sandbox that refuses some calls, by x86-64 numbers."""

import ctypes
import struct
from collections.abc import Callable

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
#: BPF: load word, jump if equal, return. See seccomp(2).
LOAD, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06
RETURN_ERRNO, RETURN_ALLOW = 0x00050000, 0x7FFF0000
ARGUMENT_OFFSET = 16


def filter_program(nr: int, code: int, argument: tuple[int, int] | None) -> bytes:
    """Return a filter under which call nr fails with code; with argument (k, v), only if its k-th word is v."""
    rules = [(LOAD, 0, 0, 0), (JUMP_EQUAL, 0, 3 if argument else 1, nr)]
    if argument:
        rules += [(LOAD, 0, 0, ARGUMENT_OFFSET + 8 * argument[0]), (JUMP_EQUAL, 0, 1, argument[1])]
    rules += [(RETURN, 0, 0, RETURN_ERRNO | code), (RETURN, 0, 0, RETURN_ALLOW)]
    return b"".join(struct.pack("HBBI", *rule) for rule in rules)


def refusing(nr: int, code: int, argument: tuple[int, int] | None = None) -> Callable[[], None]:
    """Return what makes the process refuse a call, to be run between fork and exec."""
    program = filter_program(nr, code, argument)

    def apply() -> None:
        text = ctypes.create_string_buffer(program, len(program))
        header = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(text))
        libc = ctypes.CDLL(None, use_errno=True)
        assert libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
        assert libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header, 0, 0) == 0

    return apply
