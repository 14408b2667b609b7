# SPDX-License-Identifier: BSD-3-Clause
"""What generated files declare of their own is in the tables of reserved names, so that no library's name meets it.

A template that declares something new fails here until its table has that too: ferry.bindgen.reserved.
"""

import ast
import subprocess
from pathlib import Path

import pytest
from bindgen import adversarial, declared
from ferry.bindgen import c, cddl, cpp, generate, names, python, reserved, rust, streams
from ferry.bindgen.language import Options
from paths import ROOT

SECONDS = 600
#: What comes with a method that yields: the reader refuses parameters of that name there, and elsewhere it is free.
OF_STREAMS = {streams.CREDITS}


def cameled(found: set[str]) -> set[str]:
    """Those of some names that a library's type may have in the case that bindings write it in."""
    return {name for name in found if adversarial.CAMEL.fullmatch(name) and names.pascal(name) == name}


def snaked(found: set[str]) -> set[str]:
    """Those of some names that a library's method, parameter or field may have."""
    return {name for name in found if adversarial.SNAKE.fullmatch(name)}


@pytest.fixture(scope="module")
def header(tmp_path_factory: pytest.TempPathFactory) -> declared.Declared:
    return declared.in_cpp(tmp_path_factory.mktemp("cpp"), cpp.LANGUAGE)


def test_c(tmp_path: Path) -> None:
    found = declared.in_c(tmp_path, c.LANGUAGE)
    writer = c.Writer(declared.marked())
    prefix = f"{declared.LIBRARY}_"
    assert f"{prefix}check" in found.outer
    assert [name for name in sorted(found.outer) if not writer.is_given_out(name) and not foreign(name)] == []
    assert {name.removeprefix(prefix.upper()) for name in found.macros} == reserved.C_OWN_MACROS
    # what has a prefix is refused to parameters by that
    locals_ = {name for name in snaked(found.locals) if not name.startswith((*reserved.C_PREFIXES, prefix))}
    assert "whole" in locals_
    assert locals_ - OF_STREAMS - reserved.C_LOCALS == set()


def foreign(name: str) -> bool:
    """Whether a name cannot be a library's: it begins otherwise."""
    return name.startswith(reserved.C_PREFIXES)


def test_c_gives_out_no_name_of_its_own() -> None:
    made = adversarial.crowded(declared.LIBRARY, [*adversarial.OWN, "made"])
    writer = c.Writer(made)
    own = {f"{declared.LIBRARY}_{name}" for name in reserved.C_FUNCTIONS}
    assert own.isdisjoint(writer.method(method) for method in made.methods)
    assert {f"{declared.LIBRARY}_{name}".upper() for name in reserved.C_OWN_MACROS}.isdisjoint(writer.macros.values())


def test_cpp_in_the_namespace(header: declared.Declared) -> None:
    # these classes give way to a type
    assert header.outer - {"Context", "ContextForms", "Chain", "ChainForms"} == reserved.CPP_NAMESPACE
    assert header.macros == {f"{declared.LIBRARY.upper()}_HPP"}


def test_cpp_types_are_hidden_by_nothing(header: declared.Declared) -> None:
    assert "F" in header.templates
    assert cameled(header.templates | header.inherited) == reserved.CPP_TYPES


def test_cpp_in_classes(header: declared.Declared) -> None:
    assert {"link", "instance_"} <= header.members["Context"]
    # what makes a chain gives way to a method
    assert header.members["Context"] - {"chain"} - reserved.CPP_MEMBERS == set()
    assert header.members["Chain"] - reserved.CPP_CHAIN_MEMBERS == set()
    assert {"id", "reset"} <= header.inherited
    assert header.inherited - reserved.CPP_HANDLE_MEMBERS == set()
    # methods of both say these by their bare names
    assert header.outer - {"Context", "ContextForms", "Chain", "ChainForms"} - reserved.CPP_MEMBERS == set()


def test_cpp_in_functions(header: declared.Declared) -> None:
    # what functions call by a qualified name is hidden by nothing
    called = {"create", "forever", "forward", "make_shared", "move", "ok", "settle", "start", "stream_credits"}
    assert "callback" in header.locals
    assert header.locals - called - OF_STREAMS - reserved.CPP_LOCALS == set()


def test_cpp_a_type_is_what_its_name_says_in_every_form(tmp_path: Path) -> None:
    """Types that are called as what hides a type in generated code: each form gives out the library's."""
    types = sorted(reserved.CPP_TYPES)
    description = {
        "ferry_interface": 1,
        "library": {"name": "lxlib", "version": "1.0.0"},
        "constants": [],
        "types": [
            *({"kind": "object", "name": name, "fields": [{"name": "field", "type": "u8"}]} for name in types),
            {"kind": "handle", "name": "Shelf"},
        ],
        "methods": [
            {"name": "create", "kind": "constructor", "params": [], "returns": None},
            {"name": "destroy", "kind": "destructor", "params": [], "returns": None},
            *(
                {
                    "name": f"of_{names.snake(name)}",
                    "kind": "method",
                    "params": [{"name": "shelf", "type": {"handle": "Shelf"}}],
                    "returns": {"object": name},
                }
                for name in types
            ),
            {
                "name": "close",
                "kind": "method",
                "params": [{"name": "shelf", "type": {"handle": "Shelf"}}],
                "returns": None,
            },
        ],
        "events": [],
    }
    files = generate.render(adversarial.parsed(description), cpp.LANGUAGE, Options("c", "MIT", "any.json", ""))
    (tmp_path / "lxlib.hpp").write_text(files["include/lxlib.hpp"])
    uses = [
        f"void use_{name}(const lxlib::Shelf &shelf) {{\n"
        f"\tconst lxlib::{name}_ got = shelf.of_{names.snake(name)}();\n"
        f"\t(void)shelf.of_{names.snake(name)}_async([](ferry::ingress::Result<lxlib::{name}_>) {{}});\n"
        "\t(void)got;\n}\n"
        for name in types
    ]
    (tmp_path / "use.cpp").write_text("".join(['#include "lxlib.hpp"\n', *uses]))
    command = [
        "g++",
        "-std=gnu++17",
        "-Wall",
        "-Wextra",
        "-Wshadow",
        "-Werror",
        "-fsyntax-only",
        "-Wno-missing-declarations",
    ]
    include = [f"-I{ROOT / 'include'}", f"-I{tmp_path}"]
    done = subprocess.run([*command, *include, tmp_path / "use.cpp"], capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr[-4000:]


def test_rust() -> None:
    found = declared.in_rust(rust.LANGUAGE)
    items = found["items"] - {rust.context_name(declared.marked()), rust.chain_name(declared.marked())}
    assert {"Call", "WIRE", "library"} <= items
    assert cameled(items) - reserved.RUST_TYPES == set()
    assert {name for name in items if name.isupper()} - reserved.RUST_CONSTANTS == set()
    # modules, which no type of a library's is called as
    modules = {"requests", "wire"}
    assert snaked(items) - modules - reserved.RUST_FUNCTIONS == set()
    assert found["locals"] - OF_STREAMS - reserved.RUST_LOCALS == set()
    assert found["chain"] == reserved.RUST_CHAIN_MEMBERS


def test_python() -> None:
    found = declared.in_python(python.LANGUAGE)
    context = python.class_name(declared.marked())
    classes = {context, f"Async{context}", f"{context}Batch", f"Async{context}Batch"}
    assert cameled(found.outer) - classes - reserved.PYTHON_TYPES == set()
    assert {"types", "staticmethod"} <= found.members
    assert snaked(found.members) - reserved.PYTHON_ANNOTATIONS - reserved.PYTHON_METHODS == set()
    assert {"self", "timeout"} <= found.locals
    assert snaked(found.locals) - OF_STREAMS - reserved.PYTHON_LOCALS == set()


def test_python_classes_inherit_no_name_that_a_method_may_have() -> None:
    for module, name in (("blocking", "Context"), ("aio", "AsyncContext")):
        source = ROOT / "hosts" / "python" / "src" / "ferry_ingress" / f"{module}.py"
        made = next(
            node for node in ast.parse(source.read_text()).body if isinstance(node, ast.ClassDef) and node.name == name
        )
        methods = {node.name for node in made.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
        assigned = {
            node.attr
            for node in ast.walk(made)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
        }
        assert "_ask" in methods
        assert [name for name in sorted(methods | assigned) if not name.startswith("_")] == []


def test_cddl_says_what_kind_each_rule_is_of() -> None:
    (text,) = declared.rendered(cddl.LANGUAGE).values()
    rules = [line.split(" = ")[0] for line in text.splitlines() if " = " in line and not line.startswith((";", " "))]
    assert {rule.split("-")[0] for rule in rules if rule != "message"} == {"type", "request", "reply", "error", "event"}
    assert rules.count("message") == 1
