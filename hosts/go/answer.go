// SPDX-License-Identifier: BSD-3-Clause

package ferryingress

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

const (
	// answerTries is how often an answer is tried again for which the queue of requests has no room.
	answerTries = 1000
	answerAgain = time.Millisecond
)

// Answers is what a question's answers are brought by; generated code makes it.
type Answers[A any] struct {
	// Answer calls the program's function, and returns what brings the value.
	Answer func(ctx context.Context, asked A) (func(context.Context) error, error)
	// Raise returns what brings the error that the question declares, or nil for any other error.
	Raise func(asked A, reason error) func(context.Context) error
	Fail  func(ctx context.Context, asked A, message string) error
}

// Answering answers questions that a library asks. It ends by Close, and with its context.
type Answering struct {
	owner  *Context
	cancel context.CancelFunc
	once   sync.Once
	close  func()
}

// Answer calls a function with each question of a kind, in a goroutine of its own.
func Answer[A any](c *Context, kind *EventKind[A], answers *Answers[A]) (*Answering, error) {
	events, err := Listen(c, kind)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	a := &Answering{owner: c, cancel: cancel, close: events.Close}
	c.addFlow(a)
	go func() {
		defer cancel()
		for event := range events.C {
			// one that cannot be decoded has no number to answer to, and the library hears of that at its deadline
			if event.Err == nil {
				go answers.one(ctx, event.Value)
			}
		}
	}()
	return a, nil
}

// Close ends the answering: no function is called afterwards, and the contexts of those that run end. The library hears
// that nobody answers them. It may be called more than once, by any goroutine.
func (a *Answering) Close() {
	a.owner.removeFlow(a)
	a.stop(nil)
}

func (a *Answering) stop(error) {
	a.once.Do(func() {
		a.cancel()
		a.close()
	})
}

// one answers a question. An answer to a question that is over is dropped.
func (a *Answers[A]) one(ctx context.Context, asked A) {
	bring, err := a.call(ctx, asked)
	if err != nil {
		bring = a.refusal(asked, err)
	}
	if err := brought(bring); errors.Is(err, TooLarge) || errors.Is(err, BadPayload) || errors.Is(err, BadArgument) {
		_ = brought(a.refusal(asked, fmt.Errorf("the answer cannot be sent: %w", err)))
	}
}

func (a *Answers[A]) call(ctx context.Context, asked A) (bring func(context.Context) error, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("the host's function panicked: %v", reason)
		}
	}()
	return a.Answer(ctx, asked)
}

func (a *Answers[A]) refusal(asked A, reason error) func(context.Context) error {
	if raise := a.Raise(asked, reason); raise != nil {
		return raise
	}
	message := strings.ToValidUTF8(reason.Error(), "?")
	return func(ctx context.Context) error { return a.Fail(ctx, asked, message) }
}

// brought brings an answer, also where the queue of requests is full for a moment.
func brought(bring func(context.Context) error) error {
	for try := 0; try < answerTries; try++ {
		err := bring(context.Background())
		if !errors.Is(err, QueueFull) {
			return err
		}
		time.Sleep(answerAgain)
	}
	return nil
}
