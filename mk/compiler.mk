# SPDX-License-Identifier: BSD-3-Clause
# The plugin for GCC that makes batches of system calls, once for each version of GCC beside $(CC) whose headers for
# plugins are installed (scripts/install/deps.sh compiler): lib/ferry/gcc-VERSION/libferry_gcc.so, where VERSION is what
# `gcc -dumpversion` prints. `make fuzz-compiler` compares random programs with and without it, `make compiler-matrix`
# runs its tests with every version that it is written for.

PLUGIN_GCCS := $(abspath $(dir $(shell $(CC) -print-libgcc-file-name 2>/dev/null))..)
PLUGIN_HEADERS := $(wildcard $(PLUGIN_GCCS)/*/plugin/include/gcc-plugin.h)
PLUGIN_VERSIONS := $(PLUGIN_HEADERS:$(PLUGIN_GCCS)/%/plugin/include/gcc-plugin.h=%)
PLUGINS := $(PLUGIN_VERSIONS:%=$(BUILD)/lib/ferry/gcc-%/libferry_gcc.so)
PLUGIN_SOURCES := $(wildcard compiler/*.cc)
# GCC itself is built without run-time type information, and its headers have warnings of their own
PLUGIN_CXXFLAGS := -std=c++17 -Wall -Wextra -fno-rtti -fPIC -fvisibility-inlines-hidden -Icompiler \
	-ffile-prefix-map=$(CURDIR)=.

.PHONY: compiler
compiler: $(PLUGINS)

# $(1): a version of GCC
define plugin
$(BUILD)/obj/compiler/gcc-$(1)/%.o: compiler/%.cc
	@mkdir -p $$(@D)
	@$$(call say,CXX,$$< for gcc $(1))
	$$(Q)$$(CXX) $$(PLUGIN_CXXFLAGS) -isystem $(PLUGIN_GCCS)/$(1)/plugin/include -O2 -g -MMD -MP -c -o $$@ $$<

$(BUILD)/lib/ferry/gcc-$(1)/libferry_gcc.so: $(PLUGIN_SOURCES:compiler/%.cc=$(BUILD)/obj/compiler/gcc-$(1)/%.o)
	@mkdir -p $$(@D)
	@$$(call say,LINK,$$@)
	$$(Q)$$(CXX) -shared -o $$@ $$^
endef
$(foreach version,$(PLUGIN_VERSIONS),$(eval $(call plugin,$(version))))

# random programs that `make fuzz-compiler` compares, and the first file's seed
PROGRAM_COUNT ?= 100000
PROGRAM_SEED ?= 0
# the versions of GCC that `make compiler-matrix` tests, and the Debian that has them
COMPILER_VERSIONS ?= 12 13 14 15 16
COMPILER_SUITE ?= forky
# the suites that `make suites` runs, and how batches run there
SUITES ?= dash ash busybox coreutils git make
WAY ?= loop

.PHONY: deps-compiler deps-suites fuzz-compiler suites compiler-matrix
deps-compiler:
	@scripts/install/deps.sh build compiler
deps-suites:
	@scripts/install/deps.sh build compiler suites
fuzz-compiler: deps-compiler ## compare PROGRAM_COUNT (100000) random programs with and without the plugin
	@$(MAKE) --no-print-directory compiler $(BUILD)/lib/libferry.so
	@PYTHONPATH=tests $(PYTHON) tests/compiler/differential.py --build $(BUILD) --programs $(PROGRAM_COUNT) --seed $(PROGRAM_SEED)
suites: deps-suites ## run the test suites SUITES of programs that ferry cc compiles, WAY=loop or in a kernel of vm-test
	@$(MAKE) --no-print-directory compiler $(BUILD)/lib/libferry.so $(BUILD)/bin/ferry
	@scripts/test/suites.sh $(BUILD) $(WAY) $(SUITES)
compiler-matrix: deps-matrix ## test the plugin for GCC with each of COMPILER_VERSIONS (12 13 14 15 16), in a Debian of its own
	@scripts/test/compiler_matrix.sh $(MATRIX_ROOT) $(COMPILER_SUITE) $(COMPILER_VERSIONS)
