// SPDX-License-Identifier: BSD-3-Clause

// Package wire has both wire formats of spec/interface.md. A Codec stands for a type and writes and reads its values
// in each. Reading is total: any bytes give a value or a DecodeError with the path to the bad field.
//
// The files in the order in which data meets them: object.go, variant.go, compound.go and scalar.go have the types, cbor.go and
// flat.go the formats, half.go floats of 16 bits.
package wire

import (
	"errors"
	"sync"
)

// Format is how payloads are encoded.
type Format uint32

// The formats, by their numbers in ferry/ingress.h.
const (
	CBOR Format = 0
	C    Format = 1
)

const (
	// DepthMax is how deep objects, sequences and maps may nest (W7).
	DepthMax = 32
	// BytesMax is how long a message may be (W7).
	BytesMax = 1<<32 - 1
)

// ErrTooDeep, ErrTooLarge and ErrNotOneCase are what encoding fails with; all other errors are left to the decoder (W8).
var (
	ErrTooDeep  = errors.New("nested too deep")
	ErrTooLarge = errors.New("out of range")
	// ErrNotOneCase says that no case of a variant is set, or several are.
	ErrNotOneCase = errors.New("a variant has one case, and here not exactly one is set")
)

// DecodeError says why bytes are not a value, and where (W8).
type DecodeError struct {
	Reason string
	Path   string
}

// Error writes the path and the reason.
func (e *DecodeError) Error() string {
	if e.Path == "" {
		return e.Reason
	}
	return e.Path + ": " + e.Reason
}

// traits are what a codec says of its type: its struct in format c, and its least size in cbor.
type traits struct {
	size, align, least int
	isOption           bool
}

// Codec encodes and decodes the values of one type. The package's own codecs are the only ones.
type Codec[T any] interface {
	about() *traits
	putCBOR(w *writer, value *T)
	getCBOR(r *reader, value *T)
	putC(w *writer, at int, value *T)
	getC(r *reader, at int, value *T)
	isAbsent(value *T) bool
}

// writer appends a message to out.
type writer struct {
	out   []byte
	depth int
	err   error
	taken []Taken // of a call of a chain
}

func (w *writer) enter() {
	w.depth++
	if w.depth > DepthMax && w.err == nil {
		w.err = ErrTooDeep
	}
}

// ended is what is wrong with a message that was written to its end.
func (w *writer) ended() error {
	if w.err == nil && len(w.out) > BytesMax {
		return ErrTooLarge
	}
	return w.err
}

// Append encodes a value as a whole message, after what out has. In format c, out's length has to be divisible by 8.
func Append[T any](codec Codec[T], format Format, out []byte, value *T) ([]byte, error) {
	begin := len(out)
	w := writers.Get().(*writer)
	w.out = out[begin:]
	if format == CBOR {
		codec.putCBOR(w, value)
	} else {
		w.extend(codec.about().size)
		codec.putC(w, 0, value)
	}
	written, err := w.out, w.ended()
	*w = writer{}
	writers.Put(w)
	if err != nil {
		return out, err
	}
	if begin == 0 {
		return written, nil
	}
	return append(out, written...), nil
}

// writers and readers are kept, since codecs are interfaces, and what they are given is allocated.
var (
	writers = sync.Pool{New: func() any { return new(writer) }}
	readers = sync.Pool{New: func() any { return new(reader) }}
)

// Decode reads a whole message.
func Decode[T any](codec Codec[T], format Format, data []byte, value *T) error {
	r := readers.Get().(*reader)
	r.data = data
	if format == CBOR {
		codec.getCBOR(r, value)
	} else if size := codec.about().size; size > len(data) {
		r.fail("ends early")
	} else {
		r.at = size
		codec.getC(r, 0, value)
	}
	if !r.failed && r.at != len(data) {
		r.fail("bytes left over")
	}
	var err error
	if r.failed {
		err = &DecodeError{r.reason, r.path}
	}
	*r = reader{}
	readers.Put(r)
	return err
}
