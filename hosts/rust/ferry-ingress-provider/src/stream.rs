// SPDX-License-Identifier: BSD-3-Clause
//! Streams: what a method that yields gives its values by (spec/interface.md, S1 to S6).
//!
//! A host asks for values when it has room for some, so an iterator is run on only then, on the library thread. A stream
//! is a handle. It is dropped when it has ended, when the host wants no more, and when its context ends.

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context as TaskContext, Poll, Waker};

use ferry_ingress::wire::{self, Codec, Wire};

use crate::core::{self, Id, Provider};
use crate::reply::{with_scratch, Answer, Failure, Told};
use crate::task::Serving;

/// How many values one answer has at most, whatever a host asks for.
const CREDITS_MAX: u32 = 65_536;
/// An answer has no more values after the one with which it reaches this size.
const PART_BYTES_MAX: usize = 65_536;

type Poller<T, E> = dyn FnMut(&mut TaskContext<'_>) -> Poll<Option<Result<T, Failure<E>>>>;

/// The values that a method yields, in order. They are asked for when the host takes them, and dropped when it wants no
/// more: so a `Drop` of the author's is how a library sees that.
pub struct Yields<T, E = Infallible>(Box<Poller<T, E>>);

impl<T: 'static, E: 'static> Yields<T, E> {
    /// Yield what an iterator gives.
    pub fn each(values: impl IntoIterator<Item = T> + 'static) -> Yields<T, E>
    where
        T: 'static,
    {
        Yields::try_each(values.into_iter().map(Ok))
    }

    /// Yield what an iterator gives, up to its first failure.
    pub fn try_each(
        values: impl IntoIterator<Item = Result<T, Failure<E>>> + 'static,
    ) -> Yields<T, E> {
        let mut values = values.into_iter();
        Yields(Box::new(move |_| Poll::Ready(values.next())))
    }

    /// Yield what futures give, one after another: `next` takes a state and gives a value with the next state, or `None`
    /// at the end. The library thread runs them, as those of [`Reply::future`](crate::Reply::future).
    pub fn unfold<S: 'static, F>(state: S, mut next: impl FnMut(S) -> F + 'static) -> Yields<T, E>
    where
        F: Future<Output = Result<Option<(T, S)>, Failure<E>>> + 'static,
    {
        let mut state = Some(state);
        let mut future: Pin<Box<Option<F>>> = Box::pin(None);
        Yields(Box::new(move |task| {
            if let Some(state) = state.take() {
                future.set(Some(next(state)));
            }
            let polled = match future.as_mut().as_pin_mut() {
                None => return Poll::Ready(None),
                Some(running) => running.poll(task),
            };
            let result = match polled {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(result) => result,
            };
            future.set(None);
            Poll::Ready(match result {
                Err(failure) => Some(Err(failure)),
                Ok(None) => None,
                Ok(Some((value, after))) => {
                    state = Some(after);
                    Some(Ok(value))
                }
            })
        }))
    }
}

/// A stream as the library thread knows it: the object behind its handle.
pub(crate) struct Flow<T, E> {
    provider: Provider,
    kind: u32,
    handle: Cell<u64>,
    values: RefCell<Option<Yields<T, E>>>,
    /// Why it has ended, until a host was told.
    failure: RefCell<Option<Failure<E>>>,
    is_stopped: Cell<bool>,
    /// Whether a request waits for values.
    is_asked: Cell<bool>,
    waker: RefCell<Option<Waker>>,
}

impl<T: 'static, E: 'static> Flow<T, E> {
    pub(crate) fn new(provider: Provider, kind: u32, values: Yields<T, E>) -> Flow<T, E> {
        Flow {
            provider,
            kind,
            handle: Cell::new(0),
            values: RefCell::new(Some(values)),
            failure: RefCell::default(),
            is_stopped: Cell::new(false),
            is_asked: Cell::new(false),
            waker: RefCell::default(),
        }
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.is_asked.get()
    }

    /// The host wants no more.
    pub(crate) fn stop(&self) {
        self.is_stopped.set(true);
        // first, since what is dropped then is the author's, and may panic: a request that waits is answered all the same
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
        self.close();
        drop(self.failure.take());
    }

    /// Hosts know it no longer.
    fn close(&self) {
        let values = self.values.take();
        if self.handle.get() != 0 {
            drop(self.provider.close(self.kind, self.handle.take()));
        }
        drop(values);
    }

    fn next(&self, task: &mut TaskContext<'_>) -> Poll<Option<Result<T, Failure<E>>>> {
        match self.values.borrow_mut().as_mut() {
            Some(values) => (values.0)(task),
            None => Poll::Ready(self.failure.take().map(Err)),
        }
    }
}

/// Makes the answer that has some values, with the handle of the stream while that goes on.
pub type MakePart<T, P> = fn(Option<u64>, Vec<T>) -> P;

/// A value with how many bytes it takes, encoded. One that cannot be sent is the failure of its stream, so that those
/// before it still come.
fn measured<V: Codec, E>(value: V::Value, wire: Wire) -> Result<(V::Value, usize), Failure<E>> {
    let bytes = with_scratch(|buffer| {
        wire::encode::<V>(wire, std::borrow::Borrow::borrow(&value), buffer).map(|()| buffer.len())
    });
    match bytes {
        Ok(bytes) => Ok((value, bytes)),
        Err(error) => Err(format!("a value cannot be sent: {error}").into()),
    }
}

/// A request for values, which waits for some.
pub(crate) struct Asking<V: Codec, P, E> {
    flow: Rc<Flow<V::Value, E>>,
    credits: usize,
    answer: Option<Answer<P, E>>,
    part: MakePart<V::Value, P>,
    id: Id,
    wire: Wire,
}

impl<V: Codec, P, E> Asking<V, P, E>
where
    V::Value: 'static,
    E: 'static,
{
    pub(crate) fn new(
        flow: Rc<Flow<V::Value, E>>,
        credits: u32,
        answer: Answer<P, E>,
        part: MakePart<V::Value, P>,
    ) -> Asking<V, P, E> {
        flow.is_asked.set(true);
        Asking {
            flow,
            // a number of values that fits
            credits: credits.clamp(1, CREDITS_MAX) as usize,
            id: answer.call().id(),
            wire: answer.call().wire(),
            answer: Some(answer),
            part,
        }
    }

    fn give(&mut self, result: Result<P, Failure<E>>) -> Poll<()> {
        self.flow.is_asked.set(false);
        if let Some(answer) = self.answer.take() {
            answer.give(result);
        }
        Poll::Ready(())
    }

    fn part(&self, values: Vec<V::Value>) -> Result<P, Failure<E>> {
        let flow = &self.flow;
        let is_over = flow.values.borrow().is_none() && flow.failure.borrow().is_none();
        if is_over {
            flow.close();
            return Ok((self.part)(None, values));
        }
        if flow.handle.get() == 0 {
            flow.handle
                .set(flow.provider.open(flow.kind, Rc::new(Rc::clone(flow))));
        }
        if flow.handle.get() == 0 {
            flow.stop();
            return Err(Failure::from("no memory for another stream"));
        }
        Ok((self.part)(Some(flow.handle.get()), values))
    }
}

impl<V: Codec, P, E> Serving for Asking<V, P, E>
where
    V::Value: 'static,
    E: 'static,
{
    fn run(&mut self, task: &mut TaskContext<'_>) -> Poll<()> {
        let flow = Rc::clone(&self.flow);
        let mut values = Vec::new();
        let mut bytes = 0;
        if flow.is_stopped.get() {
            return self.give(Err(Failure::cancelled()));
        }
        while values.len() < self.credits && bytes < PART_BYTES_MAX {
            let next = flow.next(task);
            let measured = |next: Result<V::Value, _>| {
                next.and_then(|value| measured::<V, E>(value, self.wire))
            };
            match next.map(|next| next.map(measured)) {
                Poll::Ready(Some(Ok((value, size)))) => {
                    bytes += size;
                    values.push(value);
                }
                Poll::Ready(Some(Err(failure))) if values.is_empty() => {
                    flow.close();
                    return self.give(Err(failure));
                }
                Poll::Ready(end) => {
                    drop(flow.values.take());
                    flow.failure.replace(end.and_then(Result::err));
                    break;
                }
                Poll::Pending if values.is_empty() => {
                    flow.waker.replace(Some(task.waker().clone()));
                    return Poll::Pending;
                }
                Poll::Pending => break,
            }
        }
        if core::is_cancelled(self.id) {
            flow.stop();
            return self.give(Err(Failure::cancelled()));
        }
        let part = self.part(values);
        self.give(part)
    }

    fn id(&self) -> Id {
        self.id
    }

    fn give_up(mut self: Box<Self>, told: Told) {
        self.flow.is_asked.set(false);
        self.flow.stop();
        if let Some(answer) = self.answer.take() {
            answer.tell(&told);
        }
    }
}
