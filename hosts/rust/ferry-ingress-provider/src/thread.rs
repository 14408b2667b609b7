// SPDX-License-Identifier: BSD-3-Clause
//! A library thread: the author's value for the context that it serves, and what generated code does with each call.

use std::any::Any;
use std::cell::Cell;
use std::convert::Infallible;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::Deref;
use std::rc::Rc;
use std::task::{Context as TaskContext, Poll};
use std::time::{Duration, Instant};

use ferry_ingress::wire::{
    self, CborReader, CborWriter, Codec, DecodeError, FlatReader, FlatWriter, HandleValue,
};

use crate::ask::{Asker, Open, Question, Unanswered};
use crate::core::{shielded, Call, Id, Provider};
use crate::reply::{encode, with_scratch, Answer, Failure, Kind, Outcome, Task, Told};
use crate::stream::{Asking, Flow, MakePart, Yields};
use crate::task::{Serving, Sleep, Tasks};

/// What generated code implements for the author's type.
pub trait Provide: Sized + 'static {
    /// Serve a call, by the number of its method.
    fn serve(thread: &mut Thread<Self>, call: Call);

    /// Called when a library thread begins, on that thread, which keeps the value until it ends.
    fn enter() -> Box<dyn Any> {
        Box::new(())
    }
}

/// A running instance of the library, on its library thread, which it cannot leave. Clones are the same context.
pub struct Context<L> {
    provider: Provider,
    tasks: Rc<Tasks>,
    /// How many questions to the host are open.
    questions: Rc<Cell<u32>>,
    library: PhantomData<fn() -> L>,
}

impl<L> Clone for Context<L> {
    fn clone(&self) -> Context<L> {
        Context {
            provider: self.provider,
            tasks: Rc::clone(&self.tasks),
            questions: Rc::clone(&self.questions),
            library: PhantomData,
        }
    }
}

impl<L> Context<L> {
    /// A future that is ready after a while, for [`Reply::future`](crate::Reply::future).
    pub fn sleep(&self, duration: Duration) -> Sleep {
        // a time that no clock reaches is a year from now
        let now = Instant::now();
        let due = now
            .checked_add(duration)
            .unwrap_or(now + Duration::from_secs(365 * 86400));
        Sleep::new(Rc::clone(&self.tasks), due)
    }

    /// Whether nobody waits for the result of the call any more that is being served. For a method that computes for
    /// long, which then returns [`Failure::cancelled`]. It costs a few loads. False when no method runs, as in a future:
    /// that is dropped when its call is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.tasks.is_cancelled()
    }

    /// Emit an event, by its number. What cannot be sent is not emitted.
    pub fn emit<C: Codec>(&self, event: u32, value: &C::Ref) {
        for wire in self.provider.wires(event) {
            with_scratch(|buffer| {
                if wire::encode::<C>(wire, value, buffer).is_ok() {
                    self.provider.emit(event, wire, buffer);
                }
            });
        }
    }

    /// Ask the host, by the numbers of the event and of the kind of handles; `asked` makes what is asked of the question's
    /// handle.
    pub fn ask<C: Codec, T: 'static, E: 'static>(
        &self,
        event: u32,
        kind: u32,
        asked: impl FnOnce(u64) -> C::Value,
    ) -> Question<T, E> {
        let asker = Asker {
            provider: self.provider,
            tasks: &self.tasks,
            count: &self.questions,
        };
        Question::new::<C>(&asker, event, kind, asked)
    }

    /// How many questions to the host are open.
    pub fn open_questions(&self) -> u32 {
        self.questions.get()
    }

    /// Give hosts an object, as a handle of the kind of that number.
    ///
    /// # Errors
    /// When there is no memory, or 1,048,576 handles are open.
    pub fn open<T: 'static>(&self, kind: u32, object: T) -> Result<u64, NoHandle> {
        let object: Rc<dyn Any> = Rc::new(object);
        match self.provider.open(kind, object) {
            0 => Err(NoHandle),
            id => Ok(id),
        }
    }

    /// The object of a handle, if that is open.
    pub fn held<T: 'static>(&self, kind: u32, id: u64) -> Option<Held<T>> {
        let object = self.provider.object(kind, id)?.downcast().ok()?;
        Some(Held { id, object })
    }

    /// Close a handle: hosts that use it from now on are refused.
    pub fn close(&self, kind: u32, id: u64) {
        let closed = self.provider.close(kind, id);
        drop(closed);
    }

    /// Keep an object for hosts, which get a handle of it.
    ///
    /// # Errors
    /// When there is no memory, or 1,048,576 handles are open.
    pub fn keep<T: Kept>(&self, object: T) -> Result<Handle<T>, NoHandle> {
        self.open(T::NUMBER, object).map(HandleValue::from_id)
    }

    /// The object of a handle, if that is open.
    pub fn kept<T: Kept>(&self, handle: Handle<T>) -> Option<Held<T>> {
        self.held(T::NUMBER, handle.id())
    }

    /// Close a handle: hosts that use it from now on are refused.
    pub fn release<T: Kept>(&self, handle: Handle<T>) {
        self.close(T::NUMBER, handle.id());
    }
}

/// A type of objects that hosts hold handles of: what `#[ferry::handle]` marks.
pub trait Kept: 'static {
    /// The number of its kind.
    const NUMBER: u32;
}

/// What hosts hold of an object that the library keeps. Copies mean the same object; dropping one closes nothing.
pub struct Handle<T> {
    id: u64,
    object: PhantomData<fn() -> T>,
}

impl<T> HandleValue for Handle<T> {
    fn from_id(id: u64) -> Handle<T> {
        let object = PhantomData;
        Handle { id, object }
    }

    fn id(self) -> u64 {
        self.id
    }
}

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Handle<T> {
        *self
    }
}

impl<T> Copy for Handle<T> {}

impl<T> PartialEq for Handle<T> {
    fn eq(&self, other: &Handle<T>) -> bool {
        self.id == other.id
    }
}

impl<T> Eq for Handle<T> {}

impl<T> Hash for Handle<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl<T> fmt::Debug for Handle<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Handle({})", self.id)
    }
}

/// There is no memory for another handle, or too many are open.
#[derive(Clone, Copy, Debug)]
pub struct NoHandle;

impl fmt::Display for NoHandle {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("no memory for another handle")
    }
}

impl std::error::Error for NoHandle {}

/// While this lives, a method runs, which the call stands still for: it is answered afterwards.
struct Running<'a>(&'a Tasks);

impl<'a> Running<'a> {
    fn new(tasks: &'a Tasks, call: &Call) -> Running<'a> {
        tasks.serve(Some(call.id()));
        Running(tasks)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.serve(None);
    }
}

/// A call that is served by a future, and where its result goes.
struct Pending<T, E> {
    future: Task<T, E>,
    answer: Option<Answer<T, E>>,
    id: Id,
    tasks: Rc<Tasks>,
}

impl<T, E> Serving for Pending<T, E> {
    fn run(&mut self, task: &mut TaskContext<'_>) -> Poll<()> {
        let polling = self.tasks.poll(self.id);
        let polled = self.future.as_mut().poll(task);
        drop(polling);
        match polled {
            Poll::Pending => Poll::Pending,
            Poll::Ready(result) => {
                if let Some(answer) = self.answer.take() {
                    answer.give(result);
                }
                Poll::Ready(())
            }
        }
    }

    fn id(&self) -> Id {
        self.id
    }

    fn give_up(self: Box<Self>, told: Told) {
        let Pending { future, answer, .. } = *self;
        drop(future);
        if let Some(answer) = answer {
            answer.tell(&told);
        }
    }
}

/// The object behind an open handle; `Deref` gives it. The object lives on while it is held.
pub struct Held<T> {
    id: u64,
    object: Rc<T>,
}

impl<T> Held<T> {
    /// By which hosts know it.
    pub fn id(&self) -> u64 {
        self.id
    }
}

impl<T: Kept> Held<T> {
    /// The handle, to be closed or given to hosts again.
    pub fn handle(&self) -> Handle<T> {
        HandleValue::from_id(self.id)
    }
}

impl<T> Deref for Held<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.object
    }
}

/// What a method that yields has opened, and the credits that came with the call.
type Opened<T, E> = (Result<Yields<T, E>, Failure<E>>, u32);

/// A library thread. Generated code serves calls with it.
pub struct Thread<L> {
    context: Context<L>,
    /// Futures of the library's methods share it, if these take `&self`.
    library: Option<Rc<L>>,
    /// What the thread has entered. It is dropped last.
    _entered: Box<dyn Any>,
}

/// The author's value, where no future shares it: the attributes refuse `&mut self` in a library that has some.
fn alone<L>(library: &mut Rc<L>) -> &mut L {
    Rc::get_mut(library)
        .expect("methods that take `&mut self` are beside no future that has the library")
}

impl<L: Provide> Thread<L> {
    pub(crate) fn new(provider: Provider) -> Thread<L> {
        Thread {
            _entered: L::enter(),
            context: Context {
                provider,
                tasks: Rc::new(Tasks::new(provider)),
                questions: Rc::default(),
                library: PhantomData,
            },
            library: None,
        }
    }

    pub(crate) fn turn(&mut self) -> i64 {
        self.context.tasks.turn()
    }

    /// The context has ended: drop all of it.
    pub(crate) fn end(&mut self) {
        let library = self.library.take();
        shielded(move || drop(library));
        self.context.tasks.clear();
        while let Some(object) = self.context.provider.close_any() {
            shielded(move || drop(object));
        }
    }

    /// A host has cancelled a call that is not answered.
    pub(crate) fn cancelled(&mut self, id: Id) {
        self.context.tasks.cancel(id);
    }

    fn decode<P: Codec>(call: Call) -> Option<(Call, P::Value)> {
        match wire::decode::<P>(call.wire(), call.payload()) {
            Ok(params) => Some((call, params)),
            Err(error) => {
                call.fail(&Told::bad_payload(&error));
                None
            }
        }
    }

    /// What a method returns for a call, which is failed when it cannot be run.
    fn called<P: Codec, O>(
        &mut self,
        call: Call,
        run: impl FnOnce(&mut Rc<L>, &Context<L>, P::Value) -> O,
    ) -> Option<(Call, O)> {
        // the core hands over nothing before the constructor has succeeded, or after the destructor
        let library = match self.library.as_mut() {
            Some(library) => library,
            None => {
                call.fail(&Told::failed("there is no context"));
                return None;
            }
        };
        let (call, params) = Self::decode::<P>(call)?;
        let running = Running::new(&self.context.tasks, &call);
        let returned = run(library, &self.context, params);
        drop(running);
        Some((call, returned))
    }

    fn finish<R: Codec, X: Codec>(&self, call: Call, outcome: Outcome<R::Value, X::Value>)
    where
        R::Value: 'static,
        X::Value: 'static,
    {
        let answer = Answer::new(call, encode::<R>, encode::<X>);
        match outcome.map(|reply| reply.0) {
            Err(failure) => answer.give(Err(failure)),
            Ok(Kind::Now(value)) => answer.give(Ok(value)),
            Ok(Kind::Later(take)) => take(answer),
            Ok(Kind::Future(future)) => self.context.tasks.spawn(Box::new(Pending {
                id: answer.call().id(),
                future,
                answer: Some(answer),
                tasks: Rc::clone(&self.context.tasks),
            })),
        }
    }

    /// Serve a call of a method, whose result travels as `R` and whose error as `X`.
    pub fn method<P: Codec, R: Codec, X: Codec>(
        &mut self,
        call: Call,
        run: impl FnOnce(&mut L, &Context<L>, P::Value) -> Outcome<R::Value, X::Value>,
    ) where
        R::Value: 'static,
        X::Value: 'static,
    {
        self.shared_method::<P, R, X>(call, |library, context, params| {
            run(alone(library), context, params)
        });
    }

    /// As [`method`](Thread::method), of a method that may go on to share the author's value.
    pub fn shared_method<P: Codec, R: Codec, X: Codec>(
        &mut self,
        call: Call,
        run: impl FnOnce(&mut Rc<L>, &Context<L>, P::Value) -> Outcome<R::Value, X::Value>,
    ) where
        R::Value: 'static,
        X::Value: 'static,
    {
        if let Some((call, outcome)) = self.called::<P, _>(call, run) {
            self.finish::<R, X>(call, outcome);
        }
    }

    /// Serve a call that opens a stream, of the kind of handles of that number. A value travels as `V`, an answer as `R`.
    pub fn opens<P: Codec, V: Codec, R: Codec, X: Codec>(
        &mut self,
        call: Call,
        kind: u32,
        part: MakePart<V::Value, R::Value>,
        run: impl FnOnce(&mut L, &Context<L>, P::Value) -> Opened<V::Value, X::Value>,
    ) where
        V::Value: 'static,
        V: 'static,
        R::Value: 'static,
        X::Value: 'static,
    {
        self.shared_opens::<P, V, R, X>(call, kind, part, |library, context, params| {
            run(alone(library), context, params)
        });
    }

    /// As [`opens`](Thread::opens), beside methods that share the author's value.
    pub fn shared_opens<P: Codec, V: Codec, R: Codec, X: Codec>(
        &mut self,
        call: Call,
        kind: u32,
        part: MakePart<V::Value, R::Value>,
        run: impl FnOnce(&mut Rc<L>, &Context<L>, P::Value) -> Opened<V::Value, X::Value>,
    ) where
        V::Value: 'static,
        V: 'static,
        R::Value: 'static,
        X::Value: 'static,
    {
        if let Some((call, (outcome, credits))) = self.called::<P, _>(call, run) {
            let answer = Answer::new(call, encode::<R>, encode::<X>);
            match outcome {
                Err(failure) => answer.give(Err(failure)),
                Ok(values) => {
                    let flow = Rc::new(Flow::new(self.context.provider, kind, values));
                    let asking = Asking::<V, _, _>::new(flow, credits, answer, part);
                    self.context.tasks.spawn(Box::new(asking));
                }
            }
        }
    }

    /// Serve a call for the next values of a stream: `of` gives its handle, and the credits.
    pub fn continues<P: Codec, V: Codec, R: Codec, X: Codec>(
        &mut self,
        call: Call,
        kind: u32,
        part: MakePart<V::Value, R::Value>,
        of: impl FnOnce(P::Value) -> (u64, u32),
    ) where
        V::Value: 'static,
        V: 'static,
        R::Value: 'static,
        X::Value: 'static,
    {
        if let Some((call, params)) = Self::decode::<P>(call) {
            let (handle, credits) = of(params);
            let answer = Answer::new(call, encode::<R>, encode::<X>);
            match self
                .context
                .held::<Rc<Flow<V::Value, X::Value>>>(kind, handle)
            {
                None => answer.give(Err(Failure::bad_handle("stream", "stream"))),
                Some(flow) if flow.is_asked() => answer.give(Err(Failure::from(
                    "another request of this stream waits for values",
                ))),
                Some(flow) => {
                    let asking = Asking::<V, _, _>::new(Rc::clone(&flow), credits, answer, part);
                    self.context.tasks.spawn(Box::new(asking));
                }
            }
        }
    }

    /// Serve a call that closes a stream: `of` gives its handle.
    pub fn closes<P: Codec, V: Codec, X: Codec>(
        &mut self,
        call: Call,
        kind: u32,
        of: impl FnOnce(P::Value) -> u64,
    ) where
        V::Value: 'static,
        X::Value: 'static,
    {
        if let Some((call, params)) = Self::decode::<P>(call) {
            let handle = of(params);
            let answer = Answer::new(call, encode::<wire::Unit>, encode::<NoError>);
            match self
                .context
                .held::<Rc<Flow<V::Value, X::Value>>>(kind, handle)
            {
                None => answer.give(Err(Failure::bad_handle("stream", "stream"))),
                Some(flow) => {
                    flow.stop();
                    answer.give(Ok(()));
                }
            }
        }
    }

    /// Serve a call that brings the answer to a question: `of` gives its handle, and the outcome.
    pub fn answers<P: Codec, T: 'static, E: 'static>(
        &mut self,
        call: Call,
        kind: u32,
        of: impl FnOnce(P::Value) -> (u64, Result<T, Unanswered<E>>),
    ) {
        if let Some((call, params)) = Self::decode::<P>(call) {
            let (handle, outcome) = of(params);
            let answer = Answer::new(call, encode::<wire::Unit>, encode::<NoError>);
            match self.context.held::<Rc<Open<T, E>>>(kind, handle) {
                Some(open) if open.settle(outcome) => answer.give(Ok(())),
                _ => answer.give(Err(Failure::bad_handle("question", "question"))),
            }
        }
    }

    /// Serve a call of a static method.
    pub fn static_method<P: Codec, R: Codec, X: Codec>(
        &mut self,
        call: Call,
        run: impl FnOnce(&Context<L>, P::Value) -> Outcome<R::Value, X::Value>,
    ) where
        R::Value: 'static,
        X::Value: 'static,
    {
        if let Some((call, params)) = Self::decode::<P>(call) {
            let running = Running::new(&self.context.tasks, &call);
            let outcome = run(&self.context, params);
            drop(running);
            self.finish::<R, X>(call, outcome);
        }
    }

    /// Serve the call of the constructor.
    pub fn constructor<P: Codec, X: Codec>(
        &mut self,
        call: Call,
        run: impl FnOnce(&Context<L>, P::Value) -> Result<L, Failure<X::Value>>,
    ) {
        if let Some((call, params)) = Self::decode::<P>(call) {
            let running = Running::new(&self.context.tasks, &call);
            let made = run(&self.context, params);
            drop(running);
            let result = made.map(|library| self.library = Some(Rc::new(library)));
            Answer::new(call, encode::<wire::Unit>, encode::<X>).give(result);
        }
    }

    /// Serve the call of the destructor.
    pub fn destructor(&mut self, call: Call, run: impl FnOnce(L, &Context<L>)) {
        // all calls are answered, so no future has it any more
        let library = self.library.take().map(Rc::try_unwrap);
        if let Some(Ok(library)) = library {
            run(library, &self.context);
        }
        Answer::new(call, encode::<wire::Unit>, encode::<NoError>).give(Ok(()));
    }
}

/// The parameters of a method that has none.
pub struct NoParams;

impl Codec for NoParams {
    type Value = ();
    type Ref = ();
    const SIZE: usize = 0;
    const ALIGN: usize = 1;

    fn put_cbor(_: &(), out: &mut CborWriter<'_>) {
        out.map(0);
        out.leave();
    }

    fn get_cbor(input: &mut CborReader<'_>) -> Result<(), DecodeError> {
        let mut items = input.map(2)?;
        while input.next(&mut items)? {
            input.key()?;
            input.skip()?;
        }
        input.leave();
        Ok(())
    }

    fn put_flat(_: &(), _: &mut FlatWriter<'_>, _: usize) {}

    fn get_flat(_: &mut FlatReader<'_>, _: &[u8]) -> Result<(), DecodeError> {
        Ok(())
    }
}

/// The error of a method that declares none: there is no value of it.
pub struct NoError;

impl Codec for NoError {
    type Value = Infallible;
    type Ref = Infallible;
    const SIZE: usize = 0;
    const ALIGN: usize = 1;

    fn put_cbor(value: &Infallible, _: &mut CborWriter<'_>) {
        match *value {}
    }

    fn get_cbor(_: &mut CborReader<'_>) -> Result<Infallible, DecodeError> {
        Err(DecodeError::new(wire::Reason::WrongType))
    }

    fn put_flat(value: &Infallible, _: &mut FlatWriter<'_>, _: usize) {
        match *value {}
    }

    fn get_flat(_: &mut FlatReader<'_>, _: &[u8]) -> Result<Infallible, DecodeError> {
        Err(DecodeError::new(wire::Reason::WrongType))
    }
}
