# SPDX-License-Identifier: BSD-3-Clause
"""Make threadpoolctl find and steer Ferry's runtime, and leave out the runtimes that Ferry replaces.

Without this, threadpoolctl lists the copies of libgomp that wheels bring, and sets their numbers of threads, which have
no effect any more.
"""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from ferry_openmp import pools
from ferry_openmp.files import RUNTIME

_MARK = "_ferry_openmp"


def _controller(threadpoolctl: ModuleType) -> type:
    """Make the controller's class, whose base is threadpoolctl's."""

    def get_num_threads(self: Any) -> int:
        return int(self.dynlib.omp_get_max_threads())

    def set_num_threads(self: Any, number: int) -> None:
        self.dynlib.omp_set_num_threads(number)

    def get_version(self: Any) -> None:
        return None

    return type(
        "FerryController",
        (threadpoolctl.LibController,),
        {
            "__doc__": "Controller class for Ferry's OpenMP runtime",
            "user_api": "openmp",
            "internal_api": "ferry",
            "filename_prefixes": (RUNTIME.partition(".")[0],),
            "check_symbols": (pools.OURS,),
            "get_num_threads": get_num_threads,
            "set_num_threads": set_num_threads,
            "get_version": get_version,
        },
    )


def _leave_out_replaced(threadpoolctl: ModuleType) -> None:
    """Wrap a private method that takes a library's path (since 3.0): no public one leaves a library out."""
    owner = threadpoolctl.ThreadpoolController
    make = getattr(owner, "_make_controller_from_path", None)
    if make is None:
        return

    @functools.wraps(make)
    def made(self: Any, path: str, *rest: Any, **named: Any) -> Any:
        return None if pools.NAMES.search(path) and pools.replaced(path) else make(self, path, *rest, **named)

    owner._make_controller_from_path = made


def teach(threadpoolctl: ModuleType) -> None:
    """Register the controller, once."""
    if getattr(threadpoolctl, _MARK, False) or not hasattr(threadpoolctl, "register"):
        return
    setattr(threadpoolctl, _MARK, True)
    threadpoolctl.register(_controller(threadpoolctl))
    _leave_out_replaced(threadpoolctl)
