// SPDX-License-Identifier: BSD-3-Clause
//! A folder of notes as a service: HTTP/1.1 and JSON, changes as server-sent events.
//!
//! ```text
//! notes-service FOLDER [--database FILE] [--listen ADDRESS:PORT]
//!   GET /find?q=QUERY[&order=relevance|newest][&limit=COUNT]   what matches
//!   GET /notes/PATH                                            the text of a note
//!   GET /tags, /totals                                         every tag and its count; what the index holds
//!   GET /changes                                               changes from now on, as text/event-stream
//! ```
//!
//! The server is small on purpose. It has a fixed number of threads, each with one connection at a time and one request
//! per connection, and one thread for all followers of the changes. Its limits are the constants of each module. It has
//! no authentication, so it listens on 127.0.0.1 unless it is told otherwise. A signal ends it at once; SQLite's
//! transactions keep the index whole, if it is in a file.

#![forbid(unsafe_code)]

mod changes;
mod http;
mod json;
mod routes;

use std::net::TcpListener;
use std::process::exit;
use std::thread;
use std::time::Duration;

use notes::{Notes, Options};

use crate::changes::Followers;

/// How many requests are answered at the same time; further connections wait in the kernel's queue.
const WORKERS: usize = 4;
/// How long the first scan of the folder may take.
const OPEN_TIMEOUT: Duration = Duration::from_secs(600);
/// How long a worker waits when the kernel has no descriptor for a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
const USAGE: &str = "notes-service FOLDER [--database FILE] [--listen ADDRESS:PORT]";

/// The command line.
struct Arguments {
    folder: String,
    database: Option<String>,
    listen: String,
}

impl Arguments {
    fn parse(words: impl Iterator<Item = String>) -> Result<Arguments, String> {
        let (mut folder, mut database) = (None, None);
        let mut listen = "127.0.0.1:8080".to_owned();
        let mut words = words;
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--database" => database = Some(value()?),
                "--listen" => listen = value()?,
                _ if word.starts_with('-') => return Err(format!("there is no option {word}")),
                _ if folder.is_none() => folder = Some(word),
                _ => return Err(format!("one folder is served, so not {word} too")),
            }
        }
        let folder = folder.ok_or("say which folder")?;
        Ok(Arguments {
            folder,
            database,
            listen,
        })
    }
}

/// Answer one connection after the other.
fn work(listener: &TcpListener, notes: &Notes, followers: &Followers) {
    loop {
        match listener.accept() {
            Ok((stream, _)) => http::serve(stream, |request, stream| {
                routes::answer(notes, followers, request, stream)
            }),
            Err(error) => {
                eprintln!("notes-service: no connection could be accepted: {error}");
                thread::sleep(ACCEPT_PAUSE);
            }
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let listener = TcpListener::bind(&arguments.listen)
        .map_err(|error| format!("{}: {error}", arguments.listen))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let database = arguments.database.as_deref();
    let notes = Notes::open(&Options::new(), &arguments.folder, database, true)
        .wait(OPEN_TIMEOUT)
        .map_err(|error| error.to_string())?;
    let events = notes
        .note_changed_events()
        .map_err(|error| error.to_string())?;
    let followers = Followers::default();
    println!("notes-service: http://{address}/");
    thread::scope(|scope| {
        scope.spawn(|| followers.tell(events));
        for _ in 0..WORKERS {
            scope.spawn(|| work(&listener, &notes, &followers));
        }
    });
    Ok(())
}

fn main() {
    let arguments = Arguments::parse(std::env::args().skip(1)).unwrap_or_else(|error| {
        eprintln!("notes-service: {error}\n{USAGE}");
        exit(2)
    });
    if let Err(error) = run(&arguments) {
        eprintln!("notes-service: {error}");
        exit(1);
    }
}
