# SPDX-License-Identifier: BSD-3-Clause
# The front door. `make help` lists what it opens; nothing else needs to be known.

.DEFAULT_GOAL := help
SHELL := /bin/bash

BUILD ?= build
# make takes a path with a space for two
$(foreach path,CURDIR BUILD,$(if $(filter-out 1,$(words $($(path)))),\
	$(error Ferry cannot be built at a path with a space, '$($(path))': move it, or build it elsewhere)))
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
DESTDIR ?=
PYTHON ?= /usr/bin/python3
CC ?= cc
# Code with a sanitizer's checks, and what is built for tests alone, takes longer to optimise well than its tests run.
TEST_CFLAGS := -O1 -g1
CFLAGS ?= $(if $(SANITIZE)$(DELAYS),$(TEST_CFLAGS),-O2 -g)
CXX ?= g++
CXXFLAGS ?= $(if $(SANITIZE),-O0 -g1,-O2 -g)
# SANITIZE=address,undefined or thread; used with a BUILD of its own
SANITIZE ?=
# Test programs that ThreadSanitizer's build is without: those that run one thread, where it has nothing to find; two
# that signal sleepers: it runs no handler before the thread's next call that it intercepts, and a futex is none; and the
# conformance program in C++, which `make stress` builds: it takes as long to compile as a hundred others.
NO_THREAD_BUILD := test_auto test_build test_call test_error test_kernel test_kernel_refused test_result \
	test_uring test_uring_plan test_uring_wave test_verify test_word_copy test_thread_apart test_thread_spin \
	test_thread_gather test_thread_quota test_thread_futex test_openmp_environment test_openmp_signal \
	test_cpp_chains test_cpp_codec test_cpp_conformance conformance conformance-core test_kernel_part test_kernel_rest \
	transcode transcode-cpp fuzz_%
in_build = $(if $(filter thread,$(SANITIZE)),$(filter-out $(NO_THREAD_BUILD:%=$(BUILD)/tests/%),$1),$1)
# DELAYS=1: random delays in the OpenMP runtime and the ingress (tests/stress/delays.h); used with a BUILD of its own
DELAYS ?=
# whether `make build` builds the Haskell package too: where all that it needs is there; `make haskell` installs that
HASKELL ?= $(and $(shell command -v ghc),$(shell command -v cabal),$(shell ghc-pkg latest vector 2>/dev/null),$\
	$(shell pkg-config --exists openblas 2>/dev/null && echo yes))
# the headers or build tree of the kernel that `make kernel-module` builds for
KDIR ?= /lib/modules/$(shell uname -r)/build
# the Debians whose GHCs `make matrix` runs the Haskell suites under, and where it keeps a root of each
MATRIX_SUITES ?= trixie forky
MATRIX_ROOT ?= $(BUILD)

VERSION := $(shell sed -n 's/^#define FERRY_VERSION "\(.*\)"/\1/p' include/ferry/batch.h)
SONAME := libferry.so.0

# V=1 shows every command
V ?=
Q := $(if $(V),,@)
comma := ,
say = $(if $(V),:,printf '  %-4s %s\n' '$(1)' '$(2)')

WARNINGS := -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wshadow
# Programs are optimised as a whole. Where a program's code lies decides what it evicts between two system calls: on an
# AMD EPYC VM the same mdu took 10% more CPU time in some layouts; compact code with functions at cache lines lay well
# (ferry measure --check bench/targets.toml walk). What others link, and what is measured by itself, is ordinary object code.
LTO := $(if $(SANITIZE),,-flto=auto)
WHOLE := $(BUILD)/$(if $(SANITIZE),obj,whole)
# Where a dispatch loop begins by chance costs up to 0.5 ns a slot (build/bench/function); programs do better compact.
ALIGN_LOOPS := -falign-loops=32
FERRY_CFLAGS := -std=gnu11 $(WARNINGS) -falign-functions=64 -fPIC -fvisibility=hidden -D_GNU_SOURCE -Iinclude -Isrc -pthread \
	$(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer)
# the path of this tree stays out of what is built
FERRY_CFLAGS += -ffile-prefix-map=$(CURDIR)=.
FERRY_LDLIBS := -luring -pthread
COMPILE = $(CC) $(FERRY_CFLAGS) $(CFLAGS) $(CPPFLAGS) -MMD -MP
LINK = $(CC) $(FERRY_CFLAGS) $(CFLAGS) $(LDFLAGS)
# ---- front door --------------------------------------------------------------------------------------------------
# A target that installs what it needs (deps-…) has no other prerequisite: with -j that would be built at the same time, and
# what is there is looked at when make starts (HASKELL). The rest is built by makes of their own, one after the other where
# both would build the same.

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1|\2/p' Makefile mk/*.mk | column -t -s '|'
	@echo
	@echo "  BUILD=$(BUILD)  PREFIX=$(PREFIX)  DESTDIR=$(DESTDIR)"

.PHONY: build
build: deps-build ## build the libraries, programs and benchmarks into build/
	@$(MAKE) --no-print-directory $(BUILD)/bin/ferry native
	@$(if $(HASKELL),$(MAKE) --no-print-directory haskell-programs,echo 'Haskell: skipped; run `make haskell`')

.PHONY: haskell
haskell: deps-haskell ## install GHC, build the Haskell package and its programs into build/
	@$(MAKE) --no-print-directory haskell-programs

.PHONY: network
network: deps-network ## install NATS, build what puts a library behind it: `ferry serve`, libferrynetwork
	@$(MAKE) --no-print-directory $(BUILD)/bin/ferry native-network

.PHONY: demo
demo: deps-demo ## build, measure this machine, run the tools on /usr, write build/report/index.html
	@$(MAKE) --no-print-directory build
	@scripts/demo.sh $(BUILD)

.PHONY: demo-all
demo-all: deps-demo-all ## the demo with everything that can be measured: GHC, Nim, Rust and peers
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory haskell-programs host-benches nim-benches
	@$(MAKE) --no-print-directory network-benches
	@scripts/demo.sh $(BUILD)

.PHONY: test
test: deps-test ## install what is needed, build everything, run every test
	@scripts/test/test.sh $(BUILD) "$(PYTHON)"

.PHONY: check
check: deps-build ## build what one test needs, and run it: T=openmp/team, also SANITIZE=address or thread, or DELAYS=1
	@scripts/test/check.sh $(BUILD) "$(PYTHON)" "$(T)" "$(SANITIZE)" "$(DELAYS)"

.PHONY: conformance
conformance: deps-conformance ## run libgomp's testsuite against libgomp and ours; ARGS='--help' lists the options
	@PYTHONPATH=tests $(PYTHON) -m openmp.conformance --build $(BUILD) $(ARGS)

.PHONY: programs
programs: deps-programs ## run real OpenMP programs with our runtime and with libgomp
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory $(BUILD)/programs/venv/.done $(BUILD)/venv/.dev
	@FERRY_BUILD=$(abspath $(BUILD)) $(BUILD)/venv/bin/python -m pytest tests/openmp/test_openmp_programs.py tests/wheels/test_blas_programs.py \
		tests/wheels/test_threads_and_forks.py
	@$(BUILD)/bin/ferry measure --check bench/targets.toml openmp-programs

$(BUILD)/programs/venv/.done: bench/openmp/programs/requirements.txt
	@scripts/install/venv.sh $(BUILD)/programs "$(PYTHON)" $<
	@printf '%s\n' $(abspath python/src) "$$(cat python/src/ferry_openmp.pth)" \
		>"$$(echo $(BUILD)/programs/venv/lib/python*/site-packages)/ferry_openmp.pth"
	@touch $@

.PHONY: bench
bench: deps-bench-all ## measure every boundary on this machine, and check bench/targets.toml; ARGS='--quick --strict'
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory host-benches nim-benches $(BUILD)/programs/venv/.done
	@$(MAKE) --no-print-directory network-benches
	@scripts/bench.sh $(BUILD) $(ARGS)

.PHONY: lint
lint: deps-test ## check formatting, types, shell, and the project's own rules
	@$(MAKE) --no-print-directory $(BUILD)/venv/.dev
	@scripts/test/lint.sh $(BUILD)

.PHONY: lint-quick
lint-quick: deps-test ## the same without clang-tidy: what .ci/run checks besides the tests
	@$(MAKE) --no-print-directory $(BUILD)/venv/.dev
	@scripts/test/lint.sh $(BUILD) quick

.PHONY: fuzz
fuzz: deps-test ## fuzz every parser for FUZZ_SECONDS (60) each
	@$(MAKE) --no-print-directory $(BUILD)/venv/.run $(BUILD)/wire/include/roots.h build/echo/provider-c/.done
	@scripts/test/fuzz.sh $(BUILD) $(FUZZERS)

.PHONY: stress
stress: deps-test ## run what is random for long, FERRY_STRESS_SECONDS (60) each; STRESS=ingress
	@$(MAKE) --no-print-directory $(BUILD)/venv/.dev
	@$(if $(filter haskell,$(or $(STRESS),haskell)),scripts/install/deps.sh haskell-profiled)
	@$(if $(filter haskell,$(or $(STRESS),haskell)),$(MAKE) --no-print-directory haskell-tests haskell-profiled)
	@scripts/test/stress.sh $(BUILD)

.PHONY: matrix
matrix: deps-matrix ## run the Haskell suites under newer GHCs, in Debian roots made in MATRIX_ROOT; MATRIX_SUITES=trixie
	@failed=0; for suite in $(MATRIX_SUITES); do \
		FERRY_MATRIX_SUITE=$$suite scripts/test/matrix.sh $(MATRIX_ROOT)/$$suite || failed=$$?; done; exit $$failed

.PHONY: vm-test
vm-test: deps-kernel ## boot Debian's kernels and patched ones in QEMU, test /dev/batch and sys_batch; KERNELS=debian-6.12 ONLY=signals
	@PYTHONPATH=kernel $(PYTHON) -m vm --build $(BUILD) $(addprefix --only ,$(ONLY)) $(KERNELS)

.PHONY: kernel-module
kernel-module: deps-build ## build the module /dev/batch for KDIR, by default the running kernel's headers
	@scripts/compile/kernel_module.sh $(BUILD) "$(KDIR)"

.PHONY: kernel-patches
kernel-patches: ## write the series of patches that adds batch(2) to Linux into build/patches, for `git am`
	@PYTHONPATH=kernel $(PYTHON) -m patches $(BUILD)

.PHONY: generate
generate: ## write the generated tables from spec/batch.toml, tables and a picture of the documents, and the version everywhere
	@$(PYTHON) scripts/release/version.py
	@$(PYTHON) spec/generate.py
	@$(PYTHON) docs/results/tables.py
	@$(PYTHON) docs/results/pictures.py

.PHONY: clean
clean: ## remove build/
	rm -rf $(BUILD)

# ---- what the machine needs --------------------------------------------------------------------------------------

.PHONY: deps-build deps-haskell deps-test deps-matrix deps-conformance deps-bench deps-bench-all deps-demo deps-demo-all deps-programs deps-kernel deps-wheels deps-network deps-aarch64
deps-build:
	@scripts/install/deps.sh build
deps-haskell:
	@scripts/install/deps.sh build haskell
deps-test:
	@scripts/install/deps.sh build haskell haskell-tests examples test matrix conformance kernel hosts compiler network
deps-matrix:
	@scripts/install/deps.sh matrix
deps-conformance:
	@scripts/install/deps.sh build conformance
deps-bench:
	@scripts/install/deps.sh build bench
deps-bench-all:
	@scripts/install/deps.sh build bench hosts programs
deps-demo:
	@scripts/install/deps.sh build demo
deps-demo-all:
	@scripts/install/deps.sh build haskell bench hosts
deps-programs:
	@scripts/install/deps.sh build programs
deps-kernel:
	@scripts/install/deps.sh build kernel compiler
deps-network:
	@scripts/install/deps.sh build network
deps-wheels:
	@scripts/install/deps.sh build wheels
deps-aarch64:
	@scripts/install/deps.sh build ingress aarch64

# ---- what there is -----------------------------------------------------------------------------------------------

# in the order in which each needs what the one before has named
include $(patsubst %,mk/%.mk,ferry echo batch compiler openmp wheels ingress network tests wire haskell nim packages aarch64)
-include $(shell find $(sort $(BUILD)/obj $(HOST_OBJ)) $(BUILD)/whole -name '*.d' 2>/dev/null)

# ---- install -----------------------------------------------------------------------------------------------------

.PHONY: install
install: build ## install under $DESTDIR$PREFIX
	@scripts/install/install.sh "$(BUILD)" "$(PREFIX)" "$(DESTDIR)" "$(VERSION)" "$(LIBDIR)"

.PHONY: uninstall
uninstall: ## remove what install has put under $PREFIX
	@scripts/install/uninstall.sh "$(PREFIX)"
