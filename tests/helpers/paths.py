# SPDX-License-Identifier: BSD-3-Clause
"""Where the tree under test is, and what was built from it."""

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("FERRY_BUILD", ROOT / "build"))
#: Cargo and go with the hosts of this tree, without a registry. The first argument is BUILD, the others are theirs.
CARGO = ROOT / "scripts/compile/rust.sh"
GO = ROOT / "scripts/compile/go.sh"

_DEFINED = re.search(r'#define FERRY_VERSION "(.*)"', (ROOT / "include/ferry/batch.h").read_text())
assert _DEFINED
VERSION = _DEFINED[1]
