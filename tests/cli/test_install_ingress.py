# SPDX-License-Identifier: BSD-3-Clause
"""What `make install` has for libraries behind a thread: each language's part is used from the prefix alone."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from installed import check_output
from paths import BUILD, ROOT

#: What `ferry bindgen` writes for the echo library.
ECHO = ROOT / "build" / "echo"
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
    assert "was closed" in check_output([output], LD_LIBRARY_PATH=f"{prefix}/lib")


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
    shutil.copytree(ECHO / "rust", tmp_path / "echo")
    manifest = tmp_path / "echo" / "Cargo.toml"
    text = manifest.read_text()
    ours = 'path = "../../../hosts/rust/ferry-ingress"'
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


C = """\
#include <stdio.h>
#include <echo.h>

int main(void)
{
	struct echo_version_reply reply;
	int failed = echo_version(INGRESS_FOREVER, &reply);

	puts(failed ? reply.message.data : reply.value.data);
	echo_version_reply_free(&reply);
	return failed != 0;
}
"""
CPP = """\
#include <echo.hpp>
#include <iostream>

int main()
{
	std::cout << echo::Context::version() << std::endl;
}
"""
CMAKE = """\
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C CXX)
add_subdirectory({c} c)
add_subdirectory({cpp} cpp)
add_executable(in_c program.c)
target_link_libraries(in_c echo::c)
add_executable(in_cpp program.cpp)
target_link_libraries(in_cpp echo::echo)
"""
PROGRAMS = {"in_c": ("program.c", C), "in_cpp": ("program.cpp", CPP)}


def library_folder() -> Path:
    """Where the echo library in C++ is, which is built without Nim."""
    return BUILD / "lib" / "echo-cpp"


def test_generated_bindings_are_a_part_of_a_cmake_project(prefix: Path, tmp_path: Path) -> None:
    for name, text in PROGRAMS.values():
        (tmp_path / name).write_text(text)
    folders = {"c": ECHO / "c", "cpp": ECHO / "cpp"}
    (tmp_path / "CMakeLists.txt").write_text(CMAKE.format(**folders))
    variables = {
        "PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig",
        "CMAKE_PREFIX_PATH": str(prefix),
        "PATH": "/usr/bin:/bin",
    }
    options = (f"-DCMAKE_LIBRARY_PATH={library_folder()}", "-Wno-dev")
    check_output(["cmake", "-S", tmp_path, "-B", tmp_path / "build", *options], **variables)
    check_output(["cmake", "--build", tmp_path / "build"], **variables)
    for program in PROGRAMS:
        found = check_output([tmp_path / "build" / program], LD_LIBRARY_PATH=f"{prefix}/lib:{library_folder()}")
        assert found == "0.1.0\n"


def test_installed_bindings_are_found_by_pkg_config(prefix: Path, tmp_path: Path) -> None:
    variables = {
        "PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig:{tmp_path}/user/lib/pkgconfig",
        "CMAKE_PREFIX_PATH": str(prefix),
        "PATH": "/usr/bin:/bin",
    }
    for number, (program, source) in enumerate({"in_c": ECHO / "c", "in_cpp": ECHO / "cpp"}.items()):
        build = tmp_path / f"build{number}"
        options = (
            f"-DCMAKE_LIBRARY_PATH={library_folder()}", f"-DCMAKE_INSTALL_PREFIX={tmp_path}/user",
            "-DCMAKE_INSTALL_LIBDIR=lib",
        )  # fmt: skip
        check_output(["cmake", "-S", source, "-B", build, *options], **variables)
        check_output(["cmake", "--install", build], **variables)
        name, text = PROGRAMS[program]
        (tmp_path / name).write_text(text)
        package = "echo" if program == "in_c" else "echo-cpp"
        said = check_output(["pkg-config", "--cflags", "--libs", package], **variables).split()
        compiler = ["cc"] if program == "in_c" else ["c++", "-std=c++17"]
        output = tmp_path / program
        check_output([*compiler, tmp_path / name, "-o", output, *said, f"-L{library_folder()}"], **variables)
        assert check_output([output], LD_LIBRARY_PATH=f"{prefix}/lib:{library_folder()}") == "0.1.0\n"


def test_the_python_packages_are_installed_by_pip(prefix: Path, tmp_path: Path) -> None:
    """Into an environment that has nothing else, from wheels that pinned tools build: nothing is fetched."""
    check_output([sys.executable, "-m", "venv", tmp_path / "environment"])
    python = tmp_path / "environment" / "bin" / "python"
    pip: tuple[str, ...] = ("-m", "pip", "--quiet", "--disable-pip-version-check")
    for name, source in {"host": prefix / "share" / "ferry" / "python", "echo": ECHO / "python"}.items():
        copy = tmp_path / name  # setuptools writes beside its sources
        shutil.copytree(source, copy)
        options = ("--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", tmp_path / "wheels")
        check_output([sys.executable, *pip, "wheel", *options, copy])
    check_output([python, *pip, "install", "--no-index", "--find-links", tmp_path / "wheels", "echo"])
    said = check_output(
        [python, "-W", "error", "-c", "import echo, ferry_ingress; print(echo.Echo.version(), ferry_ingress.__file__)"],
        ECHO_LIBRARY=str(library_folder() / "libecho.so"),
        FERRY_INGRESS_LIBRARY=f"{prefix}/lib/libferryingress.so.0",
    )
    version, file = said.split()
    assert version == "0.1.0"
    assert Path(file).is_relative_to(tmp_path / "environment")
    assert (Path(file).parent / "py.typed").exists()


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
