# SPDX-License-Identifier: BSD-3-Clause
"""What each Python process does that Ferry serves: it watches for the imports after which there is something to do.

`ferry_openmp.pth` imports this module at the start of an interpreter whose environment says so, also in the children of
multiprocessing. Nothing else is imported then; a failure here must never end the program.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import os
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any


def _adopt(_module: ModuleType) -> None:
    from ferry_openmp import blas

    blas.adopt()


def _teach(module: ModuleType) -> None:
    from ferry_openmp import controller

    controller.teach(module)


#: What to do once a module was imported; for OpenBLAS if it is wanted: numpy and scipy load one each.
AFTER: dict[str, Callable[[ModuleType], None]] = {"threadpoolctl": _teach}
AFTER_FOR_BLAS: dict[str, Callable[[ModuleType], None]] = {"numpy": _adopt, "scipy.linalg": _adopt}


def _do(name: str, module: ModuleType) -> None:
    try:
        AFTER[name](module)
    except Exception as error:  # the program runs on without
        sys.stderr.write(f"ferry_openmp: {name} keeps its own threads: {error}\n")


class ImportWatcher(importlib.abc.MetaPathFinder):
    """Finds nothing by itself: it has the modules of AFTER loaded by whoever finds them, and then acts."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return what the other finders find, with a loader that tells us."""
        if fullname not in AFTER:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(fullname, path, target) if find and finder is not self else None
            if spec is not None:
                _follow(spec, fullname)
                return spec  # type: ignore[no-any-return]
        return None


def _follow(spec: Any, name: str) -> None:
    """Act after a module's code has run; the loader stays the same object."""
    loader = spec.loader
    execute = getattr(loader, "exec_module", None)
    if execute is None:
        return

    def exec_module(module: ModuleType) -> None:
        execute(module)
        _do(name, module)

    try:
        loader.exec_module = exec_module
    except AttributeError:  # a loader that takes no attributes: enable() acts later
        return


def watch(with_blas: bool) -> None:
    """Act on what was imported, and watch for the rest; OpenBLAS stays wanted once it was."""
    if with_blas:
        AFTER.update(AFTER_FOR_BLAS)
    for name in AFTER:
        module = sys.modules.get(name)
        if module is not None:
            _do(name, module)
    if not any(isinstance(finder, ImportWatcher) for finder in sys.meta_path):
        sys.meta_path.insert(0, ImportWatcher())


def begin() -> None:
    """Begin in an interpreter that was started with Ferry."""
    try:
        from ferry_openmp import files

        watch(files.wants_blas(os.environ))
    except Exception as error:
        sys.stderr.write(f"ferry_openmp: not active in this process: {error}\n")
