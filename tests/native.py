# SPDX-License-Identifier: BSD-3-Clause
"""The builds that native programs are tested in, and their environment."""

import os
from pathlib import Path

from paths import BUILD

SANITIZED = ("address", "thread")
#: What makes a sanitizer's finding a failure of the program.
SANITIZER_ENVIRONMENT = {
    "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0:exitcode=99",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1:exitcode=99",
    "TSAN_OPTIONS": "halt_on_error=1:exitcode=99",
}


def builds() -> dict[str, Path]:
    """Every build the native tests run in, by name."""
    return {"plain": BUILD} | {name: BUILD / name for name in SANITIZED}


def native_environment() -> dict[str, str]:
    """The environment of native test programs, without what a user's shell may carry in."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("BATCH_")}
    return clean | SANITIZER_ENVIRONMENT | {"CMOCKA_MESSAGE_OUTPUT": "TAP"}
