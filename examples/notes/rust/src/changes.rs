// SPDX-License-Identifier: BSD-3-Clause
//! Followers: clients that get all changes, as server-sent events. One thread writes to all of them and waits for none.
//! Bytes that a client does not take lie in its socket's buffer; a client whose buffer is full is disconnected, and
//! browsers connect again.

use std::io::Write;
use std::net::TcpStream;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use notes::{Change, ChangeKind, Event, Events, Status};

use crate::json::{object, text};

/// How many followers there may be at the same time.
const FOLLOWERS_MAX: usize = 32;
/// How often something is written to followers when nothing happens, so that those that have gone are noticed.
const HEARTBEAT: Duration = Duration::from_secs(15);
const HEAD: &str =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\
                    Connection: close\r\n\r\n: changes from now on\n\n";

/// Connections that are told of every change.
#[derive(Default)]
pub struct Followers(Mutex<Vec<TcpStream>>);

impl Followers {
    // no code under the lock panics
    fn lock(&self) -> MutexGuard<'_, Vec<TcpStream>> {
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Take a connection, and begin its answer.
    pub fn add(&self, stream: &TcpStream) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("the connection cannot be kept: {error}");
        let mut followers = self.lock();
        if followers.len() >= FOLLOWERS_MAX {
            // followers that have gone make room
            followers.retain_mut(|stream| write(stream, ": still here\n\n"));
        }
        if followers.len() >= FOLLOWERS_MAX {
            return Err(format!("{FOLLOWERS_MAX} follow the changes already"));
        }
        let mut stream = stream.try_clone().map_err(failed)?;
        stream.set_nonblocking(true).map_err(failed)?;
        // the head is written under the lock, so that no change comes before it; a client that has gone is not an error
        if write(&mut stream, HEAD) {
            followers.push(stream);
        }
        Ok(())
    }

    /// Write every event to every follower, until the context is closed.
    pub fn tell(&self, mut events: Events<Change>) {
        loop {
            let message = match events.wait(HEARTBEAT) {
                Ok(Some(event)) => describe(&event),
                Ok(None) => return,
                Err(error) if error.status() == Status::Timeout => ": still here\n\n".to_owned(),
                Err(error) => {
                    eprintln!("notes-service: a change was not understood: {error}");
                    continue;
                }
            };
            self.lock().retain_mut(|stream| write(stream, &message));
        }
    }
}

/// Write the whole message at once; false when the follower has gone or is too slow.
fn write(stream: &mut TcpStream, message: &str) -> bool {
    matches!(stream.write(message.as_bytes()), Ok(count) if count == message.len())
}

fn describe(event: &Event<Change>) -> String {
    let kind = match event.value.kind {
        ChangeKind::Added => "added",
        ChangeKind::Changed => "changed",
        ChangeKind::Removed => "removed",
    };
    let data = object([("kind", text(kind)), ("path", text(&event.value.path))]);
    let lost = match event.lost {
        0 => String::new(),
        lost => format!("event: lost\ndata: {lost}\n\n"),
    };
    format!("{lost}event: changed\ndata: {data}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_lost_is_said_first() {
        let value = Change {
            kind: ChangeKind::Removed,
            path: "a\nb.md".to_owned(),
        };
        let event = Event { value, lost: 2 };
        assert_eq!(
            describe(&event),
            "event: lost\ndata: 2\n\nevent: changed\ndata: {\"kind\":\"removed\",\"path\":\"a\\nb.md\"}\n\n"
        );
    }
}
