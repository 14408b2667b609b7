# SPDX-License-Identifier: BSD-3-Clause
"""Ferry's OpenMP runtime for Python programs.

`python -m ferry_openmp app.py` runs a program with it. `enable()` turns it on in a running process, as far as the
libraries that are already loaded allow. `doctor()` says which pools of threads this process has and which of them Ferry
serves.
"""

from ferry_openmp.diagnosis import Report, doctor
from ferry_openmp.enabling import Enabled, enable
from ferry_openmp.files import library

__version__ = "0.2.0"
__all__ = ["Enabled", "Report", "doctor", "enable", "library"]
