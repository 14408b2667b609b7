// SPDX-License-Identifier: BSD-3-Clause

package ferryingress

// #include "core.h"
import "C"

import (
	"context"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"ferryingress/wire"
)

// Context is a running instance of a library. Any goroutine may use it at any time. Close ends it; a context to which no
// reference is left ends by itself.
type Context struct {
	port    *port
	format  wire.Format
	timeout time.Duration
	once    sync.Once
	err     error

	mu    sync.Mutex
	flows map[stopper]struct{} // the streams that have not ended
}

// stopper is a stream, whatever it is of.
type stopper interface{ stop(reason error) }

func (c *Context) addFlow(f stopper) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.flows == nil {
		c.flows = map[stopper]struct{}{}
	}
	c.flows[f] = struct{}{}
}

func (c *Context) removeFlow(f stopper) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.flows, f)
}

// stopFlows has the library end the streams, so that the end of the context does not wait for their values.
func (c *Context) stopFlows() {
	c.mu.Lock()
	flows := c.flows
	c.flows = nil
	c.mu.Unlock()
	for each := range flows {
		each.stop(failure(Closed, ""))
	}
}

// Start starts a context and waits for its constructor.
func Start[P any](
	ctx context.Context, l *Library, options *Options, method uint32, params wire.Codec[P], value *P, raises ...*Raises,
) (*Context, error) {
	library, err := l.load()
	if err != nil {
		return nil, err
	}
	if options == nil {
		options = &Options{}
	}
	if ctx.Err() != nil {
		return nil, ended(ctx)
	}
	c := &Context{format: l.format, timeout: options.DestroyTimeout}
	if c.timeout == 0 {
		c.timeout = destroyTimeout
	}
	if options.Wire != WireDefault {
		c.format = wire.Format(options.Wire - WireCBOR)
	}
	var payload []byte
	if err := encoded(params, c.format, value, &payload); err != nil {
		return nil, err
	}
	if c.port, err = newPort(); err != nil {
		return nil, err
	}
	c.port.onStale = options.OnStale
	pending := &Pending[wire.Unit]{port: c.port, owner: c, codec: wire.Nothing, raises: declared(raises)}
	if status := c.port.start(library, options, request{method: method, format: c.format, payload: payload, to: pending}); status != OK {
		return nil, failure(status, "")
	}
	if _, err := pending.Wait(ctx); err != nil {
		// the core ends a context whose constructor failed; one whose constructor runs on ends after it
		go c.port.close(c.timeout)
		return nil, err
	}
	runtime.SetFinalizer(c, func(c *Context) { go c.Close() })
	return c, nil
}

func (p *port) start(library *C.struct_ingress_library, options *Options, constructor request) Status {
	raw := options.raw()
	p.mu.Lock()
	p.lockedAppend(&constructor)
	arena := p.arena
	p.arena = nil
	p.mu.Unlock()
	var token C.ingress_token
	status := Status(C.ferry_go_start(library, &raw, p.c, unsafe.Pointer(&arena[0]), &token))
	p.token = token
	if status != OK {
		p.mu.Lock()
		p.outstanding = 0
		p.mu.Unlock()
		p.finish()
	}
	return status
}

// Destroy ends the context, as Close does, and waits for handlers that run until ctx's deadline.
func (c *Context) Destroy(ctx context.Context) error {
	timeout := c.timeout
	if deadline, has := ctx.Deadline(); has {
		timeout = time.Until(deadline)
		if timeout < 0 {
			timeout = 0
		}
	}
	return c.destroy(timeout)
}

// Close ends the context: later calls are refused, calls that wait are answered Closed, and handlers that run are waited
// for, as long as the options say. Streams end. Closing again waits for the first and returns what it did.
func (c *Context) Close() error { return c.destroy(c.timeout) }

func (c *Context) destroy(timeout time.Duration) error {
	c.once.Do(func() {
		runtime.SetFinalizer(c, nil)
		c.stopFlows()
		c.err = c.port.close(timeout)
	})
	return c.err
}
