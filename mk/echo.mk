# SPDX-License-Identifier: BSD-3-Clause
# What `ferry bindgen` writes for examples/echo/echo.json, the interface of the conformance programs, in every language.
# It is the same for every build, and the crates of hosts/rust depend on it by path: it lies in build/echo, wherever
# BUILD is. The bindings of examples/notes are committed instead, as the sample that people read; what its libraries in
# C and in Haskell stand on lies in build/notes.

ECHO := build/echo
ECHO_LANGUAGES := c cpp go rust python
ECHO_PROVIDERS := c haskell rust
NOTES := build/notes
NOTES_PROVIDERS := c haskell
# the environment of this build, or of the one that this build with a sanitizer lies in (BUILD itself may not be there yet)
ECHO_VENV = $(firstword $(wildcard $(BUILD)/venv/.run $(dir $(BUILD))venv/.run) $(BUILD)/venv/.run)
BINDGEN_SOURCES := $(wildcard $(addprefix tools/ferry/src/ferry/bindgen/,*.py templates/*/* templates/*/*/* templates/*/*/*/*))

.PHONY: echo-bindings
echo-bindings: $(ECHO_LANGUAGES:%=$(ECHO)/%/.done) $(ECHO_PROVIDERS:%=$(ECHO)/provider-%/.done)
$(ECHO_LANGUAGES:%=$(ECHO)/%/.done): $(ECHO)/%/.done: examples/echo/echo.json $(BINDGEN_SOURCES) | $(ECHO_VENV)
	@mkdir -p $(@D)
	@$(call say,GEN,$(@D))
	$(Q)PYTHONPATH=tools/ferry/src $(dir $(ECHO_VENV))bin/python -m ferry bindgen $< --lang $* --out $(@D) \
		$(if $(filter rust,$*),--runtime ../../../hosts/rust/ferry-ingress) \
		$(if $(filter go,$*),--runtime ../../../hosts/go) >$(@D)/.log 2>&1 || { cat $(@D)/.log >&2; exit 1; }
	@touch $@

# what the library in C, in Haskell and in Rust stands on: examples/echo has what its author writes
$(ECHO_PROVIDERS:%=$(ECHO)/provider-%/.done): $(ECHO)/provider-%/.done: examples/echo/echo.json $(BINDGEN_SOURCES) | $(ECHO_VENV)
	@mkdir -p $(@D)
	@$(call say,GEN,$(@D))
	$(Q)PYTHONPATH=tools/ferry/src $(dir $(ECHO_VENV))bin/python -m ferry bindgen $< --provider $* --out $(@D) \
		$(if $(filter rust,$*),--runtime ../../../hosts/rust/ferry-ingress-provider) \
		>$(@D)/.log 2>&1 || { cat $(@D)/.log >&2; exit 1; }
	@touch $@

$(NOTES_PROVIDERS:%=$(NOTES)/provider-%/.done): $(NOTES)/provider-%/.done: examples/notes/notes.json $(BINDGEN_SOURCES) | $(ECHO_VENV)
	@mkdir -p $(@D)
	@$(call say,GEN,$(@D))
	$(Q)PYTHONPATH=tools/ferry/src $(dir $(ECHO_VENV))bin/python -m ferry bindgen $< --provider $* --out $(@D) \
		>$(@D)/.log 2>&1 || { cat $(@D)/.log >&2; exit 1; }
	@touch $@
