// SPDX-License-Identifier: BSD-3-Clause

package ferryingress

import (
	"context"
	"runtime"
	"sync"

	"ferryingress/wire"
)

// StreamCredits is how many values one answer of a stream has at most, where a program says 0: twice as many are in
// memory.
const StreamCredits = 256

// Stream is the values that a method yields, in order, for one goroutine. While the program uses the values of an answer,
// the request for the next ones is under way. Close tells the library that no more is wanted.
type Stream[T any] struct {
	// the flow is referred to by requests that are under way, and the stream itself is not: it can be collected
	flow   *flow[T]
	values []T
	at     int
	ended  bool
}

// StreamKind is a method that yields, and how its messages travel.
type StreamKind[T any] struct {
	// the number of the method that opens a stream; the one that continues it comes next, and then the one that closes it
	number uint32
	decode func(status Status, format wire.Format, data []byte) (handle uint64, values []T, err error)
}

// NewStreamKind makes one of the codec of its answers; split gives the handle of one, 0 at the end, and its values.
func NewStreamKind[P, T any](
	number uint32, codec wire.Codec[P], split func(part *P) (uint64, []T), raises ...*Raises,
) *StreamKind[T] {
	return &StreamKind[T]{number, func(status Status, format wire.Format, data []byte) (uint64, []T, error) {
		var part P
		if err := decoded(codec, declared(raises), status, format, data, &part); err != nil {
			return 0, nil, err
		}
		handle, values := split(&part)
		return handle, values, nil
	}}
}

// moreParams and closeParams are what every stream's requests have, but for the first.
type moreParams struct {
	stream  uint64
	credits uint32
}

type closeParams struct{ stream uint64 }

var (
	moreShape                            = wire.NewObject[moreParams](16, 8, 18)
	closeShape                           = wire.NewObject[closeParams](8, 8, 9)
	requestMore  wire.Codec[moreParams]  = moreShape
	requestClose wire.Codec[closeParams] = closeShape
)

func init() {
	moreShape.Define(
		wire.Field("stream", wire.U64, func(o *moreParams) *uint64 { return &o.stream }),
		wire.Field("credits", wire.U32, func(o *moreParams) *uint32 { return &o.credits }),
	)
	closeShape.Define(wire.Field("stream", wire.U64, func(o *closeParams) *uint64 { return &o.stream }))
}

// flow is what a stream and its requests have in common: either may end first.
type flow[T any] struct {
	owner   *Context // so that it is not collected before the stream
	kind    *StreamKind[T]
	credits uint32
	opening []byte // the payload of the first request, until that is accepted

	mu     sync.Mutex
	handle uint64
	asked  *partial[T]
	closed bool
	// why the stream was closed, if its context is ending
	reason error
}

// partial is one answer of a stream.
type partial[T any] struct {
	future
	flow     *flow[T]
	ticket   uint64
	isHere   bool
	handle   uint64
	values   []T
	err      error
	isOpener bool
}

func (a *partial[T]) receive(status Status, format wire.Format, data []byte) {
	handle, values, err := a.flow.kind.decode(status, format, data)
	a.flow.mu.Lock()
	a.isHere, a.handle, a.values, a.err = true, handle, values, err
	// a program that closes a stream whose handle is not known yet leaves that to the answer
	ends := a.flow.closed && a.isOpener && handle != 0
	a.flow.mu.Unlock()
	if ends {
		go a.flow.end(handle) // a goroutine that takes replies may not submit
	}
	a.complete()
}

// nobody takes the reply to a request that closes a stream.
type nobody struct{}

func (nobody) receive(Status, wire.Format, []byte) {}

// Open opens a stream. Why that fails is told by its Next.
func Open[P, T any](
	c *Context, kind *StreamKind[T], params wire.Codec[P], value *P, credits uint32,
) *Stream[T] {
	f := &flow[T]{owner: c, kind: kind, credits: credits}
	s := &Stream[T]{flow: f}
	if err := encoded(params, c.format, value, &f.opening); err != nil {
		f.opening = nil
		f.closed, f.reason = true, err
		return s
	}
	c.addFlow(f)
	// what is refused is tried again when a value is asked for
	_ = f.ask()
	runtime.SetFinalizer(s, func(s *Stream[T]) { go s.Close() })
	return s
}

// Credits is how many values the program wants at once.
func Credits(given uint32) uint32 {
	if given == 0 {
		return StreamCredits
	}
	return given
}

// ask submits the next request.
func (f *flow[T]) ask() error {
	method, payload := f.kind.number, f.opening
	if payload == nil {
		method++
		more := moreParams{f.handle, f.credits}
		if err := encoded(requestMore, f.owner.format, &more, &payload); err != nil {
			return err
		}
	}
	a := &partial[T]{flow: f, isOpener: f.opening != nil}
	p := f.owner.port
	err := p.add(request{method: method, format: f.owner.format, payload: payload, to: a, ticket: &a.ticket})
	if err != nil {
		return err
	}
	f.opening = nil
	// not before it has its ticket, by which another goroutine may cancel it from here on
	f.mu.Lock()
	f.asked = a
	f.mu.Unlock()
	p.submit()
	return nil
}

// end has the library end the stream.
func (f *flow[T]) end(handle uint64) {
	var payload []byte
	if err := encoded(requestClose, f.owner.format, &closeParams{handle}, &payload); err != nil {
		return
	}
	p := f.owner.port
	closing := request{method: f.kind.number + 2, format: f.owner.format, payload: payload, to: nobody{}}
	// without a context there is no stream either
	if p.add(closing) == nil {
		p.submit()
	}
}

// stop closes the stream. What waits for an answer of it gets that.
func (f *flow[T]) stop(reason error) {
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		return
	}
	f.closed, f.reason = true, reason
	handle, asked := f.handle, f.asked
	isHere := asked != nil && asked.isHere
	if isHere {
		handle = asked.handle
	}
	f.mu.Unlock()
	if handle != 0 {
		f.end(handle)
	} else if asked != nil && !isHere {
		f.owner.port.cancel(asked.ticket)
	}
}

// Next returns the next value; false at the end. When ctx ends it returns ctx's error, or Timeout for a deadline, and the
// stream goes on. Any other error ends it.
func (s *Stream[T]) Next(ctx context.Context) (T, bool, error) {
	for s.at == len(s.values) {
		var none T
		if s.ended {
			return none, false, nil
		}
		if err := s.take(ctx); err != nil {
			return none, false, err
		}
	}
	value := s.values[s.at]
	s.at++
	return value, true, nil
}

// take waits for an answer, after which the next request is under way.
func (s *Stream[T]) take(ctx context.Context) error {
	f := s.flow
	f.mu.Lock()
	asked, closed, reason := f.asked, f.closed, f.reason
	f.mu.Unlock()
	if closed {
		s.ended = true
		return reason
	}
	if asked == nil {
		if err := f.ask(); err != nil {
			return err
		}
		asked = f.asked
	}
	if !asked.isDone() {
		f.owner.port.run(&asked.future)
	}
	if !asked.isDone() {
		if err := asked.sleep(ctx); err != nil {
			return err
		}
	}
	f.mu.Lock()
	f.asked, f.handle = nil, asked.handle
	reason = f.reason
	isClosed := f.closed
	f.mu.Unlock()
	if s.ended = asked.handle == 0; s.ended {
		f.owner.removeFlow(f)
	}
	if asked.err != nil {
		if isClosed && reason != nil {
			return reason
		}
		return asked.err
	}
	s.values, s.at = asked.values, 0
	if !s.ended && !isClosed {
		// what is refused is tried again when these values are used up
		_ = f.ask()
	}
	return nil
}

// Close tells the library that no more values are wanted. It may be called again, and by any goroutine.
func (s *Stream[T]) Close() {
	s.flow.stop(failure(Closed, "the stream was closed"))
	s.flow.owner.removeFlow(s.flow)
	runtime.SetFinalizer(s, nil)
}
