// SPDX-License-Identifier: BSD-3-Clause

// What does a typed call from Go to a library on a thread of its own cost?
//
// As bench/ingress/host_cpp.cpp asks in C++: values are encoded, cross, are decoded by the library, answered and decoded
// again. The library is the file that ECHO_LIBRARY names, or the one in C++ of the build tree. @ is the number of
// goroutines. With --latency the program prints percentiles of single calls instead.
package main

import (
	"context"
	"log"
	"os"
	"path/filepath"
	"sort"
	"sync"
	"time"

	"echo"
	"ferrybench/suite"
	"ferryingress"
)

const (
	// window is how many goroutines call at once, and batchCalls how many requests are in a batch.
	window       = 64
	batchCalls   = 1000
	largeBytes   = 65536
	latencyCalls = 20_000
)

var (
	always  = context.Background()
	request = echo.EchoRequest{Message: "hello world"}
	formats = []struct {
		name string
		wire ferryingress.Wire
	}{{"cbor", ferryingress.WireCBOR}, {"c", ferryingress.WireC}}
)

func check(err error) {
	if err != nil {
		log.Fatal("ingress-go: ", err)
	}
}

func open(wire ferryingress.Wire) *echo.Echo {
	// no event of a run is lost
	options := ferryingress.Options{Wire: wire, QueueDepth: 1 << 12, EventDepth: 1 << 17}
	host, err := echo.Create(always, "", &options)
	check(err)
	return host
}

func ask(host *echo.Echo, n int) {
	for i := 0; i < n; i++ {
		_, err := host.Echo(always, request)
		check(err)
	}
}

// together calls from that many goroutines, each with its share of n.
func together(goroutines, n int, work func(n int)) {
	var all sync.WaitGroup
	for i := 0; i < goroutines; i++ {
		share := n / goroutines
		if i < n%goroutines {
			share++
		}
		all.Add(1)
		go func() {
			defer all.Done()
			work(share)
		}()
	}
	all.Wait()
}

func batches(host *echo.Echo, n int) {
	for n > 0 {
		count := n
		if count > batchCalls {
			count = batchCalls
		}
		batch := host.Batch()
		pending := make([]*ferryingress.Pending[echo.EchoResponse], count)
		for i := range pending {
			pending[i] = batch.Echo(request)
		}
		check(batch.Submit())
		for _, each := range pending {
			_, err := each.Wait(always)
			check(err)
		}
		n -= count
	}
}

func large(host *echo.Echo, n int) {
	payload := make([]byte, largeBytes)
	for i := 0; i < n; i++ {
		_, err := host.Bytes(always, payload)
		check(err)
	}
}

func ticks(host *echo.Echo, n int) {
	events, err := host.TickEvents()
	check(err)
	defer events.Close()
	check(host.Ticks(always, uint32(n)))
	for i := 0; i < n; i++ {
		if event := <-events.C; event.Lost > 0 {
			log.Fatal("ingress-go: an event was lost")
		}
	}
}

func variants() []suite.Variant {
	var all []suite.Variant
	for _, format := range formats {
		host := open(format.wire)
		add := func(lane, call string, run func(n int)) {
			all = append(all, suite.Variant{Name: lane + "-" + format.name + ":" + call, Run: run})
		}
		one := func(n int) { ask(host, n) }
		add("go", "call", one)
		add("go", "call@2", func(n int) { together(2, n, one) })
		add("go-many", "call", func(n int) { together(window, n, one) })
		add("go-batch", "call", func(n int) { batches(host, n) })
		add("go", "large", func(n int) { large(host, n) })
		add("go", "tick", func(n int) { ticks(host, n) })
	}
	return all
}

func latency(lane string, goroutines int, call func()) {
	var lock sync.Mutex
	var all []int64
	began := time.Now()
	together(goroutines, goroutines*latencyCalls, func(n int) {
		mine := make([]int64, n)
		for i := range mine {
			start := time.Now()
			call()
			mine[i] = time.Since(start).Nanoseconds()
		}
		lock.Lock()
		defer lock.Unlock()
		all = append(all, mine...)
	})
	rate := float64(len(all)) / time.Since(began).Seconds()
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	suite.Print(map[string]any{
		"type": "latency", "lane": lane, "threads": goroutines, "calls": len(all),
		"p50_ns": all[len(all)/2], "p99_ns": all[len(all)*99/100], "calls_per_s": int(rate),
	})
}

func main() {
	if os.Getenv("ECHO_LIBRARY") == "" {
		program, err := os.Executable()
		check(err)
		check(os.Setenv("ECHO_LIBRARY", filepath.Join(filepath.Dir(program), "../lib/echo-cpp/libecho.so")))
	}
	if len(os.Args) > 1 && os.Args[1] == "--latency" {
		for _, format := range formats {
			host := open(format.wire)
			for _, goroutines := range []int{1, 2, 8} {
				latency("ask:"+format.name, goroutines, func() { ask(host, 1) })
			}
			latency("ask_large:"+format.name, 1, func() { large(host, 1) })
		}
		return
	}
	(&suite.Suite{
		Program:     "ingress-go",
		Boundary:    "ingress",
		Question:    "What does a typed call from Go to a library on a thread of its own cost?",
		N:           []int{1000, 10_000},
		Repetitions: 20, QuickRepetitions: 5,
		Variants: variants,
	}).Measure()
}
