# SPDX-License-Identifier: BSD-3-Clause
# The plugin for GCC that makes batches of system calls, where this compiler's headers for plugins are installed
# (scripts/deps.sh compiler). `make fuzz-compiler` compares random programs with and without it.

PLUGIN_HEADERS := $(wildcard $(shell $(CC) -print-file-name=plugin 2>/dev/null)/include/gcc-plugin.h)
PLUGIN_SOURCES := $(wildcard compiler/*.cc)
PLUGIN_OBJECTS := $(PLUGIN_SOURCES:%.cc=$(BUILD)/obj/%.o)
# GCC itself is built without run-time type information, and its headers have warnings of their own
PLUGIN_CXXFLAGS = -std=c++17 -Wall -Wextra -fno-rtti -fPIC -fvisibility-inlines-hidden -Icompiler \
	-isystem $(dir $(PLUGIN_HEADERS)) -ffile-prefix-map=$(CURDIR)=.

.PHONY: compiler
compiler: $(if $(PLUGIN_HEADERS),$(BUILD)/lib/ferry/libferry_gcc.so)

$(BUILD)/obj/compiler/%.o: compiler/%.cc
	@mkdir -p $(@D)
	@$(call say,CXX,$<)
	$(Q)$(CXX) $(PLUGIN_CXXFLAGS) -O2 -g -MMD -MP -c -o $@ $<

$(BUILD)/lib/ferry/libferry_gcc.so: $(PLUGIN_OBJECTS)
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(CXX) -shared -o $@ $^

# random programs that `make fuzz-compiler` compares, and the first file's seed
PROGRAM_COUNT ?= 100000
PROGRAM_SEED ?= 0

.PHONY: deps-compiler fuzz-compiler
deps-compiler:
	@scripts/deps.sh build compiler
fuzz-compiler: deps-compiler ## compare PROGRAM_COUNT (100000) random programs with and without the plugin
	@$(MAKE) --no-print-directory $(BUILD)/lib/ferry/libferry_gcc.so $(BUILD)/lib/libferry.so
	@PYTHONPATH=tests $(PYTHON) tests/compiler/differential.py --build $(BUILD) --programs $(PROGRAM_COUNT) --seed $(PROGRAM_SEED)
