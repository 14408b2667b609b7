// SPDX-License-Identifier: BSD-3-Clause

// Package ferryingress is what generated bindings in Go stand on: libraries behind a thread, called from any number of
// goroutines. A request goes through call.go, port.go (one crossing of cgo for all requests that wait, and for all
// replies that are there) and core.c; events through events.go. No thread of a library ever runs Go code.
package ferryingress

// #cgo pkg-config: ferryingress
// #cgo LDFLAGS: -ldl
// #include <stdlib.h>
// #include "core.h"
import "C"

import (
	"errors"
	"os"
	"strings"
	"sync"
	"time"
	"unsafe"

	"ferryingress/wire"
)

// Library is a provider's shared object. It is loaded when it is first used: the file that NAME_LIBRARY in the
// environment names, or the loader's choice for libNAME.so.
type Library struct {
	name   string
	hash   uint64
	format wire.Format

	once   sync.Once
	raw    *C.struct_ingress_library
	err    error
	static sync.Mutex
	port   *port
}

// NewLibrary names a library, its interface's hash and the format of calls.
func NewLibrary(name string, hash uint64, format wire.Format) *Library {
	return &Library{name: name, hash: hash, format: format}
}

func (l *Library) load() (*C.struct_ingress_library, error) {
	l.once.Do(func() {
		path := os.Getenv(strings.ToUpper(l.name) + "_LIBRARY")
		if path == "" {
			path = "lib" + l.name + ".so"
		}
		var status C.uint32_t
		var text *C.char
		file, symbol := C.CString(path), C.CString("ferry_library_"+l.name)
		defer C.free(unsafe.Pointer(file))
		defer C.free(unsafe.Pointer(symbol))
		l.raw = C.ferry_go_load(file, symbol, C.uint64_t(l.hash), &status, &text)
		switch {
		case text != nil:
			l.err = errors.New(l.name + ": " + C.GoString(text) + "; set " + strings.ToUpper(l.name) +
				"_LIBRARY to the file")
			C.free(unsafe.Pointer(text))
		case status != C.INGRESS_OK:
			l.err = failure(Status(status), "")
		}
	})
	return l.raw, l.err
}

// staticPort returns the port of the context of static methods, which lasts as long as the process.
func (l *Library) staticPort() (*port, error) {
	library, err := l.load()
	if err != nil {
		return nil, err
	}
	l.static.Lock()
	defer l.static.Unlock()
	if l.port != nil {
		return l.port, nil
	}
	var token C.ingress_token
	if status := C.ingress_static_context(library, &token); status != C.INGRESS_OK {
		return nil, failure(Status(status), "")
	}
	made, err := newPort()
	if err != nil {
		return nil, err
	}
	made.token = token
	l.port = made
	return made, nil
}

// Wire is the format that a context's calls use.
type Wire uint32

// The formats; a context's default is that of its binding.
const (
	WireDefault Wire = iota
	WireCBOR
	WireC
)

// Options are limits and times of a context; for those that are zero the library's own values hold.
type Options struct {
	QueueDepth   uint32
	EventDepth   uint32
	PayloadBytes uint64
	// Stale is how often OnStale is told of a call whose handler is still running.
	Stale time.Duration
	Stuck time.Duration
	// Spin is how long either side spins before it sleeps; negative: never.
	Spin time.Duration
	Wire Wire
	// DestroyTimeout is how long closing waits for handlers that run, where no deadline says otherwise.
	DestroyTimeout time.Duration
	// OnStale is told the number of a method whose handler is still running, in a goroutine of its own.
	OnStale func(method uint32)
}

// destroyTimeout is how long closing waits by default.
const destroyTimeout = 5 * time.Second

func (o *Options) raw() C.struct_ingress_options {
	return C.struct_ingress_options{
		queue_depth:   C.uint32_t(o.QueueDepth),
		event_depth:   C.uint32_t(o.EventDepth),
		payload_bytes: C.uint64_t(o.PayloadBytes),
		stale_ns:      C.int64_t(o.Stale),
		stuck_ns:      C.int64_t(o.Stuck),
		spin_ns:       C.int64_t(o.Spin),
	}
}
