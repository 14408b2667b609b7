# SPDX-License-Identifier: BSD-3-Clause
"""What each Python process that Ferry serves does: it watches for imports after which there is something to do.

`ferry_openmp.pth` imports this module when an interpreter starts whose environment has FERRY_OPENMP=1, also in the
children of multiprocessing. Nothing else is imported at that time, and a failure here must never end the program.
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


#: What to do after a module was imported. The second table is for OpenBLAS, if that is wanted: numpy and scipy load one
#: each.
AFTER: dict[str, Callable[[ModuleType], None]] = {"threadpoolctl": _teach}
AFTER_FOR_BLAS: dict[str, Callable[[ModuleType], None]] = {"numpy": _adopt, "scipy.linalg": _adopt}


def _do(name: str, module: ModuleType) -> None:
    try:
        AFTER[name](module)
    except Exception as error:  # the program runs on without
        sys.stderr.write(f"ferry_openmp: {name} keeps its own threads: {error}\n")


class ImportWatcher(importlib.abc.MetaPathFinder):
    """Finds no module itself: it lets the other finders load the modules of AFTER, and then acts."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return what the other finders find, with a loader that acts after the module has run."""
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
    """Act on the modules that are imported already, and watch for the others. Once OpenBLAS is wanted, it stays so."""
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
