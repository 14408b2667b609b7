// SPDX-License-Identifier: BSD-3-Clause

// The conformance program in Go: what tests/ingress/README.md lists, in both wire formats.
package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"echo"
	"ferryingress"
	"ferryingress/wire"
)

// patience bounds waiting for what others do, so that a fault is a failure and not a hang.
const patience = 60 * time.Second

type options = ferryingress.Options

// checker makes contexts of one wire format, which end with the test, and after which no goroutine is left.
type checker struct {
	*testing.T
	wire ferryingress.Wire
}

type conformanceCase struct {
	name string
	run  func(*checker)
}

var cases = []conformanceCase{
	{"statics_need_no_context", staticsNeedNoContext},
	{"another_interface_is_refused", anotherInterfaceIsRefused},
	{"echo_in_every_form", echoInEveryForm},
	{"values_of_every_type", valuesOfEveryType},
	{"trees_are_bounded", treesAreBounded},
	{"complex", complexRequests},
	{"bytes_of_every_size", bytesOfEverySize},
	{"failures_have_their_status_and_message", failuresHaveTheirStatusAndMessage},
	{"errors_have_their_type", errorsHaveTheirType},
	{"a_variant_has_one_of_its_cases", aVariantHasOneOfItsCases},
	{"what_is_left_out_has_its_default", whatIsLeftOutHasItsDefault},
	{"a_constructor_that_fails_leaves_nothing", aConstructorThatFailsLeavesNothing},
	{"a_payload_that_is_no_value_is_refused_with_its_path", aPayloadThatIsNoValue},
	{"deadlines", deadlines},
	{"a_cancelled_call_is_seen_by_the_library", aCancelledCallIsSeen},
	{"a_running_request_says_so", aRunningRequestSaysSo},
	{"a_full_queue_is_refused", aFullQueueIsRefused},
	{"a_payload_over_the_limit_is_refused", aPayloadOverTheLimit},
	{"what_waits_when_a_context_ends_is_told", whatWaitsIsTold},
	{"a_closed_reader_is_never_another", aClosedReaderIsNeverAnother},
	{"events_reach_their_listeners", eventsReachTheirListeners},
	{"an_overflowing_listener_counts_what_it_lost_and_recovers", anOverflowingListener},
	{"a_listener_may_end_itself_and_call", aListenerMayEndItselfAndCall},
	{"many_threads_get_their_own_replies", manyThreadsGetTheirOwnReplies},
	{"contexts_live_side_by_side", contextsLiveSideBySide},
	{"a_call_may_be_cancelled", aCallMayBeCancelled},
	{"a_batch_keeps_its_order", aBatchKeepsItsOrder},
	{"a_slow_call_holds_no_other_up", aSlowCallHoldsNoOtherUp},
	{"calls_at_every_pace_are_answered", callsAtEveryPace},
	{"a_context_that_is_forgotten_ends", aContextThatIsForgottenEnds},
	{"closing_races_with_calls", closingRacesWithCalls},
}

func Test(t *testing.T) { run(t, cases) }

// run runs every case in both formats; each has to end with the goroutines that it began with, but for the one that may
// wait for static methods.
func run(t *testing.T, cases []conformanceCase) {
	for _, format := range []ferryingress.Wire{ferryingress.WireCBOR, ferryingress.WireC} {
		for _, each := range cases {
			each := each
			t.Run(fmt.Sprintf("%s/%d", each.name, format), func(t *testing.T) {
				before := runtime.NumGoroutine()
				each.run(&checker{t, format})
				for end := time.Now().Add(patience); runtime.NumGoroutine() > before+1; time.Sleep(time.Millisecond) {
					if time.Now().After(end) {
						stacks := make([]byte, 1<<16)
						t.Fatalf("goroutines are left:\n%s", stacks[:runtime.Stack(stacks, true)])
					}
				}
			})
		}
	}
}

func (c *checker) patient() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	c.Cleanup(cancel)
	return ctx
}

// host makes a context; the case ends it.
func (c *checker) host(with options) *echo.Echo {
	c.Helper()
	with.Wire = c.wire
	made, err := echo.Create(c.patient(), "hi ", &with)
	c.require(err)
	return made
}

func (c *checker) destroy(host *echo.Echo) {
	c.Helper()
	c.require(host.Destroy(context.Background()))
}

func (c *checker) require(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

func (c *checker) fails(err error, status ferryingress.Status, message string) {
	c.Helper()
	if !errors.Is(err, status) {
		c.Fatalf("%v has another status than %q", err, status)
	}
	if message != "" && err.Error() != message {
		c.Fatalf("%q is not %q", err, message)
	}
}

func (c *checker) same(found, wanted any) {
	c.Helper()
	if !reflect.DeepEqual(found, wanted) {
		c.Fatalf("%#v is not %#v", found, wanted)
	}
}

// works checks that the next call works.
func (c *checker) works(host *echo.Echo) {
	c.Helper()
	reply, err := host.Echo(c.patient(), echo.EchoRequest{Message: "you"})
	c.require(err)
	c.same(reply.Echoed, "hi you")
}

func staticsNeedNoContext(c *checker) {
	version, err := echo.Version(c.patient())
	c.require(err)
	c.same(version, "0.1.0")
	sum, err := echo.Sum(c.patient(), echo.Lowest, -1)
	c.require(err)
	c.same(sum, int64(math.MaxInt64))
	c.same(echo.Greeting, "hello, \"wörld\"")
	c.same(echo.Half, 0.5)
}

func anotherInterfaceIsRefused(c *checker) {
	other := ferryingress.NewLibrary("echo", 1, wire.C)
	_, err := ferryingress.CallStatic(c.patient(), other, 13, wire.NoParams, &wire.Unit{}, wire.Text)
	c.fails(err, ferryingress.WrongInterface, "")
}

func echoInEveryForm(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	for _, delay := range []int64{0, 5} {
		request := echo.EchoRequest{Message: "you", DelayMs: delay}
		reply, err := host.Echo(c.patient(), request)
		c.require(err)
		c.same(reply, echo.EchoResponse{Echoed: "hi you", Timer: fmt.Sprint(delay, " ms")})
		batch := host.Batch()
		later := batch.Echo(request)
		c.require(batch.Submit())
		again, err := later.Wait(c.patient())
		c.require(err)
		c.same(again, reply)
	}
}

func pointer[T any](value T) *T { return &value }

func allTypes() echo.AllTypes {
	all := make([]byte, 256)
	for index := range all {
		all[index] = byte(index)
	}
	return echo.AllTypes{
		ABool: true, AnI8: math.MinInt8, AnI16: math.MinInt16, AnI32: math.MinInt32, AnI64: math.MinInt64,
		AU8: math.MaxUint8, AU16: math.MaxUint16, AU32: math.MaxUint32, AU64: math.MaxUint64,
		AnF32: 1.5, AnF64: 1e300, AString: "wörld\x00", SomeBytes: all, AColor: echo.ColorBlue,
		AnObject:  echo.EchoRequest{Message: "inside", DelayMs: 7},
		MaybeText: pointer("some"), MaybeColor: pointer(echo.ColorNone),
		Numbers: []float64{0.1, -2, math.Inf(1)}, Flags: []bool{true, false}, Colors: []echo.Color{echo.ColorRed},
		Rows:       [][]int32{{1, 2}, nil, {-3}},
		MaybeWords: []*string{pointer("a"), nil, pointer("")},
		Blobs:      [][]byte{nil, {0}}, TextByNumber: map[int32]string{-1: "minus", 5: "five"},
		NumberByText:  map[string]int64{"b": 1, "aa": 2, "": 3},
		ObjectsByText: map[string]echo.EchoRequest{"k": {Message: "v", DelayMs: -1}},
	}
}

func valuesOfEveryType(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	found, err := host.All(c.patient(), allTypes())
	c.require(err)
	c.same(found, allTypes())
	for _, value := range []*string{nil, pointer(""), pointer("some")} {
		found, err := host.Maybe(c.patient(), value)
		c.require(err)
		c.same(found, value)
	}
}

func tree(levels int) echo.Tree {
	made := echo.Tree{Name: "leaf"}
	for ; levels > 1; levels-- {
		made = echo.Tree{Name: "node", Children: []echo.Tree{made}}
	}
	return made
}

func treesAreBounded(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	// each level is an object and a sequence, and the request is an object
	found, err := host.Tree(c.patient(), tree(15))
	c.require(err)
	c.same(found, tree(15))
	_, err = host.Tree(c.patient(), tree(40))
	c.fails(err, ferryingress.BadArgument, "request: nested too deep")
	c.works(host)
}

func complexRequests(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	found, err := host.Complex(c.patient(), echo.ComplexRequest{
		Messages: []echo.EchoRequest{{Message: "a"}, {Message: "b"}}, Tags: []string{"x", "y"}, Note: pointer("note"),
	})
	c.require(err)
	c.same(found, echo.ComplexResponse{Summary: "a,b;x,y", ItemCount: 4, HasNote: true, Retries: -1})
	found, err = host.Complex(c.patient(), echo.ComplexRequest{})
	c.require(err)
	c.same(found.Summary, ";")
}

func bytesOfEverySize(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	for _, count := range []int{0, 1, 100, 511, 512, 513, 65536, 1 << 20} {
		payload := bytes.Repeat([]byte{byte(count), 7}, count)[:count]
		found, err := host.Bytes(c.patient(), payload)
		c.require(err)
		if !bytes.Equal(found, payload) {
			c.Fatal(count)
		}
	}
}

func failuresHaveTheirStatusAndMessage(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	c.fails(host.Fail(c.patient(), "it is wörld"), ferryingress.Failed, "it is wörld")
	c.works(host)
}

func errorsHaveTheirType(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	_, err := host.Divide(c.patient(), 7, 0)
	c.fails(err, ferryingress.Raised, "DivideError: by_zero")
	var divided echo.DivideError
	if !errors.As(err, &divided) || divided != echo.DivideErrorByZero || !errors.Is(err, echo.DivideErrorByZero) {
		c.Fatalf("divide by 0 gave %v", err)
	}
	if _, err = host.Divide(c.patient(), echo.Lowest, -1); !errors.Is(err, echo.DivideErrorOverflow) {
		c.Fatalf("divide gave %v", err)
	}
	batch := host.Batch()
	later := batch.Divide(7, 0)
	c.require(batch.Submit())
	if _, err = later.Wait(c.patient()); !errors.Is(err, echo.DivideErrorByZero) {
		c.Fatalf("divide in a batch gave %v", err)
	}
	quotient, err := host.Divide(c.patient(), 7, -2)
	c.require(err)
	c.same(quotient, int64(-3))
	_, err = echo.Parse(c.patient(), "12x")
	var parsed echo.ParseError
	if !errors.As(err, &parsed) || parsed != (echo.ParseError{Reason: "no digit", Position: 2}) {
		c.Fatalf("parse gave %v", err)
	}
	_, err = echo.Parse(c.patient(), "")
	c.fails(err, ferryingress.Failed, "there is no text")
	number, err := echo.Parse(c.patient(), "12")
	c.require(err)
	c.same(number, int64(12))
}

func aVariantHasOneOfItsCases(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	events, err := host.DrawnEvents()
	c.require(err)
	label := func(text string) echo.Shape { return echo.Shape{Label: &echo.ShapeLabel{Text: text}} }
	group := func(parts ...echo.Shape) echo.Shape { return echo.Shape{Group: &echo.ShapeGroup{Parts: parts}} }
	shapes := []echo.Shape{
		{Circle: &echo.ShapeCircle{Radius: 1.5}},
		{Square: &echo.ShapeSquare{Side: 2, Angle: 45}},
		{Nothing: true},
		{Caption: &echo.ShapeLabel{Text: "c"}},
		group(label("l"), group([]echo.Shape{}...)),
	}
	drawing := echo.Drawing{Name: "d", Shapes: shapes}
	drawing.IsColored.True = &echo.DrawingTrue{Color: echo.ColorBlue}
	extra := label("x")
	whole, err := host.Draw(c.patient(), drawing, &extra)
	c.require(err)
	parts := append([]echo.Shape{{Caption: &echo.ShapeLabel{Text: "d 7"}}}, shapes...)
	expected := group(append(parts, extra)...)
	if fmt.Sprint(texts(whole)) != fmt.Sprint(texts(expected)) {
		c.Fatalf("draw gave %v", texts(whole))
	}
	if drawn := next(c, events).Value; fmt.Sprint(texts(drawn)) != fmt.Sprint(texts(expected)) {
		c.Fatalf("drawn was %v", texts(drawn))
	}
	drawing.IsColored = echo.DrawingByIsColored{False: true}
	whole, err = host.Draw(c.patient(), drawing, nil)
	c.require(err)
	c.same(whole.Group.Parts[0].Label.Text, "d")
	drawing.Shapes = nil
	_, err = host.Draw(c.patient(), drawing, nil)
	c.fails(err, ferryingress.Raised, "DrawError: empty")
	drawing.Shapes = make([]echo.Shape, 101)
	for index := range drawing.Shapes {
		drawing.Shapes[index].Nothing = true
	}
	_, err = host.Draw(c.patient(), drawing, nil)
	var many echo.DrawError
	if !errors.As(err, &many) || many.TooMany == nil || many.TooMany.Count != 101 {
		c.Fatalf("draw of 101 shapes gave %v", err)
	}
	c.fails(err, ferryingress.Raised, "DrawError: too_many {Count:101}")
	// no case, and two
	for _, wrong := range []echo.Shape{{}, {Nothing: true, Label: &echo.ShapeLabel{}}} {
		drawing.Shapes = []echo.Shape{wrong}
		if _, err = host.Draw(c.patient(), drawing, nil); err == nil || !strings.Contains(err.Error(), "one case") {
			c.Fatalf("draw of %v gave %v", wrong, err)
		}
	}
}

// texts is what a shape is, with the values behind its pointers.
func texts(shape echo.Shape) any {
	switch {
	case shape.Circle != nil:
		return *shape.Circle
	case shape.Square != nil:
		return *shape.Square
	case shape.Label != nil:
		return *shape.Label
	case shape.Caption != nil:
		return []any{"caption", *shape.Caption}
	case shape.Group != nil:
		parts := []any{"group"}
		for _, part := range shape.Group.Parts {
			parts = append(parts, texts(part))
		}
		return parts
	}
	return shape.Nothing
}

func whatIsLeftOutHasItsDefault(c *checker) {
	more, remark := echo.NewChorus("ho"), "so: "
	more.Times = 4
	whole := echo.Chorus{
		Times: 1, Text: "a", Factor: 2, Separator: "-", Loud: false, Color: echo.ColorNone, Remark: &remark,
	}
	for expected, chorus := range map[string]echo.Chorus{
		"ho, ho, ho! 7":             echo.NewChorus("ho"),
		"ho, ho, ho, ho, ho, ho! 7": more,
		"so: a-a -1":                whole,
	} {
		said, err := echo.Sing(c.patient(), chorus)
		c.require(err)
		c.same(said, expected)
	}
	c.same(echo.NewEchoRequest("you"), echo.EchoRequest{Message: "you"})
}

func aConstructorThatFailsLeavesNothing(c *checker) {
	for attempt := 0; attempt < 50; attempt++ {
		_, err := echo.Create(c.patient(), "fail", &options{Wire: c.wire})
		c.fails(err, ferryingress.Failed, "the prefix says to fail")
	}
	host := c.host(options{})
	c.works(host)
	c.destroy(host)
}

func aPayloadThatIsNoValue(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	_, err := host.Echo(c.patient(), echo.EchoRequest{Message: "a\xff"})
	c.fails(err, ferryingress.BadPayload, "request.message: invalid UTF-8")
	c.works(host)
}

func deadlines(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := host.Echo(ctx, echo.EchoRequest{Message: "late", DelayMs: 300})
	c.fails(err, ferryingress.Timeout, "")
	if !errors.Is(err, context.DeadlineExceeded) {
		c.Fatal(err)
	}
	c.works(host)
	_, err = host.Echo(ctx, echo.EchoRequest{})
	c.fails(err, ferryingress.Timeout, "")
}

func aRunningRequestSaysSo(c *checker) {
	var heard atomic.Int32
	host := c.host(options{Stale: 20 * time.Millisecond, OnStale: func(method uint32) {
		if method == 2 {
			heard.Add(1)
		}
	}})
	defer c.destroy(host)
	reply, err := host.Echo(c.patient(), echo.EchoRequest{Message: "you", DelayMs: 300})
	c.require(err)
	c.same(reply.Echoed, "hi you")
	if heard.Load() < 2 {
		c.Fatal(heard.Load())
	}
}

func aFullQueueIsRefused(c *checker) {
	host := c.host(options{QueueDepth: 8})
	defer c.destroy(host)
	batch := host.Batch()
	var pending []*ferryingress.Pending[echo.EchoResponse]
	for index := 0; index < 9; index++ {
		pending = append(pending, batch.Echo(echo.EchoRequest{Message: "you", DelayMs: 200}))
	}
	c.require(batch.Submit())
	for index, each := range pending {
		reply, err := each.Wait(c.patient())
		if index == 8 {
			c.fails(err, ferryingress.QueueFull, "")
		} else {
			c.require(err)
			c.same(reply.Echoed, "hi you")
		}
	}
	c.works(host)
}

func aPayloadOverTheLimit(c *checker) {
	host := c.host(options{PayloadBytes: 1000})
	defer c.destroy(host)
	_, err := host.Bytes(c.patient(), make([]byte, 1001))
	c.fails(err, ferryingress.TooLarge, "")
	found, err := host.Bytes(c.patient(), make([]byte, 900))
	c.require(err)
	c.same(len(found), 900)
}

func whatWaitsIsTold(c *checker) {
	host := c.host(options{})
	batch := host.Batch()
	var pending []*ferryingress.Pending[echo.EchoResponse]
	for index := 0; index < 20; index++ {
		pending = append(pending, batch.Echo(echo.EchoRequest{DelayMs: 60_000}))
	}
	last := batch.Echo(echo.EchoRequest{})
	c.require(batch.Submit())
	_, err := last.Wait(c.patient()) // now all handlers run
	c.require(err)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	c.fails(host.Destroy(ctx), ferryingress.Timeout, "")
	for _, each := range pending {
		_, err := each.Wait(c.patient())
		c.fails(err, ferryingress.Closed, "")
	}
	_, err = host.Echo(c.patient(), echo.EchoRequest{})
	c.fails(err, ferryingress.Closed, "")
	_, err = host.TickEvents()
	c.fails(err, ferryingress.Closed, "")
}

func aClosedReaderIsNeverAnother(c *checker) {
	host, other := c.host(options{}), c.host(options{})
	defer c.destroy(host)
	defer c.destroy(other)
	reader, err := host.Open(c.patient(), "abcdef")
	c.require(err)
	_, err = other.Read(c.patient(), reader, 4)
	c.fails(err, ferryingress.BadHandle, "")
	for _, wanted := range []*string{pointer("abcd"), pointer("ef"), nil} {
		found, err := host.Read(c.patient(), reader, 4)
		c.require(err)
		c.same(found, wanted)
	}
	c.require(host.Close(c.patient(), reader))
	for _, none := range []echo.Reader{reader, 0} {
		_, err = host.Read(c.patient(), none, 4)
		c.fails(err, ferryingress.BadHandle, "")
	}
	again, err := host.Open(c.patient(), "abcdef")
	c.require(err)
	if again == reader {
		c.Fatal(again)
	}
}

func next[T any](c *checker, events *ferryingress.Events[T]) ferryingress.Event[T] {
	c.Helper()
	select {
	case event, isOpen := <-events.C:
		if !isOpen {
			c.Fatal("the stream has ended")
		}
		c.require(event.Err)
		return event
	case <-time.After(patience):
		c.Fatal("no event came")
	}
	panic("unreachable")
}

func eventsReachTheirListeners(c *checker) {
	host, other := c.host(options{}), c.host(options{})
	defer c.destroy(other)
	echoed, err := host.EchoedEvents()
	c.require(err)
	ticks, err := host.TickEvents()
	c.require(err)
	silent, err := other.EchoedEvents()
	c.require(err)
	c.works(host)
	c.same(next(c, echoed).Value.Echoed, "hi you")
	c.require(host.Ticks(c.patient(), 3))
	for index := 0; index < 3; index++ {
		next(c, ticks)
	}
	echoed.Close()
	echoed.Close()
	c.works(host)
	if _, isOpen := <-echoed.C; isOpen {
		c.Fatal("a closed stream has an event")
	}
	c.destroy(host)
	if _, isOpen := <-ticks.C; isOpen {
		c.Fatal("an event after the end of the context")
	}
	ticks.Close()
	silent.Close()
	if _, isOpen := <-silent.C; isOpen {
		c.Fatal("an event of another context")
	}
}

func anOverflowingListener(c *checker) {
	host := c.host(options{EventDepth: 4})
	defer c.destroy(host)
	ticks, err := host.TickEvents()
	c.require(err)
	defer ticks.Close()
	c.require(host.Ticks(c.patient(), 1000))
	c.works(host)
	heard, lost := 0, uint64(0)
	sent := 1000
	for heard+int(lost) < sent {
		select {
		case event := <-ticks.C:
			heard++
			lost += event.Lost
		case <-time.After(100 * time.Millisecond):
			sent++
			c.require(host.Ticks(c.patient(), 1)) // the next event says how many were lost
		}
	}
	// 4 wait in the core, and as many as were taken at once in Go
	if heard > 100 || lost < 900 {
		c.Fatal(heard, lost)
	}
}

func aListenerMayEndItselfAndCall(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	ticks, err := host.TickEvents()
	c.require(err)
	done := make(chan error)
	go func() {
		<-ticks.C
		ticks.Close()
		_, err := host.Echo(c.patient(), echo.EchoRequest{})
		done <- err
	}()
	c.require(host.Ticks(c.patient(), 1))
	c.require(<-done)
	c.require(host.Ticks(c.patient(), 1))
	if _, isOpen := <-ticks.C; isOpen {
		c.Fatal("a closed stream has an event")
	}
}

// hammer calls from many goroutines at once; each has to get its own replies.
func hammer(c *checker, host *echo.Echo, goroutines, calls int) {
	var all sync.WaitGroup
	wrong := make(chan string, goroutines)
	for number := 0; number < goroutines; number++ {
		all.Add(1)
		go func(number int) {
			defer all.Done()
			for index := 0; index < calls; index++ {
				text := fmt.Sprint(number, ".", index)
				reply, err := host.Echo(context.Background(), echo.EchoRequest{Message: text})
				if err != nil || reply.Echoed != "hi "+text {
					wrong <- fmt.Sprint(text, reply, err)
					return
				}
			}
		}(number)
	}
	all.Wait()
	close(wrong)
	for each := range wrong {
		c.Error(each)
	}
}

func manyThreadsGetTheirOwnReplies(c *checker) {
	for _, processors := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(processors)
		host := c.host(options{})
		hammer(c, host, 50, 100)
		c.destroy(host)
		runtime.GOMAXPROCS(before)
	}
}

func contextsLiveSideBySide(c *checker) {
	var all sync.WaitGroup
	for number := 0; number < 4; number++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for round := 0; round < 5; round++ {
				host, err := echo.Create(context.Background(), "hi ", &options{Wire: c.wire})
				if err != nil {
					c.Error(err)
					return
				}
				hammer(c, host, 3, 10)
				if err := host.Destroy(context.Background()); err != nil {
					c.Error(err)
				}
			}
		}()
	}
	all.Wait()
}

func aCancelledCallIsSeen(c *checker) {
	running := make(chan uint32, 1000)
	host := c.host(options{Stale: 20 * time.Millisecond, OnStale: func(method uint32) {
		select {
		case running <- method:
		default:
		}
	}})
	defer c.destroy(host)
	events, err := host.EchoedEvents()
	c.require(err)
	defer events.Close()
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	begin := func(call func() error) {
		all.Add(1)
		go func() {
			defer all.Done()
			if err := call(); err != context.Canceled {
				c.Errorf("a cancelled call gave %v", err)
			}
		}()
	}
	begin(func() error { return host.Nap(ctx, 60_000) })
	nap := <-running
	batch := host.Batch()
	later := batch.Nap(60_000)
	c.require(batch.Submit())
	begin(func() error { return host.Spin(ctx, 60_000) })
	// until the library runs the spin: what comes then waits
	for nap == <-running {
	}
	waits, stop := context.WithCancel(ctx)
	time.AfterFunc(20*time.Millisecond, stop)
	_, err = host.Echo(waits, echo.EchoRequest{Message: "never"})
	if err != context.Canceled {
		c.Errorf("a cancelled call gave %v", err)
	}
	// only now: the library goes on when the spin has ended, and would begin what is not cancelled yet
	cancel()
	all.Wait()
	later.Cancel()
	_, err = later.Wait(c.patient())
	c.fails(err, ferryingress.Cancelled, "cancelled")
	for {
		count, err := host.Cancellations(c.patient())
		c.require(err)
		if count == 3 {
			break
		}
	}
	c.works(host)
	if event := <-events.C; event.Value.Echoed != "hi you" {
		c.Fatalf("heard %q", event.Value.Echoed)
	}
}

func aCallMayBeCancelled(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(10*time.Millisecond, cancel)
	_, err := host.Echo(ctx, echo.EchoRequest{DelayMs: 200})
	if err != context.Canceled {
		c.Fatal(err)
	}
	c.works(host)
	if _, err = host.Echo(ctx, echo.EchoRequest{}); err != context.Canceled {
		c.Fatal(err)
	}
	batch := host.Batch()
	later := batch.Echo(echo.EchoRequest{Message: "you", DelayMs: 50})
	c.require(batch.Submit())
	if _, err = later.Wait(ctx); err != context.Canceled {
		c.Fatal(err)
	}
	reply, err := later.Wait(c.patient())
	c.require(err)
	c.same(reply.Echoed, "hi you")
}

func aBatchKeepsItsOrder(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	reader, err := host.Open(c.patient(), strings.Repeat("abcdefgh", 100))
	c.require(err)
	batch := host.Batch()
	for round := 0; round < 2; round++ {
		var pending []*ferryingress.Pending[*string]
		for index := 0; index < 400; index++ {
			pending = append(pending, batch.Read(reader, 1))
		}
		c.require(batch.Submit())
		for index, each := range pending {
			found, err := each.Wait(c.patient())
			c.require(err)
			c.same(*found, string(rune('a'+index%8)))
		}
	}
	bad := batch.Tree(tree(40))
	good := batch.Fail("as told")
	c.require(batch.Submit())
	_, err = bad.Wait(c.patient())
	c.fails(err, ferryingress.BadArgument, "request: nested too deep")
	_, err = good.Wait(c.patient())
	c.fails(err, ferryingress.Failed, "as told")
}

func aSlowCallHoldsNoOtherUp(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	done := make(chan error, 1)
	go func() {
		_, err := host.Echo(context.Background(), echo.EchoRequest{DelayMs: 1500})
		done <- err
	}()
	time.Sleep(20 * time.Millisecond)
	hammer(c, host, 4, 50)
	select {
	case err := <-done:
		c.Fatal("the slow call came first", err)
	default:
	}
	c.require(<-done)
}

// callsAtEveryPace calls from goroutines that pause before each call, longer and longer: so replies come while a goroutine
// waits in C, while the taker goes to sleep in the poller, and after that.
func callsAtEveryPace(c *checker) {
	const goroutines, rounds, pauses = 3, 200, 40
	host := c.host(options{})
	var all sync.WaitGroup
	for number := 0; number < goroutines; number++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for round := 0; round < rounds; round++ {
				for pause := time.Duration(0); pause < pauses; pause++ {
					for end := time.Now().Add(pause * time.Microsecond); time.Now().Before(end); {
					}
					if _, err := host.Echo(c.patient(), echo.EchoRequest{Message: "you"}); err != nil {
						c.Error(err)
						return
					}
				}
			}
		}()
	}
	all.Wait()
	c.destroy(host)
}

// forgotten is a stream of a context to which nothing refers any more.
func forgotten(c *checker) *ferryingress.Events[wire.Unit] {
	host := c.host(options{})
	c.works(host)
	ticks, err := host.TickEvents()
	c.require(err)
	return ticks
}

func aContextThatIsForgottenEnds(c *checker) {
	for index := 0; index < 10; index++ {
		ticks := forgotten(c)
		for end, isOpen := time.Now().Add(patience), true; isOpen; {
			runtime.GC()
			select {
			case _, isOpen = <-ticks.C:
			case <-time.After(time.Millisecond):
			}
			if time.Now().After(end) {
				c.Fatal("the context is not collected")
			}
		}
	}
}

func closingRacesWithCalls(c *checker) {
	for round := 0; round < 20; round++ {
		host := c.host(options{})
		var all sync.WaitGroup
		for number := 0; number < 4; number++ {
			all.Add(1)
			go func() {
				defer all.Done()
				for {
					reply, err := host.Echo(context.Background(), echo.EchoRequest{Message: "you"})
					if err != nil {
						if !errors.Is(err, ferryingress.Closed) && !errors.Is(err, ferryingress.BadToken) {
							c.Error(err)
						}
						return
					}
					if reply.Echoed != "hi you" {
						c.Error(reply)
					}
				}
			}()
		}
		time.Sleep(time.Duration(round) * 100 * time.Microsecond)
		c.destroy(host)
		all.Wait()
	}
}
