// SPDX-License-Identifier: BSD-3-Clause
// Generated from echo.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
//! The context: a running instance of the library.

use std::time::Duration;

use ferry_ingress::wire;
use ferry_ingress::{
    Call, Context, Creation, Event, EventKind, Events, Options, Overflow, Result, Subscription,
};

use crate::library::{library, WIRE};
use crate::requests;
use crate::types::{
    AllTypes, ComplexRequest, ComplexResponse, EchoRequest, EchoResponse, Reader, Tree,
};

/// A running instance of `echo`. Any thread may use it at any time; it is destroyed when dropped.
#[derive(Debug)]
pub struct Echo(Context);

impl From<Context> for Echo {
    fn from(context: Context) -> Echo {
        Echo(context)
    }
}

impl AsRef<Context> for Echo {
    fn as_ref(&self) -> &Context {
        &self.0
    }
}

impl Echo {
    /// Start an echo.
    ///
    /// * `prefix`: What every echo begins with. `fail` makes the constructor fail.
    pub fn create(options: &Options, prefix: &str) -> Creation<Echo> {
        let request = requests::CreateParams {
            prefix: wire::Plain::new(prefix),
        };
        Creation::new(library(), options, WIRE, 0, &request)
    }

    /// End an echo.
    ///
    /// Waits for handlers that run, for `timeout` at most; when this returns, no callback runs or will run. Dropping does
    /// the same with the time that the options say, and tells nobody when it was not enough.
    ///
    /// # Errors
    /// [`Status::Timeout`](crate::Status::Timeout) when handlers were still running,
    /// [`Status::Reentrant`](crate::Status::Reentrant) in a callback of this context.
    pub fn destroy(self, timeout: Duration) -> Result<()> {
        self.0.close(timeout)
    }

    /// Give back a message, after the prefix, when the delay is over. Emits `echoed`.
    ///
    /// * `request`: What to echo, and when.
    pub fn echo(&self, request: &EchoRequest) -> Call<EchoResponse> {
        let request = requests::EchoParams {
            request: wire::Plain::new(request),
        };
        self.0.call::<EchoResponse>(2, &request)
    }

    /// Take many things and sum them up.
    ///
    /// * `request`: Many things.
    pub fn complex(&self, request: &ComplexRequest) -> Call<ComplexResponse> {
        let request = requests::ComplexParams {
            request: wire::Plain::new(request),
        };
        self.0.call::<ComplexResponse>(3, &request)
    }

    /// Give back the same bytes.
    ///
    /// * `payload`: Any bytes.
    pub fn bytes(&self, payload: &[u8]) -> Call<Vec<u8>> {
        let request = requests::BytesParams {
            payload: wire::Plain::new(payload),
        };
        self.0.call::<wire::Bytes>(4, &request)
    }

    /// Fail with a message.
    ///
    /// * `message`: What the error says.
    pub fn fail(&self, message: &str) -> Call<()> {
        let request = requests::FailParams {
            message: wire::Plain::new(message),
        };
        self.0.call::<wire::Unit>(5, &request)
    }

    /// Give back the same value.
    ///
    /// * `value`: Any value.
    pub fn all(&self, value: &AllTypes) -> Call<AllTypes> {
        let request = requests::AllParams {
            value: wire::Plain::new(value),
        };
        self.0.call::<AllTypes>(6, &request)
    }

    /// Give back the same tree.
    ///
    /// * `root`: Any tree.
    pub fn tree(&self, root: &Tree) -> Call<Tree> {
        let request = requests::TreeParams {
            root: wire::Plain::new(root),
        };
        self.0.call::<Tree>(7, &request)
    }

    /// Give back the text or nothing.
    ///
    /// * `value`: A text or nothing.
    pub fn maybe(&self, value: Option<&str>) -> Call<Option<String>> {
        let request = requests::MaybeParams {
            value: wire::Maybe::new(value),
        };
        self.0.call::<wire::Opt<wire::Text>>(8, &request)
    }

    /// Emit `tick` that many times.
    ///
    /// * `count`: How many.
    pub fn ticks(&self, count: u32) -> Call<()> {
        let request = requests::TicksParams {
            count: wire::Plain::new(&count),
        };
        self.0.call::<wire::Unit>(9, &request)
    }

    /// Open a reader of a text.
    ///
    /// * `text`: What is to be read.
    pub fn open(&self, text: &str) -> Call<Reader> {
        let request = requests::OpenParams {
            text: wire::Plain::new(text),
        };
        self.0.call::<wire::Handle<Reader>>(10, &request)
    }

    /// Read on. Nothing at the end of the text. Pieces are cut between bytes, so the text should be ASCII.
    ///
    /// * `reader`: An open reader.
    /// * `bytes_max`: How many bytes to read at most; 1 or more.
    pub fn read(&self, reader: Reader, bytes_max: u32) -> Call<Option<String>> {
        let request = requests::ReadParams {
            reader: wire::Plain::new(&reader),
            bytes_max: wire::Plain::new(&bytes_max),
        };
        self.0.call::<wire::Opt<wire::Text>>(11, &request)
    }

    /// Close a reader. Whoever uses it afterwards is refused.
    ///
    /// * `reader`: An open reader.
    pub fn close(&self, reader: Reader) -> Call<()> {
        let request = requests::CloseParams {
            reader: wire::Plain::new(&reader),
        };
        self.0.call::<wire::Unit>(12, &request)
    }

    /// Something happened.
    ///
    /// As a stream, from now on.
    ///
    /// # Errors
    /// What the core refuses: a context that is closed, or too many listeners.
    pub fn tick_events(&self) -> Result<Events<()>> {
        Events::listen::<wire::Unit>(&self.0, TICK_EVENT)
    }

    /// Something happened.
    ///
    /// `notify` is called on the event thread for each, until what this returns is dropped: see [`Subscription`].
    ///
    /// # Errors
    /// What the core refuses: a context that is closed, or too many listeners.
    pub fn on_tick(
        &self,
        notify: impl FnMut(Result<Event<()>>) + Send + 'static,
    ) -> Result<Subscription> {
        Subscription::listen::<wire::Unit>(&self.0, TICK_EVENT, notify)
    }

    /// An echo was given.
    ///
    /// As a stream, from now on.
    ///
    /// # Errors
    /// What the core refuses: a context that is closed, or too many listeners.
    pub fn echoed_events(&self) -> Result<Events<EchoResponse>> {
        Events::listen::<EchoResponse>(&self.0, ECHOED_EVENT)
    }

    /// An echo was given.
    ///
    /// `notify` is called on the event thread for each, until what this returns is dropped: see [`Subscription`].
    ///
    /// # Errors
    /// What the core refuses: a context that is closed, or too many listeners.
    pub fn on_echoed(
        &self,
        notify: impl FnMut(Result<Event<EchoResponse>>) + Send + 'static,
    ) -> Result<Subscription> {
        Subscription::listen::<EchoResponse>(&self.0, ECHOED_EVENT, notify)
    }
}

const TICK_EVENT: EventKind = EventKind {
    number: 0,
    overflow: Overflow::DropNewest,
    depth: 0,
};

const ECHOED_EVENT: EventKind = EventKind {
    number: 1,
    overflow: Overflow::DropOldest,
    depth: 0,
};
