// SPDX-License-Identifier: BSD-3-Clause

package ferryingress

// #include "core.h"
import "C"

import (
	"context"
	"fmt"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
	"unsafe"

	"ferryingress/wire"
)

const (
	// ChainMax and LinksMax are how many calls a chain has, and how often they take or need an earlier one, at most (C1).
	ChainMax = C.INGRESS_CHAIN_MAX
	LinksMax = C.INGRESS_LINKS_MAX

	chainBytes = int(unsafe.Sizeof(C.struct_ferry_go_chain{}))
	linkBytes  = int(unsafe.Sizeof(C.struct_ferry_go_link{}))
)

// Chain collects calls of one context that run one after another, and in which later ones take results of earlier ones:
// C1 to C9 of spec/interface.md. In an arena it is a head, which has the links, and its requests; the core accepts all
// of them or none. They are encoded when they are appended, always in format cbor.
//
// One goroutine at a time appends and submits; the results are for any goroutine.
type Chain struct {
	future  // of all replies
	context *Context
	calls   []request
	links   []link
	taken   []wire.Taken // by the call that is about to be appended, and from where
	sources []*source
	after   []uint32 // what that call needs as well
	broken  error    // what went wrong first while it was made

	mu      sync.Mutex
	state   chainState
	missing int   // replies
	err     error // why it ended without all of them
}

type chainState int

const (
	chainMade chainState = iota
	chainSubmitted
	chainEnded // nothing changes any more
)

// source is where a promise leads: a call, and a place in its result.
type source struct {
	chain  *Chain
	number uint32
	path   string
	isSome bool // of an option: that it has a value is known
}

type link struct {
	request uint32
	kind    uint32
	place   int
	from    source
}

// Chain begins a chain.
func (c *Context) Chain() *Chain { return &Chain{context: c} }

// fail keeps the first error, with which Submit ends.
func (c *Chain) fail(text string) {
	if c.broken == nil {
		c.broken = failure(BadArgument, fmt.Sprint("request ", len(c.calls), ": ", text))
	}
}

// ---- arguments and promises ----------------------------------------------------------------------------------------

// Arg is an argument of a call of a chain: what Value makes of a value, a promise of an earlier call's, or a Draft.
type Arg[T any] interface {
	// given returns a value, or a source.
	given() (*T, *source)
}

type value[T any] struct{ it T }

func (v value[T]) given() (*T, *source) { return &v.it, nil }

// Value makes a value an argument.
func Value[T any](it T) Arg[T] { return value[T]{it} }

// Promise is the result of a call of a chain, or a part of it, before it is there: an argument for later calls.
type Promise[T any] struct {
	source source
	result func() (T, error)
}

// Result returns what the call has returned, or the error that it ended with: Skipped, with the number of the call that
// failed, when one that it needed did; what Submit returned when it ended without a reply to this call; and BadArgument
// before Submit has returned. Any goroutine may call it at any time, and again.
func (p *Promise[T]) Result() (T, error) { return p.result() }

func (p *Promise[T]) given() (*T, *source) { return nil, p.leads() }

func (p *Promise[T]) leads() *source {
	if p == nil {
		return nil
	}
	return &p.source
}

// AnyPromise is a promise of any type.
type AnyPromise interface{ leads() *source }

func derived[T, U any](p *Promise[T], path string, part func(T) (U, error)) *Promise[U] {
	from := source{chain: p.source.chain, number: p.source.number, path: path}
	return &Promise[U]{from, func() (U, error) {
		whole, err := p.result()
		if err != nil {
			var none U
			return none, err
		}
		return part(whole)
	}}
}

// Field is the promise of a field of an object. Bindings have a function for each field, which calls it.
func Field[O, T any](p *Promise[O], name string, of func(*O) *T) *Promise[T] {
	path := name
	if p.source.path != "" {
		path = p.source.path + "." + name
	}
	return derived(p, path, func(object O) (T, error) { return *of(&object), nil })
}

// Case is the promise of what a case of a variant carries. Bindings have a function for each case, which calls it. A call
// that takes it from a result of another case ends with BadPayload, and so does Result.
func Case[V, T any](p *Promise[V], name string, of func(*V) *T) *Promise[T] {
	path := name
	if p.source.path != "" {
		path = p.source.path + "." + name
	}
	return derived(p, path, func(variant V) (carried T, err error) {
		if found := of(&variant); found != nil {
			return *found, nil
		}
		return carried, missing(path)
	})
}

// Element is the promise of an element of a sequence. A call that takes one that is not there ends with BadPayload, and
// so does Result.
func Element[T any](p *Promise[[]T], index int) *Promise[T] {
	path := p.source.path + "[" + strconv.Itoa(index) + "]"
	return derived(p, path, func(items []T) (item T, err error) {
		if index < 0 || index >= len(items) {
			return item, missing(path)
		}
		return items[index], nil
	})
}

// ValueIn is the promise of a value in a map of texts. A call that takes one whose key is not there ends with BadPayload,
// and so does Result. No promise leads to a key that is empty or has one of `.[]` or a zero in it: Submit tells.
func ValueIn[K ~string, V any](p *Promise[map[K]V], key K) *Promise[V] {
	if key == "" || strings.ContainsAny(string(key), ".[]\x00") {
		p.source.chain.fail("a promise leads to no key like " + strconv.Quote(string(key)))
	}
	path := string(key)
	if p.source.path != "" {
		path = p.source.path + "." + path
	}
	return derived(p, path, func(in map[K]V) (V, error) {
		value, ok := in[key]
		if !ok {
			return value, missing(path)
		}
		return value, nil
	})
}

// Some makes the promise of a value that of an option, for a parameter that is one.
func Some[T any](p *Promise[T]) *Promise[*T] {
	made := derived(p, p.source.path, func(it T) (*T, error) { return &it, nil })
	made.source.isSome = true
	return made
}

// Present is the promise of an option's value. A call that takes it when there is none ends with BadPayload, and so does
// Result.
func Present[T any](p *Promise[*T]) *Promise[T] {
	return derived(p, p.source.path, func(option *T) (item T, err error) {
		if option == nil {
			return item, missing(p.source.path)
		}
		return *option, nil
	})
}

// missing is the error of a part of a result that is not there, as the core words it (C7).
func missing(path string) error {
	if path == "" {
		path = "its result"
	}
	return failure(BadPayload, path+": missing")
}

// ---- drafts --------------------------------------------------------------------------------------------------------

// Part is a promise that stands in a draft: Put makes it.
type Part struct {
	at   any
	from *source
}

// Put says that a promise stands where `at` points to: to a field of a draft, an element of a sequence in it, what a case
// carries, or what is inside an option. PutIn is for a value in a map, which no pointer leads to.
func Put[T any](at *T, promise *Promise[T]) Part { return Part{at, promise.leads()} }

// PutIn says that a promise stands in the place of a value in a map of a draft; the key has to be there.
func PutIn[K comparable, V any](in map[K]V, key K, promise *Promise[V]) Part {
	return Part{wire.InMap(in, key), promise.leads()}
}

type draft[T any] struct {
	it    *T
	parts []Part
}

func (d draft[T]) given() (*T, *source) { return d.it, nil }

// Draft makes an argument of a value of which parts are promised:
//
//	request := echo.EchoRequest{DelayMs: 5}
//	chain.Echo(ferryingress.Draft(&request, ferryingress.Put(&request.Message, text)))
//
// What the value has in their place does not matter.
func Draft[T any](it *T, parts ...Part) Arg[T] { return draft[T]{it, parts} }

// ---- appending -----------------------------------------------------------------------------------------------------

// Take gives the call that is about to be appended an argument. It returns the value, if it has one.
func Take[T any](c *Chain, name string, argument Arg[T]) (held T) {
	if argument == nil {
		c.fail(name + ": neither a value nor a promise")
		return held
	}
	it, from := argument.given()
	made, isDraft := argument.(draft[T])
	switch {
	case isDraft && it != nil:
		c.taken = append(c.taken, wire.Taken{At: name, Instead: it})
		for _, part := range made.parts {
			c.take(name, part.at, part.from)
		}
	case it != nil:
		return *it
	default:
		c.take(name, name, from)
	}
	return held
}

// take notes that the next call takes something, for what is at a place or has a name.
func (c *Chain) take(name string, at any, from *source) {
	switch {
	case from == nil:
		c.fail(name + ": neither a value nor a promise")
	case from.chain != c:
		c.fail(name + ": the promise is of another chain")
	default:
		c.taken = append(c.taken, wire.Taken{At: at, Source: len(c.sources)})
		c.sources = append(c.sources, from)
	}
}

// After makes the call that is appended next need this one's success, though it may take nothing from it.
func (c *Chain) After(promise AnyPromise) {
	if promise == nil || promise.leads() == nil || promise.leads().chain != c {
		c.fail("it can only come after a promise of this chain")
		return
	}
	c.after = append(c.after, promise.leads().number)
}

// member is a call of a chain, and the reply to it.
type member[R any] struct {
	chain      *Chain
	codec      wire.Codec[R]
	raises     *Raises
	isAnswered bool
	value      R
	err        error
}

// Append appends a call, whose arguments that are promises were taken by Take.
func Append[P, R any](
	c *Chain, method uint32, params wire.Codec[P], value *P, reply wire.Codec[R], raises ...*Raises,
) *Promise[R] {
	m := &member[R]{chain: c, codec: reply, raises: declared(raises)}
	promise := &Promise[R]{source{chain: c, number: uint32(len(c.calls))}, m.result}
	if c.hasBegun() {
		m.isAnswered, m.err = true, errSubmitted
	} else if len(c.calls) == ChainMax {
		c.fail(fmt.Sprint("a chain has at most ", ChainMax, " calls"))
	} else if payload, taken, err := wire.EncodeTaking(params, value, c.taken); err != nil {
		c.fail(err.Error())
	} else {
		c.link(taken)
		c.calls = append(c.calls, request{method: method, format: wire.CBOR, payload: payload, to: m})
	}
	c.taken, c.sources, c.after = nil, nil, nil
	return promise
}

// link adds the links of the call that is appended, in the order of C3.
func (c *Chain) link(taken []wire.Taken) {
	first, number := len(c.links), uint32(len(c.calls))
	for _, each := range taken {
		if each.Instead != nil {
			continue // what is taken in it has entries of its own
		}
		if each.Place == 0 {
			c.fail("a promise was put where its draft has no field, element, value or case")
			continue
		}
		from, kind := c.sources[each.Source], uint32(C.INGRESS_LINK_FIELD)
		if each.IsOption && !from.isSome {
			kind = C.INGRESS_LINK_OPTION
		}
		c.links = append(c.links, link{number, kind, each.Place, *from})
	}
	sort.Slice(c.links[first:], func(i, j int) bool { return c.links[first+i].place < c.links[first+j].place })
	for _, each := range c.after {
		c.links = append(c.links, link{number, C.INGRESS_LINK_AFTER, 0, source{number: each}})
	}
	if len(c.links) > LinksMax {
		c.fail(fmt.Sprint("a chain uses promises at most ", LinksMax, " times"))
	}
}

// ---- submitting ----------------------------------------------------------------------------------------------------

var errSubmitted = failure(BadArgument, "the chain was submitted: make another")

// Submit submits the calls, once, and waits until each has its reply, which Result of its promise returns: then it
// returns nil, whatever the calls have returned. Otherwise it returns why nothing has run: what was wrong with the chain
// or an argument (BadArgument, with the number of the call), QueueFull, Closed … Or ctx has ended: then the calls without
// a reply are cancelled, and have ctx's error, or Timeout for a deadline. A call to which the library comes after the
// deadline does not run.
func (c *Chain) Submit(ctx context.Context) error {
	if !c.begin() {
		return errSubmitted
	}
	if c.broken == nil && len(c.calls) == 0 {
		c.broken = failure(BadArgument, "the chain has no calls")
	}
	if c.broken == nil && ctx.Err() != nil {
		c.broken = ended(ctx)
	}
	if c.broken != nil {
		return c.end(c.broken)
	}
	tickets, p := make([]uint64, len(c.calls)), c.context.port
	requests := []request{{to: c, payload: c.head(ctx), members: uint32(len(c.calls))}}
	for index, each := range c.calls {
		each.ticket = &tickets[index]
		requests = append(requests, each)
	}
	if err := p.add(requests...); err != nil {
		return c.end(err)
	}
	c.calls = nil // the arena has them
	p.run(&c.future)
	if !c.isDone() {
		if err := c.sleep(ctx); err != nil && c.end(err) != nil {
			p.cancel(tickets...)
		}
	}
	runtime.KeepAlive(c.context)
	return c.end(nil)
}

// head is the payload of a chain's head: its links, and the bytes of their paths.
func (c *Chain) head(ctx context.Context) []byte {
	whole := C.struct_ferry_go_chain{timeout_ns: C.INGRESS_FOREVER, link_count: C.uint32_t(len(c.links))}
	if deadline, has := ctx.Deadline(); has {
		whole.timeout_ns = C.int64_t(time.Until(deadline))
	}
	out := append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(&whole)), chainBytes)...)
	at := chainBytes + len(c.links)*linkBytes
	for _, each := range c.links {
		packed := C.struct_ferry_go_link{
			request: C.uint32_t(each.request), source: C.uint32_t(each.from.number), kind: C.uint32_t(each.kind),
			place: C.uint32_t(each.place), path_at: C.uint32_t(at), path_bytes: C.uint32_t(len(each.from.path)),
		}
		out = append(out, unsafe.Slice((*byte)(unsafe.Pointer(&packed)), linkBytes)...)
		at += len(each.from.path)
	}
	for _, each := range c.links {
		out = append(out, each.from.path...)
	}
	return out
}

func (c *Chain) hasBegun() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state != chainMade
}

// begin returns whether the chain was not submitted before.
func (c *Chain) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	isFirst := c.state == chainMade
	if isFirst {
		c.state, c.missing = chainSubmitted, len(c.calls)
	}
	return isFirst
}

// end ends the chain, unless it has ended, and returns why it ended without all replies.
func (c *Chain) end(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != chainEnded {
		c.state, c.err = chainEnded, err
	}
	return c.err
}

// receive is told by the head's status whether the chain was accepted.
func (c *Chain) receive(status Status, _ wire.Format, head []byte) {
	if status == OK {
		return
	}
	refusal := (*C.struct_ferry_go_chain)(unsafe.Pointer(&head[0])).refusal
	text := C.GoString(refusal.text)
	if at := int(refusal.link); at < len(c.links) && c.links[at].from.path != "" {
		text = fmt.Sprint("request ", refusal.request, ", ", c.links[at].from.path, ": ", text)
	} else if int(refusal.request) < ChainMax {
		text = fmt.Sprint("request ", refusal.request, ": ", text)
	}
	c.end(failure(status, text))
	c.complete()
}

// receive takes the reply, unless the chain has ended without it.
func (m *member[R]) receive(status Status, format wire.Format, data []byte) {
	c := m.chain
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == chainEnded {
		return
	}
	m.err = decoded(m.codec, m.raises, status, format, data, &m.value)
	m.isAnswered = true
	c.missing--
	if c.missing == 0 {
		c.state = chainEnded
		c.complete()
	}
}

func (m *member[R]) result() (none R, err error) {
	c := m.chain
	c.mu.Lock()
	defer c.mu.Unlock()
	if m.isAnswered {
		return m.value, m.err
	}
	if c.state != chainEnded {
		return none, failure(BadArgument, "the chain was not submitted, or its Submit has not returned")
	}
	return none, c.err
}
