// SPDX-License-Identifier: BSD-3-Clause
//! Which call of the library answers each request, and how the answers look.

use std::net::TcpStream;
use std::time::Duration;

use notes::{Error, Found, Notes, Order, Status, MAX_RESULTS};

use crate::changes::Followers;
use crate::http::{Request, Response};
use crate::json::{array, number, object, text};

/// How long the library may take for one request.
const CALL_TIME: Duration = Duration::from_secs(10);
/// How many matches an answer has, unless the request says so.
const LIMIT: u32 = 20;

/// Answer a request. None means that its connection goes on as one of the followers.
pub fn answer(
    notes: &Notes,
    followers: &Followers,
    request: &Request,
    stream: &TcpStream,
) -> Option<Response> {
    let answered = match request.path.as_str() {
        "/find" => find(notes, request),
        "/tags" => tags(notes),
        "/totals" => totals(notes),
        "/changes" => match followers.add(stream) {
            Ok(()) => return None,
            Err(message) => Err(Response::error(503, &message)),
        },
        path => match path.strip_prefix("/notes/") {
            Some(note) => read(notes, note),
            None => Err(Response::error(
                404,
                "there are /find?q=, /notes/PATH, /tags, /totals and /changes",
            )),
        },
    };
    Some(answered.unwrap_or_else(|refusal| refusal))
}

/// The response for an error of the library; `failed` is the HTTP status for a call whose handler failed.
fn refusal(error: &Error, failed: u16) -> Response {
    let status = match error.status() {
        Status::Failed => failed,
        Status::TooLarge => 400,
        Status::Timeout => 504,
        Status::QueueFull | Status::Closed | Status::NoMemory => 503,
        _ => 500,
    };
    Response::error(status, error.message())
}

fn find(notes: &Notes, request: &Request) -> Result<Response, Response> {
    let bad = |message: &str| Response::error(400, message);
    let (mut query, mut order, mut limit) = (None, Order::Relevance, LIMIT);
    for (name, value) in &request.query {
        match name.as_str() {
            "q" => query = Some(value),
            "order" => {
                order = match value.as_str() {
                    "relevance" => Order::Relevance,
                    "newest" => Order::Newest,
                    _ => return Err(bad("order is relevance or newest")),
                }
            }
            "limit" => {
                limit = value
                    .parse()
                    .ok()
                    .filter(|limit| (1..=MAX_RESULTS).contains(limit))
                    .ok_or_else(|| bad(&format!("limit is a number from 1 to {MAX_RESULTS}")))?
            }
            _ => return Err(bad(&format!("/find knows q, order and limit, not {name}"))),
        }
    }
    let query = query.ok_or_else(|| bad("say what to find: /find?q=…"))?;
    let found = notes
        .find(query, order, limit)
        .wait(CALL_TIME)
        .map_err(|error| refusal(&error, 400))?;
    Ok(Response::json(array(found.iter().map(match_))))
}

fn match_(found: &Found) -> String {
    object([
        ("path", text(&found.note.path)),
        ("title", text(&found.note.title)),
        ("modified_ns", found.note.modified_ns.to_string()),
        ("bytes", found.note.bytes.to_string()),
        ("snippet", text(&found.snippet)),
        ("score", number(found.score)),
    ])
}

fn read(notes: &Notes, path: &str) -> Result<Response, Response> {
    let body = notes
        .read(path)
        .wait(CALL_TIME)
        .map_err(|error| refusal(&error, 404))?;
    Ok(Response {
        status: 200,
        content_type: "text/plain; charset=utf-8",
        body,
    })
}

fn tags(notes: &Notes) -> Result<Response, Response> {
    let tags = notes
        .tags()
        .wait(CALL_TIME)
        .map_err(|error| refusal(&error, 500))?;
    let counts = tags
        .iter()
        .map(|(tag, count)| (tag.as_str(), count.to_string()));
    Ok(Response::json(object(counts)))
}

fn totals(notes: &Notes) -> Result<Response, Response> {
    let totals = notes
        .totals()
        .wait(CALL_TIME)
        .map_err(|error| refusal(&error, 500))?;
    Ok(Response::json(object([
        ("notes", totals.notes.to_string()),
        ("bytes", totals.bytes.to_string()),
        ("skipped", totals.skipped.to_string()),
    ])))
}
