# SPDX-License-Identifier: BSD-3-Clause
# The Nim provider and what is written with it.

# Debian's newest, in a folder of its own, where the machine has none; tests/nim/test_nim.py has every compiler. The notes
# need db_sqlite, which left Nim with 2.0.
NIM ?= $(or $(shell command -v nim),$(BUILD)/nim/forky/bin/nim)
NOTES_NIM ?= $(BUILD)/nim/bookworm/bin/nim
NIM_SOURCES := $(wildcard nim/src/*.nim nim/src/ferry/*.nim nim/src/ferry/compat/*.nim)
# under ORC, Nim 1.6's own allocator takes a lock of all threads for each string
NIM_MALLOC = $(if $(filter 1.%,$(word 4,$(shell $(NIM) --version))),-d:useMalloc)
NIM_COMPILE = $(NIM) c --hints:off --styleCheck:error --mm:orc --threads:on -p:nim/src -d:danger $(NIM_MALLOC) \
	--passC:"-Iinclude -Ibench -D_GNU_SOURCE -ffile-prefix-map=$(CURDIR)=." --nimcache:$(BUILD)/nim/cache/$(@F)

.PHONY: nim
nim: $(BUILD)/nim/lib/libecho.so $(BUILD)/bin/notes-cli $(BUILD)/bench/codec-nim ## build the libraries in Nim

# a host's benchmark with the library in Nim
.PHONY: nim-benches
nim-benches: $(BUILD)/bench/codec-nim $(BUILD)/bench/ingress-python-nim ## build the benchmarks with a library in Nim
$(BUILD)/bench/ingress-%-nim: scripts/compile/nim_bench.in $(BUILD)/nim/lib/libecho.so $(BUILD)/bench/ingress-%
	@mkdir -p $(@D)
	@sed -e 's|@BUILD@|$(abspath $(BUILD))|g' -e 's|@NAME@|ingress-$*|g' -e 's|@HOST@|$*|g' $< >$@
	@chmod +x $@

$(BUILD)/nim/%/bin/nim:
	@scripts/compile/nim.sh $* $(BUILD)/nim/$*

$(BUILD)/nim/lib/libecho.so: examples/echo/echo.nim examples/echo/echo.nim.cfg $(NIM_SOURCES) \
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
