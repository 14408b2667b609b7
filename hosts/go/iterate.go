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
