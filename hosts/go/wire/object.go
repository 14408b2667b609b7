// SPDX-License-Identifier: BSD-3-Clause

package wire

import (
	"bytes"
	"sort"
)

// Object is the codec of an object whose Go type is O. It is made before its fields are known, since an object may
// contain itself.
type Object[O any] struct {
	traits
	ends    int
	fields  []FieldOf[O] // as declared
	ordered []FieldOf[O] // as they travel in cbor (W1)
	byName  map[string]int
}

// FieldOf is a field of an object: Field makes it.
type FieldOf[O any] interface {
	label() *label
	about() *traits
	isAbsent(object *O) bool
	// taken returns what is taken in the place of the field, or nil.
	taken(w *writer, object *O) *Taken
	// putInstead appends a value of the field that is not the object's.
	putInstead(w *writer, value any)
	putCBOR(w *writer, object *O)
	getCBOR(r *reader, object *O)
	putC(w *writer, at int, object *O)
	getC(r *reader, at int, object *O)
}

// label is a field's name, as a key of cbor too, and its place.
type label struct {
	name   string
	key    []byte
	offset int
	bit    int
}

type field[O, T any] struct {
	named label
	Codec[T]
	of func(*O) *T
}

// Field declares a field by its name in the interface, its codec, and where it is in the Go type.
func Field[O, T any](name string, codec Codec[T], of func(*O) *T) FieldOf[O] {
	return &field[O, T]{newLabel(name), codec, of}
}

func newLabel(name string) label {
	var key writer
	Text.putCBOR(&key, &name)
	return label{name: name, key: key.out}
}

func (f *field[O, T]) label() *label                { return &f.named }
func (f *field[O, T]) isAbsent(o *O) bool           { return f.Codec.isAbsent(f.of(o)) }
func (f *field[O, T]) taken(w *writer, o *O) *Taken { return takes(w, f.of(o)) }
func (f *field[O, T]) putInstead(w *writer, v any)  { f.Codec.putCBOR(w, v.(*T)) }
func (f *field[O, T]) putCBOR(w *writer, o *O)      { f.Codec.putCBOR(w, f.of(o)) }
func (f *field[O, T]) getCBOR(r *reader, o *O)      { f.Codec.getCBOR(r, f.of(o)) }
func (f *field[O, T]) putC(w *writer, at int, o *O) { f.Codec.putC(w, at, f.of(o)) }
func (f *field[O, T]) getC(r *reader, at int, o *O) { f.Codec.getC(r, at, f.of(o)) }

// NewObject makes the codec of an object with this struct in format c, and this least size in cbor.
func NewObject[O any](size, align, least int) *Object[O] {
	return &Object[O]{traits: traits{size, align, least, false}}
}

// NoParams is the codec of the parameters of a method that has none.
var NoParams Codec[Unit] = NewObject[Unit](0, 1, 1)

// Define declares the fields.
func (c *Object[O]) Define(fields ...FieldOf[O]) {
	offset := 0
	c.byName = map[string]int{}
	for index, f := range fields {
		of, named := f.about(), f.label()
		named.offset = alignUp(offset, of.align)
		offset = named.offset + of.size
		c.byName[named.name] = index
		named.bit = index
	}
	c.ends, c.fields = offset, fields
	c.ordered = append([]FieldOf[O](nil), fields...)
	sort.Slice(c.ordered, func(i, j int) bool {
		return bytes.Compare(c.ordered[i].label().key, c.ordered[j].label().key) < 0
	})
}

func (*Object[O]) isAbsent(*O) bool { return false }

func (c *Object[O]) putCBOR(w *writer, value *O) { c.put(w, value, false) }

// taken returns what is taken in the place of a field, or nil. Arguments of a call are known by their names.
func (c *Object[O]) taken(w *writer, f FieldOf[O], value *O, areArguments bool) *Taken {
	if len(w.taken) == 0 {
		return nil
	}
	if areArguments {
		return w.find(f.label().name)
	}
	return f.taken(w, value)
}

func (c *Object[O]) put(w *writer, value *O, areArguments bool) {
	w.enter()
	count := len(c.ordered)
	for _, f := range c.ordered {
		if f.about().isOption && f.isAbsent(value) && c.taken(w, f, value, areArguments) == nil {
			count--
		}
	}
	w.head(majorMap, uint64(count))
	for _, f := range c.ordered {
		from := c.taken(w, f, value, areArguments)
		if w.err != nil || from == nil && f.about().isOption && f.isAbsent(value) {
			continue
		}
		w.out = append(w.out, f.label().key...)
		switch {
		case from == nil:
			f.putCBOR(w, value)
		case from.Instead != nil:
			f.putInstead(w, from.Instead)
		default:
			w.take(from, f.about().isOption)
		}
	}
	w.depth--
}

// Taken is a part of a request that an earlier call of a chain gives (C6).
type Taken struct {
	// At points to the part, or has the name of a whole argument; for a value in a map InMap makes it.
	At any
	// Instead points to what an argument has that is no promise itself; nil of all others.
	Instead any
	// Source is what the caller knows it by.
	Source   int
	Place    int // of the null that stands for it: an offset in the message; 0 until it is found
	IsOption bool
}

// EncodeTaking encodes the arguments of a call in format cbor, but for what is taken: null stands there. It returns what
// was taken, with Place and IsOption; what stands twice in the arguments is there twice, and what was not found has no Place.
func EncodeTaking[O any](codec Codec[O], value *O, taken []Taken) ([]byte, []Taken, error) {
	w := writer{taken: taken}
	codec.(*Object[O]).put(&w, value, true)
	return w.out, w.taken, w.ended()
}

// takes returns what is taken in the place of a value, or nil.
func takes[T any](w *writer, value *T) *Taken {
	if len(w.taken) == 0 {
		return nil
	}
	return w.find(any(value))
}

func (w *writer) find(at any) *Taken {
	for index := range w.taken {
		if w.taken[index].At == at {
			return &w.taken[index]
		}
	}
	return nil
}

// take puts null where a value is taken. One that is encoded twice is taken twice.
func (w *writer) take(from *Taken, isOption bool) {
	if from.Place != 0 {
		w.taken = append(w.taken, *from)
		from = &w.taken[len(w.taken)-1]
	}
	from.Place, from.IsOption = len(w.out), isOption
	w.out = append(w.out, nullByte)
}

// fieldSet has the numbers of fields that a message had.
type fieldSet struct {
	low  uint64
	more map[int]bool
}

// add returns whether the field was there already.
func (s *fieldSet) add(index int) (isTwice bool) {
	if index < 64 {
		isTwice = s.low>>index&1 != 0
		s.low |= 1 << index
		return isTwice
	}
	if s.more == nil {
		s.more = map[int]bool{}
	}
	isTwice = s.more[index]
	s.more[index] = true
	return isTwice
}

func (s *fieldSet) has(index int) bool {
	return index < 64 && s.low>>index&1 != 0 || index >= 64 && s.more[index]
}

func (c *Object[O]) getCBOR(r *reader, value *O) {
	count := r.items(majorMap, 2)
	var seen fieldSet
	next := 0
	for index := 0; !r.failed; index++ {
		if index == count || (count < 0 && r.isBreak()) {
			break
		}
		f := c.nextField(r, &next)
		if r.failed {
			break
		}
		if f == nil {
			r.skip()
			continue
		}
		named := f.label()
		if f.about().isOption == false && r.takeNull() {
			continue // as if the key were not there
		}
		if seen.add(named.bit) {
			r.fail("given twice")
		} else {
			f.getCBOR(r, value)
		}
		if r.failed {
			r.inside(named.name)
		}
	}
	for index, f := range c.fields {
		if r.failed {
			break
		}
		if !f.about().isOption && !seen.has(index) {
			r.fail("missing")
			r.inside(f.label().name)
		}
	}
	r.depth--
}

// nextField reads a key, and returns its field, or nil if it is unknown. Keys mostly come in their order: next is the
// place of the one that is expected.
func (c *Object[O]) nextField(r *reader, next *int) FieldOf[O] {
	for at := *next; at < len(c.ordered); at++ {
		f := c.ordered[at]
		if key := f.label().key; bytes.HasPrefix(r.data[r.at:], key) {
			r.at += len(key)
			*next = at + 1
			return f
		}
		if !f.about().isOption {
			break
		}
	}
	ahead := reader{data: r.data, at: r.at}
	if major, _, _ := ahead.head(); ahead.failed || major != majorText {
		r.skip()
		return nil
	}
	var name string
	Text.getCBOR(r, &name)
	if index, known := c.byName[name]; known {
		return c.fields[index]
	}
	return nil
}

func (c *Object[O]) putC(w *writer, at int, value *O) {
	w.enter()
	for _, f := range c.fields {
		if w.err == nil {
			f.putC(w, at+f.label().offset, value)
		}
	}
	w.depth--
}

func (c *Object[O]) getC(r *reader, at int, value *O) {
	r.enter()
	end := 0
	for _, f := range c.fields {
		if r.failed {
			break
		}
		named := f.label()
		r.zeros(at+end, at+named.offset)
		end = named.offset + f.about().size
		if !r.failed {
			f.getC(r, at+named.offset, value)
			if r.failed {
				r.inside(named.name)
			}
		}
	}
	r.zeros(at+c.ends, at+c.size)
	r.depth--
}
