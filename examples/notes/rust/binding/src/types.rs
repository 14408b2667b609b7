// SPDX-License-Identifier: BSD-3-Clause
// Generated from notes.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
//! What the library takes and gives.

use ferry_ingress::wire;

/// How matches are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    /// Best first.
    Relevance = 0,
    /// Last changed first.
    Newest = 1,
}

impl wire::EnumValue for Order {
    fn number(self) -> i32 {
        self as i32
    }

    fn from_number(number: i32) -> Option<Self> {
        match number {
            0 => Some(Order::Relevance),
            1 => Some(Order::Newest),
            _ => None,
        }
    }
}

/// What happened to a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChangeKind {
    /// `added`.
    Added = 0,
    /// `changed`.
    Changed = 1,
    /// `removed`.
    Removed = 2,
}

impl wire::EnumValue for ChangeKind {
    fn number(self) -> i32 {
        self as i32
    }

    fn from_number(number: i32) -> Option<Self> {
        match number {
            0 => Some(ChangeKind::Added),
            1 => Some(ChangeKind::Changed),
            2 => Some(ChangeKind::Removed),
            _ => None,
        }
    }
}

/// A search whose matches are fetched piece by piece.
///
/// A handle is an id: copies mean the same object, dropping one closes nothing, and the library refuses one that was
/// closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cursor(u64);

impl wire::HandleValue for Cursor {
    fn from_id(id: u64) -> Self {
        Cursor(id)
    }

    fn id(self) -> u64 {
        self.0
    }
}

/// A note, without its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    /// Below the folder, with `/`.
    pub path: String,
    /// Its first line that is not empty.
    pub title: String,
    /// When it was last changed: nanoseconds since 1970.
    pub modified_ns: i64,
    /// Of its file.
    pub bytes: i64,
}

ferry_ingress::object! {
    Note {
        path: wire::Text = b"\x64path",
        title: wire::Text = b"\x65title",
        modified_ns: wire::I64 = b"\x6bmodified_ns",
        bytes: wire::I64 = b"\x65bytes",
    }
    sorted {
        path: wire::Text = b"\x64path",
        bytes: wire::I64 = b"\x65bytes",
        title: wire::Text = b"\x65title",
        modified_ns: wire::I64 = b"\x6bmodified_ns",
    }
}

/// A note that matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// `note`, Note.
    pub note: Note,
    /// A few words of it; those that were found stand between « and ».
    pub snippet: String,
    /// How well it matches; greater is better.
    pub score: f64,
}

ferry_ingress::object! {
    Found {
        note: Note = b"\x64note",
        snippet: wire::Text = b"\x67snippet",
        score: wire::F64 = b"\x65score",
    }
    sorted {
        note: Note = b"\x64note",
        score: wire::F64 = b"\x65score",
        snippet: wire::Text = b"\x67snippet",
    }
}

/// What the index holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Totals {
    /// `notes`, i64.
    pub notes: i64,
    /// Of all notes.
    pub bytes: i64,
    /// Files that were left out at the last scan: too long, unreadable, or not UTF-8.
    pub skipped: i64,
}

ferry_ingress::object! {
    Totals {
        notes: wire::I64 = b"\x65notes",
        bytes: wire::I64 = b"\x65bytes",
        skipped: wire::I64 = b"\x67skipped",
    }
    sorted {
        bytes: wire::I64 = b"\x65bytes",
        notes: wire::I64 = b"\x65notes",
        skipped: wire::I64 = b"\x67skipped",
    }
}

/// One note has changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    /// `kind`, ChangeKind.
    pub kind: ChangeKind,
    /// `path`, string.
    pub path: String,
}

ferry_ingress::object! {
    Change {
        kind: wire::Enum<ChangeKind> = b"\x64kind",
        path: wire::Text = b"\x64path",
    }
    sorted {
        kind: wire::Enum<ChangeKind> = b"\x64kind",
        path: wire::Text = b"\x64path",
    }
}

/// How far a scan has come.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Progress {
    /// `done`, i64.
    pub done: i64,
    /// `total`, i64.
    pub total: i64,
}

ferry_ingress::object! {
    Progress {
        done: wire::I64 = b"\x64done",
        total: wire::I64 = b"\x65total",
    }
    sorted {
        done: wire::I64 = b"\x64done",
        total: wire::I64 = b"\x65total",
    }
}
