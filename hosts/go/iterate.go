// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.23

package ferryingress

import (
	"context"
	"iter"
)

// All iterates over the events until the stream or ctx ends. Leaving the loop leaves the stream open.
func (e *Events[T]) All(ctx context.Context) iter.Seq[Event[T]] {
	return func(yield func(Event[T]) bool) {
		for {
			select {
			case event, isOpen := <-e.C:
				if !isOpen || !yield(event) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// All iterates over the values until the stream ends, or ctx. It ends with an error, if there is one, and closes the
// stream.
func (s *Stream[T]) All(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		defer s.Close()
		for {
			value, ok, err := s.Next(ctx)
			if err != nil {
				yield(value, err)
				return
			}
			if !ok || !yield(value, nil) {
				return
			}
		}
	}
}
