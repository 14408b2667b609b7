/* SPDX-License-Identifier: BSD-3-Clause */
/* The conformance program in C, with requests in format cbor. */
#define ECHO_WIRE INGRESS_WIRE_CBOR
#include "test_c_conformance.c"
