// SPDX-License-Identifier: BSD-3-Clause

package conformance

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"echo"
	"ferryingress"
)

var streamCases = []conformanceCase{
	{"streams_give_every_value", streamsGiveEveryValue},
	{"a_stream_may_fail_midway", aStreamMayFailMidway},
	{"a_stream_that_is_left_is_seen_by_the_library", aStreamThatIsLeft},
	{"a_slow_host_holds_a_stream_up", aSlowHostHoldsAStreamUp},
	{"streams_go_side_by_side", streamsGoSideBySide},
	{"a_stream_of_values_ends_with_its_context", aStreamEndsWithItsContext},
	{"a_stream_goes_on_after_a_deadline", aStreamGoesOnAfterADeadline},
}

func TestStreams(t *testing.T) { run(t, streamCases) }

// endless is a count without an end that a test would reach.
const endless = 1 << 31

const moment = 20 * time.Millisecond

func upTo(count uint32) echo.CountRequest { return echo.NewCountRequest(count) }

// silent is a count whose first number does not come while a test waits.
func silent() echo.CountRequest {
	request := upTo(1)
	request.DelayMs = 60_000
	return request
}

func (c *checker) numbers(stream *ferryingress.Stream[echo.Counted], count uint32) {
	c.Helper()
	for number := uint32(0); number < count; number++ {
		c.number(stream, number)
	}
	_, ok, err := stream.Next(c.patient())
	c.require(err)
	c.same(ok, false)
}

func (c *checker) number(stream *ferryingress.Stream[echo.Counted], number uint32) {
	c.Helper()
	each, ok, err := stream.Next(c.patient())
	c.require(err)
	c.same(ok, true)
	c.same(each.Number, number)
}

func (c *checker) counts(host *echo.Echo) echo.Counts {
	c.Helper()
	counts, err := host.Counting(c.patient())
	c.require(err)
	return counts
}

// stopped waits until no count runs, and returns how many were stopped.
func (c *checker) stopped(host *echo.Echo) uint32 {
	c.Helper()
	for end := time.Now().Add(patience); ; runtime.GC() {
		counts := c.counts(host)
		if counts.Running == 0 {
			return counts.Stopped
		}
		if time.Now().After(end) {
			c.Fatalf("%d counts still run", counts.Running)
		}
	}
}

func streamsGiveEveryValue(c *checker) {
	host := c.host(options{})
	for _, count := range []uint32{0, 1, 255, 256, 257, 1000} {
		c.numbers(host.Count(upTo(count), 0), count)
	}
	c.numbers(host.Count(upTo(50), 1), 50)
	large := upTo(50)
	large.TextBytes = 10_000
	stream := host.Count(large, 0)
	for number := 0; number < 50; number++ {
		each, ok, err := stream.Next(c.patient())
		c.require(err)
		c.same(ok, true)
		c.same(each.Text, strings.Repeat("x", 10_000))
	}
	slow := upTo(3)
	slow.DelayMs = 1
	c.numbers(host.Count(slow, 0), 3)
	c.destroy(host)
}

func aStreamMayFailMidway(c *checker) {
	host := c.host(options{})
	for _, failing := range []uint32{500, 0} {
		request := upTo(1000)
		request.FailAt = &failing
		stream := host.Count(request, 0)
		for number := uint32(0); number < failing; number++ {
			c.number(stream, number)
		}
		_, ok, err := stream.Next(c.patient())
		c.same(ok, false)
		if !errors.Is(err, echo.CountErrorTooFar) {
			c.Fatal(err)
		}
		c.numbers(stream, 0)
	}
	wrong := upTo(1)
	wrong.DelayMs = -1
	_, _, err := host.Count(wrong, 0).Next(c.patient())
	c.fails(err, ferryingress.Failed, "")
	c.same(c.stopped(host), uint32(0))
	c.works(host)
	c.destroy(host)
}

func aStreamThatIsLeft(c *checker) {
	host := c.host(options{})
	stream, waiting := host.Count(upTo(endless), 0), host.Count(silent(), 0)
	for number := uint32(0); number < 20; number++ {
		c.number(stream, number)
	}
	short, cancel := context.WithTimeout(context.Background(), moment)
	defer cancel()
	_, _, err := waiting.Next(short)
	c.fails(err, ferryingress.Timeout, "")
	c.same(c.counts(host).Running, uint32(2))
	stream.Close()
	stream.Close()
	waiting.Close()
	c.same(c.stopped(host), uint32(2))
	_, _, err = waiting.Next(c.patient())
	c.fails(err, ferryingress.Closed, "")
	// one that is forgotten is closed when it is collected
	c.number(host.Count(upTo(endless), 0), 0)
	c.same(c.stopped(host), uint32(3))
	c.destroy(host)
}

func aSlowHostHoldsAStreamUp(c *checker) {
	host := c.host(options{})
	stream := host.Count(upTo(endless), 16)
	c.number(stream, 0)
	time.Sleep(moment)
	given := c.counts(host).Given
	if given > 33 {
		c.Fatalf("%d numbers were given", given)
	}
	c.works(host)
	large := upTo(endless)
	large.TextBytes = 30_000
	texts := host.Count(large, 0)
	c.number(texts, 0)
	time.Sleep(moment)
	if more := c.counts(host).Given - given; more > 8 {
		c.Fatalf("%d texts were given", more)
	}
	stream.Close()
	texts.Close()
	c.destroy(host)
}

func streamsGoSideBySide(c *checker) {
	host := c.host(options{})
	first, second := host.Count(upTo(300), 7), host.Count(upTo(300), 0)
	for number := uint32(0); number < 300; number++ {
		c.number(first, number)
		c.number(second, number)
		if number%50 == 0 {
			c.works(host)
		}
	}
	c.numbers(first, 0)
	c.numbers(second, 0)
	var all sync.WaitGroup
	for goroutine := 0; goroutine < 4; goroutine++ {
		all.Add(1)
		go func() {
			defer all.Done()
			stream := host.Count(upTo(1000), 9)
			for number := uint32(0); number < 1000; number++ {
				each, _, err := stream.Next(context.Background())
				if err != nil || each.Number != number {
					c.Errorf("%v is not %d: %v", each, number, err)
				}
			}
		}()
	}
	all.Wait()
	c.destroy(host)
}

func aStreamEndsWithItsContext(c *checker) {
	host := c.host(options{})
	stream, waiting := host.Count(upTo(endless), 16), host.Count(silent(), 0)
	c.number(stream, 0)
	ended := make(chan error)
	go func() {
		_, _, err := waiting.Next(context.Background())
		ended <- err
	}()
	time.Sleep(moment)
	c.destroy(host)
	c.fails(<-ended, ferryingress.Closed, "")
	var err error
	for ok := true; ok; {
		_, ok, err = stream.Next(c.patient())
	}
	c.fails(err, ferryingress.Closed, "")
	_, _, err = host.Count(upTo(1), 0).Next(c.patient())
	c.fails(err, ferryingress.Closed, "")
}

func aStreamGoesOnAfterADeadline(c *checker) {
	host := c.host(options{})
	request := upTo(2)
	request.DelayMs = 100
	stream := host.Count(request, 0)
	short, cancel := context.WithTimeout(context.Background(), moment)
	defer cancel()
	_, _, err := stream.Next(short)
	c.fails(err, ferryingress.Timeout, "")
	c.numbers(stream, 2)
	c.destroy(host)
}
