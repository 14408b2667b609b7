# SPDX-License-Identifier: BSD-3-Clause
# libferry, the programs on it, and the benchmarks that are one file of bench/ each.

LIB_SOURCES := $(wildcard src/batch/*.c src/batch/exec/*.c src/walk/*.c src/compat/*.c src/compiled/*.c)
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/obj/%.o)
# a program is examples/c/NAME.c, or every file of examples/c/NAME/
PROGRAM_FILES := $(patsubst examples/c/%.c,%,$(wildcard examples/c/*.c))
PROGRAM_FOLDERS := $(patsubst examples/c/%/,%,$(wildcard examples/c/*/))
PROGRAMS := $(sort $(PROGRAM_FILES) $(PROGRAM_FOLDERS))

BENCHES := $(patsubst bench/%.c,%,$(wildcard bench/*.c))

.PHONY: native
native: openmp ingress compiler $(BUILD)/lib/libferry.a $(BUILD)/lib/libferry.so $(BUILD)/lib/$(SONAME) \
	$(PROGRAMS:%=$(BUILD)/bin/%) $(BENCHES:%=$(BUILD)/bench/%)

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	@$(call say,CC,$<)
	$(Q)$(COMPILE) $(ALIGN_LOOPS) -c -o $@ $<
# what runs once; the provider that a benchmark links too is compiled as the libraries are
$(BUILD)/obj/tests/%.o: CFLAGS = $(TEST_CFLAGS)
$(BUILD)/obj/tests/ingress/echo.o: CFLAGS := $(CFLAGS)
# one function with the code of every way to call: with a sanitizer's checks a second becomes twenty
$(if $(SANITIZE),$(BUILD)/obj/src/batch/exec/call.o: CFLAGS = -O0 -g1)

$(BUILD)/lib/libferry.a: $(LIB_OBJECTS)
	@mkdir -p $(@D)
	@$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/lib/libferry.so.$(VERSION): $(LIB_OBJECTS) src/libferry.map
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(CC) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=src/libferry.map -Wl,-z,defs $(LDFLAGS) \
		$(if $(SANITIZE),-fsanitize=$(SANITIZE) -Wl$(comma)-z$(comma)undefs) -o $@ $(LIB_OBJECTS) $(FERRY_LDLIBS)

$(BUILD)/lib/$(SONAME): $(BUILD)/lib/libferry.so.$(VERSION)
	$(Q)ln -sf $(<F) $@
$(BUILD)/lib/libferry.so: $(BUILD)/lib/libferry.so.$(VERSION) $(BUILD)/lib/$(SONAME)
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
$(BUILD)/obj/bench/codec.o: FERRY_CFLAGS += -I$(ECHO)/c/include
$(BUILD)/obj/bench/codec.o: | $(ECHO)/c/.done
# a general CBOR library beside it, where one is installed (scripts/install/deps.sh bench)
LIBCBOR := $(shell pkg-config --exists libcbor 2>/dev/null && echo yes)
$(BUILD)/obj/bench/codec.o: FERRY_CFLAGS += $(if $(LIBCBOR),-DHAVE_LIBCBOR)
$(BUILD)/bench/codec: FERRY_LDLIBS += $(if $(LIBCBOR),-lcbor)
