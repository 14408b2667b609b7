/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Format `cbor` (W1 to W3 of spec/interface.md): the functions by which generated code reads and writes values.
 * Generated headers include this.
 */
#ifndef FERRY_WIRE_CBOR_H
#define FERRY_WIRE_CBOR_H

#include <ferry/wire_cbor_items.h>
#include <ferry/wire_cbor_read.h>
#include <ferry/wire_cbor_write.h>

#endif /* FERRY_WIRE_CBOR_H */
