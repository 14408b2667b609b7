# SPDX-License-Identifier: BSD-3-Clause
"""dkms.conf, read by Debian's dkms, which lies in a folder of its own and installs nothing."""

import subprocess
from pathlib import Path

import pytest
from paths import BUILD, ROOT, VERSION
from vm.debian import Archive, Fetched
from vm.kernels import KERNELS, RELEASES, SHORT
from vm.say import UnavailableError

MODULE = f"ferry-batch/{VERSION}"
DKMS_TIMEOUT_S = 900


@pytest.fixture(scope="module")
def fetched() -> Fetched:
    try:
        archive = Archive(BUILD / "kernel")
        archive.unpack("dkms", BUILD / "kernel" / "dkms")
        return archive.kernel(RELEASES[KERNELS[SHORT].series])
    except UnavailableError as error:
        pytest.skip(str(error).splitlines()[0])


def dkms(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run dkms with everything that it keeps in `folder`."""
    places: list[str | Path] = []
    for option, name in (("--dkmstree", "tree"), ("--sourcetree", "source"), ("--installtree", "installed")):
        (folder / name).mkdir(exist_ok=True)
        places += [option, folder / name]
    return subprocess.run(
        ["bash", BUILD / "kernel" / "dkms" / "usr" / "sbin" / "dkms", *arguments, *places],
        capture_output=True,
        text=True,
        timeout=DKMS_TIMEOUT_S,
    )


def test_it_builds_the_module(fetched: Fetched, tmp_path: Path) -> None:
    added = dkms(tmp_path, "add", ROOT / "kernel")
    assert added.returncode == 0, added.stdout + added.stderr
    built = dkms(tmp_path, "build", MODULE, "-k", fetched.version, "--kernelsourcedir", fetched.headers)
    logs = "".join(log.read_text() for log in tmp_path.glob("tree/**/make.log"))
    assert built.returncode == 0, built.stdout + built.stderr + logs
    assert "warning:" not in logs
    assert [file.stem for file in tmp_path.glob("tree/**/module/*.ko*")] == ["batch"]


def test_a_kernel_with_the_system_call_is_left_out(fetched: Fetched, tmp_path: Path) -> None:
    headers = tmp_path / "headers"
    headers.mkdir()
    wanted = "CONFIG_KPROBES=y\nCONFIG_KALLSYMS=y\n"
    (headers / ".config").write_text(wanted + "CONFIG_BATCH=y\n")
    dkms(tmp_path, "add", ROOT / "kernel")
    built = dkms(tmp_path, "build", MODULE, "-k", fetched.version, "--kernelsourcedir", headers)
    assert built.returncode != 0
    assert "BUILD_EXCLUSIVE" in built.stdout + built.stderr
