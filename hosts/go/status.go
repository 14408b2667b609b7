// SPDX-License-Identifier: BSD-3-Clause

package ferryingress

// #include "core.h"
import "C"

import "context"

// Status is what became of a request, or why it was refused: enum ingress_status.
type Status uint32

// The statuses, as docs/ingress-rules.md explains them.
const (
	OK             Status = C.INGRESS_OK
	Failed         Status = C.INGRESS_FAILED
	Stale          Status = C.INGRESS_STALE
	Closed         Status = C.INGRESS_CLOSED
	Timeout        Status = C.INGRESS_TIMEOUT
	QueueFull      Status = C.INGRESS_QUEUE_FULL
	TooLarge       Status = C.INGRESS_TOO_LARGE
	BadToken       Status = C.INGRESS_BAD_TOKEN
	BadMethod      Status = C.INGRESS_BAD_METHOD
	BadPayload     Status = C.INGRESS_BAD_PAYLOAD
	BadArgument    Status = C.INGRESS_BAD_ARGUMENT
	BadHandle      Status = C.INGRESS_BAD_HANDLE
	Reentrant      Status = C.INGRESS_REENTRANT
	EventsStuck    Status = C.INGRESS_EVENTS_STUCK
	NoContext      Status = C.INGRESS_NO_CONTEXT
	NoMemory       Status = C.INGRESS_NO_MEMORY
	WrongInterface Status = C.INGRESS_WRONG_INTERFACE
	Lost           Status = C.INGRESS_LOST
	Raised         Status = C.INGRESS_RAISED
	Cancelled      Status = C.INGRESS_CANCELLED
	Skipped        Status = C.INGRESS_SKIPPED
)

// String is a sentence: what is wrong and what to do.
func (s Status) String() string { return C.GoString(C.ingress_status_text(C.enum_ingress_status(s))) }

// Error makes a status an error, for errors.Is(err, ferryingress.QueueFull).
func (s Status) Error() string { return s.String() }

// Error is a call that has no result.
type Error struct {
	Status Status
	// Message is the handler's, or the text of the status.
	Message string
	// Cause is the error that the method declares, with which the handler failed: for errors.As. It is nil unless Status
	// is Raised.
	Cause error
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause, if there is one, and else the status.
func (e *Error) Unwrap() error {
	if e.Cause != nil {
		return e.Cause
	}
	return e.Status
}

// Is compares the status; a deadline that passed is context.DeadlineExceeded as well.
func (e *Error) Is(target error) bool {
	return target == e.Status || target == context.DeadlineExceeded && e.Status == Timeout
}

func failure(status Status, message string) error {
	if message == "" {
		message = status.String()
	}
	return &Error{Status: status, Message: message}
}

// ended is the error of a call whose context.Context has ended.
func ended(ctx context.Context) error {
	if ctx.Err() == context.DeadlineExceeded {
		return failure(Timeout, "")
	}
	return ctx.Err()
}
