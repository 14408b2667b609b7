// SPDX-License-Identifier: BSD-3-Clause

package conformance

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"conformance/core"
	"echo"
)

// start starts a context that the test itself ends.
func start(t *testing.T) *echo.Echo {
	t.Helper()
	e, err := echo.Create(context.Background(), "> ", nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func end(e *echo.Echo) { _ = e.Destroy(context.Background()) }

// There are 2^61 tickets for all contexts that a process ever has.
func TestAContextTakesFewTickets(t *testing.T) {
	before := core.Ticket()
	for i := 0; i < 3; i++ {
		e := start(t)
		if _, err := e.Echo(context.Background(), echo.NewEchoRequest("hello")); err != nil {
			t.Fatal(err)
		}
		end(e)
	}
	if taken := core.Ticket() - before; taken > 1<<20 {
		t.Fatal("three contexts took", taken, "tickets")
	}
}

// within fails the test when something hangs.
func within(t *testing.T, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatal("hangs: ", what)
	}
}

// Listening may be refused since the context has ended meanwhile; its end must not wait for that stream.
func TestAContextEndsWhileOthersListen(t *testing.T) {
	for round := 0; round < 300; round++ {
		e := start(t)
		done := make(chan struct{})
		var all sync.WaitGroup
		for i := 0; i < 4; i++ {
			all.Add(1)
			go func() {
				defer all.Done()
				for {
					events, err := e.TickEvents()
					if err != nil {
						return
					}
					events.Close()
				}
			}()
		}
		go func() {
			time.Sleep(time.Duration(round%20) * 10 * time.Microsecond)
			end(e)
			all.Wait()
			close(done)
		}()
		within(t, fmt.Sprint("the end of the context, round ", round), done)
	}
}

// The race detector finds a request whose ticket is read while it is still being queued.
func TestAContextEndsWhileStreamsAreOpened(t *testing.T) {
	for round := 0; round < 1000; round++ {
		e := start(t)
		done := make(chan struct{})
		go func() {
			defer close(done)
			stream := e.Count(echo.NewCountRequest(1000), 1)
			defer stream.Close()
			for {
				if _, more, err := stream.Next(context.Background()); err != nil || !more {
					return
				}
			}
		}()
		time.Sleep(time.Duration(round%100) * 3 * time.Microsecond)
		end(e)
		within(t, "the stream", done)
	}
}
