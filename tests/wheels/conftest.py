# SPDX-License-Identifier: BSD-3-Clause
"""One virtual environment with the wheel, for all tests of this folder."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from wheels.installed import Installed, build_wheel, compile_library


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("ferry-openmp")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    site = next((folder / "venv" / "lib").glob("python*")) / "site-packages"
    (site / "beside.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    pip: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        folder / "venv" / "bin" / "python",
        "install",
        "--quiet",
    ]
    subprocess.run([*pip, "--no-index", "--disable-pip-version-check", build_wheel(folder)], check=True)
    gomp = subprocess.run(["gcc", "-print-file-name=libgomp.so.1"], capture_output=True, text=True, check=True)
    copy = folder / "libgomp-0123abcd.so.1"
    copy.write_bytes(Path(gomp.stdout.strip()).read_bytes())
    libraries = {
        "user": compile_library("user", folder, "-fopenmp"),
        "openblas": compile_library("fake_openblas", folder),
        "gomp": copy,
    }
    return Installed(folder, libraries)
