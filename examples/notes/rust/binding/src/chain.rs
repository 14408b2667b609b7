// SPDX-License-Identifier: BSD-3-Clause
// Generated from notes.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
//! Calls that are submitted together, of which later ones take results of earlier ones.

use std::time::Duration;

use ferry_ingress::wire;
use ferry_ingress::{Argument, Chain, Field, Given, Promise, Promised, Result, Results, Submitted};

use crate::types::{Change, ChangeKind, Cursor, Found, Note, Order, Progress, Totals};

/// Calls of a context of `notes` that run one after another.
///
/// Its functions are the methods, and return promises; an argument is a value, or a promise that an earlier call of the
/// same chain returned. A chain has at most 64 calls, and 256 uses of promises. Nothing runs before it is submitted.
/// It borrows nothing, and may go to another thread.
#[derive(Debug)]
#[must_use = "nothing runs before a chain is submitted"]
pub struct NotesChain(pub(crate) Chain);

impl NotesChain {
    /// The notes that match. Words must all occur; "a phrase", begin*, -without and #tag are understood.
    pub fn find(
        &mut self,
        text: impl Argument<wire::Text>,
        order: impl Argument<wire::Enum<Order>>,
        limit: impl Argument<wire::U32>,
    ) -> Promise<wire::Seq<Found>> {
        self.0.call(
            2,
            &[
                Given::new(b"\x64text", &text),
                Given::new(b"\x65limit", &limit),
                Given::new(b"\x65order", &order),
            ],
        )
    }

    /// As find, for many matches: a cursor from which they are fetched.
    pub fn search(
        &mut self,
        text: impl Argument<wire::Text>,
        order: impl Argument<wire::Enum<Order>>,
    ) -> Promise<wire::Handle<Cursor>> {
        self.0.call(
            3,
            &[
                Given::new(b"\x64text", &text),
                Given::new(b"\x65order", &order),
            ],
        )
    }

    /// The next `count` matches; none at the end.
    pub fn fetch(
        &mut self,
        cursor: impl Argument<wire::Handle<Cursor>>,
        count: impl Argument<wire::U32>,
    ) -> Promise<wire::Seq<Found>> {
        self.0.call(
            4,
            &[
                Given::new(b"\x65count", &count),
                Given::new(b"\x66cursor", &cursor),
            ],
        )
    }

    /// Forget a cursor.
    pub fn end_search(
        &mut self,
        cursor: impl Argument<wire::Handle<Cursor>>,
    ) -> Promise<wire::Unit> {
        self.0.call(5, &[Given::new(b"\x66cursor", &cursor)])
    }

    /// The text of a note.
    pub fn read(&mut self, path: impl Argument<wire::Text>) -> Promise<wire::Text> {
        self.0.call(6, &[Given::new(b"\x64path", &path)])
    }

    /// Write a note, and index it. It is replaced as a whole or not at all.
    pub fn write(
        &mut self,
        path: impl Argument<wire::Text>,
        text: impl Argument<wire::Text>,
    ) -> Promise<wire::Unit> {
        self.0.call(
            7,
            &[
                Given::new(b"\x64path", &path),
                Given::new(b"\x64text", &text),
            ],
        )
    }

    /// Remove a note's file, and forget it.
    pub fn remove(&mut self, path: impl Argument<wire::Text>) -> Promise<wire::Unit> {
        self.0.call(8, &[Given::new(b"\x64path", &path)])
    }

    /// Look at the whole folder again; other requests go on meanwhile.
    pub fn refresh(&mut self) -> Promise<Totals> {
        self.0.call(9, &[])
    }

    /// What the index holds.
    pub fn totals(&mut self) -> Promise<Totals> {
        self.0.call(10, &[])
    }

    /// The files that were left out, and why.
    pub fn skipped(&mut self) -> Promise<wire::Map<wire::Text, wire::Text>> {
        self.0.call(11, &[])
    }

    /// Every tag, and how many notes have it.
    pub fn tags(&mut self) -> Promise<wire::Map<wire::Text, wire::U32>> {
        self.0.call(12, &[])
    }

    /// How a query is understood, in the words of SQLite's FTS5; a query that cannot be asked fails.
    pub fn parse(&mut self, text: impl Argument<wire::Text>) -> Promise<wire::Text> {
        self.0.call(13, &[Given::new(b"\x64text", &text)])
    }

    /// The call that is appended next also needs this one to have succeeded, though it takes nothing from it.
    pub fn after<C>(&mut self, promise: &Promised<C>) {
        self.0.after(promise);
    }

    /// Submit the calls, and block this thread until each has its result or its failure: see
    /// [`Promise::result`](crate::Promise::result).
    ///
    /// A call to which the library comes after `timeout` does not run; one that runs then is left alone. Both fail with
    /// [`Status::Timeout`](crate::Status::Timeout).
    ///
    /// # Errors
    /// Why the chain was refused as a whole, of which nothing has run then: a promise of another chain, no calls or too
    /// many ([`Status::BadArgument`](crate::Status::BadArgument)), or a full queue
    /// ([`Status::QueueFull`](crate::Status::QueueFull)).
    pub fn submit(self, timeout: Duration) -> Result<Results> {
        self.0.submit(timeout)
    }

    /// Submit the calls now. What this returns is awaited; when it is dropped before, the calls are cancelled.
    pub fn submit_async(self) -> Submitted {
        self.0.submit_async()
    }
}

/// Its fields, for [`Promised::field`].
impl Note {
    /// The field `path` of what is promised.
    pub const PATH: Field<Note, wire::Text> = Field::new("path");
    /// The field `title` of what is promised.
    pub const TITLE: Field<Note, wire::Text> = Field::new("title");
    /// The field `modified_ns` of what is promised.
    pub const MODIFIED_NS: Field<Note, wire::I64> = Field::new("modified_ns");
    /// The field `bytes` of what is promised.
    pub const BYTES: Field<Note, wire::I64> = Field::new("bytes");
}

/// Its fields, for [`Promised::field`].
impl Found {
    /// The field `note` of what is promised.
    pub const NOTE: Field<Found, Note> = Field::new("note");
    /// The field `snippet` of what is promised.
    pub const SNIPPET: Field<Found, wire::Text> = Field::new("snippet");
    /// The field `score` of what is promised.
    pub const SCORE: Field<Found, wire::F64> = Field::new("score");
}

/// Its fields, for [`Promised::field`].
impl Totals {
    /// The field `notes` of what is promised.
    pub const NOTES: Field<Totals, wire::I64> = Field::new("notes");
    /// The field `bytes` of what is promised.
    pub const BYTES: Field<Totals, wire::I64> = Field::new("bytes");
    /// The field `skipped` of what is promised.
    pub const SKIPPED: Field<Totals, wire::I64> = Field::new("skipped");
}

/// Its fields, for [`Promised::field`].
impl Change {
    /// The field `kind` of what is promised.
    pub const KIND: Field<Change, wire::Enum<ChangeKind>> = Field::new("kind");
    /// The field `path` of what is promised.
    pub const PATH: Field<Change, wire::Text> = Field::new("path");
}

/// Its fields, for [`Promised::field`].
impl Progress {
    /// The field `done` of what is promised.
    pub const DONE: Field<Progress, wire::I64> = Field::new("done");
    /// The field `total` of what is promised.
    pub const TOTAL: Field<Progress, wire::I64> = Field::new("total");
}
