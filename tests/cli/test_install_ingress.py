# SPDX-License-Identifier: BSD-3-Clause
"""What `make install` has for libraries behind a thread: each language's part is used from the prefix alone."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from installed import check_output
from paths import BUILD, ROOT

INGRESS = ROOT / "tests" / "ingress"
LIBRARY = """\
import ferry

type Sum = ref object
  total: int64

proc create(): Sum {.ferryConstructor.} =
  ## Start with 0.
  Sum()

proc destroy(sum: Sum) {.ferryDestructor.} =
  ## End.
  sum.total = 0

proc add(sum: Sum; value: int64): int64 {.ferryMethod.} =
  ## Add, and give the sum.
  sum.total += value
  sum.total

ferryLibrary adder, "0.1.0":
  ## Adds up.
"""
PYTHON = """\
from adder import Adder
with Adder.create() as made:
    made.add(40)
    print(made.add(2))
"""
RUST = """\
fn main() {
    let echo = echo::Echo::create(&echo::Options::new(), "hello, ");
    let echo = echo.wait(std::time::Duration::from_secs(60)).unwrap();
    let request = echo::EchoRequest { message: "world".to_owned(), delay_ms: 0 };
    println!("{}", echo.echo(&request).wait(std::time::Duration::from_secs(60)).unwrap().echoed);
}
"""


def flags(prefix: Path, *arguments: str) -> list[str]:
    """What pkg-config says about the installed core."""
    return check_output(
        ["pkg-config", *arguments, "ferryingress"],
        PKG_CONFIG_PATH=f"{prefix}/lib/pkgconfig",
        PKG_CONFIG_ALLOW_SYSTEM_CFLAGS="1",
    ).split()


def test_a_program_in_c_is_built(prefix: Path, tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "#include <stdio.h>\n#include <ferry/ingress_provider.h>\n#include <ferry/wire_c.h>\n"
        "int main(void)\n{\n\treturn puts(ingress_status_text(INGRESS_CLOSED)) < 0;\n}\n"
    )
    output = tmp_path / "program"
    check_output(["cc", "-Wall", "-Werror", source, "-o", output, *flags(prefix, "--cflags", "--libs")])
    assert "destroyed" in check_output([output], LD_LIBRARY_PATH=f"{prefix}/lib")


def test_a_library_in_nim_is_called_from_python(prefix: Path, tmp_path: Path) -> None:
    nim = shutil.which("nim") or str(BUILD / "nim" / "bookworm" / "bin" / "nim")
    source = tmp_path / "adder.nim"
    source.write_text(LIBRARY)
    check_output(
        [
            nim, "c", "--hints:off", "--mm:orc", "--app:lib", "--threads:on", "-d:noSignalHandler",
            f"-p:{prefix}/share/ferry/nim/src", f"--nimcache:{tmp_path}/cache",
            f"-d:ferryInterface={tmp_path}/adder.json", f"-o:{tmp_path}/libadder.so",
            f"--passC:{' '.join(flags(prefix, '--cflags'))}", f"--passL:{' '.join(flags(prefix, '--libs'))}",
            source,
        ],
        HOME=str(tmp_path),
    )  # fmt: skip
    ferry = prefix / "bin" / "ferry"
    # ruff, which lays the code out, is no part of what is installed
    tools = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    check_output([ferry, "bindgen", tmp_path / "adder.json", "--lang", "python", "--out", tmp_path], PATH=tools)
    said = check_output(
        [sys.executable, "-B", "-W", "error", "-c", PYTHON],
        PYTHONPATH=f"{prefix}/share/ferry/python/src:{tmp_path}/src",
        ADDER_LIBRARY=f"{tmp_path}/libadder.so",
        FERRY_INGRESS_LIBRARY=f"{prefix}/lib/libferryingress.so.0",
    )
    assert said == "42\n"


def test_a_crate_stands_on_the_installed_one(prefix: Path, tmp_path: Path) -> None:
    shutil.copytree(INGRESS / "rust" / "echo", tmp_path / "echo")
    manifest = tmp_path / "echo" / "Cargo.toml"
    text = manifest.read_text()
    ours = 'path = "../../../../hosts/rust/ferry-ingress"'
    assert ours in text
    manifest.write_text(text.replace(ours, f'path = "{prefix}/share/ferry/rust/ferry-ingress"'))
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.rs").write_text(RUST)
    (tmp_path / "Cargo.toml").write_text(
        '[package]\nname = "hello"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\necho = { path = "echo" }\n'
    )
    cargo = "/usr/bin/cargo" if Path("/usr/bin/cargo").exists() else "cargo"
    variables = {
        "PATH": "/usr/bin:/bin",
        "CARGO_NET_OFFLINE": "true",
        "CARGO_TARGET_DIR": str(tmp_path / "target"),
        "PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig",
        "ECHO_LIB_DIR": str(BUILD / "nim" / "lib"),
    }
    check_output([cargo, "build", "--quiet", "--manifest-path", tmp_path / "Cargo.toml"], **variables)
    program = tmp_path / "target" / "debug" / "hello"
    assert check_output([program], LD_LIBRARY_PATH=f"{prefix}/lib:{BUILD}/nim/lib") == "hello, world\n"


@pytest.mark.parametrize("name", ["ingress-cpp", "codec-cpp", "ingress"])
def test_benchmarks_find_their_libraries(prefix: Path, name: str) -> None:
    program = prefix / "lib" / "ferry" / "bench" / name
    shown = check_output(["ldd", program])
    assert "not found" not in shown
    assert str(BUILD) not in shown
    assert "Usage" in check_output([program, "--help"])


def test_nothing_but_sources_is_there(prefix: Path) -> None:
    shared = prefix / "share" / "ferry"
    files = [path for name in ("nim", "rust", "python") for path in (shared / name).rglob("*") if path.is_file()]
    kept = subprocess.run(["git", "ls-files", "nim/src", "hosts"], capture_output=True, text=True, cwd=ROOT, check=True)
    assert {path.name for path in files} <= {Path(line).name for line in kept.stdout.splitlines()} | {"ferry.nimble"}
    assert len(files) > 30
