// SPDX-License-Identifier: BSD-3-Clause
// Generated from echo.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
//! What the library takes and gives.

use std::collections::BTreeMap;

use ferry_ingress::wire;

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// No colour at all.
    None = -1,
    /// Red.
    Red = 0,
    /// Green.
    Green = 1,
    /// Blue, out of line.
    Blue = 7,
}

impl wire::EnumValue for Color {
    fn number(self) -> i32 {
        self as i32
    }

    fn from_number(number: i32) -> Option<Self> {
        match number {
            -1 => Some(Color::None),
            0 => Some(Color::Red),
            1 => Some(Color::Green),
            7 => Some(Color::Blue),
            _ => None,
        }
    }
}

/// Reads a text in pieces.
///
/// A handle is an id: copies mean the same object, dropping one closes nothing, and the library refuses one that was
/// closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reader(u64);

impl wire::HandleValue for Reader {
    fn from_id(id: u64) -> Self {
        Reader(id)
    }

    fn id(self) -> u64 {
        self.0
    }
}

/// What to echo, and when.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EchoRequest {
    /// What to say.
    pub message: String,
    /// How long to wait before answering, in milliseconds; 0 answers at once.
    pub delay_ms: i64,
}

ferry_ingress::object! {
    EchoRequest {
        message: wire::Text = b"\x67message",
        delay_ms: wire::I64 = b"\x68delay_ms",
    }
    sorted {
        message: wire::Text = b"\x67message",
        delay_ms: wire::I64 = b"\x68delay_ms",
    }
}

/// What was echoed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EchoResponse {
    /// The message, after the context's prefix.
    pub echoed: String,
    /// How long it was waited, for people.
    pub timer: String,
}

ferry_ingress::object! {
    EchoResponse {
        echoed: wire::Text = b"\x66echoed",
        timer: wire::Text = b"\x65timer",
    }
    sorted {
        timer: wire::Text = b"\x65timer",
        echoed: wire::Text = b"\x66echoed",
    }
}

/// Many things at once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ComplexRequest {
    /// Several messages.
    pub messages: Vec<EchoRequest>,
    /// Words about them.
    pub tags: Vec<String>,
    /// A remark.
    pub note: Option<String>,
    /// How often to try again.
    pub retries: Option<i64>,
}

ferry_ingress::object! {
    ComplexRequest {
        messages: wire::Seq<EchoRequest> = b"\x68messages",
        tags: wire::Seq<wire::Text> = b"\x64tags",
        note: wire::Opt<wire::Text> = b"\x64note",
        retries: wire::Opt<wire::I64> = b"\x67retries",
    }
    sorted {
        note: wire::Opt<wire::Text> = b"\x64note",
        tags: wire::Seq<wire::Text> = b"\x64tags",
        retries: wire::Opt<wire::I64> = b"\x67retries",
        messages: wire::Seq<EchoRequest> = b"\x68messages",
    }
}

/// What became of many things.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ComplexResponse {
    /// The messages and the tags, each joined by commas, and a semicolon between the two.
    pub summary: String,
    /// How many messages and tags there were.
    pub item_count: u32,
    /// Whether there was a note.
    pub has_note: bool,
    /// The retries asked for; -1 when none were.
    pub retries: i64,
}

ferry_ingress::object! {
    ComplexResponse {
        summary: wire::Text = b"\x67summary",
        item_count: wire::U32 = b"\x6aitem_count",
        has_note: wire::Bool = b"\x68has_note",
        retries: wire::I64 = b"\x67retries",
    }
    sorted {
        retries: wire::I64 = b"\x67retries",
        summary: wire::Text = b"\x67summary",
        has_note: wire::Bool = b"\x68has_note",
        item_count: wire::U32 = b"\x6aitem_count",
    }
}

/// A field of every type.
#[derive(Clone, Debug, PartialEq)]
pub struct AllTypes {
    /// `a_bool`, bool.
    pub a_bool: bool,
    /// `an_i8`, i8.
    pub an_i8: i8,
    /// `an_i16`, i16.
    pub an_i16: i16,
    /// `an_i32`, i32.
    pub an_i32: i32,
    /// `an_i64`, i64.
    pub an_i64: i64,
    /// `a_u8`, u8.
    pub a_u8: u8,
    /// `a_u16`, u16.
    pub a_u16: u16,
    /// `a_u32`, u32.
    pub a_u32: u32,
    /// `a_u64`, u64.
    pub a_u64: u64,
    /// `an_f32`, f32.
    pub an_f32: f32,
    /// `an_f64`, f64.
    pub an_f64: f64,
    /// `a_string`, string.
    pub a_string: String,
    /// `some_bytes`, bytes.
    pub some_bytes: Vec<u8>,
    /// `a_color`, Color.
    pub a_color: Color,
    /// `an_object`, EchoRequest.
    pub an_object: EchoRequest,
    /// `maybe_number`, option of i32.
    pub maybe_number: Option<i32>,
    /// `maybe_text`, option of string.
    pub maybe_text: Option<String>,
    /// `maybe_object`, option of EchoRequest.
    pub maybe_object: Option<EchoRequest>,
    /// `maybe_color`, option of Color.
    pub maybe_color: Option<Color>,
    /// `numbers`, seq of f64.
    pub numbers: Vec<f64>,
    /// `flags`, seq of bool.
    pub flags: Vec<bool>,
    /// `colors`, seq of Color.
    pub colors: Vec<Color>,
    /// `rows`, seq of seq of i32.
    pub rows: Vec<Vec<i32>>,
    /// `maybe_words`, seq of option of string.
    pub maybe_words: Vec<Option<String>>,
    /// `blobs`, seq of bytes.
    pub blobs: Vec<Vec<u8>>,
    /// `text_by_number`, map of i32 to string.
    pub text_by_number: BTreeMap<i32, String>,
    /// `number_by_text`, map of string to i64.
    pub number_by_text: BTreeMap<String, i64>,
    /// `objects_by_text`, map of string to EchoRequest.
    pub objects_by_text: BTreeMap<String, EchoRequest>,
}

ferry_ingress::object! {
    AllTypes {
        a_bool: wire::Bool = b"\x66a_bool",
        an_i8: wire::I8 = b"\x65an_i8",
        an_i16: wire::I16 = b"\x66an_i16",
        an_i32: wire::I32 = b"\x66an_i32",
        an_i64: wire::I64 = b"\x66an_i64",
        a_u8: wire::U8 = b"\x64a_u8",
        a_u16: wire::U16 = b"\x65a_u16",
        a_u32: wire::U32 = b"\x65a_u32",
        a_u64: wire::U64 = b"\x65a_u64",
        an_f32: wire::F32 = b"\x66an_f32",
        an_f64: wire::F64 = b"\x66an_f64",
        a_string: wire::Text = b"\x68a_string",
        some_bytes: wire::Bytes = b"\x6asome_bytes",
        a_color: wire::Enum<Color> = b"\x67a_color",
        an_object: EchoRequest = b"\x69an_object",
        maybe_number: wire::Opt<wire::I32> = b"\x6cmaybe_number",
        maybe_text: wire::Opt<wire::Text> = b"\x6amaybe_text",
        maybe_object: wire::Opt<EchoRequest> = b"\x6cmaybe_object",
        maybe_color: wire::Opt<wire::Enum<Color>> = b"\x6bmaybe_color",
        numbers: wire::Seq<wire::F64> = b"\x67numbers",
        flags: wire::Seq<wire::Bool> = b"\x65flags",
        colors: wire::Seq<wire::Enum<Color>> = b"\x66colors",
        rows: wire::Seq<wire::Seq<wire::I32>> = b"\x64rows",
        maybe_words: wire::Seq<wire::Opt<wire::Text>> = b"\x6bmaybe_words",
        blobs: wire::Seq<wire::Bytes> = b"\x65blobs",
        text_by_number: wire::Map<wire::I32, wire::Text> = b"\x6etext_by_number",
        number_by_text: wire::Map<wire::Text, wire::I64> = b"\x6enumber_by_text",
        objects_by_text: wire::Map<wire::Text, EchoRequest> = b"\x6fobjects_by_text",
    }
    sorted {
        a_u8: wire::U8 = b"\x64a_u8",
        rows: wire::Seq<wire::Seq<wire::I32>> = b"\x64rows",
        a_u16: wire::U16 = b"\x65a_u16",
        a_u32: wire::U32 = b"\x65a_u32",
        a_u64: wire::U64 = b"\x65a_u64",
        an_i8: wire::I8 = b"\x65an_i8",
        blobs: wire::Seq<wire::Bytes> = b"\x65blobs",
        flags: wire::Seq<wire::Bool> = b"\x65flags",
        a_bool: wire::Bool = b"\x66a_bool",
        an_f32: wire::F32 = b"\x66an_f32",
        an_f64: wire::F64 = b"\x66an_f64",
        an_i16: wire::I16 = b"\x66an_i16",
        an_i32: wire::I32 = b"\x66an_i32",
        an_i64: wire::I64 = b"\x66an_i64",
        colors: wire::Seq<wire::Enum<Color>> = b"\x66colors",
        a_color: wire::Enum<Color> = b"\x67a_color",
        numbers: wire::Seq<wire::F64> = b"\x67numbers",
        a_string: wire::Text = b"\x68a_string",
        an_object: EchoRequest = b"\x69an_object",
        maybe_text: wire::Opt<wire::Text> = b"\x6amaybe_text",
        some_bytes: wire::Bytes = b"\x6asome_bytes",
        maybe_color: wire::Opt<wire::Enum<Color>> = b"\x6bmaybe_color",
        maybe_words: wire::Seq<wire::Opt<wire::Text>> = b"\x6bmaybe_words",
        maybe_number: wire::Opt<wire::I32> = b"\x6cmaybe_number",
        maybe_object: wire::Opt<EchoRequest> = b"\x6cmaybe_object",
        number_by_text: wire::Map<wire::Text, wire::I64> = b"\x6enumber_by_text",
        text_by_number: wire::Map<wire::I32, wire::Text> = b"\x6etext_by_number",
        objects_by_text: wire::Map<wire::Text, EchoRequest> = b"\x6fobjects_by_text",
    }
}

/// A tree, which contains itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tree {
    /// What it is called.
    pub name: String,
    /// What is below it.
    pub children: Vec<Tree>,
}

ferry_ingress::object! {
    Tree {
        name: wire::Text = b"\x64name",
        children: wire::Seq<Tree> = b"\x68children",
    }
    sorted {
        name: wire::Text = b"\x64name",
        children: wire::Seq<Tree> = b"\x68children",
    }
}
