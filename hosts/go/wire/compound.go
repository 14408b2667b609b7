// SPDX-License-Identifier: BSD-3-Clause

package wire

import (
	"bytes"
	"reflect"
	"sort"
	"strconv"
)

type optCodec[T any] struct {
	traits
	item Codec[T]
}

// Opt is the codec of a value or nil.
func Opt[T any](item Codec[T]) Codec[*T] {
	of := item.about()
	return &optCodec[T]{traits{alignUp(of.align+of.size, of.align), of.align, 1, true}, item}
}

func (*optCodec[T]) isAbsent(value **T) bool { return *value == nil }

func (c *optCodec[T]) putCBOR(w *writer, value **T) {
	if *value == nil {
		w.out = append(w.out, nullByte)
	} else if from := takes(w, *value); from != nil {
		w.take(from, false)
	} else {
		c.item.putCBOR(w, *value)
	}
}

func (c *optCodec[T]) getCBOR(r *reader, value **T) {
	*value = nil
	if !r.takeNull() {
		*value = new(T)
		c.item.getCBOR(r, *value)
	}
}

func (c *optCodec[T]) putC(w *writer, at int, value **T) {
	if *value != nil {
		w.out[at] = 1
		c.item.putC(w, at+c.align, *value)
	}
}

func (c *optCodec[T]) getC(r *reader, at int, value **T) {
	*value = nil
	switch r.data[at] {
	case 0:
		r.zeros(at, at+c.size)
	case 1:
		begin := at + c.align
		r.zeros(at+1, begin)
		*value = new(T)
		if !r.failed {
			c.item.getC(r, begin, *value)
		}
		r.zeros(begin+c.item.about().size, at+c.size)
	default:
		r.fail("neither 0 nor 1")
	}
}

type seqCodec[T any] struct {
	traits
	item Codec[T]
}

// Seq is the codec of a sequence.
func Seq[T any](item Codec[T]) Codec[[]T] {
	return &seqCodec[T]{traits{referenceBytes, 4, 1, false}, item}
}

func (*seqCodec[T]) isAbsent(*[]T) bool { return false }

func (c *seqCodec[T]) putCBOR(w *writer, value *[]T) {
	w.enter()
	w.head(majorArray, uint64(len(*value)))
	for index := range *value {
		if w.err != nil {
			break
		}
		if from := takes(w, &(*value)[index]); from != nil {
			w.take(from, c.item.about().isOption)
		} else {
			c.item.putCBOR(w, &(*value)[index])
		}
	}
	w.depth--
}

func (c *seqCodec[T]) getCBOR(r *reader, value *[]T) {
	count := r.items(majorArray, c.item.about().least)
	*value = nil
	if count > 0 {
		*value = make([]T, 0, bounded(count))
	}
	for index := 0; !r.failed; index++ {
		if count < 0 && r.isBreak() {
			// the message may have ended instead, which is an error of this element
			if r.failed {
				r.inside(place(index))
			}
			break
		}
		if index == count {
			break
		}
		var item T
		*value = append(*value, item)
		c.item.getCBOR(r, &(*value)[index])
		if r.failed {
			r.inside(place(index))
		}
	}
	r.depth--
}

// bounded is how many elements are allocated before any was read; more come as they are read (W7).
func bounded(count int) int {
	const atFirst = 256
	if count > atFirst {
		return atFirst
	}
	return count
}

func place(index int) string { return "[" + strconv.Itoa(index) + "]" }

func (c *seqCodec[T]) putC(w *writer, at int, value *[]T) {
	w.enter()
	size := c.item.about().size
	begin := w.reserve(at, len(*value), size)
	for index := range *value {
		if w.err != nil {
			break
		}
		c.item.putC(w, begin+index*size, &(*value)[index])
	}
	w.depth--
}

func (c *seqCodec[T]) getC(r *reader, at int, value *[]T) {
	r.enter()
	size := c.item.about().size
	*value = nil
	if !r.failed {
		count, begin := r.structs(at, size)
		if count > 0 {
			*value = make([]T, count)
		}
		for index := 0; index < count && !r.failed; index++ {
			c.item.getC(r, begin+index*size, &(*value)[index])
			if r.failed {
				r.inside(place(index))
			}
		}
	}
	r.depth--
}

type key interface{ integer | ~string }

type mapCodec[K key, V any] struct {
	traits
	key                        Codec[K]
	item                       Codec[V]
	valueAt, pairEnd, pairSize int
}

// mapPlace is the place of a value in a map, which has no address of its own.
type mapPlace[K comparable] struct {
	of  uintptr // the map
	key K
}

// InMap is the place of a value in a map, for Taken.At.
func InMap[K comparable, V any](in map[K]V, key K) any {
	return mapPlace[K]{reflect.ValueOf(in).Pointer(), key}
}

// takesInMap returns what is taken in the place of a value in a map, or nil.
func takesInMap[K comparable, V any](w *writer, in map[K]V, key K) *Taken {
	if len(w.taken) == 0 {
		return nil
	}
	return w.find(InMap(in, key))
}

// encodedKey is a key as it travels in cbor; pairs are sorted by that (W1).
type encodedKey[K key] struct {
	encoded []byte
	key     K
}

// Map is the codec of a map.
func Map[K key, V any](keys Codec[K], items Codec[V]) Codec[map[K]V] {
	k, v := keys.about(), items.about()
	align := k.align
	if v.align > align {
		align = v.align
	}
	at := alignUp(k.size, v.align)
	return &mapCodec[K, V]{traits{referenceBytes, 4, 1, false}, keys, items, at, at + v.size, alignUp(at+v.size, align)}
}

func (*mapCodec[K, V]) isAbsent(*map[K]V) bool { return false }

func (c *mapCodec[K, V]) putCBOR(w *writer, value *map[K]V) {
	w.enter()
	w.head(majorMap, uint64(len(*value)))
	pairs := make([]encodedKey[K], 0, len(*value))
	for k := range *value {
		k := k
		var encoded writer
		c.key.putCBOR(&encoded, &k)
		pairs = append(pairs, encodedKey[K]{encoded.out, k})
	}
	sort.Slice(pairs, func(i, j int) bool { return bytes.Compare(pairs[i].encoded, pairs[j].encoded) < 0 })
	for _, each := range pairs {
		if w.err != nil {
			break
		}
		item := (*value)[each.key]
		w.out = append(w.out, each.encoded...)
		if from := takesInMap(w, *value, each.key); from != nil {
			w.take(from, c.item.about().isOption)
		} else {
			c.item.putCBOR(w, &item)
		}
	}
	w.depth--
}

func (c *mapCodec[K, V]) getCBOR(r *reader, value *map[K]V) {
	count := r.items(majorMap, c.key.about().least+c.item.about().least)
	*value = map[K]V{}
	for index := 0; !r.failed; index++ {
		if index == count || (count < 0 && r.isBreak()) {
			break
		}
		var k K
		var item V
		step := ".key"
		c.key.getCBOR(r, &k)
		if !r.failed {
			if _, isTwice := (*value)[k]; isTwice {
				r.fail("given twice")
				break
			}
			step = ".value"
			c.item.getCBOR(r, &item)
			(*value)[k] = item
		}
		if r.failed {
			r.inside(step[1:])
			r.inside(place(index))
		}
	}
	r.depth--
}

func (c *mapCodec[K, V]) putC(w *writer, at int, value *map[K]V) {
	w.enter()
	keys := make([]K, 0, len(*value))
	for k := range *value {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })
	place := w.reserve(at, len(keys), c.pairSize)
	for _, k := range keys {
		if w.err != nil {
			break
		}
		k, item := k, (*value)[k]
		c.key.putC(w, place, &k)
		c.item.putC(w, place+c.valueAt, &item)
		place += c.pairSize
	}
	w.depth--
}

func (c *mapCodec[K, V]) getC(r *reader, at int, value *map[K]V) {
	r.enter()
	*value = map[K]V{}
	count, begin := 0, 0
	if !r.failed {
		count, begin = r.structs(at, c.pairSize)
	}
	var last K
	for index := 0; index < count && !r.failed; index++ {
		k, item := c.pair(r, begin+index*c.pairSize)
		if r.failed {
			r.inside(place(index))
		} else if index > 0 && last >= k {
			r.fail("keys out of order")
		}
		last = k
		(*value)[k] = item
	}
	r.depth--
}

func (c *mapCodec[K, V]) pair(r *reader, at int) (k K, item V) {
	c.key.getC(r, at, &k)
	if r.failed {
		r.inside("key")
		return k, item
	}
	r.zeros(at+c.key.about().size, at+c.valueAt)
	if r.failed {
		return k, item
	}
	c.item.getC(r, at+c.valueAt, &item)
	if r.failed {
		r.inside("value")
	}
	r.zeros(at+c.pairEnd, at+c.pairSize)
	return k, item
}
