# SPDX-License-Identifier: BSD-3-Clause
# Libraries behind a NATS server: libferrynetwork for hosts, ferry-serve for providers. With libnats of Debian, so they
# are built with the rest only where that is there; `make network` installs it.

NETWORK_SOURCES := $(wildcard src/network/*.c)
NETWORK_OBJECTS := $(NETWORK_SOURCES:%.c=$(BUILD)/obj/%.o)
NETWORK_SONAME := libferrynetwork.so.0
HAS_NATS := $(shell pkg-config --exists libnats 2>/dev/null && echo yes)

.PHONY: native-network
native-network: $(BUILD)/lib/libferrynetwork.so $(BUILD)/lib/$(NETWORK_SONAME) $(BUILD)/bin/ferry-serve \
	$(BUILD)/lib/echo-nats/libecho.so
native: $(if $(HAS_NATS),native-network)

$(BUILD)/lib/libferrynetwork.so.$(VERSION): $(NETWORK_OBJECTS) src/network/network.map $(BUILD)/lib/libferryingress.so \
		$(BUILD)/lib/$(INGRESS_SONAME)
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(CC) -shared -Wl,-soname,$(NETWORK_SONAME) -Wl,--version-script=src/network/network.map -Wl,-z,nodelete \
		$(LDFLAGS) $(if $(SANITIZE),-fsanitize=$(SANITIZE) -Wl$(comma)-z$(comma)undefs,-Wl$(comma)-z$(comma)defs) \
		-o $@ $(NETWORK_OBJECTS) -L$(BUILD)/lib -lferryingress -lnats -pthread -Wl,-rpath,'$$ORIGIN'

$(BUILD)/lib/$(NETWORK_SONAME) $(BUILD)/lib/libferrynetwork.so: $(BUILD)/lib/libferrynetwork.so.$(VERSION)
	$(Q)ln -sf $(<F) $@

SERVE_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/network/serve/*.c) src/network/link.c src/network/message.c)
$(BUILD)/bin/ferry-serve: $(SERVE_OBJECTS) $(BUILD)/lib/libferryingress.so $(BUILD)/lib/$(INGRESS_SONAME)
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(SERVE_OBJECTS) -L$(BUILD)/lib -lferryingress -lnats -pthread -ldl \
		-Wl,-rpath,'$$ORIGIN/../lib'

# what stands for the echo library at a host that has it elsewhere
$(ECHO)/nats/.done: examples/echo/echo.json $(BINDGEN_SOURCES) | $(ECHO_VENV)
	@mkdir -p $(@D)
	@$(call say,GEN,$(@D))
	$(Q)PYTHONPATH=tools/ferry/src $(dir $(ECHO_VENV))bin/python -m ferry bindgen $< --lang nats --out $(@D) \
		>$(@D)/.log 2>&1 || { cat $(@D)/.log >&2; exit 1; }
	@touch $@
$(BUILD)/lib/echo-nats/libecho.so: $(ECHO)/nats/.done $(BUILD)/lib/libferrynetwork.so $(BUILD)/lib/$(NETWORK_SONAME)
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -shared -Wl,-soname,libecho.so -o $@ $(ECHO)/nats/echo_nats.c -L$(BUILD)/lib -lferrynetwork \
		-Wl,-rpath,'$$ORIGIN/..'

# what tests/network count requests with
NETWORK_TESTS := $(BUILD)/tests/network/libcount.so $(addprefix $(BUILD)/tests/network/count-,host deadline spread)
unit-tests: $(if $(HAS_NATS),$(if $(SANITIZE),,$(NETWORK_TESTS)))
$(BUILD)/tests/network/libcount.so: $(BUILD)/obj/tests/network/count/library.o $(BUILD)/lib/libferryingress.so
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -shared -o $@ $< -L$(BUILD)/lib -lferryingress -Wl,-rpath,'$$ORIGIN/../../lib'
$(BUILD)/tests/network/count-%: $(BUILD)/obj/tests/network/count/%.o $(BUILD)/lib/libferrynetwork.so \
		$(BUILD)/lib/$(NETWORK_SONAME)
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $< -L$(BUILD)/lib -lferrynetwork -lferryingress -Wl,-rpath,'$$ORIGIN/../../lib'

# the fuzz target reads messages, for which it needs no libnats, and links of chains
$(BUILD)/tests/fuzz_network: $(BUILD)/obj/src/network/message.o $(BUILD)/obj/src/ingress/requests/links.o

# what `ferry measure network` runs. gRPC, over the same lines, is built only where it is asked for.
ifndef SANITIZE
native-network: $(BUILD)/bench/network
endif
$(BUILD)/obj/bench/network/main.o: | $(ECHO)/cpp/.done
$(BUILD)/bench/network: $(BUILD)/obj/bench/network/main.o $(BUILD)/obj/bench/network/line.o $(ECHO_CPP) \
		$(BUILD)/lib/echo-nats/libecho.so
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK_CXX) -o $@ $(filter %.o,$^) -L$(BUILD)/lib/echo-nats -lecho -L$(BUILD)/lib -lferryingress -lnats \
		-Wl,-rpath,'$$ORIGIN/../lib/echo-nats:$$ORIGIN/../lib'

.PHONY: network-benches
network-benches: deps-bench ## build the benchmark of gRPC, which `ferry measure network` compares with
	@$(MAKE) --no-print-directory network
	@$(MAKE) --no-print-directory $(BUILD)/bench/network-grpc
$(BUILD)/bench/network-grpc: $(BUILD)/obj/bench/network/grpc.o $(BUILD)/obj/bench/network/line.o
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK_CXX) -o $@ $^ $$(pkg-config --libs grpc++)
