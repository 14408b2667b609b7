// SPDX-License-Identifier: BSD-3-Clause

package ferryingress

// #include <stdlib.h>
// #include "core.h"
import "C"

import (
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"ferryingress/wire"
)

// eventsTaken is how many events of a stream are in Go before they are received; further ones wait in the core, where
// the overflow policy holds.
const eventsTaken = 16

// Overflow says what happens to a new event when as many as the depth allows wait for the listener.
type Overflow uint32

// The policies.
const (
	OverflowDefault Overflow = C.INGRESS_OVERFLOW_DEFAULT
	DropOldest      Overflow = C.INGRESS_DROP_OLDEST
	DropNewest      Overflow = C.INGRESS_DROP_NEWEST
	Coalesce        Overflow = C.INGRESS_COALESCE
)

// EventKind is an event of an interface.
type EventKind[T any] struct {
	Number   uint32
	Codec    wire.Codec[T]
	Overflow Overflow
	Depth    uint32
}

// Event is an event, and how many this stream has lost between the one before and this one.
type Event[T any] struct {
	Value T
	Lost  uint64
	// Err is BadPayload where the event could not be decoded.
	Err error
}

// Events is a stream of events from now on. The channel is closed when Close is called or the context has ended; events
// that were not received by then may be lost.
type Events[T any] struct {
	C <-chan Event[T]
	s *stream
}

// Close stops listening. It may be called more than once, by any goroutine.
func (e *Events[T]) Close() { e.s.close() }

// stream is an inbox of its own and the goroutine that empties it.
type stream struct {
	owner *port
	c     *C.struct_ferry_go_port
	id    C.uint64_t
	file  *os.File
	raw   syscall.RawConn
	stop  chan struct{}
	gone  chan struct{}
	once  sync.Once
}

// Listen begins a stream.
func Listen[T any](c *Context, kind *EventKind[T]) (*Events[T], error) {
	s := &stream{owner: c.port, stop: make(chan struct{}), gone: make(chan struct{})}
	var status C.uint32_t
	if s.c = C.ferry_go_port_create(&status); s.c == nil {
		return nil, failure(Status(status), "")
	}
	var err error
	if s.file, s.raw, err = polled(s.c); err == nil {
		err = s.listen(c, kind.Number, uint32(kind.Overflow), kind.Depth)
	}
	if err != nil {
		close(s.gone) // the context's end may have found the stream, and waits for it
		s.free()
		return nil, err
	}
	out := make(chan Event[T])
	go func() {
		defer close(s.gone)
		defer close(out)
		s.pump(func(item *C.struct_ingress_item) func() bool {
			event := Event[T]{Lost: uint64(item.lost)}
			if err := wire.Decode(kind.Codec, wire.Format(item.wire), borrowed(item), &event.Value); err != nil {
				event.Err = failure(BadPayload, err.Error())
			}
			return func() bool {
				select {
				case out <- event:
					return true
				case <-s.stop:
					return false
				}
			}
		})
		s.free()
	}()
	return &Events[T]{out, s}, nil
}

func (s *stream) listen(c *Context, number, overflow, depth uint32) error {
	p := c.port
	p.mu.Lock()
	if p.streams == nil {
		p.mu.Unlock()
		return failure(Closed, "")
	}
	p.streams[s] = struct{}{}
	p.mu.Unlock()
	status := C.ferry_go_listen(p.token, s.c, C.uint32_t(number), C.uint32_t(c.format), C.uint32_t(overflow),
		C.uint32_t(depth), &s.id)
	if status != C.INGRESS_OK {
		s.forget()
		return failure(Status(status), "")
	}
	return nil
}

func (s *stream) forget() {
	s.owner.mu.Lock()
	delete(s.owner.streams, s)
	s.owner.mu.Unlock()
}

// pump takes events, and sends each with what decode makes of it, until the stream ends.
func (s *stream) pump(decode func(*C.struct_ingress_item) func() bool) {
	// an error is the past deadline by which end wakes this goroutine
	_ = s.raw.Read(func(uintptr) bool {
		for {
			count := int(C.ingress_inbox_take(s.c.inbox, &s.c.items[0], eventsTaken, 0))
			if count == 0 {
				return false
			}
			sends := make([]func() bool, count)
			for index := range sends {
				sends[index] = decode(&s.c.items[index])
			}
			C.ingress_items_release(&s.c.items[0], C.size_t(count))
			for _, send := range sends {
				if !send() {
					return true
				}
			}
		}
	})
}

// end ends the goroutine, which may sleep on the descriptor or wait for a receiver. Two goroutines may call it at once.
func (s *stream) end() {
	s.once.Do(func() {
		close(s.stop)
		_ = s.file.SetReadDeadline(time.Unix(1, 0))
	})
	<-s.gone
}

func (s *stream) close() {
	s.forget()
	select {
	case <-s.stop: // its number may be another listener's by now
	default:
		C.ingress_unlisten(s.owner.token, s.id)
	}
	s.end()
}

func (s *stream) free() {
	if s.file != nil {
		s.file.Close()
	}
	C.ingress_inbox_close(s.c.inbox)
	C.free(unsafe.Pointer(s.c))
	s.c = nil
}
