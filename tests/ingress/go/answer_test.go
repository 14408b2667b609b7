// SPDX-License-Identifier: BSD-3-Clause

package conformance

import (
	"context"
	"errors"
	"testing"
	"time"

	"echo"
	"ferryingress"
)

var answerCases = []conformanceCase{
	{"questions_are_answered", questionsAreAnswered},
	{"questions_that_nobody_answers_end", questionsThatNobodyAnswers},
	{"a_question_is_answered_once", aQuestionIsAnsweredOnce},
	{"a_question_ends_with_its_call", aQuestionEndsWithItsCall},
	{"questions_are_bounded", questionsAreBounded},
	{"a_function_that_answers_may_call", aFunctionMayCall},
	{"a_context_ends_amid_a_question", aContextEndsAmidAQuestion},
}

func TestAnswers(t *testing.T) { run(t, answerCases) }

const waitMs = 60_000

var choices = []string{"tea", "coffee"}

// picked is what the host's function does: it answers, refuses or fails, as the title says.
func picked(_ context.Context, asked echo.PickAsked) (uint32, error) {
	switch asked.Title {
	case "refuse":
		return 0, echo.PickErrorNoneFits
	case "fail":
		return 0, errors.New("no idea")
	case "panic":
		panic("no idea")
	}
	for place, choice := range asked.Choices {
		if choice == asked.Title {
			return uint32(place), nil
		}
	}
	return 0, errors.New("no such choice")
}

func (c *checker) consult(host *echo.Echo, title string, waitMs uint32) echo.Consulted {
	c.Helper()
	consulted, err := host.Consult(c.patient(), title, choices, waitMs)
	c.require(err)
	return consulted
}

// consulting consults in a goroutine of its own.
func (c *checker) consulting(host *echo.Echo, title string) <-chan echo.Consulted {
	found := make(chan echo.Consulted, 1)
	go func() {
		consulted, _ := host.Consult(c.patient(), title, choices, waitMs)
		found <- consulted
	}()
	return found
}

func (c *checker) answer(
	host *echo.Echo, function func(context.Context, echo.PickAsked) (uint32, error),
) *ferryingress.Answering {
	c.Helper()
	answering, err := host.AnswerPick(function)
	c.require(err)
	return answering
}

func (c *checker) nothingIsAsked(host *echo.Echo) {
	c.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		asking, err := host.Asking(c.patient())
		c.require(err)
		if asking == 0 {
			return
		}
		if time.Now().After(end) {
			c.Fatalf("%d questions are open", asking)
		}
	}
}

func questionsAreAnswered(c *checker) {
	host := c.host(options{})
	answering := c.answer(host, picked)
	for i := 0; i < 3; i++ {
		c.same(c.consult(host, "coffee", waitMs), echo.Consulted{Outcome: echo.ConsultationAnswered, Text: "coffee"})
		c.same(c.consult(host, "refuse", waitMs).Outcome, echo.ConsultationRefused)
		c.same(c.consult(host, "fail", waitMs), echo.Consulted{Outcome: echo.ConsultationFailed, Text: "no idea"})
		c.same(c.consult(host, "panic", waitMs).Outcome, echo.ConsultationFailed)
	}
	answering.Close()
	answering.Close()
	c.nothingIsAsked(host)
	c.destroy(host)
}

func questionsThatNobodyAnswers(c *checker) {
	host := c.host(options{})
	c.same(c.consult(host, "tea", waitMs).Outcome, echo.ConsultationUnheard)
	questions, err := host.PickEvents()
	c.require(err)
	c.same(c.consult(host, "tea", 20).Outcome, echo.ConsultationTooLate)
	late := next(c, questions)
	c.fails(host.PickReturn(c.patient(), late.Value.Question, 0), ferryingress.BadHandle, "")
	questions.Close()
	gone := make(chan struct{})
	answering := c.answer(host, func(ctx context.Context, _ echo.PickAsked) (uint32, error) {
		close(gone)
		<-ctx.Done()
		return 0, ctx.Err()
	})
	left := c.consulting(host, "tea")
	<-gone
	answering.Close()
	switch outcome := (<-left).Outcome; outcome {
	case echo.ConsultationUnheard, echo.ConsultationFailed:
	default:
		c.Fatalf("%v", outcome)
	}
	c.same(c.consult(host, "tea", waitMs).Outcome, echo.ConsultationUnheard)
	c.destroy(host)
}

func aQuestionIsAnsweredOnce(c *checker) {
	host, other := c.host(options{}), c.host(options{})
	questions, err := host.PickEvents()
	c.require(err)
	calls := map[string]<-chan echo.Consulted{"tea": c.consulting(host, "tea"), "coffee": c.consulting(host, "coffee")}
	heard := []echo.PickAsked{next(c, questions).Value, next(c, questions).Value}
	c.fails(other.PickReturn(c.patient(), heard[0].Question, 0), ferryingress.BadHandle, "")
	for _, asked := range []echo.PickAsked{heard[1], heard[0]} {
		done := make(chan error)
		go func() {
			place, _ := picked(nil, asked)
			done <- host.PickReturn(c.patient(), asked.Question, place)
		}()
		c.require(<-done)
		c.fails(host.PickReturn(c.patient(), asked.Question, 0), ferryingress.BadHandle, "")
		c.fails(host.PickRaise(c.patient(), asked.Question, echo.PickErrorNoneFits), ferryingress.BadHandle, "")
		c.fails(host.PickFail(c.patient(), asked.Question, "again"), ferryingress.BadHandle, "")
	}
	for title, call := range calls {
		c.same((<-call).Text, title)
	}
	c.destroy(other)
	c.destroy(host)
}

func aQuestionEndsWithItsCall(c *checker) {
	host := c.host(options{})
	questions, err := host.PickEvents()
	c.require(err)
	for _, isDeadline := range []bool{false, true} {
		ctx, cancel := context.WithCancel(context.Background())
		if isDeadline {
			ctx, cancel = context.WithTimeout(ctx, moment)
		}
		gone := make(chan error)
		go func() {
			_, err := host.Consult(ctx, "tea", choices, waitMs)
			gone <- err
		}()
		asked := next(c, questions).Value
		if !isDeadline {
			cancel()
		}
		if err := <-gone; err == nil {
			c.Fatal("a call that was cancelled has a result")
		}
		cancel()
		c.nothingIsAsked(host)
		c.fails(host.PickReturn(c.patient(), asked.Question, 0), ferryingress.BadHandle, "")
	}
	c.destroy(host)
}

func questionsAreBounded(c *checker) {
	const most = 64
	host := c.host(options{})
	questions, err := host.PickEvents()
	c.require(err)
	batch := host.Batch()
	var calls []*ferryingress.Pending[echo.Consulted]
	for i := 0; i <= most; i++ {
		calls = append(calls, batch.Consult("tea", choices, waitMs))
	}
	c.require(batch.Submit())
	refused, err := calls[most].Wait(c.patient())
	c.require(err)
	c.same(refused.Outcome, echo.ConsultationTooMany)
	for i := 0; i < most; i++ {
		c.require(host.PickReturn(c.patient(), next(c, questions).Value.Question, 0))
	}
	for _, call := range calls[:most] {
		consulted, err := call.Wait(c.patient())
		c.require(err)
		c.same(consulted.Text, "tea")
	}
	questions.Close()
	c.answer(host, picked)
	c.same(c.consult(host, "tea", waitMs).Text, "tea")
	c.destroy(host)
}

func aFunctionMayCall(c *checker) {
	host := c.host(options{})
	c.answer(host, func(ctx context.Context, asked echo.PickAsked) (uint32, error) {
		if asked.Title == "coffee" {
			// a question in the course of a question
			if inner, err := host.Consult(ctx, "tea", choices, waitMs); err != nil || inner.Text != "tea" {
				return 0, errors.New("the inner question has no answer")
			}
		}
		reply, err := host.Echo(ctx, echo.EchoRequest{Message: "inside", DelayMs: 1})
		if err != nil || reply.Echoed != "hi inside" {
			return 0, errors.New("the call inside failed")
		}
		return picked(ctx, asked)
	})
	c.same(c.consult(host, "coffee", waitMs).Text, "coffee")
	c.destroy(host)
}

func aContextEndsAmidAQuestion(c *checker) {
	host := c.host(options{})
	heard := make(chan struct{})
	c.answer(host, func(ctx context.Context, _ echo.PickAsked) (uint32, error) {
		close(heard)
		<-ctx.Done()
		return 0, ctx.Err()
	})
	call := c.consulting(host, "tea")
	<-heard
	c.destroy(host)
	<-call
}
