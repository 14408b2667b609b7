# SPDX-License-Identifier: BSD-3-Clause
"""The C++ binding: whatever a library calls its things, it compiles without a warning; CMake finds and installs it."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import compile_cpp
import pytest
from bindgen import instances
from ferry.bindgen import cpp, generate, names, reader, reserved
from ferry.bindgen.hash import interface_hash
from ferry.bindgen.language import Options
from ferry.bindgen.model import Interface
from paths import BUILD, ROOT

ECHO = ROOT / "examples" / "echo" / "echo.json"
WARNINGS = ("-std=c++17", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror")
SECONDS = 300
#: How much more than the standard headers a file takes that calls two methods of the echo library: it was 4.8 while a
#: compiler had to look at the bodies of all methods, and is 1.8.
MEMORY_MOST = 2.2

#: Headers that a program is likely to include beside a binding.
SYSTEM_HEADERS = sorted(
    names.listed("""
        aio.h arpa/inet.h dirent.h fcntl.h grp.h locale.h mqueue.h netdb.h netinet/in.h poll.h pthread.h
        pwd.h sched.h signal.h stdio.h stdlib.h string.h sys/epoll.h sys/file.h sys/inotify.h sys/mman.h
        sys/resource.h sys/socket.h sys/stat.h sys/statvfs.h sys/sysinfo.h sys/time.h sys/times.h sys/uio.h
        sys/un.h sys/utsname.h sys/wait.h termios.h time.h ucontext.h unistd.h utime.h wchar.h
    """)
)

PROGRAM = """\
#include <echo.hpp>
int main()
{
	return echo::Context::create("hi ").echo({ "you", 0 }).echoed == "hi you" ? 0 : 1;
}
"""


def run(*command: str | Path, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, timeout=SECONDS, env=os.environ | (environment or {})
    )
    assert done.returncode == 0, done.stdout + done.stderr


def compiles(compiler: str, header: Path, folder: Path) -> None:
    """Compile a binding with every function that it has."""
    (folder / "all.cpp").write_text(f"#include <{header.name}>\n{instances.of(header)}")
    run(
        compiler, *WARNINGS, f"-I{ROOT / 'include'}", f"-I{header.parent}", "-fsyntax-only", folder / "all.cpp"
    )  # fmt: skip


def parsed(description: dict[str, Any]) -> Interface:
    description["hash"] = interface_hash(description)
    return reader.parse(json.dumps(description).encode())


def small(name: str = "awkward", **lists: list[dict[str, Any]]) -> dict[str, Any]:
    empty: dict[str, Any] = {"constants": [], "types": [], "methods": [], "events": []}
    library = {"name": name, "version": "one", "doc": "Its text */ ends /* a comment."}
    return {"ferry_interface": 1, "library": library, "hash": "", **empty, **lists}


def awkward() -> Interface:
    """An interface whose names are C++'s own, or those of the binding."""
    fields = [{"name": name, "type": "u8"} for name in ("class", "register", "timeout", "value", "link", "fields")]
    deep, maybe = {"map": ["u64", {"seq": {"object": "Link"}}]}, {"option": {"object": "Context"}}
    handle = {"name": "closer", "type": {"handle": "Library"}}
    request = [{"name": "timeout", "type": "string"}, {"name": "callback", "type": {"seq": "u8"}}]

    def method(name: str, kind: str = "method", params: Any = (), returns: Any = None) -> dict[str, Any]:
        return {"name": name, "kind": kind, "params": list(params), "returns": returns, "doc": "Ends */ here."}

    return parsed(
        small(
            constants=[
                {"name": "int", "type": "f32", "value": "nan"},
                {"name": "library", "type": "f64", "value": "1e3"},
            ],
            types=[
                {"kind": "enum", "name": "Wire", "values": [{"name": "default", "value": -(1 << 31)}]},
                {"kind": "object", "name": "Context", "fields": fields},
                {"kind": "object", "name": "Link", "fields": [{"name": "deep", "type": deep}]},
                {"kind": "handle", "name": "Library"},
                {"kind": "handle", "name": "Unclosed"},
            ],
            methods=[
                method("new", "constructor", request),
                method("delete", "destructor"),
                method("link", params=[{"name": "this", "type": maybe}], returns={"object": "Link"}),
                method("try_link"),
                method("link_future", returns={"handle": "Unclosed"}),
                method("open", returns={"handle": "Library"}),
                method("end_library", params=[handle]),
                method("id", params=[handle, {"name": "id", "type": {"enum": "Wire"}}], returns={"handle": "Library"}),
                method("union", "static", request, "bytes"),
            ],
            events=[{"name": "link", "type": None, "overflow": "coalesce", "depth": 0}],
        )
    )  # fmt: skip


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_any_names_compile(tmp_path: Path, compiler: str) -> None:
    generate.write(generate.render(awkward(), cpp.LANGUAGE, Options("cbor", "MIT", "awkward.json")), tmp_path)
    compiles(compiler, tmp_path / "include" / "awkward.hpp", tmp_path)


def test_a_file_that_calls_two_methods_compiles_soon() -> None:
    """What g++ hands out as memory stands for its time, which is never twice the same: bench/compile_cpp.py."""
    (echo,) = (one for one in compile_cpp.bindings(BUILD) if one.name == "echo")
    assert compile_cpp.megabytes(echo.program, *echo.flags) / compile_cpp.megabytes(echo.standard) < MEMORY_MOST


def test_a_namespace_is_called_like_no_struct_of_the_c_library() -> None:
    """A library `flock` is in the namespace `flock_`: beside `struct flock` there can be no namespace `flock`."""
    included = "".join(f"#include <{header}>\n" for header in SYSTEM_HEADERS)
    command = ["gcc", "-D_GNU_SOURCE", "-E", "-x", "c", "-"]
    text = subprocess.run(command, input=included, capture_output=True, text=True, timeout=SECONDS, check=True).stdout
    tags = set(re.findall(r"\b(?:struct|union|enum)\s+([a-z]\w*)", text))
    assert {"flock", "obstack", "epoll_event"} <= tags
    assert tags - reserved.CPP_GLOBALS - reserved.C_GLOBALS == set()
    assert cpp.Binding(parsed(small("flock"))).namespace == "flock_"


def test_a_library_without_contexts_compiles(tmp_path: Path) -> None:
    static = {"name": "now", "kind": "static", "params": [], "returns": "i64"}
    files = generate.render(parsed(small("clock", methods=[static])), cpp.LANGUAGE, Options("c", "MIT", "clock.json"))
    generate.write(files, tmp_path)
    compiles("g++", tmp_path / "include" / "clock.hpp", tmp_path)


def test_what_closes_a_handle() -> None:
    made = {one.handle.name: one.close.name for one in cpp.Binding(awkward()).handle_classes}
    assert made == {"Library": "end_library"}
    echo = {one.handle.name: one.close.name for one in cpp.Binding(reader.read(ECHO)).handle_classes}
    assert echo == {"Reader": "close"}


def test_cmake_builds_installs_and_finds(tmp_path: Path) -> None:
    """What is installed is found by CMake and by pkg-config, and a program runs with it."""
    packages, prefix = tmp_path / "packages", tmp_path / "prefix"
    packages.mkdir()
    (packages / "ferryingress.pc").write_text(
        "Name: ferryingress\nDescription: as built\nVersion: 0\n"
        f"Libs: -L{BUILD / 'lib'} -lferryingress -Wl,-rpath,{BUILD / 'lib'}\nCflags: -I{ROOT / 'include'}\n"
    )
    environment = {"PKG_CONFIG_PATH": f"{packages}:{prefix}/lib/pkgconfig"}
    library = f"-DECHO_LIBRARY={BUILD / 'lib' / 'echo-cpp' / 'libecho.so'}"
    common = (f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DCMAKE_INSTALL_LIBDIR=lib", library)
    run("cmake", "-S", ROOT / "build/echo/cpp", "-B", tmp_path / "binding", *common, environment=environment)
    run("cmake", "--install", tmp_path / "binding", environment=environment)
    host = tmp_path / "host"
    host.mkdir()
    (host / "main.cpp").write_text(PROGRAM)
    (host / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(host LANGUAGES CXX)\nfind_package(echo REQUIRED)\n"
        "add_executable(host main.cpp)\ntarget_link_libraries(host PRIVATE echo::echo)\n"
    )
    run("cmake", "-S", host, "-B", host / "build", f"-DCMAKE_PREFIX_PATH={prefix}", library, environment=environment)
    run("cmake", "--build", host / "build", environment=environment)
    run(host / "build" / "host")
    run("pkg-config", "--cflags", "--libs", "echo-cpp", environment=environment)
