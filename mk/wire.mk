# SPDX-License-Identifier: BSD-3-Clause
# The vectors of spec/wire, run by what `ferry bindgen` writes for their types.

# a build with a sanitizer lies in the one that has the environment
WIRE_PYTHON = $(firstword $(wildcard $(BUILD)/venv/bin/python $(dir $(BUILD))venv/bin/python) $(PYTHON))
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

unit-tests: $(call in_build,$(BUILD)/tests/transcode-cpp)
$(BUILD)/obj/tests/wire/transcode_cpp.o: CXXFLAGS = $(TEST_CXXFLAGS)
$(BUILD)/obj/tests/wire/transcode_cpp.o: tests/wire/transcode.cpp $(BUILD)/wire/cpp/include/roots_cpp.h
	@mkdir -p $(@D)
	@$(call say,CXX,$<)
	$(Q)$(CXX) $(FERRY_CXXFLAGS) $(CXXFLAGS) $(CPPFLAGS) -I$(BUILD)/wire/cpp/include -MMD -MP -c -o $@ $<
$(BUILD)/tests/transcode-cpp: $(BUILD)/obj/tests/wire/transcode_cpp.o $(BUILD)/lib/libferryingress.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK_CXX) -Wl,--defsym=ferry_library_wire=0 -o $@ $^ -ldl

unit-tests: $(call in_build,$(BUILD)/tests/transcode)
$(BUILD)/obj/tests/wire/transcode.o $(BUILD)/obj/fuzz/fuzz_wire.o: FERRY_CFLAGS += -I$(BUILD)/wire/include -Itests/wire
$(BUILD)/obj/tests/wire/transcode.o $(BUILD)/obj/fuzz/fuzz_wire.o: $(BUILD)/wire/include/roots.h
$(BUILD)/tests/transcode: $(BUILD)/obj/tests/wire/transcode.o
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^
