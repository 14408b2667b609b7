# SPDX-License-Identifier: BSD-3-Clause
"""batch_verify against the model of R17: every mixture of faults, the first one in the table's order wins."""

import ctypes

from ferry.spec import BATCH_SLOTS_MAX
from hypothesis import given, settings
from hypothesis import strategies as st

from batch.model import library, model

REASONS = ("NONE", "EMPTY", "TOO_LONG", "NULL", "FLAGS", "ARGC", "MISALIGNED")


@settings(max_examples=1000, deadline=None, derandomize=True)
@given(
    argcs=st.lists(st.integers(0, 8) | st.just(255), max_size=20),
    flags=st.sampled_from([0, 0, 0, 1, 2, 1 << 31, 1 << 63]),
    count=st.sampled_from([None, None, None, 0, BATCH_SLOTS_MAX + 1, 1 << 58, (1 << 64) - 1]),
    slots_off=st.sampled_from([0, 0, 0, 0, 1, 4, 7, None]),
    rets_off=st.sampled_from([0, 0, 0, 0, 1, 4, 7, None]),
)
def test_verify_answers_as_the_model(
    argcs: list[int], flags: int, count: int | None, slots_off: int | None, rets_off: int | None
) -> None:
    slots = (library.Slot * (len(argcs) + 1))()
    rets = (ctypes.c_long * (len(argcs) + 1))()
    for slot, argc in zip(slots, argcs, strict=False):
        slot.argc = argc
    passed = model.Passed(
        flags,
        len(argcs) if count is None else count,
        0 if slots_off is None else ctypes.addressof(slots) + slots_off,
        0 if rets_off is None else ctypes.addressof(rets) + rets_off,
    )
    error = library.Error()
    ctypes.set_errno(library.ERRNO_MARK)
    code = library.LIBRARY.batch_verify(
        passed.slots_address, passed.rets_address, passed.count, passed.flags, ctypes.byref(error)
    )
    assert ctypes.get_errno() == library.ERRNO_MARK
    assert (code, REASONS[error.reason], error.slot) == model.verify(passed, argcs, BATCH_SLOTS_MAX)
    assert error.code == code
