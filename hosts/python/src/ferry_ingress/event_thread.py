# SPDX-License-Identifier: BSD-3-Clause
"""The event threads, which the core makes, as Python sees them.

Python keeps a state for each thread that runs Python code. For a thread that Python did not make, ctypes makes one at
each callback and frees it when the callback returns, which takes six times as long as the rest of an event. So the
first callback on an event thread holds the state, and the core tells when the thread ends (PEP 311 has the interface).
A callback therefore finds what an earlier one left in a `threading.local`.
"""

from __future__ import annotations

import atexit
import ctypes
import threading
from typing import Any

#: What PyGILState_Release is told by a caller that goes on holding the interpreter lock: PyGILState_LOCKED.
_LOCKED = 0

_ENDED = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Held(threading.local):
    """Whether the calling thread's state is held. It is a part of that state."""

    yes = False


_held = _Held()


def _let_go(_user: int | None) -> None:
    # ctypes has a hold on the state too, for this call, and frees it afterwards
    if _held.yes:
        _held.yes = False
        ctypes.pythonapi.PyGILState_Release(_LOCKED)


_on_end = _ENDED(_let_go)


class EventThreads:
    """The event threads of a core that runs callbacks in Python."""

    def __init__(self, core: Any) -> None:
        self._core = core
        # other Pythons than CPython may have no such interface; they make a state for each callback
        self._holds = hasattr(ctypes, "pythonapi") and core.ingress_event_threads_watch(_on_end, None) == 0
        # a thread that ends later must not call a Python that has ended
        atexit.register(self.close)

    def keep(self) -> None:
        """Hold the state of the calling event thread, at the begin of each callback."""
        if self._holds and not _held.yes:
            _held.yes = True
            ctypes.pythonapi.PyGILState_Ensure()

    def close(self) -> None:
        """Hold no more states, and leave those that are held to the end of the process."""
        if self._holds:
            self._holds = False
            self._core.ingress_event_threads_unwatch(_on_end, None)
