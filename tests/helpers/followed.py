# SPDX-License-Identifier: BSD-3-Clause
"""What tests do that follow a page of docs line by line: its programs, and the commands that build and run them."""

import os
import re
import subprocess
from pathlib import Path


def block(text: str, language: str) -> str:
    """Return the one block of the page in this language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)
    return str(found)


def run(*command: str | Path, **environment: str) -> str:
    """Run a command, which has to succeed, and return what it prints."""
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, env=os.environ | environment, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
