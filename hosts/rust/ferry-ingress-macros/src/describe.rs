// SPDX-License-Identifier: BSD-3-Clause
//! The description of an interface (spec/interface.md, I1) as `nim/src/ferry/describe.nim` writes it, and its hash (I5).

use crate::library::{Case, Declared, Field, Kind, Library, Method, MethodKind, Param};
use crate::shape::Shape;
use crate::value::json_text;

/// A JSON value.
enum Json {
    /// A number or a text, as it is written.
    Plain(String),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

/// How long a line is at most.
const COLUMNS: usize = 100;

impl Json {
    fn text(text: &str) -> Json {
        Json::Plain(json_text(text))
    }

    fn null() -> Json {
        Json::Plain("null".to_owned())
    }

    /// The text that is hashed: keys are sorted, and there is neither white space nor documentation.
    fn canonical(&self) -> String {
        match self {
            Json::Plain(text) => text.clone(),
            Json::List(items) => {
                let parts: Vec<String> = items.iter().map(Json::canonical).collect();
                format!("[{}]", parts.join(","))
            }
            Json::Object(members) => {
                let mut members: Vec<_> =
                    members.iter().filter(|(name, _)| *name != "doc").collect();
                members.sort_by_key(|(name, _)| *name);
                let parts: Vec<String> = members
                    .iter()
                    .map(|(name, value)| format!("\"{name}\":{}", value.canonical()))
                    .collect();
                format!("{{{}}}", parts.join(","))
            }
        }
    }

    /// The text that people read: what fits on one line stands on one.
    fn pretty(&self, indent: &str) -> String {
        let inner = format!("{indent}  ");
        let (parts, opening, closing) = match self {
            Json::Plain(text) => return text.clone(),
            Json::List(items) => {
                let parts: Vec<String> = items.iter().map(|item| item.pretty(&inner)).collect();
                (parts, '[', ']')
            }
            Json::Object(members) => {
                let one =
                    |(name, value): &(&str, Json)| format!("\"{name}\": {}", value.pretty(&inner));
                (members.iter().map(one).collect(), '{', '}')
            }
        };
        let line = parts.join(", ");
        if line.len() + indent.len() < COLUMNS && !line.contains('\n') {
            return format!("{opening}{line}{closing}");
        }
        let lines = parts.join(&format!(",\n{inner}"));
        format!("{opening}\n{inner}{lines}\n{indent}{closing}")
    }
}

fn shape(shape: &Shape) -> Json {
    carrier(&shape.carrier())
}

/// A type that is its own carrier, so that all that it is made of is one too.
fn carrier(shape: &Shape) -> Json {
    match shape {
        Shape::Scalar(name) => Json::text(name),
        Shape::Enum(name) => Json::Object(vec![("enum", Json::text(name))]),
        Shape::Object(name) => Json::Object(vec![("object", Json::text(name))]),
        Shape::Variant(name) => Json::Object(vec![("variant", Json::text(name))]),
        Shape::Handle(name) => Json::Object(vec![("handle", Json::text(name))]),
        Shape::Option(item) => Json::Object(vec![("option", self::shape(item))]),
        Shape::Seq(item) => Json::Object(vec![("seq", self::shape(item))]),
        Shape::Map(key, value) => {
            let both = Json::List(vec![self::shape(key), self::shape(value)]);
            Json::Object(vec![("map", both)])
        }
        _ => Json::null(),
    }
}

fn or_null(of: &Option<Shape>) -> Json {
    of.as_ref().map_or_else(Json::null, shape)
}

/// A field, whose type and default have been checked.
pub struct TypedField<'a> {
    pub field: &'a Field,
    pub shape: Shape,
    pub default: Option<String>,
}

/// An interface without its hash, and the hash.
pub struct Description {
    pub text: String,
    pub hash: u64,
}

fn params<'a>(params: impl Iterator<Item = &'a Param>) -> Json {
    let one = |param: &Param| {
        Json::Object(vec![
            ("name", Json::text(&param.name.text)),
            ("type", or_null(&param.shape)),
            ("doc", Json::text(&param.doc)),
        ])
    };
    Json::List(params.map(one).collect())
}

fn error(library: &Library, name: &str) -> Json {
    let word = match library.find(name).map(|declared| &declared.kind) {
        Some(Kind::Enum(_)) => "enum",
        Some(Kind::Variant(_)) => "variant",
        _ => "object",
    };
    Json::Object(vec![(word, Json::text(name))])
}

fn declared(declared: &Declared, library: &Library) -> Json {
    let named = |kind| {
        vec![
            ("kind", Json::text(kind)),
            ("name", Json::text(&declared.name.text)),
        ]
    };
    let doc = ("doc", Json::text(&declared.doc));
    match &declared.kind {
        Kind::Handle => {
            let mut members = named("handle");
            members.push(doc);
            Json::Object(members)
        }
        Kind::Enum(values) => {
            let one = |value: &crate::library::Value| {
                Json::Object(vec![
                    ("name", Json::text(&value.name.text)),
                    ("value", Json::Plain(value.number.to_string())),
                    ("doc", Json::text(&value.doc)),
                ])
            };
            let mut members = named("enum");
            members.push(("values", Json::List(values.iter().map(one).collect())));
            members.push(doc);
            Json::Object(members)
        }
        Kind::Variant(_) => {
            let mut members = named("variant");
            let one = |(case, carried): (&Case, Option<Shape>)| {
                Json::Object(vec![
                    ("name", Json::text(&case.name.text)),
                    ("type", or_null(&carried)),
                    ("doc", Json::text(&case.doc)),
                ])
            };
            let cases = library.cases(&declared.name.text).into_iter().map(one);
            members.push(("cases", Json::List(cases.collect())));
            members.push(doc);
            Json::Object(members)
        }
        Kind::Object(_) => {
            let mut members = named("object");
            let one = |checked: TypedField<'_>| {
                let mut members = vec![
                    ("name", Json::text(&checked.field.name.text)),
                    ("type", shape(&checked.shape)),
                ];
                members.extend(
                    checked
                        .default
                        .map(|default| ("default", Json::Plain(default))),
                );
                members.push(("doc", Json::text(&checked.field.doc)));
                Json::Object(members)
            };
            let fields = library.fields(&declared.name.text).into_iter().map(one);
            members.push(("fields", Json::List(fields.collect())));
            members.push(doc);
            Json::Object(members)
        }
    }
}

fn method(method: &Method, library: &Library) -> Json {
    let kind = match method.role {
        MethodKind::Constructor => "constructor",
        MethodKind::Destructor => "destructor",
        MethodKind::Method => "method",
        MethodKind::Static => "static",
    };
    let returns = &method.returns;
    let mut members = vec![
        ("name", Json::text(&method.name.text)),
        ("kind", Json::text(kind)),
        ("params", params(method.travelling())),
        (
            "returns",
            if method.yields() {
                Json::null()
            } else {
                or_null(&returns.shape)
            },
        ),
    ];
    if method.yields() {
        members.push(("yields", or_null(&returns.shape)));
    }
    if let Some(name) = &returns.error {
        members.push(("error", error(library, name)));
    }
    if method.is_idempotent {
        members.push(("idempotent", Json::Plain("true".to_owned())));
    }
    members.push(("doc", Json::text(&method.doc)));
    Json::Object(members)
}

fn fnv1a(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Describe a library that has been checked.
pub fn describe(library: &Library) -> Description {
    let constants = library.constants.iter().map(|constant| {
        Json::Object(vec![
            ("name", Json::text(&constant.name.text)),
            ("type", Json::text(constant.kind)),
            ("value", Json::Plain(constant.json.clone())),
            ("doc", Json::text(&constant.doc)),
        ])
    });
    let events = library.events.iter().map(|event| {
        Json::Object(vec![
            ("name", Json::text(&event.name.text)),
            ("type", or_null(&event.shape)),
            ("overflow", Json::text(event.overflow)),
            ("depth", Json::Plain(event.depth.to_string())),
            ("doc", Json::text(&event.doc)),
        ])
    });
    let about = vec![
        ("name", Json::text(&library.name)),
        ("version", Json::text(&library.version)),
        ("doc", Json::text(&library.doc)),
    ];
    let mut whole = vec![
        ("ferry_interface", Json::Plain("1".to_owned())),
        ("library", Json::Object(about)),
        ("constants", Json::List(constants.collect())),
        (
            "types",
            Json::List(
                library
                    .types
                    .iter()
                    .map(|one| declared(one, library))
                    .collect(),
            ),
        ),
        (
            "methods",
            Json::List(
                library
                    .methods
                    .iter()
                    .map(|one| method(one, library))
                    .collect(),
            ),
        ),
        ("events", Json::List(events.collect())),
    ];
    let asks = library.asks.iter().map(|ask| {
        let mut members = vec![
            ("name", Json::text(&ask.name.text)),
            ("params", params(ask.params[1..].iter())),
            ("returns", or_null(&ask.shape)),
        ];
        members.extend(
            ask.error
                .as_ref()
                .map(|name| ("error", error(library, name))),
        );
        members.push(("doc", Json::text(&ask.doc)));
        Json::Object(members)
    });
    if !library.asks.is_empty() {
        whole.push(("asks", Json::List(asks.collect())));
    }
    let whole = Json::Object(whole);
    let hash = fnv1a(&whole.canonical());
    let text = match whole {
        Json::Object(mut members) => {
            members.insert(2, ("hash", Json::text(&format!("{hash:016x}"))));
            Json::Object(members).pretty("")
        }
        other => other.pretty(""),
    };
    Description {
        text: text + "\n",
        hash,
    }
}
