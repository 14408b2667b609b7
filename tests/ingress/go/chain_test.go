// SPDX-License-Identifier: BSD-3-Clause

// Chains from Go: a chain gives what the same calls one after another give, whatever fails in the middle.
// tests/network/test_chains.py runs these with the library behind a NATS server.
package conformance

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strconv"
	"sync"
	"testing"
	"time"

	"echo"
	"ferryingress"
)

func TestChains(t *testing.T) {
	run(t, []conformanceCase{
		{"a_chain_takes_results_of_earlier_calls", aChainTakesResults},
		{"a_chain_takes_parts_of_results", aChainTakesParts},
		{"promises_stand_inside_objects_that_are_passed", promisesStandInsideObjects},
		{"promises_stand_in_maps", promisesStandInMaps},
		{"a_chain_reaches_into_variants", aChainReachesIntoVariants},
		{"what_needs_a_failed_call_of_a_chain_is_skipped", whatNeedsAFailedCall},
		{"what_is_not_there_is_named", whatIsNotThereIsNamed},
		{"a_wrong_chain_is_refused_and_nothing_runs", aWrongChainIsRefused},
		{"a_chain_needs_credits_for_all_its_calls", aChainNeedsCredits},
		{"a_chain_is_submitted_once", aChainIsSubmittedOnce},
		{"a_deadline_ends_a_chain", aDeadlineEndsAChain},
		{"a_cancelled_chain_is_seen_by_the_library", aCancelledChainIsSeen},
		{"of_a_cancelled_chain_nothing_begins", ofACancelledChainNothingBegins},
		{"a_context_that_ends_answers_its_chains", aContextThatEndsAnswers},
		{"a_chain_gives_what_calls_in_turn_give", aChainGivesWhatCallsInTurnGive},
		{"a_chain_of_drafts_gives_what_calls_in_turn_give", aChainOfDraftsGivesWhatCallsInTurnGive},
		{"chains_of_many_goroutines", chainsOfManyGoroutines},
	})
}

func number(value int64) ferryingress.Arg[int64] { return ferryingress.Value(value) }

func text(value string) ferryingress.Arg[string] { return ferryingress.Value(value) }

// result is a promise's, which has to be there.
func result[T any](c *checker, promise *ferryingress.Promise[T]) T {
	c.Helper()
	found, err := promise.Result()
	c.require(err)
	return found
}

// ends checks what a promise's call ended with.
func ends[T any](c *checker, promise *ferryingress.Promise[T], status ferryingress.Status, message string) {
	c.Helper()
	_, err := promise.Result()
	c.fails(err, status, message)
}

func aChainTakesResults(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	chain := host.Chain()
	reader := chain.Open(text("a text"))
	start := chain.Read(reader, ferryingress.Value[uint32](6))
	rest := chain.Read(reader, ferryingress.Value[uint32](6))
	closed := chain.Close(reader)
	nothing := chain.Maybe(rest)
	sum := chain.Sum(chain.Sum(number(1), number(2)), number(3))
	all := chain.All(ferryingress.Value(allTypes()))
	again := chain.All(all)
	c.require(chain.Submit(c.patient()))
	c.same(result(c, start), pointer("a text"))
	c.same(result(c, rest), (*string)(nil))
	result(c, closed)
	c.same(result(c, nothing), (*string)(nil))
	c.same(result(c, sum), int64(6))
	c.same(result(c, again), allTypes())
	_, err := host.Read(c.patient(), result(c, reader), 1)
	c.fails(err, ferryingress.BadHandle, "")
}

func aChainTakesParts(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	chain := host.Chain()
	said := echo.EchoResponseEchoed(chain.Echo(ferryingress.Value(echo.EchoRequest{Message: "x"})))
	some := chain.Maybe(ferryingress.Some(said))
	reader := chain.Open(ferryingress.Present(some))
	read := chain.Read(reader, ferryingress.Value[uint32](99))
	leaf := echo.TreeName(ferryingress.Element(echo.TreeChildren(chain.Tree(ferryingress.Value(tree(2)))), 0))
	other := chain.Read(chain.Open(leaf), ferryingress.Value[uint32](99))
	all := chain.All(ferryingress.Value(allTypes()))
	blob := chain.Bytes(ferryingress.Element(echo.AllTypesBlobs(all), 1))
	inside := echo.EchoRequestDelayMs(echo.AllTypesAnObject(all))
	sum := chain.Sum(inside, number(1))
	word := chain.Maybe(ferryingress.Element(echo.AllTypesMaybeWords(all), 0))
	none := chain.Maybe(ferryingress.Element(echo.AllTypesMaybeWords(all), 1))
	c.require(chain.Submit(c.patient()))
	c.same(result(c, read), pointer("hi x"))
	c.same(result(c, other), pointer("leaf"))
	c.same(result(c, leaf), "leaf")
	c.same(result(c, blob), []byte{0})
	c.same(result(c, sum), int64(8))
	c.same(result(c, word), pointer("a"))
	c.same(result(c, none), (*string)(nil))
	c.same(result(c, ferryingress.Element(ferryingress.Element(echo.AllTypesRows(all), 0), 1)), int32(2))
}

func promisesStandInsideObjects(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	chain := host.Chain()
	said := echo.EchoResponseEchoed(chain.Echo(ferryingress.Value(echo.EchoRequest{Message: "x"})))
	none := chain.Maybe(ferryingress.Value[*string](nil))
	request := echo.EchoRequest{Message: "not this", DelayMs: 1}
	second := chain.Echo(ferryingress.Draft(&request, ferryingress.Put(&request.Message, said)))
	// elements, options that are there and are not, and fields of what an option has
	whole := echo.ComplexRequest{
		Messages: []echo.EchoRequest{{Message: "not this"}, {Message: "last"}}, Tags: []string{"t", ""}, Note: pointer("note"),
	}
	parts := []ferryingress.Part{
		ferryingress.Put(&whole.Messages[0].Message, said), ferryingress.Put(&whole.Tags[1], said),
	}
	kept := chain.Complex(ferryingress.Draft(&whole, parts...))
	noted := chain.Complex(ferryingress.Draft(&whole, append(parts, ferryingress.Put(&whole.Note, ferryingress.Some(said)))...))
	inside := chain.Complex(ferryingress.Draft(&whole, append(parts, ferryingress.Put(whole.Note, said))...))
	plain := chain.Complex(ferryingress.Draft(&whole, append(parts, ferryingress.Put(&whole.Note, none))...))
	c.require(chain.Submit(c.patient()))
	c.same(result(c, second).Echoed, "hi hi x")
	for _, promise := range []*ferryingress.Promise[echo.ComplexResponse]{kept, noted, inside} {
		c.same(result(c, promise).Summary, "hi x,last;t,hi x")
		c.same(result(c, promise).HasNote, true)
	}
	c.same(result(c, plain).Summary, "hi x,last;t,hi x")
	c.same(result(c, plain).HasNote, false)

	for message, spoil := range map[string]func(*echo.EchoChain){
		"request 0: request: the promise is of another chain": func(made *echo.EchoChain) {
			made.Echo(ferryingress.Draft(&request, ferryingress.Put(&request.Message, said)))
		},
		"request 0: request: neither a value nor a promise": func(made *echo.EchoChain) {
			made.Echo(ferryingress.Draft[echo.EchoRequest](nil))
		},
		"request 1: a promise was put where its draft has no field, element, value or case": func(made *echo.EchoChain) {
			of := echo.EchoResponseEchoed(made.Echo(ferryingress.Value(request)))
			other := request
			made.Echo(ferryingress.Draft(&request, ferryingress.Put(&other.Message, of)))
		},
	} {
		made := host.Chain()
		spoil(made)
		c.fails(made.Submit(c.patient()), ferryingress.BadArgument, message)
	}
}

func promisesStandInMaps(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	chain := host.Chain()
	said := echo.EchoResponseEchoed(chain.Echo(ferryingress.Value(echo.EchoRequest{Message: "x"})))
	sum := chain.Sum(number(40), number(2))
	all := chain.All(ferryingress.Value(allTypes()))
	value := allTypes()
	// as they travel the keys are 5, 300, -1: what is promised stands between others
	value.TextByNumber = map[int32]string{-1: "minus", 300: "not this", 5: "five"}
	value.NumberByText = map[string]int64{"longer": 1, "n": 0}
	value.ObjectsByText = map[string]echo.EchoRequest{"whole": {}, "of": {Message: "kept"}}
	given := chain.All(ferryingress.Draft(&value,
		ferryingress.PutIn(value.TextByNumber, 300, said), ferryingress.PutIn(value.NumberByText, "n", sum),
		ferryingress.PutIn(value.ObjectsByText, "whole", echo.AllTypesAnObject(all))))
	numbers := echo.AllTypesNumberByText(given)
	kept := echo.EchoRequestMessage(ferryingress.ValueIn(echo.AllTypesObjectsByText(given), "of"))
	request := echo.EchoRequest{}
	again := chain.Echo(ferryingress.Draft(&request, ferryingress.Put(&request.Message, kept)))
	more := chain.Sum(ferryingress.ValueIn(numbers, "n"), number(1))
	missing := ferryingress.ValueIn(numbers, "gone")
	gone := chain.Sum(missing, number(1))
	c.require(chain.Submit(c.patient()))
	c.same(result(c, again).Echoed, "hi kept")
	c.same(result(c, more), int64(43))
	c.same(result(c, ferryingress.ValueIn(numbers, "n")), int64(42))
	_, err := gone.Result()
	c.fails(err, ferryingress.BadPayload, "request 3 of the chain, number_by_text.gone: missing")
	_, err = missing.Result()
	c.fails(err, ferryingress.BadPayload, "number_by_text.gone: missing")
	expected := value
	expected.TextByNumber = map[int32]string{-1: "minus", 300: "hi x", 5: "five"}
	expected.NumberByText = map[string]int64{"longer": 1, "n": 42}
	expected.ObjectsByText = map[string]echo.EchoRequest{"whole": value.AnObject, "of": {Message: "kept"}}
	c.same(result(c, given), expected)

	for _, key := range []string{"", "a.b", "a[0]", "]", "\x00"} {
		made := host.Chain()
		numbers := echo.AllTypesNumberByText(made.All(ferryingress.Value(allTypes())))
		made.Sum(ferryingress.ValueIn(numbers, key), number(1))
		c.fails(made.Submit(c.patient()), ferryingress.BadArgument, "request 1: a promise leads to no key like "+strconv.Quote(key))
	}
	for _, in := range []map[string]int64{nil, {}, {"other": 1}} {
		made := host.Chain()
		sum := made.Sum(number(1), number(2))
		value := allTypes()
		value.NumberByText = in
		made.All(ferryingress.Draft(&value, ferryingress.PutIn(in, "n", sum)))
		c.fails(made.Submit(c.patient()), ferryingress.BadArgument,
			"request 1: a promise was put where its draft has no field, element, value or case")
	}
}

func aChainReachesIntoVariants(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	label := func(text string) *echo.ShapeLabel { return &echo.ShapeLabel{Text: text} }
	group := func(parts ...echo.Shape) echo.Shape { return echo.Shape{Group: &echo.ShapeGroup{Parts: parts}} }
	drawing := func(name string, shapes ...echo.Shape) echo.Drawing {
		return echo.Drawing{Name: name, Shapes: shapes, IsColored: echo.DrawingByIsColored{True: &echo.DrawingTrue{Color: echo.ColorBlue}}}
	}
	x := echo.Shape{Label: label("x")}
	chain := host.Chain()
	drawn := chain.Draw(ferryingress.Value(drawing("d", x, echo.Shape{Nothing: true})), ferryingress.Value[*echo.Shape](nil))
	parts := echo.ShapeGroupParts(echo.ShapeAsGroup(drawn))
	second := ferryingress.Element(parts, 1)
	caption := echo.ShapeAsCaption(ferryingress.Element(parts, 0))
	name := echo.ShapeLabelText(caption)
	nested := drawing("", group(echo.Shape{Caption: label("")}, x, x))
	inner := nested.Shapes[0].Group.Parts
	again := chain.Draw(
		ferryingress.Draft(&nested, ferryingress.Put(&nested.Name, name), ferryingress.Put(&inner[0].Caption.Text, name),
			ferryingress.Put(&inner[1], second), ferryingress.Put(&inner[2], drawn)),
		ferryingress.Some(second))
	// the argument that is declared later comes first in the message
	named, extra := drawing(""), &echo.Shape{Label: label("")}
	other := chain.Draw(
		ferryingress.Draft(&named, ferryingress.Put(&named.Name, name)),
		ferryingress.Draft(&extra, ferryingress.Put(extra.Label, caption)))
	wrong := echo.ShapeLabelText(echo.ShapeAsLabel(ferryingress.Element(parts, 0)))
	opened := chain.Open(wrong)
	circle := echo.ShapeAsCircle(ferryingress.Element(parts, 2))
	round := drawing("w", echo.Shape{Circle: &echo.ShapeCircle{}})
	beyond := chain.Draw(
		ferryingress.Draft(&round, ferryingress.Put(round.Shapes[0].Circle, circle)), ferryingress.Value[*echo.Shape](nil))
	skipped := chain.Close(opened)
	c.require(chain.Submit(c.patient()))
	first := echo.Shape{Caption: label("d 7")}
	c.same(result(c, drawn), group(first, x, echo.Shape{Nothing: true}))
	c.same(result(c, again), group(echo.Shape{Caption: label("d 7 7")}, group(first, x, result(c, drawn)), x))
	c.same(result(c, other), group(echo.Shape{Caption: label("d 7 7")}, echo.Shape{Label: label("d 7")}))
	c.same(result(c, name), "d 7")
	ends(c, opened, ferryingress.BadPayload, "request 0 of the chain, group.parts[0].label.text: missing")
	ends(c, wrong, ferryingress.BadPayload, "group.parts[0].label: missing")
	ends(c, beyond, ferryingress.BadPayload, "request 0 of the chain, group.parts[2].circle: missing")
	ends(c, skipped, ferryingress.Skipped, "")
}

func whatNeedsAFailedCall(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	chain := host.Chain()
	divided := chain.Divide(number(1), number(0))
	skipped := chain.Sum(divided, number(1))
	failed := chain.Fail(text("no"))
	needs := chain.After(failed).Version()
	both := chain.After(skipped).After(failed).Version()
	alone := chain.Sum(number(1), number(2))
	reader := chain.Open(text("x"))
	chain.Close(reader)
	closed := chain.Read(reader, ferryingress.Value[uint32](1))
	parsed := chain.Parse(text("1x"))
	c.require(chain.Submit(c.patient()))
	_, err := divided.Result()
	if !errors.Is(err, ferryingress.Raised) || !errors.Is(err, echo.DivideErrorByZero) {
		c.Fatal(err)
	}
	ends(c, skipped, ferryingress.Skipped, "request 0 of the chain failed, so this one did not run")
	ends(c, failed, ferryingress.Failed, "no")
	ends(c, needs, ferryingress.Skipped, "request 2 of the chain failed, so this one did not run")
	ends(c, both, ferryingress.Skipped, "")
	c.same(result(c, alone), int64(3))
	ends(c, closed, ferryingress.BadHandle, "")
	var wrong echo.ParseError
	if _, err := parsed.Result(); !errors.As(err, &wrong) || wrong.Position != 1 {
		c.Fatal(err)
	}
}

func whatIsNotThereIsNamed(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	chain := host.Chain()
	nothing := ferryingress.Present(chain.Maybe(ferryingress.Value[*string](nil)))
	missing := chain.Open(nothing)
	child := ferryingress.Element(echo.TreeChildren(chain.Tree(ferryingress.Value(tree(1)))), 3)
	none := chain.Tree(child)
	words := echo.AllTypesMaybeWords(chain.All(ferryingress.Value(allTypes())))
	word := ferryingress.Present(ferryingress.Element(words, 1))
	some := chain.Maybe(ferryingress.Some(word)) // what has to be there is not absent
	c.require(chain.Submit(c.patient()))
	ends(c, missing, ferryingress.BadPayload, "request 0 of the chain, its result: missing")
	ends(c, nothing, ferryingress.BadPayload, "its result: missing")
	ends(c, none, ferryingress.BadPayload, "request 2 of the chain, children[3]: missing")
	ends(c, some, ferryingress.BadPayload, "request 4 of the chain, maybe_words[1]: missing")
	ends(c, child, ferryingress.BadPayload, "children[3]: missing")
}

func aWrongChainIsRefused(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	echoed, err := host.EchoedEvents()
	c.require(err)
	defer echoed.Close()
	stranger := host.Chain().Sum(number(1), number(2))
	for message, spoil := range map[string]func(*echo.EchoChain){
		"request 1: left: the promise is of another chain":          func(made *echo.EchoChain) { made.Sum(stranger, number(1)) },
		"request 1: it can only come after a promise of this chain": func(made *echo.EchoChain) { made.After(stranger) },
		"request 1: left: neither a value nor a promise":            func(made *echo.EchoChain) { made.Sum(nil, number(1)) },
		"request 1: right: neither a value nor a promise": func(made *echo.EchoChain) {
			made.Sum(number(1), (*ferryingress.Promise[int64])(nil))
		},
		"request 1: nested too deep": func(made *echo.EchoChain) { made.Tree(ferryingress.Value(tree(40))) },
		"request 64: a chain has at most 64 calls": func(made *echo.EchoChain) {
			for index := 0; index < 64; index++ {
				made.Version()
			}
		},
		"request 6: a chain uses promises at most 256 times": func(made *echo.EchoChain) {
			for index := 0; index < 5; index++ {
				first := made.Sum(number(1), number(2))
				for times := 0; times < 63; times++ {
					made.After(first)
				}
			}
			made.Version()
		},
		"request 2, children[-1]: the path is none, or too long": func(made *echo.EchoChain) {
			made.Tree(ferryingress.Element(echo.TreeChildren(made.Tree(ferryingress.Value(tree(1)))), -1))
		},
	} {
		chain := host.Chain()
		first := chain.Echo(ferryingress.Value(echo.EchoRequest{}))
		spoil(chain)
		chain.Version()
		found := chain.Submit(c.patient())
		c.fails(found, ferryingress.BadArgument, message)
		ends(c, first, ferryingress.BadArgument, found.Error())
	}
	c.fails(host.Chain().Submit(c.patient()), ferryingress.BadArgument, "the chain has no calls")
	c.works(host)
	c.same(next(c, echoed).Value.Echoed, "hi you")
}

func aChainNeedsCredits(c *checker) {
	host := c.host(options{QueueDepth: 8})
	defer c.destroy(host)
	chain := host.Chain()
	var last *ferryingress.Promise[string]
	for index := 0; index < 9; index++ {
		last = chain.Version()
	}
	c.fails(chain.Submit(c.patient()), ferryingress.QueueFull, "")
	ends(c, last, ferryingress.QueueFull, "")
	c.works(host)
}

func aChainIsSubmittedOnce(c *checker) {
	host := c.host(options{})
	chain := host.Chain()
	promise := chain.Version()
	ends(c, promise, ferryingress.BadArgument, "the chain was not submitted, or its Submit has not returned")
	c.require(chain.Submit(c.patient()))
	late := chain.After(promise).Sum(number(1), nil)
	ends(c, late, ferryingress.BadArgument, "the chain was submitted: make another")
	c.fails(chain.Submit(c.patient()), ferryingress.BadArgument, "the chain was submitted: make another")
	c.same(result(c, promise), "0.1.0")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	chain = host.Chain()
	promise = chain.Version()
	for _, err := range []error{chain.Submit(ctx), func() error { _, err := promise.Result(); return err }()} {
		if err != context.Canceled {
			c.Fatal(err)
		}
	}
	c.destroy(host)
	chain = host.Chain()
	promise = chain.Version()
	c.fails(chain.Submit(c.patient()), ferryingress.Closed, "")
	ends(c, promise, ferryingress.Closed, "")
}

func aDeadlineEndsAChain(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	echoed, err := host.EchoedEvents()
	c.require(err)
	defer echoed.Close()
	chain := host.Chain()
	first := chain.Version()
	slow := chain.Spin(number(60_000))
	late := chain.Echo(ferryingress.Value(echo.EchoRequest{Message: "late"}))
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	err = chain.Submit(ctx)
	c.fails(err, ferryingress.Timeout, "")
	if !errors.Is(err, context.DeadlineExceeded) {
		c.Fatal(err)
	}
	c.same(result(c, first), "0.1.0")
	ends(c, slow, ferryingress.Timeout, "")
	ends(c, late, ferryingress.Timeout, "")
	c.works(host) // the one that ran was cancelled: this is not behind a minute of it
	c.same(next(c, echoed).Value.Echoed, "hi you")
}

func aCancelledChainIsSeen(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	chain := host.Chain()
	chain.Version()
	slow := chain.Nap(number(60_000))
	needs := chain.After(slow).Version()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	if err := chain.Submit(ctx); err != context.Canceled {
		c.Fatal(err)
	}
	for _, promise := range []func() error{
		func() error { _, err := slow.Result(); return err }, func() error { _, err := needs.Result(); return err },
	} {
		if err := promise(); err != context.Canceled {
			c.Fatal(err)
		}
	}
	for {
		count, err := host.Cancellations(c.patient())
		c.require(err)
		if count == 1 {
			break
		}
	}
	c.works(host)
}

func ofACancelledChainNothingBegins(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	echoed, err := host.EchoedEvents()
	c.require(err)
	defer echoed.Close()
	for round := 0; round < 20; round++ {
		chain := host.Chain()
		chain.Spin(number(60_000))
		for i := 0; i < 40; i++ {
			chain.Echo(ferryingress.Value(echo.EchoRequest{Message: "late"}))
		}
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(5*time.Millisecond, cancel)
		if err := chain.Submit(ctx); err != context.Canceled {
			c.Fatal(err)
		}
		c.works(host)
		c.same(next(c, echoed).Value.Echoed, "hi you")
	}
}

func aContextThatEndsAnswers(c *checker) {
	host := c.host(options{})
	chain := host.Chain()
	slow := chain.Echo(ferryingress.Value(echo.EchoRequest{DelayMs: 60_000}))
	after := chain.Version()
	done := make(chan error)
	go func() { done <- chain.Submit(c.patient()) }()
	time.Sleep(50 * time.Millisecond)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	c.fails(host.Destroy(ctx), ferryingress.Timeout, "")
	c.require(<-done)
	ends(c, slow, ferryingress.Closed, "")
	ends(c, after, ferryingress.Closed, "")
}

// drawn is an argument by chance, a constant or the result of an earlier call, with what that is if it is known.
func drawn(
	draw *rand.Rand, made []*ferryingress.Promise[int64], values []int64, errs []error,
) (ferryingress.Arg[int64], int64, error) {
	if at := draw.Intn(8); at < len(made) {
		return made[at], values[at], errs[at]
	}
	value := int64(draw.Intn(3) - 1)
	return number(value), value, nil
}

func aChainGivesWhatCallsInTurnGive(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	statuses := map[ferryingress.Status]int{}
	for seed := int64(0); seed < 100; seed++ {
		draw := rand.New(rand.NewSource(seed))
		chain := host.Chain()
		var made []*ferryingress.Promise[int64]
		var values []int64
		var errs []error
		for call := 0; call < 1+draw.Intn(12); call++ {
			left, leftValue, leftErr := drawn(draw, made, values, errs)
			right, rightValue, rightErr := drawn(draw, made, values, errs)
			ask, append_ := host.Divide, chain.Divide
			if draw.Intn(2) == 0 {
				ask = func(ctx context.Context, a, b int64) (int64, error) { return echo.Sum(ctx, a, b) }
				append_ = chain.Sum
			}
			made = append(made, append_(left, right))
			value, err := int64(0), error(ferryingress.Skipped)
			if leftErr == nil && rightErr == nil {
				value, err = ask(c.patient(), leftValue, rightValue)
			}
			values, errs = append(values, value), append(errs, err)
		}
		c.require(chain.Submit(c.patient()))
		for index, each := range made {
			value, err := each.Result()
			if value != values[index] || status(err) != status(errs[index]) {
				c.Fatalf("seed %d, call %d: %v, %v in the chain, and %v, %v in turn", seed, index, value, err,
					values[index], errs[index])
			}
			statuses[status(err)]++
		}
	}
	if statuses[ferryingress.OK] < 50 || statuses[ferryingress.Raised] < 20 || statuses[ferryingress.Skipped] < 20 {
		c.Fatal(statuses)
	}
}

func status(err error) (found ferryingress.Status) {
	var failed *ferryingress.Error
	if errors.As(err, &failed) {
		return failed.Status
	}
	errors.As(err, &found)
	return found
}

func chainsOfManyGoroutines(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	var all sync.WaitGroup
	for worker := 0; worker < 8; worker++ {
		all.Add(1)
		go func(worker int) {
			defer all.Done()
			for round := 0; round < 40; round++ {
				name := fmt.Sprint(worker, ".", round)
				chain := host.Chain()
				reader := chain.Open(text(name))
				read := chain.Read(reader, ferryingress.Value[uint32](99))
				chain.Close(reader)
				if err := chain.Submit(context.Background()); err != nil {
					c.Error(err)
					return
				}
				if found, err := read.Result(); err != nil || *found != name {
					c.Error(found, err)
				}
			}
		}(worker)
	}
	hammer(c, host, 4, 100)
	all.Wait()
}
