# SPDX-License-Identifier: BSD-3-Clause
# The OpenMP runtime: its libraries, its tests and its benchmark.

# One file that has every name: the loader tells files by their inode, so a process has one pool whatever it asks for
# (docs/decisions/0018-one-runtime.md).
OMP_SOURCES := $(wildcard src/openmp/*/*.c) $(wildcard src/thread/*.c) $(if $(DELAYS),tests/stress/delays.c)
OMP_OBJECTS := $(OMP_SOURCES:%.c=$(BUILD)/obj/%.o)
OMP_SONAME := libferryomp.so.0
OMP_FILE := $(BUILD)/lib/gomp/libgomp.so.1
# libomp.so.5 is Debian's name, libomp.so LLVM's own, libiomp5.so Intel's; libgomp.so.1.0.0 is what numba's wheel needs
OMP_NAMES := $(addprefix $(BUILD)/lib/,$(addprefix gomp/,libgomp.so.1.0.0 libomp.so.5 libomp.so libiomp5.so) \
	libferryomp.so.$(VERSION))

# gcc's own OpenMP code, whatever compiles the rest: the library it runs with is what is measured. A sanitizer would see
# libgomp's synchronisation as races.
OPENMP_CC ?= gcc
OPENMP_BENCH := $(if $(SANITIZE),,$(BUILD)/bench/openmp)

OMP_TESTS := $(patsubst tests/openmp/unit/%.c,%,$(wildcard tests/openmp/unit/test_openmp_*.c))

.PHONY: openmp
openmp: $(BUILD)/lib/libferryomp.a $(BUILD)/lib/libferryomp.so $(BUILD)/lib/$(OMP_SONAME) $(OMP_FILE) $(OMP_NAMES)

# A thread-local variable is read without a call. glibc keeps room for such variables of libraries that a program loads
# later; musl keeps none, and so does not load such a library then (mk/wheels.mk).
OMP_TLS_MODEL ?= initial-exec
$(OMP_OBJECTS): FERRY_CFLAGS += -ftls-model=$(OMP_TLS_MODEL)
$(filter $(BUILD)/obj/src/%,$(OMP_OBJECTS)): FERRY_CFLAGS += $(if $(DELAYS),-include tests/stress/delays.h)

# versions belong to shared libraries
OMP_VERSIONED := %/lock_compat.o %/kmp/atomic_library.o %/kmp/lock.o %/kmp/version.o %/kmp/version_gomp.o
# The runtime is one member: a program linked with -rdynamic then exports all of it, and the libraries that it loads use
# its pool. Of several members they would find a part there, and the rest in another runtime. src/thread is in the
# ingress's archive too, and stays apart.
OMP_ONE := $(BUILD)/obj/src/openmp/libferryomp.o
$(OMP_ONE): $(filter-out $(OMP_VERSIONED),$(filter $(BUILD)/obj/src/openmp/%,$(OMP_OBJECTS)))
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(CC) -r -nostdlib -o $@ $^

$(BUILD)/lib/libferryomp.a: $(OMP_ONE) $(filter-out $(BUILD)/obj/src/openmp/%,$(OMP_OBJECTS))
	@mkdir -p $(@D)
	@$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# calls inside the library stay inside; zig cc has no such option (mk/wheels.mk)
OMP_SYMBOLIC ?= -Wl,-Bsymbolic-functions
# Workers sleep in the library's code, so it stays in memory once it is loaded.
OMP_LINK = $(CC) -shared -Wl,--version-script=src/openmp/abi/libgomp.map -Wl,-z,defs -Wl,-z,nodelete \
	$(OMP_SYMBOLIC) $(LDFLAGS) \
	$(if $(SANITIZE),-fsanitize=$(SANITIZE) -Wl$(comma)-z$(comma)undefs)

# The file itself has libgomp's name: Python's threadpoolctl knows a runtime by its file, links followed.
$(OMP_FILE): $(OMP_OBJECTS) src/openmp/abi/libgomp.map
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(OMP_LINK) -Wl,-soname,$(OMP_SONAME) -o $@ $(OMP_OBJECTS) -pthread -ldl

$(OMP_NAMES): $(OMP_FILE)
	$(Q)ln -sf $(if $(findstring /gomp/,$@),,gomp/)$(<F) $@

$(BUILD)/lib/$(OMP_SONAME) $(BUILD)/lib/libferryomp.so: $(BUILD)/lib/libferryomp.so.$(VERSION)
	$(Q)ln -sf $(<F) $@

native: $(OPENMP_BENCH)
$(BUILD)/obj/bench/openmp/%.o: bench/openmp/%.c
	@mkdir -p $(@D)
	@$(call say,CC,$<)
	$(Q)$(OPENMP_CC) $(FERRY_CFLAGS) $(CFLAGS) $(CPPFLAGS) -fopenmp -MMD -MP -c -o $@ $<

$(BUILD)/bench/openmp: $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard bench/openmp/*.c))
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(OPENMP_CC) -fopenmp $(LDFLAGS) -o $@ $^ -lm

# what bench/openmp/programs measures with: a loop that reports.py loads, and a server's threads
native: $(if $(SANITIZE),,$(BUILD)/bench/libsum_rows.so $(BUILD)/bench/callers $(BUILD)/bench/rests)
$(BUILD)/bench/libsum_rows.so: bench/openmp/programs/sum_rows.c
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(OPENMP_CC) $(FERRY_CFLAGS) $(CFLAGS) -O2 -fopenmp -fPIC -shared $(LDFLAGS) -o $@ $<
$(BUILD)/bench/callers $(BUILD)/bench/rests: $(BUILD)/bench/%: bench/openmp/programs/%.c
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(OPENMP_CC) $(FERRY_CFLAGS) $(CFLAGS) -O2 -fopenmp $(LDFLAGS) -o $@ $< -pthread

# The same program by clang, whose code calls the KMP ABI. clang leaves atomic operations on long double to libatomic.
OPENMP_CLANG ?= clang-14
.PHONY: openmp-clang
openmp-clang: $(BUILD)/bench/openmp-clang ## build the OpenMP benchmark by clang, for `ferry measure --check bench/targets.toml openmp-clang`
$(BUILD)/obj/bench/openmp-clang/%.o: bench/openmp/%.c
	@mkdir -p $(@D)
	@$(call say,CC,$<)
	$(Q)$(OPENMP_CLANG) $(FERRY_CFLAGS) $(CFLAGS) $(CPPFLAGS) -fopenmp -MMD -MP -c -o $@ $<

$(BUILD)/bench/openmp-clang: $(patsubst bench/openmp/%.c,$(BUILD)/obj/bench/openmp-clang/%.o,$(wildcard bench/openmp/*.c))
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(OPENMP_CLANG) -fopenmp $(LDFLAGS) -o $@ $^ $(shell $(OPENMP_CC) -print-file-name=libatomic.so) -lm

# tests/openmp/unit/test_openmp_*.c are OpenMP programs, linked with the runtime itself instead of the compiler's
openmp-tests: $(call in_build,$(OMP_TESTS:%=$(BUILD)/tests/%) $(BUILD)/tests/test_deque)
$(OMP_TESTS:%=$(BUILD)/obj/tests/openmp/unit/%.o): FERRY_CFLAGS += -fopenmp $(if $(DELAYS),-DDELAYS)
RANDOM_PROGRAM := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tests/openmp/stress/random_*.c))
$(RANDOM_PROGRAM): FERRY_CFLAGS += -fopenmp
$(BUILD)/tests/test_openmp_random: $(RANDOM_PROGRAM)
$(OMP_TESTS:%=$(BUILD)/tests/%): $(BUILD)/tests/%: $(BUILD)/obj/tests/openmp/unit/%.o $(BUILD)/lib/libferryomp.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcmocka -pthread -ldl -lm

# one thread is suspended at each point in turn; freeze.o stands for delays.o
openmp-tests: $(if $(DELAYS),$(BUILD)/tests/frozen_openmp)
$(BUILD)/obj/tests/openmp/stress/frozen_openmp.o: FERRY_CFLAGS += -fopenmp
$(BUILD)/tests/frozen_openmp: $(BUILD)/obj/tests/openmp/stress/frozen_openmp.o $(BUILD)/obj/tests/stress/freeze.o \
		$(BUILD)/lib/libferryomp.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ -pthread -ldl -lm

# the deque by itself
$(BUILD)/tests/test_deque: $(patsubst %,$(BUILD)/obj/%.o,tests/openmp/unit/test_deque src/openmp/state/deque $(if $(DELAYS),tests/stress/delays))
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ -lcmocka -pthread
