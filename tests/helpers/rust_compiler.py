# SPDX-License-Identifier: BSD-3-Clause
"""Small libraries in Rust, which are compiled without a crate of their own."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from paths import BUILD, CARGO, ROOT

BUILD_TIMEOUT_S = 600
PATIENCE_S = 60
DEBUG = BUILD / "rust" / "debug"


@cache
def build_attributes() -> None:
    """Build the attributes: where they lie is only up to date when cargo has looked at them."""
    command = (CARGO, BUILD, "build", "--quiet", "--package", "ferry-ingress-provider")
    subprocess.run(command, check=True, timeout=BUILD_TIMEOUT_S)


def compile_rust(source: Path, *options: str | Path, crate_type: str = "lib") -> subprocess.CompletedProcess[str]:
    """Compile a file that has the attributes, by the compiler that has built them."""
    rustc = Path("/usr/bin/rustc")
    command: list[str | Path] = [rustc if rustc.exists() else "rustc", "--edition", "2021", "--crate-type", crate_type]
    command += ["--extern", f"ferry={DEBUG / 'libferry_ingress_provider.rlib'}", "-L", DEBUG / "deps"]
    return subprocess.run([*command, *options, source], capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def make_library(source: Path, folder: Path) -> Path:
    """Compile a library into a folder, and write its binding for Python beside it."""
    build_attributes()
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / f"lib{source.stem}.so"
    done = compile_rust(source, "-L", BUILD / "lib", "-o", made, crate_type="cdylib")
    assert done.returncode == 0, done.stderr
    path = os.environ | {"PYTHONPATH": str(ROOT / "tools/ferry/src")}
    command = [sys.executable, "-m", "ferry", "bindgen", "--lang", "python", "--out", str(folder / "python"), str(made)]
    subprocess.run(command, env=path, check=True, capture_output=True, timeout=PATIENCE_S)
    return made
