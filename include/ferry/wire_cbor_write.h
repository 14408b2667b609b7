/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writing format `cbor`, deterministically (W1 and W2 of spec/interface.md). A bound has made room before, so writers
 * check nothing; each returns where the next one goes on.
 */
#ifndef FERRY_WIRE_CBOR_WRITE_H
#define FERRY_WIRE_CBOR_WRITE_H

#include <ferry/wire.h>
#include <ferry/wire_cbor_major.h>

/* An error that shows only while a value is written, and that its bound has not found. */
struct ferry_cbor_writer {
	enum ferry_wire_reason reason;
};

/* Write a head. Returns where to go on, as all writers do. */
static inline uint8_t *ferry_cbor_put_head(uint8_t *at, unsigned int major, uint64_t value)
{
	uint8_t first = (uint8_t)(major << 5);

	if (ferry_likely(value < 24)) {
		*at = (uint8_t)(first | value);
		return at + 1;
	}
	if (value <= UINT8_MAX) {
		at[0] = first | 24;
		at[1] = (uint8_t)value;
		return at + 2;
	}
	if (value <= UINT16_MAX) {
		uint16_t swapped = __builtin_bswap16((uint16_t)value);

		at[0] = first | 25;
		memcpy(at + 1, &swapped, 2);
		return at + 3;
	}
	if (value <= UINT32_MAX) {
		uint32_t swapped = __builtin_bswap32((uint32_t)value);

		at[0] = first | 26;
		memcpy(at + 1, &swapped, 4);
		return at + 5;
	}
	value = __builtin_bswap64(value);
	at[0] = first | 27;
	memcpy(at + 1, &value, 8);
	return at + 9;
}

/* Write an integer. */
static inline uint8_t *ferry_cbor_put_unsigned(uint8_t *at, uint64_t value)
{
	return ferry_cbor_put_head(at, FERRY_CBOR_UNSIGNED, value);
}

/* Write an integer. */
static inline uint8_t *ferry_cbor_put_signed(uint8_t *at, int64_t value)
{
	return value < 0 ? ferry_cbor_put_head(at, FERRY_CBOR_NEGATIVE, ~(uint64_t)value)
			 : ferry_cbor_put_head(at, FERRY_CBOR_UNSIGNED, (uint64_t)value);
}

/* Write false or true. */
static inline uint8_t *ferry_cbor_put_bool(uint8_t *at, bool value)
{
	*at = value ? FERRY_CBOR_TRUE : FERRY_CBOR_FALSE;
	return at + 1;
}

/* Write null. */
static inline uint8_t *ferry_cbor_put_null(uint8_t *at)
{
	*at = FERRY_CBOR_NULL;
	return at + 1;
}

/* Write the head and bytes of a string. */
static inline uint8_t *ferry_cbor_put_block(uint8_t *at, unsigned int major, const void *data, size_t bytes)
{
	at = ferry_cbor_put_head(at, major, bytes);
	ferry_wire_copy(at, data, bytes);
	return at + bytes;
}

/* Write text. */
static inline uint8_t *ferry_cbor_put_string(uint8_t *at, struct ferry_string value)
{
	return ferry_cbor_put_block(at, FERRY_CBOR_TEXT, value.data, value.bytes);
}

/* Write bytes. */
static inline uint8_t *ferry_cbor_put_bytes(uint8_t *at, struct ferry_bytes value)
{
	return ferry_cbor_put_block(at, FERRY_CBOR_BYTES, value.data, value.bytes);
}

/* Whether a 16-bit float has the value of this 32-bit one; *half is that float. The caller deals with NaN. */
static inline bool ferry_half_from(uint32_t single, uint16_t *half)
{
	uint32_t sign = single >> 16 & 0x8000, fraction = single & 0x7fffff;
	int exponent = (int)(single >> 23 & 0xff) - 127;

	if (exponent == 128 || (exponent == -127 && !fraction)) {
		*half = (uint16_t)(sign | (exponent == 128 ? 0x7c00 : 0));
		return fraction == 0;
	}
	if (exponent >= -14 && exponent <= 15 && !(fraction & 0x1fff)) {
		*half = (uint16_t)(sign | (uint32_t)(exponent + 15) << 10 | fraction >> 13);
		return true;
	}
	if (exponent >= -24 && exponent < -14) { /* subnormal */
		unsigned int shift = (unsigned int)(-exponent - 1);
		uint32_t whole = fraction | 0x800000;

		*half = (uint16_t)(sign | whole >> shift);
		return !(whole & ((1U << shift) - 1));
	}
	return false;
}

/* Write a float in as few bytes as keep its value. */
static inline uint8_t *ferry_cbor_put_f64(uint8_t *at, double value)
{
	float single = (float)value;
	uint64_t wide;
	uint32_t bits;
	uint16_t half = 0x7e00;

	if ((double)single != value && value == value) {
		memcpy(&wide, &value, sizeof(wide));
		wide = __builtin_bswap64(wide);
		*at = FERRY_CBOR_DOUBLE;
		memcpy(at + 1, &wide, 8);
		return at + 9;
	}
	memcpy(&bits, &single, sizeof(bits));
	if (value != value || ferry_half_from(bits, &half)) {
		half = __builtin_bswap16(half);
		*at = FERRY_CBOR_HALF;
		memcpy(at + 1, &half, 2);
		return at + 3;
	}
	bits = __builtin_bswap32(bits);
	*at = FERRY_CBOR_SINGLE;
	memcpy(at + 1, &bits, 4);
	return at + 5;
}

/* End encoding into `out` at `at`: 0, or -1 with the reason. */
static inline int ferry_cbor_written(const struct ferry_cbor_writer *writer, struct ferry_buffer *out,
				     const uint8_t *at, struct ferry_wire_error *error)
{
	size_t bytes = (size_t)(at - out->data);

	if (ferry_unlikely(writer->reason))
		return ferry_wire_fail(error, writer->reason);
	if (ferry_unlikely(bytes > FERRY_WIRE_BYTES_MAX))
		return ferry_wire_fail(error, FERRY_WIRE_OUT_OF_RANGE);
	out->bytes = bytes;
	return 0;
}

#endif /* FERRY_WIRE_CBOR_WRITE_H */
