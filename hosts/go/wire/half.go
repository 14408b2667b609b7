// SPDX-License-Identifier: BSD-3-Clause

package wire

import "math"

// fromHalf returns the value of a float of 16 bits.
func fromHalf(bits uint16) float64 {
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	var value float64
	switch exponent {
	case 0:
		value = math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		value = math.Inf(1)
	default:
		value = math.Ldexp(fraction+1024, exponent-25)
	}
	return math.Copysign(value, 1-2*float64(bits>>15))
}

// toHalf returns the float of 16 bits that keeps a value, if there is one. The value is not NaN.
func toHalf(value float64) (bits uint16, keeps bool) {
	if math.Signbit(value) {
		bits = 1 << 15
	}
	value = math.Abs(value)
	switch {
	case value == 0:
		return bits, true
	case math.IsInf(value, 0):
		return bits | 31<<10, true
	case value < math.Ldexp(1, -14):
		scaled := math.Ldexp(value, 24)
		if scaled != math.Trunc(scaled) {
			return 0, false
		}
		return bits | uint16(scaled), true
	}
	fraction, exponent := math.Frexp(value) // fraction is from 0.5 to below 1
	scaled := math.Ldexp(fraction, 11)
	if exponent > 16 || scaled != math.Trunc(scaled) {
		return 0, false
	}
	return bits | uint16(exponent+14)<<10 | uint16(scaled)&1023, true
}
