/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes of CBOR that reading and writing share (RFC 8949). */
#ifndef FERRY_WIRE_CBOR_MAJOR_H
#define FERRY_WIRE_CBOR_MAJOR_H

enum ferry_cbor_major {
	FERRY_CBOR_UNSIGNED = 0,
	FERRY_CBOR_NEGATIVE = 1,
	FERRY_CBOR_BYTES = 2,
	FERRY_CBOR_TEXT = 3,
	FERRY_CBOR_ARRAY = 4,
	FERRY_CBOR_MAP = 5,
	FERRY_CBOR_TAG = 6,
	FERRY_CBOR_SIMPLE = 7,
};

#define FERRY_CBOR_FALSE 0xf4
#define FERRY_CBOR_TRUE 0xf5
#define FERRY_CBOR_NULL 0xf6
#define FERRY_CBOR_HALF 0xf9
#define FERRY_CBOR_SINGLE 0xfa
#define FERRY_CBOR_DOUBLE 0xfb
#define FERRY_CBOR_BREAK 0xff
#define FERRY_CBOR_INDEFINITE 31 /* stands in a head in place of a length */

#endif /* FERRY_WIRE_CBOR_MAJOR_H */
