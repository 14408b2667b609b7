// SPDX-License-Identifier: BSD-3-Clause

package ferryingress

// #include <stdlib.h>
// #include "core.h"
import "C"

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"ferryingress/wire"
)

// A port is a context as goroutines share it: flat combining on both ways through cgo.
//
// Requests lie encoded in an arena. One goroutine at a time submits all that are there in one crossing; a goroutine that
// comes meanwhile leaves its request in the next arena and does not wait for that. One goroutine at a time takes
// replies: a goroutine that waits for its own takes those of all others on the way. When nobody waits in C any more and
// requests are unanswered, the taker does it: a goroutine that sleeps in Go's poller on the inbox's descriptor and ends
// when every request is answered. So an idle context has no goroutine, and no thread waits for a slow handler.
//
// A mutex guards the fields below it. Only who has set taking may use the items and the inbox.

const (
	itemsMax = C.FERRY_GO_ITEMS_MAX
	// spinNS is how long a goroutine waits in C for a reply: less than the 20 µs after which Go's monitor takes the
	// processor away from a goroutine in C.
	spinNS = 15_000
	// releaseBytes is how much memory of replies may stay until the next take.
	releaseBytes = 64 << 10
	// arenaKeptBytes is how large an arena may be to be kept for later requests, and arenasKept how many are.
	arenaKeptBytes = 128 << 10
	arenasKept     = 4
	// unawaitedMax is how many requests may be unanswered before a batch starts the taker: until then whoever waits takes.
	unawaitedMax = 1024
	requestBytes = int(unsafe.Sizeof(C.struct_ferry_go_request{}))
	requestAlign = 8
	// ticketsAtOnce is how many numbers a port takes for its requests at once. The core has 2^61, for all ports there ever are.
	ticketsAtOnce = 1 << 12
)

// receiver takes the one terminal answer of a request. data is valid until receive returns.
type receiver interface {
	receive(status Status, format wire.Format, data []byte)
}

type slot struct {
	to         receiver
	generation uint32
	method     uint32
}

type port struct {
	c       *C.struct_ferry_go_port
	token   C.ingress_token
	onStale func(method uint32)
	file    *os.File
	raw     syscall.RawConn

	mu          sync.Mutex
	ticket      uint64 // of the next request, for the core
	ticketsEnd  uint64
	arena       []byte
	spare       [][]byte
	slots       []slot
	free        []uint32
	outstanding int
	taking      bool
	again       bool // the taker found that another goroutine takes: that one has to look once more before it ends
	hasTaker    bool
	watches     bool // ferry_go_watch
	closed      bool
	streams     map[*stream]struct{}
}

func newPort() (*port, error) {
	var status C.uint32_t
	c := C.ferry_go_port_create(&status)
	if c == nil {
		return nil, failure(Status(status), "")
	}
	p := &port{c: c, streams: map[*stream]struct{}{}}
	file, raw, err := watched(c)
	if err != nil {
		C.ingress_inbox_close(c.inbox)
		C.free(unsafe.Pointer(c))
		return nil, err
	}
	p.file, p.raw = file, raw
	runtime.SetFinalizer(p, func(p *port) { C.free(unsafe.Pointer(p.c)) })
	return p, nil
}

// watched gives an epoll descriptor to Go's poller in which the inbox's is, which is watched while there is a taker.
func watched(c *C.struct_ferry_go_port) (*os.File, syscall.RawConn, error) {
	descriptor := C.ferry_go_watch_create(c)
	if descriptor < 0 {
		return nil, nil, failure(NoMemory, "")
	}
	file := os.NewFile(uintptr(descriptor), "inbox")
	raw, err := file.SyscallConn()
	return file, raw, err
}

// polled gives the inbox's descriptor to Go's poller; a copy of it, since a file closes what it has.
func polled(c *C.struct_ferry_go_port) (*os.File, syscall.RawConn, error) {
	descriptor := uintptr(C.ingress_inbox_descriptor(c.inbox))
	copied, _, errno := syscall.Syscall(syscall.SYS_FCNTL, descriptor, syscall.F_DUPFD_CLOEXEC, 0)
	if errno != 0 {
		return nil, nil, failure(NoMemory, "")
	}
	file := os.NewFile(copied, "inbox")
	raw, err := file.SyscallConn()
	return file, raw, err
}

// ---- requests -------------------------------------------------------------------------------------------------------

// request is what is to be submitted.
type request struct {
	method  uint32
	format  wire.Format
	payload []byte
	to      receiver
	ticket  *uint64 // where its ticket goes; nil: it is never cancelled
	members uint32  // not 0: it is the head of a chain of so many, and gets its payload back with the chain's status
}

// add queues requests. They are submitted by the next run of any goroutine.
func (p *port) add(requests ...request) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return failure(Closed, "")
	}
	for index := range requests {
		p.lockedAppend(&requests[index])
	}
	atomic.StoreUint32((*uint32)(&p.c.queued), 1)
	return nil
}

func (p *port) lockedAppend(r *request) {
	header := C.struct_ferry_go_request{
		method:  C.uint32_t(r.method),
		wire:    C.uint32_t(r.format),
		tag:     C.uint64_t(p.lockedTag(r)),
		bytes:   C.uint64_t(len(r.payload)),
		members: C.uint32_t(r.members),
	}
	if r.ticket != nil {
		*r.ticket = p.lockedTicket()
		header.ticket = C.uint64_t(*r.ticket)
	}
	p.arena = append(p.arena, unsafe.Slice((*byte)(unsafe.Pointer(&header)), requestBytes)...)
	p.arena = append(p.arena, r.payload...)
	for len(p.arena)%requestAlign != 0 {
		p.arena = append(p.arena, 0)
	}
}

func (p *port) lockedTicket() uint64 {
	if p.ticket == p.ticketsEnd {
		p.ticket = uint64(C.ingress_tickets(ticketsAtOnce))
		p.ticketsEnd = p.ticket + ticketsAtOnce
	}
	p.ticket++
	return p.ticket - 1
}

func (p *port) lockedTag(r *request) uint64 {
	if len(p.free) == 0 {
		p.slots = append(p.slots, slot{})
		p.free = append(p.free, uint32(len(p.slots)-1))
	}
	index := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	s := &p.slots[index]
	s.to, s.method = r.to, r.method
	p.outstanding++
	return uint64(s.generation)<<32 | uint64(index)
}

// lockedTake returns who waits for the request of a tag, and forgets the request. A stale tag gives nil.
func (p *port) lockedTake(tag uint64) receiver {
	index := uint32(tag)
	if int(index) >= len(p.slots) || p.slots[index].generation != uint32(tag>>32) || p.slots[index].to == nil {
		return nil
	}
	s := &p.slots[index]
	to := s.to
	s.to = nil
	s.generation++
	p.free = append(p.free, index)
	p.outstanding--
	return to
}

// beginSubmitting takes the queue, if there are requests that nobody submits; and the right to take, if wanted and free.
func (p *port) beginSubmitting() []byte {
	submitting, queued := (*uint32)(&p.c.submitting), (*uint32)(&p.c.queued)
	for atomic.LoadUint32(queued) != 0 && atomic.CompareAndSwapUint32(submitting, 0, 1) {
		p.mu.Lock()
		arena := p.arena
		p.arena = nil
		if last := len(p.spare) - 1; last >= 0 {
			p.arena, p.spare = p.spare[last], p.spare[:last]
		}
		atomic.StoreUint32(queued, 0)
		p.mu.Unlock()
		if len(arena) > 0 {
			return arena
		}
		// another goroutine took the queue between the two conditions: look again, as a request may have come since
		atomic.StoreUint32(submitting, 0)
	}
	return nil
}

// endSubmitting answers the requests that were refused and the heads of chains, and keeps the arena's memory.
func (p *port) endSubmitting(arena []byte) {
	for at := 0; at < len(arena); {
		header := (*C.struct_ferry_go_request)(unsafe.Pointer(&arena[at]))
		if header.status != C.INGRESS_OK || header.members != 0 {
			p.mu.Lock()
			to := p.lockedTake(uint64(header.tag))
			p.mu.Unlock()
			var data []byte
			if header.members != 0 {
				data = arena[at+requestBytes:][:header.bytes]
			}
			if to != nil {
				to.receive(Status(header.status), wire.CBOR, data)
			}
		}
		at += requestBytes + (int(header.bytes)+requestAlign-1)/requestAlign*requestAlign
	}
	p.mu.Lock()
	if cap(arena) <= arenaKeptBytes && len(p.spare) < arenasKept {
		p.spare = append(p.spare, arena[:0])
	}
	p.mu.Unlock()
}

// cross submits an arena, which may be nil, and takes items with a timeout that is not negative.
func (p *port) cross(arena []byte, timeoutNS int64) int {
	var begin unsafe.Pointer
	if len(arena) > 0 {
		begin = unsafe.Pointer(&arena[0])
	}
	return int(C.ferry_go_cross(p.c, p.token, begin, C.size_t(len(arena)), C.int64_t(timeoutNS)))
}

// run submits what is queued, unless another goroutine does, and then waits in C for a moment until f is done. A nil f
// is not waited for.
//
// While a goroutine sleeps, either another one takes, which calls endTaking, or the inbox is armed and there is the taker.
func (p *port) run(f *future) {
	takes, armed := false, false
	for {
		arena := p.beginSubmitting()
		waits := f != nil && !f.isDone()
		if waits && !takes {
			takes = p.beginTaking()
		}
		if arena == nil && !(waits && takes) {
			break
		}
		timeout := int64(-1)
		if waits && takes {
			timeout = spinNS
		}
		count := p.cross(arena, timeout)
		if arena != nil {
			p.endSubmitting(arena)
		}
		if count > 0 {
			p.dispatch(count)
		}
		// nothing came in time: the taker waits from now on
		armed = count == 0
		if armed {
			break
		}
	}
	if takes {
		p.endTaking(armed)
	}
}

// cancel cancels requests that were queued, the last one first, so that none of them begins when an earlier one ends.
// They are submitted first, if they are not yet, as the core could not find them else.
func (p *port) cancel(tickets ...uint64) {
	p.run(nil)
	for atomic.LoadUint32((*uint32)(&p.c.submitting)) != 0 {
		runtime.Gosched()
	}
	for i := len(tickets) - 1; i >= 0; i-- {
		C.ingress_cancel(p.token, C.uint64_t(tickets[i]))
	}
}

// drain lets the taker take what is there, although nobody waits for it.
func (p *port) drain() {
	if p.beginTaking() {
		p.endTaking(false)
	}
}

// ---- replies --------------------------------------------------------------------------------------------------------

func (p *port) beginTaking() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taking || p.closed {
		return false
	}
	p.taking = true
	if !p.hasTaker {
		p.lockedWatch(false)
	}
	return true
}

// lockedWatch says whether the poller is to hear of replies. Without a taker it is not: the goroutine that takes waits
// for them in C, and each would wake a thread for nothing.
func (p *port) lockedWatch(watches bool) {
	if p.watches != watches {
		p.watches = watches
		C.ferry_go_watch(p.c, C.bool(watches))
	}
}

// endTaking lets others take. armed says that the last take found nothing, so that the next reply writes to the
// descriptor. While requests are unanswered, that or the start of the taker has to be so: otherwise nobody would hear.
func (p *port) endTaking(armed bool) {
	for {
		p.mu.Lock()
		if p.outstanding == 0 || !p.hasTaker || (armed && !p.again) {
			p.taking, p.again = false, false
			p.mu.Unlock()
			p.ensureTaker()
			return
		}
		p.again = false
		p.mu.Unlock()
		count := p.cross(nil, 0)
		armed = count == 0
		p.dispatch(count)
	}
}

func (p *port) ensureTaker() {
	p.mu.Lock()
	starts := p.outstanding > 0 && !p.hasTaker
	p.hasTaker = p.hasTaker || starts
	p.mu.Unlock()
	if starts {
		go p.taker()
	}
}

func (p *port) taker() {
	err := p.raw.Read(func(uintptr) bool {
		for {
			p.mu.Lock()
			if p.outstanding == 0 || p.closed {
				p.hasTaker = false
				p.mu.Unlock()
				return true
			}
			if p.taking {
				p.again = true
				p.lockedWatch(true)
				p.mu.Unlock()
				return false
			}
			p.taking = true
			p.mu.Unlock()
			count := p.cross(nil, spinNS)
			p.dispatch(count)
			p.mu.Lock()
			p.taking = false
			if count == 0 {
				p.lockedWatch(true)
			}
			p.mu.Unlock()
			if count == 0 {
				return false // the poller wakes this goroutine when the descriptor is written to
			}
		}
	})
	if err != nil {
		p.mu.Lock()
		p.hasTaker = false
		p.mu.Unlock()
	}
}

// dispatch hands out the first items. Only who takes may call it.
func (p *port) dispatch(count int) {
	if count <= 0 {
		return
	}
	var to [itemsMax]receiver
	items := p.c.items[:count]
	var stale []uint32
	p.mu.Lock()
	for index := range items {
		item := &items[index]
		if Status(item.status) != Stale {
			to[index] = p.lockedTake(uint64(item.tag))
		} else if at := uint32(item.tag); p.onStale != nil && int(at) < len(p.slots) {
			stale = append(stale, p.slots[at].method)
		}
	}
	p.mu.Unlock()
	bytes := 0
	for index := range items {
		item := &items[index]
		bytes += int(item.bytes)
		if to[index] != nil {
			to[index].receive(Status(item.status), wire.Format(item.wire), borrowed(item))
		}
	}
	if bytes > releaseBytes {
		C.ferry_go_release(p.c)
	}
	for _, method := range stale {
		go p.onStale(method)
	}
}

// borrowed is an item's payload, which is the core's.
func borrowed(item *C.struct_ingress_item) []byte {
	if item.bytes == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(item.data), int(item.bytes))
}

// ---- the end --------------------------------------------------------------------------------------------------------

// close ends the context, waits until every request is answered, and gives back what the port has.
func (p *port) close(timeout time.Duration) error {
	p.mu.Lock()
	streams := p.streams
	p.streams = nil
	p.mu.Unlock()
	status := Status(C.ingress_context_destroy(p.token, C.int64_t(timeout)))
	for each := range streams {
		each.end()
	}
	p.finish()
	if status == OK || status == Closed {
		return nil
	}
	return failure(status, "")
}

// finish waits until every request is answered, for which the context has to be ended, and closes the inbox.
func (p *port) finish() {
	for {
		p.run(nil)
		p.drain()
		p.mu.Lock()
		if p.outstanding == 0 && !p.taking && atomic.CompareAndSwapUint32((*uint32)(&p.c.submitting), 0, 1) {
			p.closed, p.taking = true, true
			p.mu.Unlock()
			break
		}
		p.mu.Unlock()
		time.Sleep(finishLook)
	}
	p.file.Close() // wakes the taker and waits for it
	C.ferry_go_release(p.c)
	C.ingress_inbox_close(p.c.inbox)
}

// finishLook is how long the end of a context sleeps between two looks at the requests that are unanswered.
const finishLook = 50 * time.Microsecond
