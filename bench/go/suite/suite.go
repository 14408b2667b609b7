// SPDX-License-Identifier: BSD-3-Clause

// Package suite is a benchmark program in Go, as bench/bench.h makes one in C: its options, and the lines of
// bench/README.md.
package suite

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

const (
	// sampleLeast is how long a sample lasts at least, unless FERRY_SAMPLE_US says so.
	sampleLeast  = 20 * time.Microsecond
	sampleUSMost = 1_000_000
)

// Variant is one way to do something; Run does it n times.
type Variant struct {
	Name string
	Run  func(n int)
}

// Suite is what a program measures.
type Suite struct {
	Program, Boundary, Question   string
	N                             []int
	Repetitions, QuickRepetitions int
	Variants                      func() []Variant
}

type options struct {
	repetitions int
	n           []int
	variants    []Variant
	least       time.Duration
}

func (s *Suite) fail(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, "%s: %s; --help lists the options\n", s.Program, fmt.Sprintf(format, arguments...))
	os.Exit(2)
}

func (s *Suite) positive(name, text string) int {
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 {
		s.fail("%s: '%s' is no number of 1 or more", name, text)
	}
	return number
}

func (s *Suite) options() options {
	quick := flag.Bool("quick", false, "fewer repetitions")
	repetitions := flag.Int("repetitions", 0, fmt.Sprintf("samples of each variant (%d)", s.Repetitions))
	n := flag.String("n", "", "calls in one sample, with commas between")
	variant := flag.String("variant", "", "only these, with commas between")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "Usage: %s [OPTIONS]\n%s\n", s.Program, s.Question)
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		s.fail("unknown argument '%s'", flag.Arg(0))
	}
	found := options{repetitions: *repetitions, n: s.N, variants: s.Variants(), least: sampleLeast}
	switch {
	case found.repetitions < 0:
		s.fail("--repetitions is at least 1")
	case found.repetitions == 0 && *quick:
		found.repetitions = s.QuickRepetitions
	case found.repetitions == 0:
		found.repetitions = s.Repetitions
	}
	if *n != "" {
		found.n = nil
		for _, part := range strings.Split(*n, ",") {
			found.n = append(found.n, s.positive("--n", part))
		}
	}
	if text, isGiven := os.LookupEnv("FERRY_SAMPLE_US"); isGiven {
		us := s.positive("FERRY_SAMPLE_US", text)
		if us > sampleUSMost {
			s.fail("FERRY_SAMPLE_US is %d, and %d at most", us, sampleUSMost)
		}
		found.least = time.Duration(us) * time.Microsecond
	}
	if *variant != "" {
		found.variants = s.chosen(found.variants, strings.Split(*variant, ","))
	}
	return found
}

func (s *Suite) chosen(all []Variant, names []string) []Variant {
	byName, known := map[string]Variant{}, []string{}
	for _, each := range all {
		byName[each.Name] = each
		known = append(known, each.Name)
	}
	var found []Variant
	for _, name := range names {
		each, isKnown := byName[name]
		if !isKnown {
			s.fail("--variant: '%s' is none of %s", name, strings.Join(known, ", "))
		}
		found = append(found, each)
	}
	return found
}

// Print prints a line.
func Print(row map[string]any) {
	line, err := json.Marshal(row)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(line))
}

func mitigations() string {
	files, _ := filepath.Glob("/sys/devices/system/cpu/vulnerabilities/*")
	var found []string
	for _, file := range files {
		state, _ := os.ReadFile(file)
		if said := strings.TrimSpace(string(state)); said != "Not affected" {
			found = append(found, filepath.Base(file)+": "+said)
		}
	}
	if found == nil {
		return "not affected"
	}
	return strings.Join(found, "; ")
}

func machine() map[string]any {
	cpu := "unknown"
	info, _ := os.ReadFile("/proc/cpuinfo")
	for _, line := range strings.Split(string(info), "\n") {
		if key, name, _ := strings.Cut(line, ": "); strings.TrimSpace(key) == "model name" {
			cpu = name
			break
		}
	}
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	return map[string]any{
		"type": "machine", "cpu": cpu, "cores": runtime.NumCPU(),
		"kernel":   fmt.Sprintf("Linux %s %s", strings.TrimSpace(string(release)), runtime.GOARCH),
		"compiler": runtime.Version(), "mitigations": mitigations(),
	}
}

func sample(run func(n int), n int, least time.Duration) float64 {
	for runs := 1; ; runs *= 4 {
		start := time.Now()
		for i := 0; i < runs; i++ {
			run(n)
		}
		if took := time.Since(start); took >= least {
			return float64(took.Nanoseconds()) / float64(runs)
		}
	}
}

// Measure measures as the command line says, and prints the lines.
func (s *Suite) Measure() {
	options := s.options()
	Print(machine())
	for repetition := 0; repetition < options.repetitions; repetition++ {
		for _, n := range options.n {
			for place := range options.variants {
				variant := options.variants[(place+repetition)%len(options.variants)]
				variant.Run(1)
				Print(map[string]any{
					"type": "sample", "boundary": s.Boundary, "variant": variant.Name, "unit": "ns", "n": n,
					"repetition": repetition, "ns": sample(variant.Run, n, options.least),
				})
			}
		}
	}
}
