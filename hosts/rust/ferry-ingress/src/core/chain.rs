// SPDX-License-Identifier: BSD-3-Clause
//! Chains: requests that are submitted together, with links between them (C1 to C9 of spec/interface.md).

use std::ffi::CStr;
use std::os::raw::c_void;
use std::ptr::null;
use std::sync::Arc;
use std::time::Duration;

use super::{abi, nanoseconds, on_reply, Answer, Payload, TakeReply};
use crate::status::{Error, Result, Status, OK};
use crate::wire::Wire;

/// A request of a chain, whose payload is in format `cbor`.
#[derive(Debug)]
pub(crate) struct ChainCall {
    pub method: u32,
    pub payload: Vec<u8>,
}

/// What a request has from an earlier one: `enum ingress_link_kind`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LinkKind {
    /// A field of its result.
    Field = 0,
    /// Likewise; an absent field is null.
    Option = 1,
    /// Nothing: it only has to have succeeded.
    After = 2,
}

/// That one request needs an earlier one.
#[derive(Debug)]
pub(crate) struct ChainLink {
    pub request: u32,
    pub source: u32,
    pub kind: LinkKind,
    pub place: u32,
    pub path: String,
}

/// The number of no request, and of no link.
const NONE: u32 = u32::MAX;

/// Calls and links in the core's form; they point to what they were made from.
fn raw(calls: &[ChainCall], links: &[ChainLink]) -> (Vec<abi::Call>, Vec<abi::Link>) {
    let calls = calls
        .iter()
        .map(|call| abi::Call::new(call.method, Wire::Cbor, &call.payload));
    let links = links.iter().map(|link| abi::Link {
        request: link.request,
        source: link.source,
        kind: link.kind as u32,
        place: link.place,
        path: link.path.as_ptr().cast(),
        // a path that is longer is over the core's limit all the more
        path_bytes: u32::try_from(link.path.len()).unwrap_or(u32::MAX),
    });
    (calls.collect(), links.collect())
}

impl abi::Refusal {
    fn new() -> abi::Refusal {
        abi::Refusal {
            request: NONE,
            link: NONE,
            text: null(),
        }
    }

    /// `request 2, note.title: …`, as far as that is known.
    fn error(&self, status: u32, links: &[ChainLink]) -> Error {
        let why = if self.text.is_null() {
            ""
        } else {
            // SAFETY: it was filled in by the core, whose texts are of static storage.
            unsafe { CStr::from_ptr(self.text) }.to_str().unwrap_or("")
        };
        let path = links.get(self.link as usize).map_or("", |link| &link.path);
        let message = match (self.request, path) {
            (NONE, _) => why.to_owned(),
            (request, "") => format!("request {request}: {why}"),
            (request, path) => format!("request {request}, {path}: {why}"),
        };
        Error::new(Status::from_number(status), message)
    }
}

/// Submit a chain, wait for all its replies, and hand each to `read`.
pub(crate) fn ask_chain<T>(
    context: u64,
    calls: &[ChainCall],
    links: &[ChainLink],
    timeout: Duration,
    read: impl FnMut(Payload<'_>) -> T,
) -> Result<Vec<T>> {
    let (raw_calls, raw_links) = raw(calls, links);
    let mut answers: Vec<abi::Answer> = calls.iter().map(|_| abi::Answer::new()).collect();
    let mut refusal = abi::Refusal::new();
    // SAFETY: calls and links, and the payloads and paths that they point to, are valid for as long as this takes, and
    // there are as many answers as calls.
    let status = unsafe {
        abi::ingress_ask_chain(
            context,
            raw_calls.as_ptr(),
            raw_calls.len(),
            raw_links.as_ptr(),
            raw_links.len(),
            nanoseconds(timeout),
            answers.as_mut_ptr(),
            &mut refusal,
        )
    };
    let answers: Vec<Answer> = answers.into_iter().map(Answer).collect();
    if status != OK {
        return Err(refusal.error(status, links));
    }
    Ok(answers.iter().map(Answer::payload).map(read).collect())
}

/// Submit a chain, the replies to whose requests go to the oneshots, and each of which its ticket cancels.
pub(crate) fn submit_chain<S: TakeReply>(
    context: u64,
    calls: &[ChainCall],
    links: &[ChainLink],
    repliers: Vec<(Arc<S>, u64)>,
) -> Result<()> {
    let (mut raw_calls, raw_links) = raw(calls, links);
    for (call, (oneshot, ticket)) in raw_calls.iter_mut().zip(repliers) {
        call.reply = Some(on_reply::<S>);
        call.user = Arc::into_raw(oneshot) as *mut c_void;
        call.ticket = ticket;
    }
    let mut refusal = abi::Refusal::new();
    // SAFETY: as in `ask_chain`; each oneshot is referred to until its reply.
    let status = unsafe {
        abi::ingress_submit_chain(
            context,
            raw_calls.as_ptr(),
            raw_calls.len(),
            raw_links.as_ptr(),
            raw_links.len(),
            nanoseconds(Duration::MAX),
            &mut refusal,
        )
    };
    if status == OK {
        return Ok(());
    }
    for call in raw_calls.iter().filter(|call| call.reply.is_some()) {
        // SAFETY: all were refused, so no reply comes and the reference is still the one that was made raw.
        drop(unsafe { Arc::from_raw(call.user.cast::<S>() as *const S) });
    }
    Err(refusal.error(status, links))
}
