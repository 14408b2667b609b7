# SPDX-License-Identifier: BSD-3-Clause
"""One virtual environment with the wheel, for all tests of this folder.

`make wheels-test` names the files of collect_ignore, which are then run.
"""

import fcntl
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from wheels.installed import Installed, build_wheel, compile_library

collect_ignore = ["test_blas.py", "test_blas_programs.py"]
#: What test programs load, by name.
LIBRARIES = {"user": "libuser.so", "openblas": "libfake_openblas.so", "gomp": "libgomp-0123abcd.so.1"}


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    # pytest gives each of its workers a folder in one that they share
    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if os.environ.get("PYTEST_XDIST_WORKER") else shared
    folder = shared / "ferry-openmp"
    with (shared / "ferry-openmp.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".done").exists():
            install(folder)
            (folder / ".done").touch()
    return Installed(folder, {name: folder / file for name, file in LIBRARIES.items()})


def install(folder: Path) -> None:
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
    (folder / LIBRARIES["gomp"]).write_bytes(Path(gomp.stdout.strip()).read_bytes())
    compile_library("user", folder, "-fopenmp")
    compile_library("fake_openblas", folder)
