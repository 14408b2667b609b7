# SPDX-License-Identifier: BSD-3-Clause
# The front door. `make help` lists what it opens; nothing else needs to be known.

.DEFAULT_GOAL := help
SHELL := /bin/bash

BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
PYTHON ?= /usr/bin/python3
CC ?= cc
CFLAGS ?= -O2 -g
# SANITIZE=address,undefined or thread; used with a BUILD of its own
SANITIZE ?=
# DELAYS=1: random delays in the OpenMP runtime (tests/stress/delays.h); used with a BUILD of its own
DELAYS ?=
# whether `make build` builds the Haskell package too: where all that it needs is there; `make haskell` installs that
HASKELL ?= $(and $(shell command -v ghc),$(shell command -v cabal),$(shell ghc-pkg latest vector 2>/dev/null),$\
	$(shell pkg-config --exists openblas 2>/dev/null && echo yes))
# the headers or build tree of the kernel that `make kernel-module` builds for
KDIR ?= /lib/modules/$(shell uname -r)/build
# where `make matrix` keeps a Debian of its own
MATRIX_ROOT ?= $(BUILD)/forky

VERSION := $(shell sed -n 's/^#define FERRY_VERSION "\(.*\)"/\1/p' include/ferry/batch.h)
SONAME := libferry.so.0

# V=1 shows every command
V ?=
Q := $(if $(V),,@)
say = $(if $(V),:,printf '  %-4s %s\n' '$(1)' '$(2)')

WARNINGS := -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wshadow
# Programs are optimised as a whole. Where a program's code lies decides what it evicts between two system calls: on an
# AMD EPYC VM the same mdu took 10% more CPU time in some layouts; compact code with functions at cache lines lay well
# (python3 bench/walk_bars.py). What others link, and what is measured by itself, is ordinary object code.
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

# ---- what there is -----------------------------------------------------------------------------------------------

LIB_SOURCES := $(wildcard src/batch/*.c src/batch/exec/*.c src/walk/*.c src/compat/*.c)
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/obj/%.o)
# a program is examples/c/NAME.c, or every file of examples/c/NAME/
PROGRAM_FILES := $(patsubst examples/c/%.c,%,$(wildcard examples/c/*.c))
PROGRAM_FOLDERS := $(patsubst examples/c/%/,%,$(wildcard examples/c/*/))
PROGRAMS := $(sort $(PROGRAM_FILES) $(PROGRAM_FOLDERS))
# the OpenMP runtime: one set of objects, linked under its own name and under libgomp's
# host_ghc.c needs GHC's headers and belongs to the Haskell package
OMP_SOURCES := $(filter-out %/host_ghc.c,$(wildcard src/openmp/*.c)) $(if $(DELAYS),tests/stress/delays.c)
OMP_OBJECTS := $(OMP_SOURCES:%.c=$(BUILD)/obj/%.o)
OMP_SONAME := libferryomp.so.0
BENCHES := $(patsubst bench/%.c,%,$(wildcard bench/*.c))
# gcc's own OpenMP code, whatever compiles the rest: the library it runs with is what is measured. A sanitizer would see
# libgomp's synchronisation as races.
OPENMP_CC ?= gcc
OPENMP_BENCH := $(if $(SANITIZE),,$(BUILD)/bench/openmp)
# LLVM's runtime offers libgomp's entry points too; under libgomp's name it is a peer.
LIBOMP := $(lastword $(wildcard /usr/lib/llvm-*/lib/libomp.so.5))
PEERS := $(if $(SANITIZE),,$(if $(LIBOMP),$(BUILD)/peers/libomp/libgomp.so.1))
UNIT_TESTS := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c))
OMP_TESTS := $(filter test_openmp_%,$(UNIT_TESTS))
FUZZERS := $(patsubst fuzz/%.c,%,$(wildcard fuzz/fuzz_*.c))

# ---- front door --------------------------------------------------------------------------------------------------

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|'
	@echo
	@echo "  BUILD=$(BUILD)  PREFIX=$(PREFIX)  DESTDIR=$(DESTDIR)"

.PHONY: build
build: deps-build $(BUILD)/bin/ferry ## build the libraries, programs and benchmarks into build/
	@$(MAKE) --no-print-directory native
	@$(if $(HASKELL),$(MAKE) --no-print-directory haskell-programs,echo 'Haskell: skipped; run `make haskell`')

.PHONY: haskell
haskell: deps-haskell ## install GHC, build the Haskell package and its programs into build/
	@$(MAKE) --no-print-directory haskell-programs

.PHONY: demo
demo: deps-build ## build, measure this machine, run the tools on /usr, write build/report/index.html
	@$(MAKE) --no-print-directory build
	@scripts/demo.sh $(BUILD)

.PHONY: test
test: deps-test ## install what is needed, build everything, run every test
	@scripts/test.sh $(BUILD) "$(PYTHON)"

.PHONY: conformance
conformance: deps-conformance ## run libgomp's testsuite against libgomp and ours; ARGS='--help' lists the options
	@PYTHONPATH=tests $(PYTHON) -m conformance.openmp --build $(BUILD) $(ARGS)

.PHONY: programs
programs: deps-programs $(BUILD)/programs/venv/.done $(BUILD)/venv/.dev ## run real OpenMP programs with our runtime and with libgomp
	@$(MAKE) --no-print-directory build
	@FERRY_BUILD=$(abspath $(BUILD)) $(BUILD)/venv/bin/python -m pytest tests/test_openmp_programs.py
	@$(BUILD)/venv/bin/python bench/openmp_programs_bars.py --build $(BUILD)

$(BUILD)/programs/venv/.done: bench/openmp/programs/requirements.txt
	@scripts/venv.sh $(BUILD)/programs "$(PYTHON)" $<
	@touch $@

.PHONY: bench
bench: deps-bench build ## measure every boundary on this machine, and the bars beside their peers
	@scripts/bench.sh $(BUILD)

.PHONY: lint
lint: deps-test $(BUILD)/venv/.dev ## check formatting, types, shell, and the project's own rules
	@scripts/lint.sh $(BUILD)

.PHONY: fuzz
fuzz: deps-test ## fuzz every parser for FUZZ_SECONDS (60) each
	@scripts/fuzz.sh $(BUILD) $(FUZZERS)

.PHONY: stress
stress: deps-test $(BUILD)/venv/.dev ## run what is random for long, Haskell and OpenMP, FERRY_STRESS_SECONDS (60) each
	@$(MAKE) --no-print-directory haskell-tests haskell-profiled
	@scripts/stress.sh $(BUILD)

.PHONY: matrix
matrix: deps-matrix ## run the Haskell suites under a newer GHC, in a Debian root made in MATRIX_ROOT
	@scripts/matrix.sh $(MATRIX_ROOT)

.PHONY: vm-test
vm-test: deps-kernel ## boot Debian's kernels and patched ones in QEMU, test /dev/batch and sys_batch; KERNELS=debian-6.12
	@PYTHONPATH=kernel $(PYTHON) -m vm --build $(BUILD) $(KERNELS)

.PHONY: kernel-module
kernel-module: deps-build ## build the module /dev/batch for KDIR, by default the running kernel's headers
	@scripts/kernel_module.sh $(BUILD) "$(KDIR)"

.PHONY: generate
generate: ## write the generated tables from spec/batch.toml
	@$(PYTHON) spec/generate.py

.PHONY: clean
clean: ## remove build/
	rm -rf $(BUILD)

# ---- what the machine needs --------------------------------------------------------------------------------------

.PHONY: deps-build deps-haskell deps-test deps-matrix deps-conformance deps-bench deps-programs deps-kernel
deps-build:
	@scripts/deps.sh build
deps-haskell:
	@scripts/deps.sh build haskell
deps-test:
	@scripts/deps.sh build haskell haskell-tests haskell-profiled test matrix conformance kernel
deps-matrix:
	@scripts/deps.sh matrix
deps-conformance:
	@scripts/deps.sh build conformance
deps-bench:
	@scripts/deps.sh build bench
deps-programs:
	@scripts/deps.sh build programs
deps-kernel:
	@scripts/deps.sh build kernel

# ---- native code -------------------------------------------------------------------------------------------------

.PHONY: native
native: openmp $(BUILD)/lib/libferry.a $(BUILD)/lib/libferry.so $(BUILD)/lib/$(SONAME) \
	$(PROGRAMS:%=$(BUILD)/bin/%) $(BENCHES:%=$(BUILD)/bench/%)

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	@$(call say,CC,$<)
	$(Q)$(COMPILE) $(ALIGN_LOOPS) -c -o $@ $<

$(BUILD)/lib/libferry.a: $(LIB_OBJECTS)
	@mkdir -p $(@D)
	@$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/lib/libferry.so.$(VERSION): $(LIB_OBJECTS) src/libferry.map
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(CC) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=src/libferry.map -Wl,-z,defs $(LDFLAGS) \
		$(if $(SANITIZE),-fsanitize=$(SANITIZE) -Wl$(comma)-z$(comma)undefs) -o $@ $(LIB_OBJECTS) $(FERRY_LDLIBS)
comma := ,

$(BUILD)/lib/$(SONAME): $(BUILD)/lib/libferry.so.$(VERSION)
	$(Q)ln -sf $(<F) $@
$(BUILD)/lib/libferry.so: $(BUILD)/lib/libferry.so.$(VERSION) $(BUILD)/lib/$(SONAME)
	$(Q)ln -sf $(<F) $@

# ---- the OpenMP runtime ------------------------------------------------------------------------------------------

.PHONY: openmp
openmp: $(BUILD)/lib/libferryomp.a $(BUILD)/lib/libferryomp.so $(BUILD)/lib/$(OMP_SONAME) $(BUILD)/lib/gomp/libgomp.so.1

$(OMP_OBJECTS): FERRY_CFLAGS += -ftls-model=initial-exec
$(filter $(BUILD)/obj/src/%,$(OMP_OBJECTS)): FERRY_CFLAGS += $(if $(DELAYS),-include tests/stress/delays.h)

# versions belong to shared libraries
$(BUILD)/lib/libferryomp.a: $(filter-out %/lock_compat.o,$(OMP_OBJECTS))
	@mkdir -p $(@D)
	@$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# Workers sleep in the library's code, so it stays in memory once it is loaded.
OMP_LINK = $(CC) -shared -Wl,--version-script=src/openmp/libgomp.map -Wl,-z,defs -Wl,-z,nodelete $(LDFLAGS) \
	$(if $(SANITIZE),-fsanitize=$(SANITIZE) -Wl$(comma)-z$(comma)undefs)

$(BUILD)/lib/libferryomp.so.$(VERSION): $(OMP_OBJECTS) src/openmp/libgomp.map
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(OMP_LINK) -Wl,-soname,$(OMP_SONAME) -o $@ $(OMP_OBJECTS) -pthread -ldl

$(BUILD)/lib/$(OMP_SONAME) $(BUILD)/lib/libferryomp.so: $(BUILD)/lib/libferryomp.so.$(VERSION)
	$(Q)ln -sf $(<F) $@

$(BUILD)/lib/gomp/libgomp.so.1: $(OMP_OBJECTS) src/openmp/libgomp.map
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(OMP_LINK) -Wl,-soname,libgomp.so.1 -o $@ $(OMP_OBJECTS) -pthread -ldl

$(BUILD)/whole/%.o: %.c
	@mkdir -p $(@D)
	@$(call say,CC,$<)
	$(Q)$(COMPILE) $(LTO) -c -o $@ $<

.SECONDEXPANSION:
$(PROGRAMS:%=$(BUILD)/bin/%): $(BUILD)/bin/%: \
		$$(patsubst %.c,$(WHOLE)/%.o,$$(wildcard examples/c/$$*.c examples/c/$$*/*.c)) $(LIB_SOURCES:%.c=$(WHOLE)/%.o)
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) $(LTO) -o $@ $^ $(FERRY_LDLIBS)

$(BENCHES:%=$(BUILD)/bench/%): $(BUILD)/bench/%: $(BUILD)/obj/bench/%.o $(BUILD)/lib/libferry.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(FERRY_LDLIBS) -lm

native: $(OPENMP_BENCH) $(PEERS)
$(BUILD)/obj/bench/openmp/%.o: bench/openmp/%.c
	@mkdir -p $(@D)
	@$(call say,CC,$<)
	$(Q)$(OPENMP_CC) $(FERRY_CFLAGS) $(CFLAGS) $(CPPFLAGS) -fopenmp -MMD -MP -c -o $@ $<

$(BUILD)/bench/openmp: $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard bench/openmp/*.c))
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(OPENMP_CC) -fopenmp $(LDFLAGS) -o $@ $^ -lm

$(BUILD)/peers/libomp/libgomp.so.1:
	@mkdir -p $(@D)
	$(Q)ln -sf $(LIBOMP) $@

.PHONY: unit-tests openmp-tests
unit-tests: openmp-tests $(UNIT_TESTS:%=$(BUILD)/tests/%) $(BUILD)/tests/conformance $(FUZZERS:%=$(BUILD)/tests/%)
$(filter-out $(OMP_TESTS:%=$(BUILD)/tests/%),$(UNIT_TESTS:%=$(BUILD)/tests/%)): $(BUILD)/tests/%: \
		$(BUILD)/obj/tests/unit/%.o $(BUILD)/lib/libferry.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ -lcmocka $(FERRY_LDLIBS) -lm

# tests/unit/test_openmp_*.c are OpenMP programs, linked with the runtime itself instead of the compiler's
openmp-tests: $(OMP_TESTS:%=$(BUILD)/tests/%) $(BUILD)/tests/test_deque
$(OMP_TESTS:%=$(BUILD)/obj/tests/unit/%.o): FERRY_CFLAGS += -fopenmp $(if $(DELAYS),-DDELAYS)
RANDOM_PROGRAM := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tests/stress/random_*.c))
$(RANDOM_PROGRAM): FERRY_CFLAGS += -fopenmp
$(BUILD)/tests/test_openmp_random: $(RANDOM_PROGRAM)
$(OMP_TESTS:%=$(BUILD)/tests/%): $(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(BUILD)/lib/libferryomp.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcmocka -pthread -ldl -lm

$(BUILD)/tests/test_deque: $(BUILD)/obj/src/openmp/deque.o $(if $(DELAYS),$(BUILD)/obj/tests/stress/delays.o)

# the runner of spec/vectors
$(BUILD)/tests/conformance: $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tests/conformance/*.c)) $(BUILD)/lib/libferry.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(FERRY_LDLIBS)

# the kernel's batch core in user space, against headers of its own: kernel/hosttest
HOSTTEST := $(BUILD)/obj/kernel/core/batch_core.o $(BUILD)/obj/kernel/hosttest/kernel.o
HOSTTEST_INCLUDE := -Ikernel/hosttest/include
$(BUILD)/obj/kernel/%.o: FERRY_CFLAGS += $(HOSTTEST_INCLUDE)
$(BUILD)/obj/kernel/core/%.o: FERRY_CFLAGS += -include kernel.h -Ikernel/include -Wno-sign-compare
unit-tests: $(BUILD)/tests/test_batch_core $(BUILD)/tests/conformance-core
$(BUILD)/tests/test_batch_core: $(BUILD)/obj/kernel/hosttest/test_batch_core.o $(HOSTTEST)
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ -lcmocka

# the runner of spec/vectors with the core where its kernel executor enters the kernel
$(BUILD)/tests/conformance-core: $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tests/conformance/*.c)) \
		$(BUILD)/obj/kernel/hosttest/kernel_entry.o $(HOSTTEST) $(BUILD)/lib/libferry.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(FERRY_LDLIBS)

# a fuzz target as a program that replays its corpus
FUZZED := $(patsubst %,$(BUILD)/obj/tests/conformance/%.o,vector cursor names functions) \
	$(patsubst %,$(BUILD)/obj/examples/c/mdu/%.o,exclude quote)
$(BUILD)/tests/fuzz_environment: $(BUILD)/lib/libferryomp.a
$(BUILD)/tests/fuzz_core: $(HOSTTEST)
$(BUILD)/obj/fuzz/fuzz_core.o: FERRY_CFLAGS += $(HOSTTEST_INCLUDE)
$(FUZZERS:%=$(BUILD)/tests/%): $(BUILD)/tests/%: \
		$(BUILD)/obj/fuzz/%.o $(BUILD)/obj/fuzz/replay.o $(FUZZED) $(BUILD)/lib/libferry.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(FERRY_LDLIBS) -ldl

-include $(shell find $(BUILD)/obj $(BUILD)/whole -name '*.d' 2>/dev/null)

# ---- the Haskell package -----------------------------------------------------------------------------------------

.PHONY: haskell-programs haskell-tests haskell-hosts haskell-profiled
haskell-programs haskell-tests haskell-hosts haskell-profiled: $(BUILD)/lib/libferry.so openmp $(BUILD)/lib/pkgconfig/ferry.pc \
		$(BUILD)/lib/pkgconfig/ferryomp.pc
	@V=$(V) scripts/haskell.sh $(BUILD) $(@:haskell-%=%)

# the unit tests of the OpenMP runtime for its Haskell host (tests/conformance/openmp/host); one is a guest itself
HOSTED_TESTS := $(patsubst %,$(BUILD)/ghc/tests/%.so,$(filter-out test_openmp_guest,$(OMP_TESTS)))
haskell-hosts: $(HOSTED_TESTS)
$(BUILD)/obj/ghc/%.o: %.c
	@mkdir -p $(@D)
	@$(call say,CC,$<)
	$(Q)$(COMPILE) -fopenmp -fPIC -fvisibility=default -c -o $@ $<

$(BUILD)/ghc/tests/test_openmp_random.so: $(patsubst %.c,$(BUILD)/obj/ghc/%.o,$(wildcard tests/stress/random_*.c))
$(HOSTED_TESTS): $(BUILD)/ghc/tests/%.so: $(BUILD)/obj/ghc/tests/unit/%.o $(BUILD)/lib/libferryomp.so
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -shared -Wl,-Bsymbolic -Wl,-z,defs -o $@ $(filter %.o,$^) -L$(BUILD)/lib -lferryomp -lcmocka -pthread -lm
	$(Q)ln -sf ../../tests/openmp-host-ferry $(@:.so=)

# the installed one, but for where things are
$(BUILD)/lib/pkgconfig/%.pc: packaging/%.pc.in Makefile
	@mkdir -p $(@D)
	@sed -e 's|@PREFIX@|$(CURDIR)|' -e 's|@VERSION@|$(VERSION)|' -e 's|^libdir=.*|libdir=$(abspath $(BUILD))/lib|' \
		$< >$@

# ---- the ferry command -------------------------------------------------------------------------------------------

$(BUILD)/venv/.run: tools/ferry/requirements.txt tools/ferry/pyproject.toml
	@scripts/venv.sh $(BUILD) "$(PYTHON)" tools/ferry/requirements.txt
	@touch $@
$(BUILD)/venv/.dev: tools/ferry/requirements-dev.txt $(BUILD)/venv/.run
	@scripts/venv.sh $(BUILD) "$(PYTHON)" tools/ferry/requirements-dev.txt
	@touch $@

$(BUILD)/bin/ferry: scripts/ferry.in $(BUILD)/venv/.run
	@mkdir -p $(@D)
	@sed -e 's|@PYTHON@|$(abspath $(BUILD))/venv/bin/python|' -e 's|@PYTHONPATH@|$(abspath tools/ferry/src)|' \
		-e 's|@BENCH@|$(abspath $(BUILD))/bench|' -e 's|@BIN@|$(abspath $(BUILD))/bin|' \
		-e 's|@KERNEL@|$(CURDIR)/kernel|' $< >$@
	@chmod +x $@

# ---- install -----------------------------------------------------------------------------------------------------

.PHONY: install
install: build ## install under $DESTDIR$PREFIX
	@scripts/install.sh "$(BUILD)" "$(PREFIX)" "$(DESTDIR)" "$(VERSION)"
