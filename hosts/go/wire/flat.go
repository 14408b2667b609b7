// SPDX-License-Identifier: BSD-3-Clause

package wire

import "unsafe"

// Format c: structs as a C compiler lays them out, then the parts that they refer to, in a fixed order (W4 to W6).
// Since every value has one encoding, a reader knows where each part has to begin: at its `at`, aligned.

const (
	partAlign      = 8
	referenceBytes = 8
)

var zeroes [64]byte

func alignUp(offset, align int) int {
	return (offset + align - 1) / align * align
}

// put writes a number in the machine's byte order. The address may be misaligned, as Go code is only built for
// processors where cgo is, all of which allow that.
func put[T any](w *writer, at int, value T) {
	_ = w.out[at : at+int(unsafe.Sizeof(value))]
	*(*T)(unsafe.Pointer(&w.out[at])) = value
}

func get[T any](r *reader, at int) (value T) {
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&value)), unsafe.Sizeof(value)), r.data[at:at+int(unsafe.Sizeof(value))])
	return value
}

// extend appends zero bytes.
func (w *writer) extend(count int) {
	for ; count > len(zeroes); count -= len(zeroes) {
		w.out = append(w.out, zeroes[:]...)
	}
	w.out = append(w.out, zeroes[:count]...)
}

func (w *writer) reference(at, offset, count int) {
	if offset > BytesMax || count > BytesMax {
		w.err = ErrTooLarge
	}
	put(w, at, uint32(offset))
	put(w, at+4, uint32(count))
}

// reserve appends room for structs, refers to it at `at`, and returns where the first struct is.
func (w *writer) reserve(at, count, size int) int {
	if count == 0 {
		return 0
	}
	begin := alignUp(len(w.out), partAlign)
	w.extend(begin - len(w.out) + count*size)
	w.reference(at, begin, count)
	return begin
}

// zeros fails unless these bytes are zero.
func (r *reader) zeros(at, end int) {
	for ; at < end && !r.failed; at++ {
		if r.data[at] != 0 {
			r.fail("padding not zero")
		}
	}
}

// part returns the count of the reference at `at`, whose offset has to be where the next part begins.
func (r *reader) part(at int) uint64 {
	offset, count := get[uint32](r, at), get[uint32](r, at+4)
	if (count == 0 && offset != 0) || (count != 0 && int(offset) != r.at) {
		r.fail("wrong offset")
		return 0
	}
	return uint64(count)
}

// structs returns how many structs the reference at `at` stands for, and where the first one is.
func (r *reader) structs(at, size int) (count, begin int) {
	if get[uint32](r, at+4) != 0 {
		begin = alignUp(r.at, partAlign)
		if begin > len(r.data) {
			r.fail("ends early")
			return 0, 0
		}
		r.zeros(r.at, begin)
		r.at = begin
	}
	found := r.part(at)
	begin = r.at
	if found > uint64((len(r.data)-begin)/size) {
		r.fail("ends early")
	}
	if r.failed {
		return 0, 0
	}
	r.at += int(found) * size
	return int(found), begin
}
