# SPDX-License-Identifier: BSD-3-Clause
"""The reader of interface descriptions: what is right is read, and what is wrong is named by its place."""

import contextlib
import copy
import json
import struct
from pathlib import Path
from typing import Any

import pytest
from ferry.bindgen import layout, model, reader
from ferry.bindgen.hash import canonical, fnv1a, interface_hash
from ferry.bindgen.node import DescriptionError
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import ROOT

ECHO = ROOT / "examples" / "echo" / "echo.json"


def small() -> dict[str, Any]:
    return {
        "ferry_interface": 1,
        "library": {"name": "small", "version": "1", "doc": "A library."},
        "hash": "",
        "constants": [{"name": "limit", "type": "u8", "value": 3}],
        "types": [
            {"kind": "enum", "name": "Order", "values": [{"name": "up", "value": 0}]},
            {"kind": "object", "name": "Note", "fields": [{"name": "title", "type": "string"}]},
            {"kind": "handle", "name": "Search"},
        ],
        "methods": [
            {"name": "open", "kind": "constructor", "params": [], "returns": None},
            {"name": "close", "kind": "destructor", "params": [], "returns": None},
            {"name": "find", "kind": "method", "params": [{"name": "q", "type": "string"}], "returns": "u8"},
        ],
        "events": [{"name": "changed", "type": None, "overflow": "coalesce", "depth": 0}],
    }


def sealed(description: dict[str, Any]) -> bytes:
    return json.dumps(description | {"hash": interface_hash(description)}).encode()


def spoilt(path: str, value: Any) -> dict[str, Any]:
    """The small description with something put at a place; `...` takes it away."""
    found = small()
    *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    at: Any = found
    for part in way:
        at = at[part]
    if value is ...:
        del at[last]
    elif isinstance(last, int) and last == len(at):
        at.append(value)
    else:
        at[last] = value
    return found


def variant(*cases: tuple[str, Any]) -> dict[str, Any]:
    """A variant of these cases, with what they carry."""
    found = [{"name": name, "type": type_} for name, type_ in cases]
    return {"kind": "variant", "name": "Choice", "cases": found}


def yielding(**more: Any) -> dict[str, Any]:
    """The small description with a method that yields, `list`, before its others."""
    found = small()
    method = {"name": "list", "kind": "method", "params": [{"name": "q", "type": "string"}], "returns": None}
    found["methods"].insert(2, method | {"yields": {"object": "Note"}} | more)
    return found


def test_a_method_that_yields_is_three_with_a_handle_and_an_object() -> None:
    """S1: and their numbers are those that I4 says."""
    interface = reader.parse(sealed(yielding(error={"enum": "Order"})))
    names = [(method.name, method.number, method.place) for method in interface.methods[2:]]
    assert names == [("list", 2, 2), ("list_next", 3, 2), ("list_close", 4, 2), ("find", 5, 3)]
    opening, more, close = interface.methods[2:5]
    assert [field.name for field in opening.params] == ["q", "credits"]
    assert [field.name for field in opening.given] == ["q"]
    assert [field.name for field in more.params] == ["stream", "credits"]
    assert [field.name for field in close.params] == ["stream"]
    assert opening.returns == more.returns == model.ObjectRef("ListPart")
    assert opening.error == more.error == model.EnumRef("Order")
    assert (close.returns, close.error) == (None, None)
    assert [(handle.name, handle.number) for handle in interface.handles] == [("Search", 0), ("ListStream", 1)]
    part = interface.object("ListPart")
    assert [model.text(field.type) for field in part.fields] == ["option of ListStream", "seq of Note"]
    assert interface.streams == (opening,)
    assert [handle.name for handle in interface.own_handles] == ["Search"]


@pytest.mark.parametrize(
    ("description", "message"),
    [
        (yielding(kind="static"), "$.methods[2].yields: is for methods"),
        (yielding(returns="u8"), "$.methods[2].returns: of a method that yields has to be null"),
        (yielding(idempotent=True), "$.methods[2].idempotent: is not for a method that yields"),
        (yielding(yields="text"), "$.methods[2].yields: is 'text'; it has to be one of"),
        (yielding(yields={"option": {"option": "u8"}}), "$.methods[2].yields.option: is an option in an option"),
        (yielding(params=[{"name": "credits", "type": "u8"}]), "$.methods[2].params: of a method that yields have"),
        (yielding(name="x", error={"enum": "None"}), "$.methods[2].error"),
    ],
)
def test_a_method_that_yields_wrongly_is_refused(description: dict[str, Any], message: str) -> None:
    with pytest.raises(DescriptionError) as error:
        reader.parse(sealed(description))
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(("kind", "name"), [("methods", "list_Next"), ("methods", "list_close"), ("types", "ListPart")])
def test_what_a_stream_is_called_is_taken(kind: str, name: str) -> None:
    description = yielding()
    if kind == "types":
        description["types"].append({"kind": "handle", "name": name})
    else:
        description["methods"].append({"name": name.lower(), "kind": "method", "params": [], "returns": None})
    with pytest.raises(DescriptionError, match=r"^\$\.methods\[2\]\.name: makes '(list|List).*' a name of its stream"):
        reader.parse(sealed(description))


def test_the_echo_library_is_read() -> None:
    echo = reader.read(ECHO)
    assert echo.name == "echo"
    assert [method.number for method in echo.methods] == list(range(len(echo.methods)))
    assert echo.constructor is not None
    assert echo.constructor.params == (
        model.Field(
            "prefix", model.Scalar("string"), "What every echo begins with. `fail` makes the constructor fail."
        ),
    )
    assert {constant.name: constant.value for constant in echo.constants} == {
        "max_delay_ms": 60000,
        "greeting": 'hello, "wörld"',
        "half": 0.5,
        "debug": False,
        "lowest": -(1 << 63),
    }
    assert set(model.SCALARS) <= {type_.name for type_ in layout.used_types(echo) if isinstance(type_, model.Scalar)}


def test_a_field_with_a_default_may_be_left_out() -> None:
    chorus = reader.read(ECHO).object("Chorus")
    assert {field.name: field.default for field in chorus.fields} == {
        "times": 2,
        "text": None,
        "factor": 1.5,
        "separator": ", ",
        "loud": True,
        "color": "blue",
        "remark": None,
    }
    assert [field.name for field in chorus.required] == ["text"]
    plain, other = small(), small()
    other["types"][1]["fields"][0]["default"] = ""
    assert interface_hash(plain) != interface_hash(other)


def test_what_is_hashed() -> None:
    assert fnv1a(b"") == 0xCBF29CE484222325
    assert fnv1a(b"foobar") == 0x85944171F73967E8
    assert canonical({"hash": "x", "b": [{"doc": 1, "a": 'é"\n\x01'}], "a": None}) == (
        '{"a":null,"b":[{"a":"é\\"\\n\\u0001"}]}'.encode()
    )


def test_documentation_does_not_change_the_hash() -> None:
    plain, documented = small(), small()
    documented["methods"][2]["doc"] = "Find."
    assert interface_hash(plain) == interface_hash(documented)
    documented["methods"][2]["name"] = "seek"
    assert interface_hash(plain) != interface_hash(documented)


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        ("ferry_interface", 2, "$.ferry_interface: is 2; it has to be from 1 to 1"),
        ("events", ..., "$: has no 'events'"),
        ("extra", 1, "$: has an unknown 'extra'"),
        ("library.name", "Small", "$.library.name: is 'Small'; write the name in snake_case"),
        ("library.name", "a" * 65, "$.library.name: is longer than 64 bytes"),
        ("types.0.kind", "record", "$.types[0].kind: is 'record'; it has to be one of"),
        ("types.0.values", [], "$.types[0].values: is empty"),
        ("types.0.values.1", {"name": "down", "value": 0}, "$.types[0].values[1].value: is 0 again"),
        ("types.0.values.0.value", 1 << 31, "$.types[0].values[0].value: is 2147483648; it has to be"),
        ("types.1.fields", [], "$.types[1].fields: is empty"),
        ("types.1.fields.0.type", "text", "$.types[1].fields[0].type: is 'text'; it has to be one of"),
        ("types.1.fields.0.type", {"seq": "text"}, "$.types[1].fields[0].type.seq: is 'text'"),
        ("types.1.fields.0.type", {"list": "u8"}, "$.types[1].fields[0].type: has an unknown 'list'"),
        ("types.1.fields.0.type", {}, "$.types[1].fields[0].type: is no type"),
        ("types.1.fields.0.type", {"option": {"option": "u8"}}, "type.option: is an option in an option"),
        ("types.1.fields.0.type", {"map": ["f32", "u8"]}, "type.map[0]: cannot be a key"),
        ("types.1.fields.0.type", {"map": ["u8"]}, "type.map: is not two types"),
        ("types.1.fields.0.type", {"object": "Nothing"}, "type.object: is 'Nothing', which $.types does not have"),
        ("types.1.fields.0.type", {"object": "Order"}, "with kind 'enum', not 'object'"),
        ("types.1.fields.0.type", {"object": "Note"}, "$.types[1]: Note contains itself"),
        ("types.1.fields.0.type", {"option": {"object": "Note"}}, "$.types[1]: Note contains itself"),
        ("types.1.fields.0.default", 1, "$.types[1].fields[0].default: is a number; write a string"),
        ("types.1.fields.1", {"name": "n", "type": "u8", "default": 256}, "types[1].fields[1].default: is 256; it has"),
        ("types.1.fields.1", {"name": "n", "type": "bytes", "default": ""}, "default: is of bytes; fields of numbers"),
        ("types.1.fields.1", {"name": "n", "type": {"option": "u8"}, "default": 1}, "default: is of option of u8"),
        ("types.1.fields.1", {"name": "n", "type": {"enum": "Order"}, "default": "down"}, "is 'down'; Order has up"),
        ("methods.2.params.0.default", "", "$.methods[2].params[0]: has an unknown 'default'"),
        ("types.1.fields.1", {"name": "ti_tle", "type": "u8"}, "$.types[1].fields[1].name: is 'ti_tle', and there is"),
        ("types.3", {"kind": "handle", "name": "FindParams"}, "$.methods[2].name: makes 'FindParams'"),
        ("methods.0.kind", "static", "$.methods[1]: is a destructor, and there is no constructor"),
        ("methods.1.kind", "static", "$.methods[0]: is a constructor, and there is no destructor"),
        ("methods.2.kind", "constructor", "$.methods[2].kind: is a second constructor"),
        ("methods.2.idempotent", False, "$.methods[2].idempotent: has to be true; leave it out"),
        ("methods.0.idempotent", True, "$.methods[0].idempotent: is for methods and static ones"),
        ("methods.0.returns", "u8", "$.methods[0].returns: of a constructor has to be null"),
        ("methods.1.params", [{"name": "a", "type": "u8"}], "$.methods[1].params: of a destructor have to be none"),
        ("methods.2.returns", 5, "$.methods[2].returns: is no type"),
        ("methods.2.error", "string", "$.methods[2].error: is string; an error is an enum, an object or a variant"),
        ("types.3", variant(), "$.types[3].cases: is empty; it needs at least 1"),
        ("types.3", variant(("a", None), ("b", None)), "$.types[3].cases: carry nothing, any of them; declare an enum"),
        ("types.3", variant(("a", "u8")), "$.types[3].cases[0].type: is u8; a case carries an object, a variant or"),
        ("types.3", variant(("a", {"option": {"object": "Note"}})), "is option of Note; a case carries an object"),
        (
            "types.3",
            variant(("a_b", {"object": "Note"}), ("ab", None)),
            "$.types[3].cases[1].name: is 'ab', and there is",
        ),
        (
            "types.3",
            variant(("a", {"variant": "Choice"})),
            "$.types[3]: Choice contains itself, or an object that does",
        ),
        ("types.3", variant(("a", {"object": "Choice"})), "has with kind 'variant', not 'object'"),
        ("types.3", variant(("a", {"variant": "Note"})), "has with kind 'object', not 'variant'"),
        ("types.3", variant(("a", {"object": "Note"})) | {"fields": []}, "$.types[3]: has an unknown 'fields'"),
        ("methods.2.error", {"object": "Nothing"}, "$.methods[2].error.object: is 'Nothing', which $.types does not"),
        ("methods.1.error", {"enum": "Order"}, "$.methods[1].error: of a destructor: no host hears of it"),
        ("events.0.overflow", "block", "$.events[0].overflow: is 'block'; it has to be one of"),
        ("events.0.depth", -1, "$.events[0].depth: is -1"),
        ("constants.0.value", 256, "$.constants[0].value: is 256; it has to be from 0 to 255"),
        ("constants.0.value", True, "$.constants[0].value: is a boolean; write an integer"),
        ("constants.0.type", "f64", "$.constants[0].value: is a number; write a string"),
    ],
)
def test_what_is_wrong_is_named(path: str, value: Any, complaint: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        reader.parse(sealed(spoilt(path, value)))
    assert complaint in str(caught.value)


def test_a_description_that_people_write_has_no_hash() -> None:
    written = small()
    del written["hash"]
    assert reader.parse(json.dumps(written).encode()).hash == interface_hash(small())


def test_a_method_may_declare_an_error() -> None:
    read = reader.parse(sealed(spoilt("methods.2.error", {"enum": "Order"})))
    assert read.methods[2].error == model.EnumRef("Order")
    assert read.methods[0].error is None
    assert [error.name for error in read.errors] == ["Order"]


def test_a_wrong_hash_is_named() -> None:
    with pytest.raises(DescriptionError, match=r"^\$\.hash: is 0{16}, but the rest of the description has"):
        reader.parse(json.dumps(small() | {"hash": "0" * 16}).encode())


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "not JSON"),
        (b"\xff", "byte 0 is not UTF-8"),
        (b'{"a":1,"a":2}', "'a' stands twice"),
        (b'{"a":NaN}', "NaN is not a JSON number"),
        (b"[" * 100000, "nested too deep"),
        (b"1" * 10000, "not JSON"),
        (b"null", "$: is null"),
        (b" " * (reader.DESCRIPTION_BYTES_MAX + 1), "more than"),
    ],
    ids=["empty", "not_utf8", "twice", "nan", "deep", "long_number", "null", "too_long"],
)
def test_any_bytes_are_refused_clearly(data: bytes, complaint: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        reader.parse(data)
    assert complaint in str(caught.value)


def chain(levels: int, width: int, kind: str) -> dict[str, Any]:
    """Objects that each hold `width` of the next."""
    found = small()
    for level in range(levels):
        inner: Any = {"object": f"Level{level + 1}"} if level + 1 < levels else "u64"
        fields = [{"name": f"f{n}", "type": {kind: inner} if kind else inner} for n in range(width)]
        found["types"].append({"kind": "object", "name": f"Level{level}", "fields": fields})
    return found


def test_objects_that_multiply_are_refused_at_once() -> None:
    with pytest.raises(DescriptionError, match="a struct of .* bytes, more than 65536"):
        reader.parse(sealed(chain(31, 4, "")))


def test_nesting_is_bounded() -> None:
    reader.parse(sealed(chain(16, 1, "seq")))
    with pytest.raises(DescriptionError, match="nests 34 deep; a message nests at most 32"):
        reader.parse(sealed(chain(17, 1, "seq")))
    with pytest.raises(DescriptionError, match="deep"):
        reader.parse(sealed(chain(2000, 1, "seq")))


def test_a_type_may_hold_itself_in_a_seq() -> None:
    read = reader.parse(sealed(spoilt("types.1.fields.0.type", {"seq": {"object": "Note"}})))
    assert layout.depth(read, model.ObjectRef("Note")) == layout.UNBOUNDED


def chained(levels: int) -> Any:
    """A type that nests too deep."""
    return "u8" if levels == 0 else {"seq": chained(levels - 1)}


def asking(**more: Any) -> dict[str, Any]:
    """The small description with a question, `pick`, and a method that yields."""
    found = yielding()
    ask = {"name": "pick", "params": [{"name": "title", "type": "string"}], "returns": {"option": "u8"}}
    found["asks"] = [ask | {"error": {"enum": "Order"}} | more]
    return found


def test_a_question_is_an_event_and_methods_behind_all_others() -> None:
    interface = reader.parse(sealed(asking()))
    (ask,) = interface.asks
    by_return, by_raise, by_fail = interface.methods[-3:]
    assert [method.number for method in interface.methods] == list(range(len(interface.methods)))
    assert [each.name for each in (by_return, by_raise, by_fail)] == [ask.by_return, ask.by_raise, ask.by_fail]
    assert [[field.name for field in each.params] for each in (by_return, by_raise, by_fail)] == [
        ["question", "value"], ["question", "error"], ["question", "message"],
    ]  # fmt: skip
    assert not any(method.is_authors for method in (by_return, by_raise, by_fail))
    event = interface.events[-1]
    assert (event.name, event.number, event.type, event.depth) == ("pick", 1, model.ObjectRef("PickAsked"), 64)
    assert [field.name for field in interface.object("PickAsked").fields] == ["question", "title"]
    # behind the handle that an author declared, and that of a stream
    assert interface.handle_number("PickQuestion") == len(interface.handles) - 1 == 2
    assert "PickQuestion" not in [handle.name for handle in interface.own_handles]


def test_a_question_may_have_no_value_and_no_error() -> None:
    found = asking(returns=None)
    del found["asks"][0]["error"]
    interface = reader.parse(sealed(found))
    assert [method.name for method in interface.methods[-2:]] == ["pick_return", "pick_fail"]
    assert [field.name for field in interface.method("pick_return").params] == ["question"]


def without_constructor() -> dict[str, Any]:
    found = asking()
    found["methods"] = [{"name": "sum", "kind": "static", "params": [], "returns": "u8"}]
    return found


@pytest.mark.parametrize(
    ("description", "message"),
    [
        (asking(name="Pick"), "$.asks[0].name: is 'Pick'; write the name in snake_case"),
        (asking(kind="method"), "$.asks[0]: has an unknown 'kind'; known are name, params, returns, error and doc"),
        (asking(returns="text"), "$.asks[0].returns: is 'text'; it has to be one of"),
        (asking(error="string"), "$.asks[0].error: is string; an error is an enum, an object or a variant"),
        (asking(params=[{"name": "question", "type": "u8"}]), "$.asks[0].params[0].name: is 'question', which every"),
        (asking(params=[{"name": "a", "type": "u8", "default": 1}]), "$.asks[0].params[0]: has an unknown 'default'"),
        (asking(params=None), "$.asks[0].params: is null; write an array"),
        (asking(name="changed"), "$.asks[0].name: makes 'changed' a name of its own, and $.events has 'changed'"),
        (without_constructor(), "$.asks[0]: is a question, and there is no constructor; add one"),
        (small() | {"asks": {}}, "$.asks: is an object; write an array"),
        (small() | {"asks": asking()["asks"] * 2}, "$.asks[1].name: is 'pick', and"),
        (asking(params=[{"name": "a", "type": chained(40)}]), "$.asks[0].params[0].type"),
    ],
)
def test_a_wrong_question_is_refused(description: dict[str, Any], message: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        reader.parse(sealed(description))
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("methods", "pick_return"),
        ("methods", "pick_raise"),
        ("methods", "pickfail"),
        ("types", "PickQuestion"),
        ("types", "PickAsked"),
    ],
)
def test_what_a_question_is_called_is_taken(kind: str, name: str) -> None:
    found = asking()
    method: dict[str, Any] = {"kind": "method", "params": [], "returns": None}
    found[kind].append({"name": name} | (method if kind == "methods" else {"kind": "handle"}))
    with pytest.raises(DescriptionError, match=r"^\$\.asks\[0\]\.name: makes '(pick|Pick).*' a name of its own"):
        reader.parse(sealed(found))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(["u8", "Note", "object", "variant"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text() | st.sampled_from(["seq", "object", "variant", "cases"]), inner),
    max_leaves=5,
)


def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way, *(found for key, item in items for found in places(item, (*way, key)))]


@settings(max_examples=300, deadline=None)
@given(place=st.sampled_from(places(asking())[1:]), value=JSON)
def test_nothing_but_a_clear_error_comes_of_a_random_change(place: tuple[Any, ...], value: Any) -> None:
    changed = copy.deepcopy(asking())
    at: Any = changed
    for part in place[:-1]:
        at = at[part]
    at[place[-1]] = value
    with contextlib.suppress(DescriptionError):
        reader.parse(sealed(changed))


def shared_object(description: bytes, section: bytes = b".ferry_interface") -> bytes:
    """The least ELF file with a section."""
    names = b"\0" + section + b"\0.shstrtab\0"
    at = 64 + len(description)
    table = at + len(names)
    header = b"\x7fELF\x02\x01".ljust(0x28, b"\0") + struct.pack("<Q", table)
    header = header.ljust(0x3A, b"\0") + struct.pack("<HHH", 64, 2, 1)
    sections = [(1, 1, 0, 0, 64, len(description)), (len(section) + 2, 3, 0, 0, at, len(names))]
    return header + description + names + b"".join(struct.pack("<IIQQQQ24x", *each) for each in sections)


def test_a_description_is_found_in_a_shared_object(tmp_path: Path) -> None:
    library = tmp_path / "libsmall.so"
    library.write_bytes(shared_object(sealed(small())))
    assert reader.read(library).name == "small"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (shared_object(b"", b".another"), "without a description in it; give the description"),
        (shared_object(sealed(small()))[:-1], "ends early; build the shared object again"),
        (b"\x7fELF\x01\x01" + bytes(64), "no ELF of 64 bits"),
        (b"\x7fELF", "ends early"),
        (b"\x7fELF\x02\x01" + bytes(58), "without a description in it"),
    ],
)
def test_a_shared_object_without_one_is_refused(content: bytes, says: str, tmp_path: Path) -> None:
    library = tmp_path / "libsmall.so"
    library.write_bytes(content)
    with pytest.raises(DescriptionError, match=says):
        reader.read(library)
