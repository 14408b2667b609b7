// SPDX-License-Identifier: BSD-3-Clause
//! The part of HTTP/1.1 that the service needs: it reads a GET request without a body, sends one answer, and closes the
//! connection.
//!
//! Whatever a client sends, the server reads REQUEST_BYTES at most, for REQUEST_TIME at most.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// How many bytes a request's line and headers may have.
pub const REQUEST_BYTES: usize = 8 << 10;
/// How long a client may take to send its request.
const REQUEST_TIME: Duration = Duration::from_secs(5);
/// How long a client may take to receive what one write gave the kernel.
const WRITE_TIME: Duration = Duration::from_secs(5);
/// How many bytes are read of a refused request, so that the answer is not lost when the connection is closed.
const DRAIN_BYTES: usize = 64 << 10;
const DRAIN_TIME: Duration = Duration::from_millis(500);

/// What a client asks for.
#[derive(Debug, PartialEq, Eq)]
pub struct Request {
    /// The decoded path, which begins with `/`.
    pub path: String,
    /// The decoded parameters, in the order of the request.
    pub query: Vec<(String, String)>,
}

/// An answer that is sent as a whole.
#[derive(Debug, PartialEq, Eq)]
pub struct Response {
    pub status: u16,
    pub content_type: &'static str,
    pub body: String,
}

impl Response {
    /// An answer in JSON.
    pub fn json(body: String) -> Response {
        Response {
            status: 200,
            content_type: "application/json",
            body,
        }
    }

    /// An error, which says what is wrong.
    pub fn error(status: u16, message: &str) -> Response {
        let body = crate::json::object([("error", crate::json::text(message))]);
        Response {
            status,
            ..Response::json(body)
        }
    }

    fn send(&self, stream: &mut TcpStream) -> std::io::Result<()> {
        let reason = match self.status {
            200 => "OK",
            400 => "Bad Request",
            404 => "Not Found",
            405 => "Method Not Allowed\r\nAllow: GET",
            408 => "Request Timeout",
            431 => "Request Header Fields Too Large",
            503 => "Service Unavailable",
            504 => "Gateway Timeout",
            505 => "HTTP Version Not Supported",
            _ => "Internal Server Error",
        };
        let (status, kind, count) = (self.status, self.content_type, self.body.len());
        let head = format!(
            "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {count}\r\n\
             Connection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(self.body.as_bytes())
    }
}

/// Read a request, pass it to `answer`, and send the response. None means that `answer` has kept the connection.
pub fn serve(mut stream: TcpStream, answer: impl FnOnce(&Request, &TcpStream) -> Option<Response>) {
    // a connection that refuses a timeout is about to fail below, and the error is handled there
    let _ = stream.set_write_timeout(Some(WRITE_TIME));
    let _ = stream.set_nodelay(true);
    let read = match receive(&mut stream) {
        Ok(head) => parse(&head),
        Err(Some(refusal)) => Err(refusal),
        Err(None) => return,
    };
    let response = match &read {
        Ok(request) => answer(request, &stream),
        Err(_) => None,
    };
    let response = match (read, response) {
        (Ok(_), None) => return,
        (Ok(_), Some(response)) | (Err(response), _) => response,
    };
    if response.send(&mut stream).is_ok() {
        end(&mut stream);
    }
}

/// The request up to its empty line. An error without a response means that the client has gone.
fn receive(stream: &mut TcpStream) -> Result<Vec<u8>, Option<Response>> {
    let deadline = Instant::now() + REQUEST_TIME;
    let late = || Some(Response::error(408, "the request took too long"));
    let mut head = Vec::new();
    let mut buffer = [0; 1024];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return Err(late());
        }
        let count = match stream.read(&mut buffer) {
            Ok(0) => return Err(None),
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Err(late()),
            Err(_) => return Err(None),
        };
        // the empty line may begin in the bytes that came before
        let seen = head.len().saturating_sub(3);
        head.extend_from_slice(&buffer[..count]);
        let end = head[seen..].windows(4).position(|four| four == b"\r\n\r\n");
        if let Some(end) = end.filter(|end| seen + end + 4 <= REQUEST_BYTES) {
            head.truncate(seen + end);
            return Ok(head);
        }
        if head.len() >= REQUEST_BYTES {
            let message = format!("a request has at most {REQUEST_BYTES} bytes");
            return Err(Some(Response::error(431, &message)));
        }
    }
}

fn parse(head: &[u8]) -> Result<Request, Response> {
    let bad = |message| Response::error(400, message);
    let line = head.split(|&byte| byte == b'\r').next().unwrap_or(head);
    let line = std::str::from_utf8(line).map_err(|_| bad("the request line is not text"))?;
    let words: Vec<&str> = line.split(' ').collect();
    let (method, target) = match words[..] {
        [method, target, "HTTP/1.1" | "HTTP/1.0"] => (method, target),
        [_, _, version] if version.starts_with("HTTP/") => {
            return Err(Response::error(505, "HTTP/1.1 is spoken here"))
        }
        _ => return Err(bad("the request line has to be GET /PATH HTTP/1.1")),
    };
    if method != "GET" {
        return Err(Response::error(405, "only GET is understood"));
    }
    if !target.starts_with('/') {
        return Err(bad("the request's target has to begin with /"));
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let decode = |text, is_form| decode(text, is_form).map_err(bad);
    let mut pairs = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        pairs.push((decode(name, true)?, decode(value, true)?));
    }
    Ok(Request {
        path: decode(path, false)?,
        query: pairs,
    })
}

/// Undo percent-encoding; a form's `+` is a blank.
fn decode(text: &str, is_form: bool) -> Result<String, &'static str> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' if is_form => b' ',
            b'%' => {
                let mut digit = || rest.next().and_then(|byte| char::from(byte).to_digit(16));
                match (digit(), digit()) {
                    (Some(high), Some(low)) => (high * 16 + low) as u8,
                    _ => return Err("% has to be followed by two hexadecimal digits"),
                }
            }
            other => other,
        });
    }
    String::from_utf8(bytes).map_err(|_| "the request's target is not UTF-8")
}

/// Shut down the connection for writing, and read what the client still sends: closing with unread bytes would reset
/// the connection, and the answer could be lost.
fn end(stream: &mut TcpStream) {
    let deadline = Instant::now() + DRAIN_TIME;
    if stream.shutdown(Shutdown::Write).is_err() {
        return;
    }
    let mut buffer = [0; 4096];
    let mut count = 0;
    while count < DRAIN_BYTES {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return;
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(more) => count += more,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(head: &str) -> u16 {
        parse(head.as_bytes()).unwrap_err().status
    }

    #[test]
    fn targets_are_decoded() {
        let request =
            parse(b"GET /notes/a%20b+c?q=caf%C3%A9+%23x&limit=2&bare HTTP/1.1\r\nHost: x").unwrap();
        assert_eq!(request.path, "/notes/a b+c");
        let pairs = [("q", "café #x"), ("limit", "2"), ("bare", "")];
        let query = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(request.query, query);
    }

    #[test]
    fn what_is_no_request_is_refused() {
        assert_eq!(status("GET / HTTP/2"), 505);
        assert_eq!(status("POST / HTTP/1.1"), 405);
        for head in [
            "",
            "GET",
            "GET /",
            "GET  / HTTP/1.1",
            "GET x HTTP/1.1",
            "GET /%zz HTTP/1.1",
            "GET /%f HTTP/1.1",
            "GET /%ff HTTP/1.1",
        ] {
            assert_eq!(status(head), 400, "{head}");
        }
    }
}
