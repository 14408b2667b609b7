// SPDX-License-Identifier: BSD-3-Clause

package wire

import (
	"encoding/binary"
	"math"
	"unicode/utf8"
	"unsafe"
)

// Unit is the value of a method that returns nothing.
type Unit struct{}

// Codecs of the types without parts.
var (
	Nothing Codec[Unit]    = &unitCodec{traits{size: 0, align: 1, least: 1}}
	Bool    Codec[bool]    = &boolCodec{traits{size: 1, align: 1, least: 1}}
	I8      Codec[int8]    = newInt[int8](math.MinInt8, math.MaxInt8)
	I16     Codec[int16]   = newInt[int16](math.MinInt16, math.MaxInt16)
	I32     Codec[int32]   = newInt[int32](math.MinInt32, math.MaxInt32)
	I64     Codec[int64]   = newInt[int64](math.MinInt64, math.MaxInt64)
	U8      Codec[uint8]   = newInt[uint8](0, math.MaxUint8)
	U16     Codec[uint16]  = newInt[uint16](0, math.MaxUint16)
	U32     Codec[uint32]  = newInt[uint32](0, math.MaxUint32)
	U64     Codec[uint64]  = newInt[uint64](0, math.MaxUint64)
	F32     Codec[float32] = &floatCodec[float32]{traits: traits{size: 4, align: 4, least: 1}}
	F64     Codec[float64] = &floatCodec[float64]{traits: traits{size: 8, align: 8, least: 1}}
	Text    Codec[string]  = &textCodec{traits{size: referenceBytes, align: 4, least: 1}}
	Bytes   Codec[[]byte]  = &bytesCodec{traits{size: referenceBytes, align: 4, least: 1}}
)

func (t *traits) about() *traits { return t }

type unitCodec struct{ traits }

func (*unitCodec) isAbsent(*Unit) bool            { return false }
func (*unitCodec) putC(*writer, int, *Unit)       {}
func (*unitCodec) getC(*reader, int, *Unit)       {}
func (*unitCodec) putCBOR(w *writer, value *Unit) { w.out = append(w.out, nullByte) }
func (*unitCodec) getCBOR(r *reader, value *Unit) {
	major, info, _ := r.head()
	if major != majorSimple || info != infoNull {
		r.fail("wrong type")
	}
}

type integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

type intCodec[T integer] struct {
	traits
	low  int64
	most uint64
}

func newInt[T integer](low int64, most uint64) *intCodec[T] {
	size := int(unsafe.Sizeof(T(0)))
	return &intCodec[T]{traits{size: size, align: size, least: 1}, low, most}
}

func (*intCodec[T]) isAbsent(*T) bool { return false }

func (*intCodec[T]) putCBOR(w *writer, value *T) {
	if *value < 0 {
		w.head(majorNegative, uint64(^int64(*value)))
	} else {
		w.head(majorUnsigned, uint64(*value))
	}
}

func (c *intCodec[T]) getCBOR(r *reader, value *T) {
	major, info, found := r.head()
	switch {
	case r.failed:
	case major == majorUnsigned:
		if found > c.most {
			r.fail("out of range")
		}
		*value = T(found)
	case major == majorNegative:
		if c.low == 0 || found > uint64(^c.low) {
			r.fail("out of range")
		}
		*value = T(^int64(found))
	default:
		r.wrong(major, info)
	}
}

func (*intCodec[T]) putC(w *writer, at int, value *T) { put(w, at, *value) }
func (*intCodec[T]) getC(r *reader, at int, value *T) { *value = get[T](r, at) }

type floatCodec[T float32 | float64] struct{ traits }

func (*floatCodec[T]) isAbsent(*T) bool { return false }

func (*floatCodec[T]) putCBOR(w *writer, value *T) {
	wide := float64(*value)
	if wide != wide {
		w.out = append(w.out, 0xf9, 0x7e, 0)
	} else if bits, keeps := toHalf(wide); keeps {
		w.out = binary.BigEndian.AppendUint16(append(w.out, 0xf9), bits)
	} else if float64(float32(wide)) == wide {
		w.out = binary.BigEndian.AppendUint32(append(w.out, 0xfa), math.Float32bits(float32(wide)))
	} else {
		w.out = binary.BigEndian.AppendUint64(append(w.out, 0xfb), math.Float64bits(wide))
	}
}

func (*floatCodec[T]) getCBOR(r *reader, value *T) {
	major, info, bits := r.head()
	if r.failed {
		return
	}
	var found float64
	switch {
	case major == majorSimple && info == 25:
		found = fromHalf(uint16(bits))
	case major == majorSimple && info == 26:
		found = float64(math.Float32frombits(uint32(bits)))
	case major == majorSimple && info == 27:
		found = math.Float64frombits(bits)
	default:
		r.wrong(major, info)
		return
	}
	*value = T(found)
	if float64(*value) != found && found == found {
		r.fail("out of range")
	}
}

func (c *floatCodec[T]) putC(w *writer, at int, value *T) {
	switch {
	case *value == *value:
		put(w, at, *value)
	case c.size == 4:
		put(w, at, uint32(0x7fc00000))
	default:
		put(w, at, uint64(0x7ff8000000000000))
	}
}

func (*floatCodec[T]) getC(r *reader, at int, value *T) { *value = get[T](r, at) }

type boolCodec struct{ traits }

func (*boolCodec) isAbsent(*bool) bool { return false }

func (*boolCodec) putCBOR(w *writer, value *bool) {
	if *value {
		w.out = append(w.out, 0xf5)
	} else {
		w.out = append(w.out, 0xf4)
	}
}

func (*boolCodec) getCBOR(r *reader, value *bool) {
	major, info, _ := r.head()
	if r.failed {
		return
	}
	if major != majorSimple || (info != 20 && info != 21) {
		r.wrong(major, info)
	}
	*value = info == 21
}

func (*boolCodec) putC(w *writer, at int, value *bool) {
	if *value {
		w.out[at] = 1
	}
}

func (*boolCodec) getC(r *reader, at int, value *bool) {
	if r.data[at] > 1 {
		r.fail("neither 0 nor 1")
	}
	*value = r.data[at] == 1
}

type textCodec struct{ traits }

func (*textCodec) isAbsent(*string) bool { return false }

func (*textCodec) putCBOR(w *writer, value *string) {
	w.head(majorText, uint64(len(*value)))
	w.out = append(w.out, *value...)
}

func (*textCodec) getCBOR(r *reader, value *string) {
	major, info, count := r.head()
	switch {
	case r.failed:
	case major != majorText:
		r.wrong(major, info)
	case info == infoIndefinite:
		*value = string(r.chunks(majorText, true))
	default:
		*value = string(r.text(count))
	}
}

func (*textCodec) putC(w *writer, at int, value *string) {
	if *value != "" {
		w.reference(at, len(w.out), len(*value))
		w.out = append(append(w.out, *value...), 0)
	}
}

func (*textCodec) getC(r *reader, at int, value *string) {
	*value = ""
	count := r.part(at)
	if count == 0 {
		return
	}
	data := r.slice(count + 1)
	if r.failed {
		return
	}
	if !utf8.Valid(data[:count]) {
		r.fail("invalid UTF-8")
	} else if data[count] != 0 {
		r.fail("padding not zero")
	}
	*value = string(data[:count])
}

type bytesCodec struct{ traits }

func (*bytesCodec) isAbsent(*[]byte) bool { return false }

func (*bytesCodec) putCBOR(w *writer, value *[]byte) {
	w.head(majorBytes, uint64(len(*value)))
	w.out = append(w.out, *value...)
}

func (*bytesCodec) getCBOR(r *reader, value *[]byte) {
	major, info, count := r.head()
	switch {
	case r.failed:
	case major != majorBytes:
		r.wrong(major, info)
	case info == infoIndefinite:
		*value = r.chunks(majorBytes, true)
	default:
		*value = append([]byte(nil), r.slice(count)...)
	}
}

func (*bytesCodec) putC(w *writer, at int, value *[]byte) {
	if len(*value) != 0 {
		w.reference(at, len(w.out), len(*value))
		w.out = append(w.out, *value...)
	}
}

func (*bytesCodec) getC(r *reader, at int, value *[]byte) {
	*value = append([]byte(nil), r.slice(r.part(at))...)
}

type enumCodec[T ~int32] struct {
	intCodec[T]
	known map[T]struct{}
}

// Enum is the codec of an enum with these values.
func Enum[T ~int32](values ...T) Codec[T] {
	made := &enumCodec[T]{*newInt[T](math.MinInt32, math.MaxInt32), map[T]struct{}{}}
	for _, value := range values {
		made.known[value] = struct{}{}
	}
	return made
}

func (c *enumCodec[T]) check(r *reader, value T) {
	if _, known := c.known[value]; !known {
		r.fail("unknown enum value")
	}
}

func (c *enumCodec[T]) getCBOR(r *reader, value *T) {
	c.intCodec.getCBOR(r, value)
	c.check(r, *value)
}

func (c *enumCodec[T]) getC(r *reader, at int, value *T) {
	c.intCodec.getC(r, at, value)
	c.check(r, *value)
}

// Handle is the codec of a kind of handle.
func Handle[T ~uint64]() Codec[T] {
	return newInt[T](0, math.MaxUint64)
}
