# SPDX-License-Identifier: BSD-3-Clause
"""What generated files declare of their own, beside what a description names: collected from the files themselves.

`marked` is the description of the echo library, which has everything that there is, with every name marked. What a
generated file declares without the mark is the template's own, and stands where a library's name may come to stand too.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bindgen import adversarial
from ferry.bindgen import generate
from ferry.bindgen.language import Language, Options
from ferry.bindgen.model import Interface
from paths import ROOT

LIBRARY = "lxlib"
MARK = "zq"
SECONDS = 600
#: Nodes of clang's syntax tree that declare a local of a function.
LOCALS = ("ParmVarDecl", "VarDecl", "BindingDecl")


def marked() -> Interface:
    """The echo library's interface with every name marked, but for the library's, which is `lxlib`."""
    description = json.loads((ROOT / "examples" / "echo" / "echo.json").read_text())
    del description["hash"]
    for part in ("constants", "types", "methods", "events", "asks"):
        _mark(description[part])
    description["library"]["name"] = LIBRARY
    return adversarial.parsed(description)


def _mark(node: Any) -> None:
    """Mark the names that a description gives, and where it refers to them."""
    for value in node if isinstance(node, list) else node.values():
        if isinstance(value, dict | list):
            _mark(value)
    if isinstance(node, dict):
        if "default" in node and "enum" in node["type"]:
            node["default"] = f"{MARK}_{node['default']}"
        for key in node.keys() & {"name", "enum", "object", "variant", "handle"}:
            if isinstance(node[key], str):
                camel = node[key][0].isupper()
                node[key] = f"Zq{node[key]}" if camel else f"{MARK}_{node[key]}"


def is_own(name: str) -> bool:
    """Whether a name is the template's own."""
    return MARK not in name.lower()


def rendered(language: Language, wire: str = "cbor") -> dict[str, str]:
    """The binding of the marked interface: path -> text."""
    return generate.render(marked(), language, Options(wire, "MIT", "any.json", ""))


# ---- C and C++: clang says what is declared ------------------------------------------------------------------------


@dataclass
class Declared:
    """The own names of a header, by where they stand."""

    #: At file level or in the library's namespace.
    outer: set[str] = field(default_factory=set)
    macros: set[str] = field(default_factory=set)
    #: Parameters of templates, which hide types.
    templates: set[str] = field(default_factory=set)
    #: Of each class, its members.
    members: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    #: What the class of a handle has from its base.
    inherited: set[str] = field(default_factory=set)
    #: Of functions that take a library's parameters too: parameters, locals and what is called by its bare name.
    locals: set[str] = field(default_factory=set)


def _dumped(compiler: str, folder: Path, header: str, only: str) -> list[dict[str, Any]]:
    """Return the syntax tree of each outermost declaration that has `only` in its qualified name."""
    include = [f"-I{ROOT / 'include'}", f"-I{folder}"]
    dump = [word for option in ("-ast-dump=json", f"-ast-dump-filter={only}") for word in ("-Xclang", option)]
    kind = {"clang": ("-xc", "-std=gnu11"), "clang++": ("-xc++", "-std=gnu++17")}[compiler]
    command = [compiler, *kind, *include, "-fsyntax-only", *dump, "-include", header, "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    decoder, at, found = json.JSONDecoder(), 0, []
    while at < len(done.stdout):
        tree, end = decoder.raw_decode(done.stdout, at)
        found.append(tree)
        at = end + 1
    return found


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "kind" in node:
        yield node
    for inner in node.get("inner", ()):
        yield from _nodes(inner)


def _written(folder: Path, language: Language) -> str:
    files = {Path(path).name: text for path, text in rendered(language).items() if path.endswith((".h", ".hpp"))}
    for name, text in files.items():
        (folder / name).write_text(text)
    return "".join(files.values())


def _locals_of(tree: dict[str, Any]) -> set[str]:
    """The own names that a function with parameters of the library's declares, and calls by their bare names."""
    nodes = list(_nodes(tree))
    if not any(MARK in node.get("name", "") for node in nodes if node["kind"] == "ParmVarDecl"):
        return set()
    named = {node["name"] for node in nodes if node["kind"] in LOCALS and "name" in node}
    called = (node["referencedDecl"]["name"] for node in nodes if node["kind"] == "DeclRefExpr")
    return {name for name in (*named, *called) if is_own(name) and name.isidentifier()}


def in_c(folder: Path, language: Language) -> Declared:
    """What the headers of a C binding declare."""
    found = Declared(macros=set(re.findall(r"^#define (\w+)", _written(folder, language), re.M)))
    found.macros = set(filter(is_own, found.macros))
    for tree in _dumped("clang", folder, f"{LIBRARY}.h", LIBRARY):
        if is_own(tree["name"]):
            found.outer.add(tree["name"])
        if tree["kind"] == "FunctionDecl":
            found.locals |= _locals_of(tree)
    return found


def in_cpp(folder: Path, language: Language) -> Declared:
    """What the header of a C++ binding declares, with what its classes inherit."""
    found = Declared(macros=set(re.findall(r"^#define (\w+)", _written(folder, language), re.M)))
    for space in _dumped("clang++", folder, f"{LIBRARY}.hpp", LIBRARY):
        if (space["kind"], space["name"]) != ("NamespaceDecl", LIBRARY):
            continue
        for tree in space["inner"]:
            if tree["kind"] != "FullComment" and is_own(tree["name"]) and tree["name"].isidentifier():
                found.outer.add(tree["name"])
            if tree["kind"] == "CXXRecordDecl":
                found.members[tree["name"]].update(_members(tree))
        nodes = list(_nodes(space))
        found.templates |= {node["name"] for node in nodes if node["kind"] == "TemplateTypeParmDecl" and "name" in node}
        for node in nodes:
            if node["kind"] in ("CXXMethodDecl", "CXXConstructorDecl"):
                found.locals |= _locals_of(node)
    for base in _dumped("clang++", folder, f"{LIBRARY}.hpp", "ferry::ingress::OwnedHandle"):
        found.inherited |= {base["name"], *(name for made in base.get("inner", ()) for name in _members(made))}
    return found


def _members(made: dict[str, Any]) -> Iterator[str]:
    """Yield the own names of a class's members."""
    kinds = ("CXXMethodDecl", "FieldDecl", "TypeAliasDecl", "FunctionTemplateDecl", "VarDecl")
    for member in made.get("inner", ()):
        name = member.get("name", "")
        if member["kind"] in kinds and not member.get("isImplicit") and name.isidentifier() and is_own(name):
            yield name


# ---- Rust and Python ----------------------------------------------------------------------------------------------


def in_rust(language: Language) -> dict[str, set[str]]:
    """The own names of a crate: `items` at the level of its modules, in functions' `locals`, and those of a `chain`."""
    found: dict[str, set[str]] = {"items": set(), "locals": set(), "chain": set()}
    for path, text in rendered(language).items():
        if not path.startswith("src/"):
            continue
        code = re.sub(r"//.*|#\[.*\]|\"(?:[^\"\\]|\\.)*\"", "", text)
        items = re.findall(r"^(?:pub(?:\(crate\))? )?(?:struct|enum|const|static|trait|type|fn) (\w+)", code, re.M)
        for path_of_use in re.findall(r"^(?:pub )?use ([^;]*);", code, re.M):
            items += re.findall(r"\w+(?=\s*[,}]|$)", path_of_use)
        found["items"].update(filter(is_own, items))
        if path == "src/chain.rs":
            found["chain"].update(filter(is_own, re.findall(r"pub fn (\w+)", code)))
        for function in re.split(r"^(?= *pub fn )", code, flags=re.M)[1:]:
            head, _, body = function.partition("{")
            params = re.findall(r"[(,]\s*(\w+): ", head)
            if not all(map(is_own, params)):
                called = re.findall(r"(?<![\w.:])([a-z]\w*)(?:::<[^(]*>)?\(", body)
                found["locals"].update(filter(is_own, (*params, *called)))
    found["locals"] -= {"fn", "self"}
    return found


@dataclass
class Modules:
    """The own names of a package."""

    #: In the modules that a library's types and constants come to stand in.
    outer: set[str] = field(default_factory=set)
    #: In the classes that a library's methods become, as far as they say it between these.
    members: set[str] = field(default_factory=set)
    #: In functions that take a library's parameters: parameters, and what is called by its bare name.
    locals: set[str] = field(default_factory=set)


def in_python(language: Language) -> Modules:
    """What the modules of a package declare."""
    found = Modules()
    for path, text in rendered(language).items():
        module = Path(path).stem
        if path.endswith(".py") and module in ("__init__", "types", "aio", "blocking"):
            tree = ast.parse(text)
            found.outer |= set(filter(is_own, (name for node in tree.body for name in _bound(node))))
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef) and module in ("aio", "blocking"):
                    found.members |= _said_between(node)
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    found.locals |= _python_locals(node)
    return found


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name for alias in node.names)
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id


def _said_between(made: ast.ClassDef) -> set[str]:
    """The names that a class uses in its own scope: decorators, annotations and defaults."""
    found: set[str] = set()
    for node in made.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            spoken = [*node.decorator_list, node.returns, *(each.annotation for each in _params(node))]
            spoken += [*node.args.defaults, *node.args.kw_defaults]
            for tree in filter(None, spoken):
                found |= {name.id for name in ast.walk(tree) if isinstance(name, ast.Name)}
    return set(filter(is_own, found))


def _params(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def _python_locals(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    params = {each.arg for each in _params(node)}
    if all(map(is_own, params)):
        return set()
    used = {name.id for part in node.body for name in ast.walk(part) if isinstance(name, ast.Name)}
    return set(filter(is_own, params | used))
