// SPDX-License-Identifier: BSD-3-Clause

package wire

// Variant is the codec of a variant whose Go type is O: a struct in which one case is set. It is made before its cases are
// known, since a variant may contain itself.
type Variant[O any] struct {
	traits
	offset int // of what a case carries, in format c
	cases  []CaseOf[O]
}

// CaseOf is a case of a variant: Case and EmptyCase make it.
type CaseOf[O any] interface {
	label() *label
	size() int
	isSet(variant *O) bool
	putCBOR(w *writer, variant *O)
	getCBOR(r *reader, variant *O)
	putC(w *writer, at int, variant *O)
	getC(r *reader, at int, variant *O)
}

type carryingCase[O, T any] struct {
	named label
	codec Codec[T]
	of    func(*O) **T
}

type emptyCase[O any] struct {
	named label
	of    func(*O) *bool
}

// Case declares a case by its name in the interface, the codec of what it carries, and where that is in the Go type.
func Case[O, T any](name string, codec Codec[T], of func(*O) **T) CaseOf[O] {
	return &carryingCase[O, T]{newLabel(name), codec, of}
}

// EmptyCase declares a case that carries nothing; it is set where `of` says true.
func EmptyCase[O any](name string, of func(*O) *bool) CaseOf[O] {
	return &emptyCase[O]{newLabel(name), of}
}

func (c *carryingCase[O, T]) label() *label                { return &c.named }
func (c *carryingCase[O, T]) size() int                    { return c.codec.about().size }
func (c *carryingCase[O, T]) isSet(o *O) bool              { return *c.of(o) != nil }
func (c *carryingCase[O, T]) putC(w *writer, at int, o *O) { c.codec.putC(w, at, *c.of(o)) }

func (c *carryingCase[O, T]) putCBOR(w *writer, o *O) {
	if from := takes(w, *c.of(o)); from != nil {
		w.take(from, false)
	} else {
		c.codec.putCBOR(w, *c.of(o))
	}
}

func (c *carryingCase[O, T]) getCBOR(r *reader, o *O) {
	carried := new(T)
	*c.of(o) = carried
	c.codec.getCBOR(r, carried)
}

func (c *carryingCase[O, T]) getC(r *reader, at int, o *O) {
	carried := new(T)
	*c.of(o) = carried
	c.codec.getC(r, at, carried)
}

func (c *emptyCase[O]) label() *label               { return &c.named }
func (c *emptyCase[O]) size() int                   { return 0 }
func (c *emptyCase[O]) isSet(o *O) bool             { return *c.of(o) }
func (c *emptyCase[O]) putCBOR(w *writer, _ *O)     { w.out = append(w.out, nullByte) }
func (c *emptyCase[O]) putC(*writer, int, *O)       {}
func (c *emptyCase[O]) getC(_ *reader, _ int, o *O) { *c.of(o) = true }
func (c *emptyCase[O]) getCBOR(r *reader, o *O) {
	Nothing.getCBOR(r, &Unit{})
	*c.of(o) = true
}

// NewVariant makes the codec of a variant with this struct in format c, in which what a case carries lies at offset, and
// this least size in cbor.
func NewVariant[O any](size, align, offset, least int) *Variant[O] {
	return &Variant[O]{traits: traits{size, align, least, false}, offset: offset}
}

// Define declares the cases.
func (c *Variant[O]) Define(cases ...CaseOf[O]) { c.cases = cases }

func (*Variant[O]) isAbsent(*O) bool { return false }

// chosen returns the case that is set, and its place; nil unless that is exactly one.
func (c *Variant[O]) chosen(w *writer, value *O) (of CaseOf[O], place int) {
	count := 0
	for index, each := range c.cases {
		if each.isSet(value) {
			of, place = each, index
			count++
		}
	}
	if count != 1 {
		if w.err == nil {
			w.err = ErrNotOneCase
		}
		return nil, 0
	}
	return of, place
}

func (c *Variant[O]) putCBOR(w *writer, value *O) {
	w.enter()
	if of, _ := c.chosen(w, value); of != nil && w.err == nil {
		w.head(majorMap, 1)
		w.out = append(w.out, of.label().key...)
		of.putCBOR(w, value)
	}
	w.depth--
}

func (c *Variant[O]) getCBOR(r *reader, value *O) {
	count := r.items(majorMap, 2)
	more := func() bool {
		if r.failed {
			return false
		}
		if count < 0 {
			return !r.isBreak() && !r.failed
		}
		count--
		return count >= 0
	}
	var zero O
	*value = zero
	if !more() {
		r.fail("missing")
		return
	}
	var name string
	Text.getCBOR(r, &name)
	if r.failed {
		return
	}
	for _, each := range c.cases {
		if each.label().name != name {
			continue
		}
		each.getCBOR(r, value)
		if r.failed {
			r.inside(name)
		} else if more() {
			r.fail("given twice")
		}
		r.depth--
		return
	}
	r.fail("unknown case")
}

func (c *Variant[O]) putC(w *writer, at int, value *O) {
	w.enter()
	if of, place := c.chosen(w, value); of != nil && w.err == nil {
		put(w, at, int32(place))
		of.putC(w, at+c.offset, value)
	}
	w.depth--
}

func (c *Variant[O]) getC(r *reader, at int, value *O) {
	var zero O
	*value = zero
	r.enter()
	number := get[uint32](r, at)
	if !r.failed && number >= uint32(len(c.cases)) {
		r.fail("unknown case")
	}
	r.zeros(at+4, at+c.offset)
	if r.failed {
		return
	}
	of := c.cases[number]
	of.getC(r, at+c.offset, value)
	if r.failed {
		r.inside(of.label().name)
	}
	r.zeros(at+c.offset+of.size(), at+c.size)
	r.depth--
}
