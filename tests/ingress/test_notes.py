# SPDX-License-Identifier: BSD-3-Clause
"""The notes: a library over SQLite in Nim, C and Haskell, and what people run on it. Folders and files are real."""

import contextlib
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import haskell_library
import pytest
from native import make, native_environment
from paths import BUILD, ROOT

NOTES = ROOT / "examples" / "notes"
#: The folder of each library: what is written in Nim, and the same in C and in Haskell.
LIBRARIES = {
    "nim": BUILD / "nim" / "lib",
    "c": BUILD / "lib" / "notes-c",
    "haskell": BUILD / "lib" / "notes-haskell",
}
#: What is committed of its bindings: language -> folder, and more options.
BINDINGS = {
    "cpp": ("cpp/binding",),
    "python": ("python/binding",),
    "rust": ("rust/binding", "--runtime", "../../../../hosts/rust/ferry-ingress"),
}
SERVICE = BUILD / "rust" / "debug" / "notes-service"
#: Waits for what other processes do are bounded, so that a fault is a failure and not a hang.
PATIENCE_S = 120.0
DIGEST = {
    "FERRY_INGRESS_LIBRARY": str(BUILD / "lib" / "libferryingress.so.0"),
    "PYTHONPATH": f"{ROOT}/hosts/python/src:{NOTES}/python/binding/src",
}


def run(*command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    words = list(map(str, command))
    environment = os.environ | variables
    return subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S, env=environment, cwd=ROOT)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Some notes, and files that are none."""
    home = tmp_path / "notes"
    (home / "deep").mkdir(parents=True)
    (home / "ferry.md").write_text("# Ferry\n\nMany calls, one crossing. #boat #work\n")
    (home / "deep" / "tea.txt").write_text("Naïve crossing of the kitchen. #work\n")
    (home / "image.png").write_bytes(b"crossing")
    (home / "broken.md").write_bytes(b"\xff crossing")
    return home


def built(name: str) -> Path:
    """Return the folder of a library, which is made where it is in Haskell: only `make test` has made that before."""
    home = LIBRARIES[name]
    if name == "haskell":
        if haskell_library.why_no_ghc():
            pytest.skip(haskell_library.why_no_ghc())
        make(BUILD, home / "libnotes.so")
    assert (home / "libnotes.so").exists(), "run `make nim ingress-tests`"
    return home


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> Path:
    """The folder with libnotes.so."""
    return built(request.param)


def loaded_from(library: Path) -> dict[str, str]:
    """The environment in which a program in C++ or Rust loads that library."""
    return {**os.environ, **native_environment(), "LD_LIBRARY_PATH": f"{BUILD / 'lib'}:{library}"}


def compile_nim(source: str, output: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """With the compiler that still has db_sqlite."""
    nim = BUILD / "nim" / "bookworm" / "bin" / "nim"
    fetched = run("scripts/compile/nim.sh", "bookworm", BUILD / "nim" / "bookworm")
    if fetched.returncode == 3:
        pytest.skip(fetched.stderr.strip().splitlines()[-1])
    options = ["--hints:off", "--styleCheck:error", "--threads:on", f"-p:{ROOT}/nim/src", f"-o:{output}"]
    return run(nim, "c", *options, f"--nimcache:{output}.cache", *more, NOTES / "nim" / source)


def test_the_index(tmp_path: Path) -> None:
    done = compile_nim("test_index.nim", tmp_path / "test_index")
    assert done.returncode == 0, done.stderr
    done = run(tmp_path / "test_index")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "[FAILED]" not in done.stdout
    assert done.stdout.count("[OK]") >= 9


def test_the_description_is_what_the_compiler_writes(tmp_path: Path) -> None:
    output = tmp_path / "notes.json"
    done = compile_nim("notes.nim", tmp_path / "libnotes.so", "--compileOnly", f"-d:ferryInterface={output}")
    assert done.returncode == 0, done.stderr
    assert json.loads(output.read_text()) == json.loads((NOTES / "notes.json").read_text()), (
        "examples/notes/notes.json has drifted: compile notes.nim with -d:ferryInterface=examples/notes/notes.json"
    )


@pytest.mark.parametrize("lang", BINDINGS)
def test_the_bindings_have_not_drifted(lang: str) -> None:
    out, *more = BINDINGS[lang]
    command = (sys.executable, "-m", "ferry", "bindgen", NOTES / "notes.json", "--lang", lang, "--out", NOTES / out)
    done = run(*command, *more, "--check", PYTHONPATH=str(ROOT / "tools" / "ferry" / "src"))
    assert done.returncode == 0, done.stderr


def digest_environment(library: Path) -> dict[str, str]:
    return native_environment() | DIGEST | {"NOTES_LIBRARY": str(library / "libnotes.so")}


def digest(library: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, NOTES / "python" / "notes_digest.py", *arguments, **digest_environment(library))


#: Files that a library leaves out, and at which byte they are not UTF-8: overlong, a surrogate, too great, alone, cut.
BROKEN = {
    b"ab\xc0\xafcd": 2,
    b"\xe0\x9f\xbf": 0,
    b"a\xed\xa0\x80": 1,
    b"\xc3\xa4\xf4\x90\x80\x80": 2,
    b"\xf0\x8f\xbf\xbf": 0,
    b"abc\x80": 3,
    b"\xe2\x82\xac\xe2\x82": 3,
    b"a\xf0\x9f\x98": 1,
}
#: Notes whose titles and tags take some care.
ODD = (
    b"\n\r\n ## # \r\n# Two # \rmore #odd",
    b"#odd#even #1st #/a #-b (#in) ##x #a-b/c_d \xc2\xa0#no \v#Yes",
    b"#odd #odd #ODD #\xc3\x84",
    b"###\n#odd\n",
    b"##\n",
    b"",
)


@pytest.fixture
def odd_folder(folder: Path) -> Path:
    """The notes, and others that are left out or look strange."""
    for number, text in enumerate(BROKEN):
        (folder / f"broken{number}.md").write_bytes(text)
    for number, text in enumerate(ODD):
        (folder / f"odd{number}.part.MD").write_bytes(text)
    (folder / ".hidden.md").write_text("crossing")
    (folder / "link.md").symlink_to("ferry.md")
    (folder / "around").symlink_to(".")
    return folder


def others(*names: str) -> list[str]:
    return [name for name in LIBRARIES if name not in names]


def said_by(name: str, folder: Path, copy: Path, command: list[str | Path], **variables: str) -> str:
    """Return what a program prints that asks a library about a copy of the folder."""
    shutil.copytree(folder, copy, symlinks=True)
    asked = run(*command, copy, **variables)
    assert asked.returncode == 0, asked.stderr
    shutil.rmtree(copy)
    return asked.stdout.replace(str(copy), name)


@pytest.mark.parametrize("name", others("nim"))
def test_the_libraries_say_the_same(name: str, odd_folder: Path, tmp_path: Path) -> None:
    program: list[str | Path] = [sys.executable, ROOT / "tests/ingress/notes_questions.py"]
    said = {
        each: said_by("", odd_folder, tmp_path / "copy", program, **digest_environment(built(each)))
        for each in ("nim", name)
    }
    assert "«crossing»" in said["nim"]
    for number, wrong in enumerate(BROKEN.values()):
        assert f"broken{number}.md is not UTF-8 at byte {wrong}'" in said["nim"]
    assert said[name] == said["nim"]


def test_a_host_in_c_hears_the_same(folder: Path, tmp_path: Path) -> None:
    command = (sys.executable, "-m", "ferry", "bindgen", NOTES / "notes.json", "--lang", "c", "--out", tmp_path / "c")
    done = run(*command, PYTHONPATH=str(ROOT / "tools" / "ferry" / "src"))
    assert done.returncode == 0, done.stderr
    program = tmp_path / "notes_questions"
    done = run(
        "cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", ROOT / "tests/ingress/notes_questions.c", "-o", program,
        f"-I{tmp_path}/c/include", f"-I{ROOT}/include", f"-L{built('nim')}", "-lnotes", f"-L{BUILD}/lib",
        "-lferryingress",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = {name: said_by("", folder, tmp_path / "copy", [program], **loaded_from(built(name))) for name in LIBRARIES}
    assert "a quotation mark is not closed" in said["nim"]
    assert "crossing: fetched 1\ncrossing: fetched 0\nend: it was done \nfetch: the handle " in said["nim"]
    assert "A crossing by night. #night" in said["nim"]
    assert "'../secret.md' is not a path below the folder" in said["nim"]
    for name in others("nim"):
        assert said[name] == said["nim"], name


def test_a_digest(library: Path, folder: Path) -> None:
    done = digest(library, folder, "--find", "cross*")
    assert done.returncode == 0, done.stderr
    assert "2 notes, " in done.stdout
    assert "#work in 2" in done.stdout
    assert "left out: broken.md: broken.md is not UTF-8 at byte 0" in done.stdout
    assert "deep/tea.txt" in done.stdout
    assert "Naïve «crossing» of the kitchen" in done.stdout
    assert "image.png" not in done.stdout


def test_an_index_in_a_file_is_kept(library: Path, folder: Path, tmp_path: Path) -> None:
    database = tmp_path / "index.sqlite"
    assert digest(library, folder, "--database", database).returncode == 0
    assert database.stat().st_size > 0
    again = digest(library, folder, "--database", database, "--find", "ferry")
    assert again.returncode == 0
    assert "ferry.md" in again.stdout


def test_a_name_that_is_not_utf8_is_left_out(library: Path, folder: Path) -> None:
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.md")).write_text("crossing")
    done = digest(library, folder, "--find", "crossing")
    assert done.returncode == 0, done.stderr
    assert "2 notes, " in done.stdout


def test_faults_are_named(library: Path, folder: Path, tmp_path: Path) -> None:
    missing = digest(library, tmp_path / "nowhere")
    assert missing.returncode == 1
    assert "there is no folder" in missing.stderr
    (tmp_path / "other").write_text("no database")
    other = digest(library, folder, "--database", tmp_path / "other")
    assert other.returncode == 1
    assert "other' cannot be used as an index: file is not a database" in other.stderr
    query = digest(library, folder, "--find", '"open')
    assert query.returncode == 1
    assert "a quotation mark is not closed" in query.stderr


@contextlib.contextmanager
def following(library: Path, given: Path | str) -> Iterator[Callable[..., None]]:
    """A digest that follows a folder; yields what waits for a text in its output, doing something again until then."""
    command: list[str | Path] = [sys.executable, NOTES / "python" / "notes_digest.py", given, "--follow"]
    environment = os.environ | digest_environment(library)
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        output = process.stdout.fileno()
        os.set_blocking(output, False)
        seen = ""
        until = time.monotonic() + PATIENCE_S

        def wait_for(text: str, act: Callable[[], object] = lambda: None) -> None:
            nonlocal seen
            while text not in seen:
                assert time.monotonic() < until, seen
                act()
                time.sleep(0.1)
                with contextlib.suppress(BlockingIOError):
                    seen += os.read(output, 65536).decode()

        try:
            yield wait_for
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0


def write_again(note: Path) -> Callable[[], object]:
    return lambda: note.write_text(f"fresh {time.monotonic_ns()}\n")


def test_changes_are_followed(library: Path, folder: Path) -> None:
    with following(library, folder) as wait_for:
        wait_for("left out")
        # the listener comes after what was shown, so this is done until it is seen
        fresh = folder / "fresh.md"
        wait_for("fresh.md", write_again(fresh))
        fresh.unlink()
        wait_for("removed: fresh.md")
        # a folder that is new has notes in it before anybody watches it
        (folder / "late" / "deeper").mkdir(parents=True)
        (folder / "late" / "deeper" / "one.md").write_text("late\n")
        wait_for("late/deeper/one.md")


@pytest.mark.parametrize("end", ["", "/"])
def test_the_folder_itself_may_be_a_link(library: Path, folder: Path, tmp_path: Path, end: str) -> None:
    (tmp_path / "link").symlink_to(folder)
    given = f"{tmp_path / 'link'}{end}"
    found = digest(library, given, "--find", "cross*")
    assert found.returncode == 0, found.stderr
    assert "2 notes, " in found.stdout
    assert "\ndeep/tea.txt " in found.stdout
    with following(library, given) as wait_for:
        wait_for("left out")
        wait_for("deep/fresh.md", write_again(folder / "deep" / "fresh.md"))
        wait_for("added: fresh.md", write_again(folder / "fresh.md"))


def client(library: Path, folder: Path, *arguments: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    program = BUILD / "bin" / "notes-cli"
    assert program.exists(), "run `make nim`"
    return subprocess.run(
        [program, folder, *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        cwd=ROOT,
        env=loaded_from(library),
    )


def test_the_client_writes_finds_reads_and_removes(library: Path, folder: Path) -> None:
    assert (
        client(library, folder, "write", "new/note.md", text="# Fresh\n\nA crossing by night. #night\n").returncode == 0
    )
    assert (folder / "new" / "note.md").read_text().startswith("# Fresh")
    found = client(library, folder, "find", "night")
    assert found.returncode == 0
    assert "new/note.md" in found.stdout
    assert "ferry.md" not in found.stdout
    assert client(library, folder, "read", "new/note.md").stdout == "# Fresh\n\nA crossing by night. #night\n"
    assert "night" in client(library, folder, "tags").stdout
    assert client(library, folder, "remove", "new/note.md").returncode == 0
    assert not (folder / "new" / "note.md").exists()


def test_the_client_names_faults(library: Path, folder: Path) -> None:
    outside = client(library, folder, "read", "../secret.md")
    assert outside.returncode == 1
    assert "'../secret.md' is not a path below the folder" in outside.stderr
    assert client(library, folder, "frobnicate").returncode == 2
    assert client(library, folder).returncode == 2


# ---- the Rust service ------------------------------------------------------------------------------------------------


@pytest.fixture
def service(library: Path, folder: Path) -> Iterator[int]:
    """The service on the folder; its port."""
    command: list[str | Path] = [SERVICE, folder, "--listen", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=loaded_from(library)) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert line.startswith("notes-service: http://127.0.0.1:"), line
            yield int(line.strip().rstrip("/").rpartition(":")[2])
            assert process.poll() is None
        finally:
            process.kill()


def get(port: int, target: str, method: str = "GET") -> tuple[int, Any]:
    """What is answered: the status, and the body as its type says."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    connection.request(method, target)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    is_json = answer.getheader("Content-Type") == "application/json"
    return answer.status, json.loads(body) if is_json else body


def raw(port: int, request: bytes) -> bytes:
    """What is answered to these bytes."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as connection:
        connection.sendall(request)
        answer = b""
        while more := connection.recv(1 << 16):
            answer += more
        return answer


def test_the_service_answers(service: int, folder: Path) -> None:
    status, found = get(service, f"/find?q={quote('crossing #work')}&order=newest&limit=5")
    assert status == 200
    assert {match["path"] for match in found} == {"ferry.md", "deep/tea.txt"}
    assert next(match for match in found if match["path"] == "ferry.md")["title"] == "Ferry"
    assert any("«crossing»" in match["snippet"] for match in found)
    assert len(get(service, "/find?q=crossing&limit=1")[1]) == 1
    assert get(service, "/notes/deep/tea.txt") == (200, (folder / "deep" / "tea.txt").read_text())
    assert get(service, "/tags") == (200, {"boat": 1, "work": 2})
    sizes = sum((folder / path).stat().st_size for path in ("ferry.md", "deep/tea.txt"))
    assert get(service, "/totals") == (200, {"notes": 2, "bytes": sizes, "skipped": 1})


@pytest.mark.parametrize(
    ("target", "status", "message"),
    [
        ("/find", 400, "say what to find"),
        ("/find?q=%22open", 400, "a quotation mark is not closed"),
        ("/find?q=x&order=best", 400, "relevance or newest"),
        ("/find?q=x&limit=0", 400, "from 1 to 1000"),
        ("/find?q=x&limit=1001", 400, "from 1 to 1000"),
        ("/find?q=x&depth=1", 400, "not depth"),
        ("/find?q=%ff", 400, "not UTF-8"),
        ("/notes/none.md", 404, "there is no note 'none.md'"),
        ("/notes/../secret.md", 404, "secret.md"),
        ("/notes/%2e%2e/secret.md", 404, "secret.md"),
        ("/elsewhere", 404, "/find?q="),
    ],
)
def test_the_service_names_what_is_wrong(service: int, folder: Path, target: str, status: int, message: str) -> None:
    (folder.parent / "secret.md").write_text("not below the folder")
    answer = get(service, target)
    assert answer[0] == status
    assert message in answer[1]["error"]


def test_the_service_bears_any_client(service: int) -> None:
    assert get(service, "/totals", "DELETE")[0] == 405
    assert raw(service, b"\0\r\n\r\n").startswith(b"HTTP/1.1 400 ")
    assert raw(service, b"GET / HTTP/2\r\n\r\n").startswith(b"HTTP/1.1 505 ")
    assert raw(service, b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 431 ")
    # as many as there are threads say nothing, one goes away: others are served when those are timed out
    silent = [socket.create_connection(("127.0.0.1", service), PATIENCE_S) for _ in range(4)]
    socket.create_connection(("127.0.0.1", service), PATIENCE_S).close()
    assert get(service, "/totals")[0] == 200
    for connection in silent:
        assert connection.recv(1 << 10).startswith(b"HTTP/1.1 408 ")
        connection.close()


def test_the_service_streams_changes(service: int, folder: Path) -> None:
    follower = http.client.HTTPConnection("127.0.0.1", service, timeout=PATIENCE_S)
    gone = http.client.HTTPConnection("127.0.0.1", service, timeout=PATIENCE_S)
    for connection in (follower, gone):
        connection.request("GET", "/changes")
    stream = follower.getresponse()
    assert stream.getheader("Content-Type") == "text/event-stream"
    assert stream.readline() == b": changes from now on\n"
    gone.close()
    # a client that follows is told of every change since its answer began
    for change, act in (
        ("added", lambda: (folder / "fresh.md").write_text("fresh")),
        ("changed", lambda: (folder / "fresh.md").write_text("fresher #now")),
        ("removed", (folder / "fresh.md").unlink),
    ):
        act()
        lines = [stream.readline().decode().strip() for _ in range(3)]
        assert lines[:2] == ["", "event: changed"]
        assert json.loads(lines[2].removeprefix("data: ")) == {"kind": change, "path": "fresh.md"}
    follower.close()


def test_the_service_is_refused_by_name(folder: Path, tmp_path: Path) -> None:
    libraries = f"{BUILD / 'lib'}:{LIBRARIES['nim']}"
    for arguments, status, message in (
        ((), 2, "say which folder"),
        ((folder, "--listen"), 2, "--listen needs a value"),
        ((folder, "--port"), 2, "there is no option --port"),
        ((tmp_path / "nowhere", "--listen", "127.0.0.1:0"), 1, "there is no folder"),
        ((folder, "--listen", "nowhere"), 1, "nowhere: "),
    ):
        done = run(SERVICE, *arguments, LD_LIBRARY_PATH=libraries)
        assert done.returncode == status
        assert message in done.stderr
