// SPDX-License-Identifier: BSD-3-Clause

package wire

import (
	"encoding/binary"
	"unicode/utf8"
)

// The major types of RFC 8949.
const (
	majorUnsigned = 0
	majorNegative = 1
	majorBytes    = 2
	majorText     = 3
	majorArray    = 4
	majorMap      = 5
	majorTag      = 6
	majorSimple   = 7
)

const (
	infoNull       = 22
	infoIndefinite = 31
	breakByte      = 0xff
	nullByte       = 0xf6
)

// head appends the shortest head of an item.
func (w *writer) head(major byte, value uint64) {
	major <<= 5
	switch {
	case value < 24:
		w.out = append(w.out, major|byte(value))
	case value < 1<<8:
		w.out = append(w.out, major|24, byte(value))
	case value < 1<<16:
		w.out = binary.BigEndian.AppendUint16(append(w.out, major|25), uint16(value))
	case value < 1<<32:
		w.out = binary.BigEndian.AppendUint32(append(w.out, major|26), uint32(value))
	default:
		w.out = binary.BigEndian.AppendUint64(append(w.out, major|27), value)
	}
}

// reader is a message and how far it has been read. In format c, at is where the next part begins. After the first
// error nothing is read any more: every loop asks failed.
type reader struct {
	data   []byte
	at     int
	depth  int
	failed bool
	reason string
	path   string
}

func (r *reader) fail(reason string) {
	if !r.failed {
		r.failed, r.reason = true, reason
	}
}

// inside puts a step in front of the path of the error.
func (r *reader) inside(step string) {
	if r.path != "" && r.path[0] != '[' {
		step += "."
	}
	r.path = step + r.path
}

// enter begins an object, a sequence or a map.
func (r *reader) enter() {
	r.depth++
	if r.depth > DepthMax {
		r.fail("nested too deep")
	}
}

// oneHead reads the next head, which may be that of a tag.
func (r *reader) oneHead() (major, info byte, value uint64) {
	if r.failed || r.at >= len(r.data) {
		r.fail("ends early")
		return 0, 0, 0
	}
	first := r.data[r.at]
	major, info = first>>5, first&31
	r.at++
	if info < 24 {
		return major, info, uint64(info)
	}
	if info < 28 {
		count := 1 << (info - 24)
		if count > len(r.data)-r.at {
			r.fail("ends early")
			return 0, 0, 0
		}
		for _, digit := range r.data[r.at : r.at+count] {
			value = value<<8 | uint64(digit)
		}
		r.at += count
		if major == majorSimple && info == 24 && value < 32 {
			r.fail("malformed")
		}
		return major, info, value
	}
	if info != infoIndefinite || major < majorBytes || major > majorMap {
		r.fail("malformed")
	}
	return major, info, 0
}

// head reads the head of the next item, past its tags.
func (r *reader) head() (major, info byte, value uint64) {
	for {
		major, info, value = r.oneHead()
		if major != majorTag || r.failed {
			return major, info, value
		}
	}
}

// wrong fails because of an item whose kind is not the one that the type needs.
func (r *reader) wrong(major, info byte) {
	if major == majorSimple && info == infoNull {
		r.fail("missing")
	} else {
		r.fail("wrong type")
	}
}

// slice goes past the next bytes and returns them.
func (r *reader) slice(count uint64) []byte {
	if r.failed || count > uint64(len(r.data)-r.at) {
		r.fail("ends early")
		return nil
	}
	found := r.data[r.at : r.at+int(count)]
	r.at += int(count)
	return found
}

func (r *reader) text(count uint64) []byte {
	found := r.slice(count)
	if !utf8.Valid(found) {
		r.fail("invalid UTF-8")
	}
	return found
}

// isBreak goes past a break if it is next.
func (r *reader) isBreak() bool {
	if r.failed || r.at >= len(r.data) {
		r.fail("ends early")
		return true
	}
	if r.data[r.at] != breakByte {
		return false
	}
	r.at++
	return true
}

// chunks reads the chunks of an indefinite text or bytes; with keep, it returns them joined.
func (r *reader) chunks(major byte, keep bool) []byte {
	var whole []byte
	for !r.isBreak() {
		found, info, count := r.oneHead()
		if r.failed || found != major || info == infoIndefinite {
			r.fail("malformed")
			break
		}
		part := r.slice(count)
		if major == majorText && !utf8.Valid(part) {
			r.fail("invalid UTF-8")
		}
		if keep {
			whole = append(whole, part...)
		}
	}
	return whole
}

// items begins an array or a map whose items take least bytes or more each. It returns how many, -1 if indefinite.
func (r *reader) items(major byte, least int) int {
	found, info, count := r.head()
	if r.failed {
		return 0
	}
	if found != major {
		r.wrong(found, info)
		return 0
	}
	r.enter()
	if info == infoIndefinite {
		return -1
	}
	if count > uint64((len(r.data)-r.at)/least) {
		r.fail("ends early")
		return 0
	}
	return int(count)
}

// takeNull goes past the next item and its tags if it is null.
func (r *reader) takeNull() bool {
	start := r.at
	if start >= len(r.data) {
		return false
	}
	if r.data[start] == nullByte {
		r.at++
		return true
	}
	if r.data[start]>>5 == majorTag {
		ahead := reader{data: r.data, at: start}
		major, info, _ := ahead.head()
		if !ahead.failed && major == majorSimple && info == infoNull {
			r.at = ahead.at
			return true
		}
	}
	return false
}

// skip goes past one item of any kind. It recurses at most DepthMax levels.
func (r *reader) skip() {
	major, info, count := r.head()
	if r.failed {
		return
	}
	switch major {
	case majorBytes, majorText:
		switch {
		case info == infoIndefinite:
			r.chunks(major, false)
		case major == majorText:
			r.text(count)
		default:
			r.slice(count)
		}
	case majorArray, majorMap:
		r.enter()
		each := uint64(major - majorArray + 1)
		if info != infoIndefinite && count > uint64(len(r.data)-r.at)/each {
			r.fail("ends early")
		}
		for left := count * each; !r.failed; {
			if info == infoIndefinite {
				if r.isBreak() {
					break
				}
				left = each
			} else if left == 0 {
				break
			}
			r.skip()
			left--
			if info == infoIndefinite && each == 2 && !r.failed {
				r.skip()
			}
		}
		r.depth--
	}
}
