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
CXX ?= g++
CXXFLAGS ?= -O2 -g
# SANITIZE=address,undefined or thread; used with a BUILD of its own
SANITIZE ?=
# DELAYS=1: random delays in the OpenMP runtime and the ingress (tests/stress/delays.h); used with a BUILD of its own
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
# the ingress: what hosts and providers link
INGRESS_SOURCES := $(wildcard src/ingress/*.c) $(if $(DELAYS),tests/stress/delays.c)
INGRESS_OBJECTS := $(INGRESS_SOURCES:%.c=$(BUILD)/obj/%.o)
INGRESS_SONAME := libferryingress.so.0
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
INGRESS_TESTS := $(filter test_ingress_%,$(UNIT_TESTS))
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
bench: deps-bench deps-hosts build host-benches ## measure every boundary on this machine, and the bars beside their peers
	@scripts/bench.sh $(BUILD)

.PHONY: lint
lint: deps-test $(BUILD)/venv/.dev ## check formatting, types, shell, and the project's own rules
	@scripts/lint.sh $(BUILD)

.PHONY: fuzz
fuzz: deps-test $(BUILD)/venv/.run $(BUILD)/wire/include/roots.h ## fuzz every parser for FUZZ_SECONDS (60) each
	@scripts/fuzz.sh $(BUILD) $(FUZZERS)

.PHONY: stress
stress: deps-test $(BUILD)/venv/.dev ## run what is random for long, FERRY_STRESS_SECONDS (60) each; STRESS=ingress
	@$(if $(filter haskell,$(or $(STRESS),haskell)),$(MAKE) --no-print-directory haskell-tests haskell-profiled)
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

.PHONY: deps-build deps-haskell deps-test deps-hosts deps-matrix deps-conformance deps-bench deps-programs deps-kernel
deps-build:
	@scripts/deps.sh build
deps-haskell:
	@scripts/deps.sh build haskell
deps-test:
	@scripts/deps.sh build haskell haskell-tests haskell-profiled test matrix conformance kernel hosts
deps-matrix:
	@scripts/deps.sh matrix
deps-hosts:
	@scripts/deps.sh hosts
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
native: openmp ingress $(BUILD)/lib/libferry.a $(BUILD)/lib/libferry.so $(BUILD)/lib/$(SONAME) \
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

# ---- the ingress ---------------------------------------------------------------------------------------------------

.PHONY: ingress
ingress: $(BUILD)/lib/libferryingress.a $(BUILD)/lib/libferryingress.so $(BUILD)/lib/$(INGRESS_SONAME)

$(filter $(BUILD)/obj/src/ingress/%,$(INGRESS_OBJECTS)): FERRY_CFLAGS += $(if $(DELAYS),-include tests/stress/delays.h)

$(BUILD)/lib/libferryingress.a: $(INGRESS_OBJECTS)
	@mkdir -p $(@D)
	@$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# Library threads sleep in the library's code, so it stays in memory once it is loaded.
$(BUILD)/lib/libferryingress.so.$(VERSION): $(INGRESS_OBJECTS) src/ingress/ingress.map
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(CC) -shared -Wl,-soname,$(INGRESS_SONAME) -Wl,--version-script=src/ingress/ingress.map -Wl,-z,defs \
		-Wl,-z,nodelete $(LDFLAGS) $(if $(SANITIZE),-fsanitize=$(SANITIZE) -Wl$(comma)-z$(comma)undefs) \
		-o $@ $(INGRESS_OBJECTS) -pthread -ldl

$(BUILD)/lib/$(INGRESS_SONAME) $(BUILD)/lib/libferryingress.so: $(BUILD)/lib/libferryingress.so.$(VERSION)
	$(Q)ln -sf $(<F) $@

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

# what `ferry bindgen` wrote for the library of the conformance tests
$(BUILD)/obj/bench/codec.o: FERRY_CFLAGS += -Itests/ingress/c/include
# a general CBOR library beside it, where one is installed (scripts/deps.sh bench)
LIBCBOR := $(shell pkg-config --exists libcbor 2>/dev/null && echo yes)
$(BUILD)/obj/bench/codec.o: FERRY_CFLAGS += $(if $(LIBCBOR),-DHAVE_LIBCBOR)
$(BUILD)/bench/codec: FERRY_LDLIBS += $(if $(LIBCBOR),-lcbor)

native: $(OPENMP_BENCH) $(PEERS)
$(BUILD)/obj/bench/openmp/%.o: bench/openmp/%.c
	@mkdir -p $(@D)
	@$(call say,CC,$<)
	$(Q)$(OPENMP_CC) $(FERRY_CFLAGS) $(CFLAGS) $(CPPFLAGS) -fopenmp -MMD -MP -c -o $@ $<

$(BUILD)/bench/openmp: $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard bench/openmp/*.c))
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(OPENMP_CC) -fopenmp $(LDFLAGS) -o $@ $^ -lm

native: $(BUILD)/bench/ingress
$(BUILD)/bench/ingress: $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard bench/ingress/*.c)) $(BUILD)/obj/tests/ingress/echo.o \
		$(BUILD)/lib/libferryingress.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ -pthread -ldl

$(BUILD)/peers/libomp/libgomp.so.1:
	@mkdir -p $(@D)
	$(Q)ln -sf $(LIBOMP) $@

.PHONY: unit-tests openmp-tests ingress-tests
unit-tests: openmp-tests ingress-tests $(UNIT_TESTS:%=$(BUILD)/tests/%) $(BUILD)/tests/conformance $(FUZZERS:%=$(BUILD)/tests/%)
$(filter-out $(OMP_TESTS:%=$(BUILD)/tests/%) $(INGRESS_TESTS:%=$(BUILD)/tests/%),$(UNIT_TESTS:%=$(BUILD)/tests/%)): $(BUILD)/tests/%: \
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

# tests/unit/test_ingress_*.c are hosts of the provider tests/ingress/echo.c
ingress-tests: $(INGRESS_TESTS:%=$(BUILD)/tests/%)
$(INGRESS_TESTS:%=$(BUILD)/tests/%): $(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(BUILD)/obj/tests/ingress/echo.o \
		$(BUILD)/lib/libferryingress.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ -lcmocka -pthread -ldl

# a host loads it by dlopen; the core is the program's
$(BUILD)/tests/test_ingress_process: | $(BUILD)/tests/ingress_echo.so
$(BUILD)/tests/test_ingress_process: LDFLAGS += -rdynamic
$(BUILD)/tests/ingress_echo.so: $(BUILD)/obj/tests/ingress/echo.o
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(CC) -shared $(LDFLAGS) $(if $(SANITIZE),-fsanitize=$(SANITIZE)) -o $@ $<

# ---- C++: include/ferry/cpp with what `ferry bindgen --lang cpp` writes for tests/ingress/echo.json -----------------

CXX_WARNINGS := -Wall -Wextra -Wconversion -Wshadow
FERRY_CXXFLAGS := -std=gnu++17 $(CXX_WARNINGS) -fPIC -D_GNU_SOURCE -Iinclude -Ibench -Itests/ingress/cpp/echo/include \
	-pthread -ffile-prefix-map=$(CURDIR)=. $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer)
# all of it is templates, which take minutes to optimise with a sanitizer
$(if $(SANITIZE),$(eval CXXFLAGS := -O1 -g1))
LINK_CXX = $(CXX) $(FERRY_CXXFLAGS) $(CXXFLAGS) $(LDFLAGS)
$(BUILD)/obj/%.o: %.cpp
	@mkdir -p $(@D)
	@$(call say,CXX,$<)
	$(Q)$(CXX) $(FERRY_CXXFLAGS) $(CXXFLAGS) $(CPPFLAGS) -MMD -MP -c -o $@ $<

# the library in C++; what is linked with it runs with any other whose folder is in LD_LIBRARY_PATH. The
# last folder of the path is that of the installed library, seen from lib/ferry/bench.
ECHO_CPP := $(BUILD)/lib/echo-cpp/libecho.so
$(ECHO_CPP): $(BUILD)/obj/tests/ingress/cpp/echo_provider.o $(BUILD)/lib/libferryingress.so $(BUILD)/lib/$(INGRESS_SONAME)
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK_CXX) -shared -Wl,-soname,libecho.so -o $@ $< -L$(BUILD)/lib -lferryingress
WITH_ECHO = -L$(BUILD)/lib/echo-cpp -lecho -L$(BUILD)/lib -lferryingress \
	-Wl,-rpath,'$$ORIGIN/../lib/echo-cpp:$$ORIGIN/../lib:$$ORIGIN/../..'

CPP_TESTS := $(patsubst tests/ingress/cpp/%.cpp,%,$(wildcard tests/ingress/cpp/test_*.cpp))
ingress-tests: $(CPP_TESTS:%=$(BUILD)/tests/%)
$(CPP_TESTS:%=$(BUILD)/tests/%): $(BUILD)/tests/%: $(BUILD)/obj/tests/ingress/cpp/%.o $(ECHO_CPP)
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK_CXX) -o $@ $< $(WITH_ECHO)

CPP_BENCHES := $(if $(SANITIZE),,$(BUILD)/bench/codec-cpp $(BUILD)/bench/ingress-cpp)
native: $(CPP_BENCHES)
$(BUILD)/bench/codec-cpp: $(BUILD)/obj/bench/ingress/codec_cpp.o
$(BUILD)/bench/ingress-cpp: $(BUILD)/obj/bench/ingress/host_cpp.o
$(CPP_BENCHES): $(ECHO_CPP)
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK_CXX) -o $@ $(filter %.o,$^) $(WITH_ECHO)

# The same questions in Rust and in Python. Both refer to this tree, and Rust's needs a registry, so neither is built with
# the rest or installed.
.PHONY: host-benches
host-benches: $(BUILD)/bench/codec-python $(BUILD)/bench/ingress-python ## build the benchmarks in Rust and Python
	@scripts/rust_bench.sh $(BUILD)
$(BUILD)/bench/%-python: scripts/python_bench.in bench/python/%.py bench/python/suite.py $(BUILD)/venv/.dev $(ECHO_CPP)
	@mkdir -p $(@D)
	@sed -e 's|@BUILD@|$(abspath $(BUILD))|g' -e 's|@ROOT@|$(CURDIR)|g' -e 's|@NAME@|$*|' $< >$@
	@chmod +x $@

# C: what `ferry bindgen --lang c` writes; also runs with any libecho.so
C_HOST_TESTS := $(patsubst tests/ingress/c/%.c,%,$(wildcard tests/ingress/c/test_*.c))
ingress-tests: $(C_HOST_TESTS:%=$(BUILD)/tests/%)
$(C_HOST_TESTS:%=$(BUILD)/obj/tests/ingress/c/%.o): FERRY_CFLAGS += -Itests/ingress/c/include
$(C_HOST_TESTS:%=$(BUILD)/tests/%): $(BUILD)/tests/%: $(BUILD)/obj/tests/ingress/c/%.o $(ECHO_CPP)
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $< $(WITH_ECHO) -lcmocka

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

# ---- the vectors of spec/wire, run by what `ferry bindgen` writes for their types ---------------------------------

# a build with a sanitizer lies in the one that has the environment
WIRE_PYTHON = $(firstword $(wildcard $(BUILD)/venv/bin/python $(BUILD)/../venv/bin/python) $(PYTHON))
WIRE_SOURCES := $(wildcard tools/ferry/src/ferry/bindgen/*.py tools/ferry/src/ferry/bindgen/templates/c/*)
$(BUILD)/wire/include/roots.h: spec/wire/types.json tests/wire/roots.py $(WIRE_SOURCES)
	@mkdir -p $(@D)
	@$(call say,GEN,$@)
	$(Q)PYTHONPATH=tools/ferry/src $(WIRE_PYTHON) -m ferry bindgen $< --lang c --out $(BUILD)/wire >/dev/null
	$(Q)PYTHONPATH=tools/ferry/src $(WIRE_PYTHON) tests/wire/roots.py $< >$@

WIRE_CPP_SOURCES := $(wildcard tools/ferry/src/ferry/bindgen/*.py tools/ferry/src/ferry/bindgen/templates/cpp/*)
$(BUILD)/wire/cpp/include/roots_cpp.h: spec/wire/types.json tests/wire/roots.py $(WIRE_CPP_SOURCES)
	@mkdir -p $(@D)
	@$(call say,GEN,$@)
	$(Q)PYTHONPATH=tools/ferry/src $(WIRE_PYTHON) -m ferry bindgen $< --lang cpp --out $(BUILD)/wire/cpp >/dev/null
	$(Q)PYTHONPATH=tools/ferry/src $(WIRE_PYTHON) tests/wire/roots.py $< cpp >$@

unit-tests: $(BUILD)/tests/transcode-cpp
$(BUILD)/obj/tests/wire/transcode_cpp.o: tests/wire/transcode.cpp $(BUILD)/wire/cpp/include/roots_cpp.h
	@mkdir -p $(@D)
	@$(call say,CXX,$<)
	$(Q)$(CXX) $(FERRY_CXXFLAGS) $(CXXFLAGS) $(CPPFLAGS) -I$(BUILD)/wire/cpp/include -MMD -MP -c -o $@ $<
$(BUILD)/tests/transcode-cpp: $(BUILD)/obj/tests/wire/transcode_cpp.o $(BUILD)/lib/libferryingress.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK_CXX) -Wl,--defsym=ferry_library_wire=0 -o $@ $^ -ldl

unit-tests: $(BUILD)/tests/transcode
$(BUILD)/obj/tests/wire/transcode.o $(BUILD)/obj/fuzz/fuzz_wire.o: FERRY_CFLAGS += -I$(BUILD)/wire/include -Itests/wire
$(BUILD)/obj/tests/wire/transcode.o $(BUILD)/obj/fuzz/fuzz_wire.o: $(BUILD)/wire/include/roots.h
$(BUILD)/tests/transcode: $(BUILD)/obj/tests/wire/transcode.o
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^

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

# ---- hosts of the echo library ------------------------------------------------------------------------------------

# the conformance programs of Rust and Python call the Nim library, as the service of examples/notes calls its own
.PHONY: rust-tests
rust-tests: $(BUILD)/nim/lib/libecho.so $(BUILD)/nim/lib/libnotes.so ## build the Rust host, its tests and the conformance program
	@$(call say,RUST,hosts/rust)
	$(Q)scripts/rust.sh $(BUILD) build --quiet --workspace --all-targets

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

# ---- the Nim provider --------------------------------------------------------------------------------------------

# Debian's newest, in a folder of its own, where the machine has none; tests/test_nim.py has every compiler. The notes
# need db_sqlite, which left Nim with 2.0.
NIM ?= $(or $(shell command -v nim),$(BUILD)/nim/forky/bin/nim)
NOTES_NIM ?= $(BUILD)/nim/bookworm/bin/nim
NIM_SOURCES := $(wildcard nim/src/*.nim nim/src/ferry/*.nim)
NIM_COMPILE = $(NIM) c --hints:off --styleCheck:error --mm:orc --threads:on -p:nim/src -d:danger \
	--passC:"-Iinclude -Ibench -D_GNU_SOURCE -ffile-prefix-map=$(CURDIR)=." --nimcache:$(BUILD)/nim/cache/$(@F)

.PHONY: nim
nim: $(BUILD)/nim/lib/libecho.so $(BUILD)/bin/notes-cli $(BUILD)/bench/codec-nim ## build the libraries in Nim

$(BUILD)/nim/%/bin/nim:
	@scripts/nim.sh $* $(BUILD)/nim/$*

$(BUILD)/nim/lib/libecho.so: tests/ingress/echo.nim tests/ingress/echo.nim.cfg $(NIM_SOURCES) \
		$(BUILD)/lib/libferryingress.so | $(NIM)
	@mkdir -p $(@D)
	@$(call say,NIM,$@)
	$(Q)$(NIM_COMPILE) --passL:"-L$(BUILD)/lib -lferryingress" -o:$@ $<

$(BUILD)/nim/lib/libnotes.so: NIM := $(NOTES_NIM)
$(BUILD)/nim/lib/libnotes.so: examples/notes/nim/notes.nim $(wildcard examples/notes/nim/*) $(NIM_SOURCES) \
		$(BUILD)/lib/libferryingress.so | $(NOTES_NIM)
	@mkdir -p $(@D)
	@$(call say,NIM,$@)
	$(Q)$(NIM_COMPILE) --passL:"-L$(BUILD)/lib -lferryingress" -o:$@ $<

# the notes' command line in C++
$(BUILD)/obj/examples/notes/cpp/notes_cli.o: FERRY_CXXFLAGS += -Iexamples/notes/cpp/binding/include
$(BUILD)/bin/notes-cli: $(BUILD)/obj/examples/notes/cpp/notes_cli.o $(BUILD)/nim/lib/libnotes.so
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK_CXX) -o $@ $< -L$(BUILD)/nim/lib -lnotes -L$(BUILD)/lib -lferryingress \
		'-Wl,-rpath,$$ORIGIN/../lib:$$ORIGIN/../nim/lib' -Wl,-rpath-link,$(BUILD)/lib

$(BUILD)/bench/codec-nim: nim/bench/codec.nim nim/bench/codec.c bench/bench.h $(NIM_SOURCES) | $(NIM)
	@mkdir -p $(@D)
	@$(call say,NIM,$@)
	$(Q)$(NIM_COMPILE) -o:$@ $<

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
