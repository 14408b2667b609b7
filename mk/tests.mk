# SPDX-License-Identifier: BSD-3-Clause
# Native test programs of what has no file of its own here: units of libferry, the vectors, the kernel's core, fuzz
# targets.

# components whose units are linked with libferry
PLAIN := batch walk thread
units_of = $(patsubst tests/$1/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/$1/unit/test_*.c))
PLAIN_TESTS := $(foreach component,$(PLAIN),$(call units_of,$(component)))

FUZZERS := $(patsubst fuzz/%.c,%,$(wildcard fuzz/fuzz_*.c))

.PHONY: unit-tests openmp-tests ingress-tests
unit-tests: openmp-tests ingress-tests \
	$(call in_build,$(PLAIN_TESTS) $(BUILD)/tests/conformance $(FUZZERS:%=$(BUILD)/tests/%))
# what is tested with sanitizers: the programs too, which run one thread or have their threads tested as a library's
.PHONY: sanitized
sanitized: unit-tests $(if $(filter thread,$(SANITIZE)),,$(PROGRAMS:%=$(BUILD)/bin/%))
$(foreach component,$(PLAIN),$(eval $(call units_of,$(component)): $(BUILD)/tests/%: $(BUILD)/obj/tests/$(component)/unit/%.o))
$(PLAIN_TESTS): $(BUILD)/lib/libferry.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcmocka $(FERRY_LDLIBS) -lm

# Everything that `make test` runs, once `make native` is done. The long chains come first, so that none is left alone at
# the end: what GHC compiles, one file after the other, is one. The hosts wait for the suite, which is built in the same
# place.
.PHONY: all-tests with-haskell with-address with-thread with-delays with-hosts
all-tests: with-haskell with-address with-thread unit-tests echo-bindings nim rust-tests with-delays with-hosts
# each of these is a make of its own, which must not find a library half written
with-haskell with-address with-thread with-delays: | native
# and how long it took, beside what was built at the same time
timed = +@begin=$$(date +%s) && $1 && printf '  TIME %s: %d s\n' $@ $$(($$(date +%s) - begin))
with-haskell:
	$(call timed,$(MAKE) --no-print-directory haskell-programs haskell-tests $(LIBRARY_IN_HASKELL) \
		$(if $(wildcard /usr/include/sqlite3.h),$(NOTES_IN_HASKELL)))
with-address:
	$(call timed,$(MAKE) --no-print-directory BUILD=$(BUILD)/address SANITIZE=address$(comma)undefined sanitized)
with-thread:
	$(call timed,$(MAKE) --no-print-directory BUILD=$(BUILD)/thread SANITIZE=thread sanitized)
# it links hosts of unit-tests: one make compiles those
with-delays: $(call in_build,$(CPP_TESTS:%=$(BUILD)/tests/%) $(C_HOST_TESTS:%=$(BUILD)/tests/%))
	$(call timed,$(MAKE) --no-print-directory BUILD=$(BUILD)/delays DELAYS=1 openmp-tests ingress-tests)
with-hosts: with-haskell
	$(call timed,$(MAKE) --no-print-directory haskell-hosts)

# what threads that wait stand on, src/thread
$(call units_of,thread): $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/thread/*.c) $(if $(DELAYS),tests/stress/delays.c))

# what ferry-serve remembers of requests, without the rest of it; its headers need libnats's
NETWORK_TESTS := $(if $(HAS_NATS),$(call units_of,network))
unit-tests: $(call in_build,$(NETWORK_TESTS))
$(NETWORK_TESTS): $(BUILD)/tests/test_network_%: $(BUILD)/obj/tests/network/unit/test_network_%.o \
		$(BUILD)/obj/src/network/serve/%.o
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ -lcmocka -pthread

# the runner of spec/vectors
$(BUILD)/tests/conformance: $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tests/batch/conformance/*.c)) $(BUILD)/lib/libferry.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(FERRY_LDLIBS)

# the kernel's batch core in user space, against headers of its own: kernel/hosttest
HOSTTEST := $(BUILD)/obj/kernel/core/batch_core.o $(BUILD)/obj/kernel/hosttest/kernel.o
HOSTTEST_INCLUDE := -Ikernel/hosttest/include
$(BUILD)/obj/kernel/%.o: FERRY_CFLAGS += $(HOSTTEST_INCLUDE)
$(BUILD)/obj/kernel/core/%.o: FERRY_CFLAGS += -include kernel.h -Ikernel/include -Wno-sign-compare
CORE_TESTS := $(BUILD)/tests/test_batch_core $(BUILD)/tests/test_batch_resume $(BUILD)/tests/test_batch_watch
unit-tests: $(call in_build,$(CORE_TESTS) $(BUILD)/tests/conformance-core)
$(CORE_TESTS): $(BUILD)/tests/%: $(BUILD)/obj/kernel/hosttest/%.o $(HOSTTEST)
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ -lcmocka

# parts of batches on the kernel executor: with the core in this process, and for a kernel that runs batches
unit-tests: $(call in_build,$(BUILD)/tests/test_kernel_part)
PART_TEST := $(BUILD)/obj/kernel/hosttest/test_kernel_part.o
$(BUILD)/tests/test_kernel_part: $(PART_TEST) $(BUILD)/obj/kernel/hosttest/kernel_entry.o $(HOSTTEST)
$(BUILD)/tests/kernel_part: $(PART_TEST)
$(BUILD)/tests/test_kernel_part $(BUILD)/tests/kernel_part: $(BUILD)/lib/libferry.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $< $(FERRY_LDLIBS)

# what the kernel executor does with a batch that is handed back, with the core in this process
unit-tests: $(call in_build,$(BUILD)/tests/test_kernel_rest)
$(BUILD)/tests/test_kernel_rest: $(BUILD)/obj/kernel/hosttest/test_kernel_rest.o \
		$(BUILD)/obj/kernel/hosttest/kernel_entry.o $(HOSTTEST) $(BUILD)/lib/libferry.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ -lcmocka $(FERRY_LDLIBS)

# the runner of spec/vectors with the core where its kernel executor enters the kernel
$(BUILD)/tests/conformance-core: $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tests/batch/conformance/*.c)) \
		$(BUILD)/obj/kernel/hosttest/kernel_entry.o $(HOSTTEST) $(BUILD)/lib/libferry.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(FERRY_LDLIBS)

# a fuzz target as a program that replays its corpus
FUZZED := $(patsubst %,$(BUILD)/obj/tests/batch/conformance/%.o,vector cursor names functions) \
	$(patsubst %,$(BUILD)/obj/examples/c/mdu/%.o,exclude quote times units)
$(BUILD)/tests/fuzz_environment: $(BUILD)/lib/libferryomp.a
$(BUILD)/tests/fuzz_core: $(HOSTTEST)
$(BUILD)/obj/fuzz/fuzz_core.o: FERRY_CFLAGS += $(HOSTTEST_INCLUDE)
$(FUZZERS:%=$(BUILD)/tests/%): $(BUILD)/tests/%: \
		$(BUILD)/obj/fuzz/%.o $(BUILD)/obj/fuzz/replay.o $(FUZZED) $(BUILD)/lib/libferry.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(FERRY_LDLIBS) -ldl
