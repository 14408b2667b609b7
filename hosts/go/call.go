// SPDX-License-Identifier: BSD-3-Clause

package ferryingress

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"ferryingress/wire"
)

const (
	futurePending = iota
	futureDone
	futureAwaited
)

// future is told once that a reply is there. One goroutine at a time waits for it.
type future struct {
	state int32
	done  chan struct{} // made by a goroutine that has to sleep
}

func (f *future) isDone() bool { return atomic.LoadInt32(&f.state) == futureDone }

func (f *future) complete() {
	if atomic.SwapInt32(&f.state, futureDone) == futureAwaited {
		close(f.done)
	}
}

// sleep waits until the future is done or ctx has ended.
func (f *future) sleep(ctx context.Context) error {
	if f.done == nil {
		f.done = make(chan struct{})
		if !atomic.CompareAndSwapInt32(&f.state, futurePending, futureAwaited) {
			return nil
		}
	}
	select {
	case <-f.done:
		return nil
	case <-ctx.Done():
		if f.isDone() {
			return nil
		}
		return ended(ctx)
	}
}

// Pending is a call that was made and whose reply has not been taken yet.
type Pending[R any] struct {
	future
	port   *port
	owner  *Context // so that it is not collected before the reply
	codec  wire.Codec[R]
	raises *Raises // what the method declares as its error
	ticket uint64
	value  R
	err    error
}

// Raises is an error that methods declare: how it travels.
type Raises struct {
	decode func(format wire.Format, data []byte) (error, error)
}

// NewRaises makes one of the codec of a type whose values are errors.
func NewRaises[E error](codec wire.Codec[E]) *Raises {
	return &Raises{func(format wire.Format, data []byte) (error, error) {
		var raised E
		err := wire.Decode(codec, format, data, &raised)
		return raised, err
	}}
}

func (r *Raises) failure(format wire.Format, data []byte) error {
	if r == nil {
		return failure(Raised, "")
	}
	raised, err := r.decode(format, data)
	if err != nil {
		return failure(BadPayload, err.Error())
	}
	return &Error{Raised, raised.Error(), raised}
}

// decoded makes a value or an error of a reply.
func decoded[R any](
	codec wire.Codec[R], raises *Raises, status Status, format wire.Format, data []byte, value *R,
) error {
	if status == Raised {
		return raises.failure(format, data)
	}
	if status != OK {
		return failure(status, string(data))
	}
	if err := wire.Decode(codec, format, data, value); err != nil {
		return failure(BadPayload, err.Error())
	}
	return nil
}

func (p *Pending[R]) receive(status Status, format wire.Format, data []byte) {
	p.err = decoded(p.codec, p.raises, status, format, data, &p.value)
	p.complete()
}

// Wait returns the reply. When ctx ends first it returns ctx's error, or Timeout for a deadline; the handler runs on, and
// Wait may be called again. One goroutine at a time may wait. A call of a batch that was not submitted never returns
// before ctx ends.
func (p *Pending[R]) Wait(ctx context.Context) (R, error) {
	if p.port != nil && !p.isDone() {
		p.port.run(&p.future)
	}
	if !p.isDone() {
		if err := p.sleep(ctx); err != nil {
			var none R
			return none, err
		}
	}
	runtime.KeepAlive(p.owner)
	return p.value, p.err
}

// Cancel cancels the call: one that waits for its handler is answered Cancelled, and a handler that runs can see it. Wait
// returns what the library answers. A call of a batch that was not submitted is not cancelled.
func (p *Pending[R]) Cancel() {
	if p.port != nil && !p.isDone() {
		p.port.cancel(p.ticket)
	}
}

// buffers are memory in which payloads are encoded before they are copied to an arena.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

func encoded[P any](codec wire.Codec[P], format wire.Format, value *P, buffer *[]byte) error {
	out, err := wire.Append(codec, format, (*buffer)[:0], value)
	*buffer = out
	if err != nil {
		return unencoded(err)
	}
	return nil
}

func unencoded(err error) error { return failure(BadArgument, "request: "+err.Error()) }

func giveBack(buffer *[]byte) {
	if cap(*buffer) <= arenaKeptBytes {
		buffers.Put(buffer)
	}
}

func call[P, R any](
	ctx context.Context, p *port, owner *Context, format wire.Format, method uint32, params wire.Codec[P], value *P,
	reply wire.Codec[R], raises []*Raises,
) (R, error) {
	pending := &Pending[R]{port: p, owner: owner, codec: reply, raises: declared(raises)}
	if ctx.Err() != nil {
		return pending.value, ended(ctx)
	}
	buffer := buffers.Get().(*[]byte)
	err := encoded(params, format, value, buffer)
	if err == nil {
		err = p.add(request{method: method, format: format, payload: *buffer, to: pending, ticket: &pending.ticket})
	}
	giveBack(buffer)
	if err != nil {
		return pending.value, err
	}
	result, err := pending.Wait(ctx)
	if err != nil && !pending.isDone() {
		p.cancel(pending.ticket)
	}
	return result, err
}

// declared is the error that a method declares, or nil.
func declared(raises []*Raises) *Raises {
	if len(raises) == 0 {
		return nil
	}
	return raises[0]
}

// Call calls a method and waits for its result. raises is the error that the method declares, if it declares one.
func Call[P, R any](
	ctx context.Context, c *Context, method uint32, params wire.Codec[P], value *P, reply wire.Codec[R],
	raises ...*Raises,
) (R, error) {
	return call(ctx, c.port, c, c.format, method, params, value, reply, raises)
}

// CallStatic calls a method that needs no context.
func CallStatic[P, R any](
	ctx context.Context, l *Library, method uint32, params wire.Codec[P], value *P, reply wire.Codec[R],
	raises ...*Raises,
) (R, error) {
	p, err := l.staticPort()
	if err != nil {
		var none R
		return none, err
	}
	return call(ctx, p, nil, l.format, method, params, value, reply, raises)
}

// submit submits what is queued; nobody waits for it yet, so replies are only taken when they are many.
func (p *port) submit() {
	p.run(nil)
	p.mu.Lock()
	areMany := p.outstanding > unawaitedMax
	p.mu.Unlock()
	if areMany {
		p.drain()
	}
}

// payloadsBytes is how much memory a batch takes at a time for the payloads of its calls.
const payloadsBytes = 16 << 10

// Batch collects calls of one context that are submitted together, in order. One goroutine uses it.
type Batch struct {
	context  *Context
	requests []request
	payloads []byte // where payloads are encoded
}

// Batch begins a batch.
func (c *Context) Batch() *Batch { return &Batch{context: c} }

// Add appends a call to a batch.
func Add[P, R any](
	b *Batch, method uint32, params wire.Codec[P], value *P, reply wire.Codec[R], raises ...*Raises,
) *Pending[R] {
	pending := &Pending[R]{owner: b.context, codec: reply, raises: declared(raises)}
	payload, err := wire.Append(params, b.context.format, b.payloads[len(b.payloads):], value)
	if err != nil {
		pending.err = unencoded(err)
		pending.complete()
		return pending
	}
	b.keep(payload)
	b.requests = append(b.requests, request{
		method: method, format: b.context.format, payload: payload, to: pending, ticket: &pending.ticket,
	})
	pending.port = b.context.port
	return pending
}

// keep lets the next payload be encoded behind this one, which lies there; or, where there was no room for it, begins
// memory for more.
func (b *Batch) keep(payload []byte) {
	if end := len(b.payloads) + len(payload); end <= cap(b.payloads) {
		b.payloads = b.payloads[:end]
		return
	}
	b.payloads = make([]byte, 0, payloadsBytes)
}

// Submit submits the calls, and begins the batch anew. It does not wait for replies. Those that are refused have their
// error in their own reply, but for a closed context.
func (b *Batch) Submit() error {
	if len(b.requests) == 0 {
		return nil
	}
	err := b.context.port.add(b.requests...)
	if err == nil {
		b.context.port.submit()
	} else {
		for _, each := range b.requests {
			each.to.receive(Closed, wire.CBOR, nil)
		}
	}
	b.requests = b.requests[:0]
	b.payloads = b.payloads[:0]
	return err
}
