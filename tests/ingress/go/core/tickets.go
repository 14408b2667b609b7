// SPDX-License-Identifier: BSD-3-Clause

// Package core calls the ingress core where the host has no reason to.
package core

// #cgo pkg-config: ferryingress
// #include <ferry/ingress.h>
import "C"

// Ticket takes a number by which a request can be cancelled.
func Ticket() uint64 { return uint64(C.ingress_tickets(1)) }
