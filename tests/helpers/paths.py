# SPDX-License-Identifier: BSD-3-Clause
"""Where the tree under test is, and what was built from it."""

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("FERRY_BUILD", ROOT / "build"))

_DEFINED = re.search(r'#define FERRY_VERSION "(.*)"', (ROOT / "include/ferry/batch.h").read_text())
assert _DEFINED
VERSION = _DEFINED[1]
