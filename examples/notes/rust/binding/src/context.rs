// SPDX-License-Identifier: BSD-3-Clause
// Generated from notes.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
//! The context: a running instance of the library.

use std::collections::BTreeMap;
use std::time::Duration;

use ferry_ingress::wire;
use ferry_ingress::{
    Call, Context, Creation, Event, EventKind, Events, Options, Overflow, Result, Subscription,
};

use crate::chain::NotesChain;
use crate::library::{library, WIRE};
use crate::requests;
use crate::types::{Change, Cursor, Found, Order, Progress, Totals};

/// A running instance of `notes`. Any thread may use it at any time; it is destroyed when dropped.
#[derive(Debug)]
pub struct Notes(Context);

impl From<Context> for Notes {
    fn from(context: Context) -> Notes {
        Notes(context)
    }
}

impl AsRef<Context> for Notes {
    fn as_ref(&self) -> &Context {
        &self.0
    }
}

impl Notes {
    /// Open the folder `path` and bring its index up to date. The index is kept in the file `database`, or in memory; with
    /// `watch` it follows the folder's changes.
    pub fn open(
        options: &Options,
        path: &str,
        database: Option<&str>,
        watch: bool,
    ) -> Creation<Notes> {
        let request = requests::OpenParams {
            path: wire::Plain::new(path),
            database: wire::Maybe::new(database),
            watch: wire::Plain::new(&watch),
        };
        Creation::new(library(), options, WIRE, 0, &request)
    }

    /// Close the index.
    ///
    /// Waits for handlers that run, for `timeout` at most; when this returns, no callback runs or will run. Dropping does
    /// the same with the time that the options say, and tells nobody when it was not enough.
    ///
    /// # Errors
    /// [`Status::Timeout`](crate::Status::Timeout) when handlers were still running,
    /// [`Status::Reentrant`](crate::Status::Reentrant) in a callback of this context.
    pub fn close(self, timeout: Duration) -> Result<()> {
        self.0.close(timeout)
    }

    /// The notes that match. Words must all occur; "a phrase", begin*, -without and #tag are understood.
    pub fn find(&self, text: &str, order: Order, limit: u32) -> Call<Vec<Found>> {
        let request = requests::FindParams {
            text: wire::Plain::new(text),
            order: wire::Plain::new(&order),
            limit: wire::Plain::new(&limit),
        };
        self.0.call::<wire::Seq<Found>>(2, &request)
    }

    /// As find, for many matches: a cursor from which they are fetched.
    pub fn search(&self, text: &str, order: Order) -> Call<Cursor> {
        let request = requests::SearchParams {
            text: wire::Plain::new(text),
            order: wire::Plain::new(&order),
        };
        self.0.call::<wire::Handle<Cursor>>(3, &request)
    }

    /// The next `count` matches; none at the end.
    pub fn fetch(&self, cursor: Cursor, count: u32) -> Call<Vec<Found>> {
        let request = requests::FetchParams {
            cursor: wire::Plain::new(&cursor),
            count: wire::Plain::new(&count),
        };
        self.0.call::<wire::Seq<Found>>(4, &request)
    }

    /// Forget a cursor.
    pub fn end_search(&self, cursor: Cursor) -> Call<()> {
        let request = requests::EndSearchParams {
            cursor: wire::Plain::new(&cursor),
        };
        self.0.call::<wire::Unit>(5, &request)
    }

    /// The text of a note.
    pub fn read(&self, path: &str) -> Call<String> {
        let request = requests::ReadParams {
            path: wire::Plain::new(path),
        };
        self.0.call::<wire::Text>(6, &request)
    }

    /// Write a note, and index it. It is replaced as a whole or not at all.
    pub fn write(&self, path: &str, text: &str) -> Call<()> {
        let request = requests::WriteParams {
            path: wire::Plain::new(path),
            text: wire::Plain::new(text),
        };
        self.0.call::<wire::Unit>(7, &request)
    }

    /// Remove a note's file, and forget it.
    pub fn remove(&self, path: &str) -> Call<()> {
        let request = requests::RemoveParams {
            path: wire::Plain::new(path),
        };
        self.0.call::<wire::Unit>(8, &request)
    }

    /// Look at the whole folder again; other requests go on meanwhile.
    pub fn refresh(&self) -> Call<Totals> {
        self.0.call::<Totals>(9, &())
    }

    /// What the index holds.
    pub fn totals(&self) -> Call<Totals> {
        self.0.call::<Totals>(10, &())
    }

    /// The files that were left out, and why.
    pub fn skipped(&self) -> Call<BTreeMap<String, String>> {
        self.0.call::<wire::Map<wire::Text, wire::Text>>(11, &())
    }

    /// Every tag, and how many notes have it.
    pub fn tags(&self) -> Call<BTreeMap<String, u32>> {
        self.0.call::<wire::Map<wire::Text, wire::U32>>(12, &())
    }

    /// Begin a chain: calls that are submitted together, of which later ones take results of earlier ones.
    pub fn chain(&self) -> NotesChain {
        NotesChain(self.0.chain())
    }

    /// A note was added, changed or removed, and the index knows.
    ///
    /// As a stream, from now on.
    ///
    /// # Errors
    /// What the core refuses: a context that is closed, or too many listeners.
    pub fn note_changed_events(&self) -> Result<Events<Change>> {
        Events::listen::<Change>(&self.0, NOTE_CHANGED_EVENT)
    }

    /// A note was added, changed or removed, and the index knows.
    ///
    /// `notify` is called on the event thread for each, until what this returns is dropped: see [`Subscription`].
    ///
    /// # Errors
    /// What the core refuses: a context that is closed, or too many listeners.
    pub fn on_note_changed(
        &self,
        notify: impl FnMut(Result<Event<Change>>) + Send + 'static,
    ) -> Result<Subscription> {
        Subscription::listen::<Change>(&self.0, NOTE_CHANGED_EVENT, notify)
    }

    /// A scan has come so far; at its end `done` is `total`.
    ///
    /// As a stream, from now on.
    ///
    /// # Errors
    /// What the core refuses: a context that is closed, or too many listeners.
    pub fn scanned_events(&self) -> Result<Events<Progress>> {
        Events::listen::<Progress>(&self.0, SCANNED_EVENT)
    }

    /// A scan has come so far; at its end `done` is `total`.
    ///
    /// `notify` is called on the event thread for each, until what this returns is dropped: see [`Subscription`].
    ///
    /// # Errors
    /// What the core refuses: a context that is closed, or too many listeners.
    pub fn on_scanned(
        &self,
        notify: impl FnMut(Result<Event<Progress>>) + Send + 'static,
    ) -> Result<Subscription> {
        Subscription::listen::<Progress>(&self.0, SCANNED_EVENT, notify)
    }
}

const NOTE_CHANGED_EVENT: EventKind = EventKind {
    number: 0,
    overflow: Overflow::DropOldest,
    depth: 0,
};

const SCANNED_EVENT: EventKind = EventKind {
    number: 1,
    overflow: Overflow::Coalesce,
    depth: 0,
};
