# SPDX-License-Identifier: BSD-3-Clause
# The ingress: its libraries, and the echo library with hosts of it in C, C++ and Rust.

# the ingress: what hosts and providers link
INGRESS_SOURCES := $(wildcard src/ingress/*.c src/ingress/*/*.c src/thread/*.c) $(if $(DELAYS),tests/stress/delays.c)
INGRESS_OBJECTS := $(INGRESS_SOURCES:%.c=$(BUILD)/obj/%.o)
INGRESS_SONAME := libferryingress.so.0

INGRESS_TESTS := $(patsubst tests/ingress/unit/%.c,%,$(wildcard tests/ingress/unit/test_ingress_*.c))

.PHONY: ingress
ingress: $(BUILD)/lib/libferryingress.a $(BUILD)/lib/libferryingress.so $(BUILD)/lib/$(INGRESS_SONAME)

$(filter $(BUILD)/obj/src/ingress/%,$(INGRESS_OBJECTS)): FERRY_CFLAGS += \
	$(if $(DELAYS),-DDELAY_DESCRIPTORS -include tests/stress/delays.h)

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

native: $(BUILD)/bench/ingress
$(BUILD)/bench/ingress: $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out %/skip_c.c,$(wildcard bench/ingress/*.c))) $(BUILD)/obj/tests/ingress/echo.o \
		$(BUILD)/lib/libferryingress.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ -pthread -ldl

# tests/ingress/unit/test_ingress_*.c are hosts of the provider tests/ingress/echo.c
ingress-tests: $(INGRESS_TESTS:%=$(BUILD)/tests/%)
$(INGRESS_TESTS:%=$(BUILD)/tests/%): $(BUILD)/tests/%: $(BUILD)/obj/tests/ingress/unit/%.o $(BUILD)/obj/tests/ingress/echo.o \
		$(BUILD)/lib/libferryingress.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ -lcmocka -pthread -ldl

# memory, threads and descriptors that a test refuses: tests/helpers/failing_memory.h
MEMORY_FAILS := $(patsubst %,-Wl$(comma)--wrap=%,malloc calloc realloc aligned_alloc mmap pthread_create eventfd)
$(BUILD)/tests/test_ingress_memory: LDFLAGS += $(MEMORY_FAILS)

# it counts wake-ups, and stops a thread before one
$(BUILD)/tests/test_ingress_wait: LDFLAGS += -Wl,--wrap=thread__futex_wake -Wl,--wrap=thread__futex_wake_clear
# with random delays it measures processor time, and compares nothing
$(BUILD)/obj/tests/ingress/unit/test_ingress_wait.o: FERRY_CFLAGS += $(if $(DELAYS),-DDELAYS)

# one thread is suspended at each point in turn; freeze.o stands for delays.o
ingress-tests: $(if $(DELAYS),$(BUILD)/tests/frozen_ingress)
$(BUILD)/tests/frozen_ingress: $(patsubst %,$(BUILD)/obj/tests/%.o,ingress/stress/frozen_ingress stress/freeze ingress/echo) \
		$(BUILD)/lib/libferryingress.a
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ -pthread -ldl

# a host loads it by dlopen; the core is the program's
$(BUILD)/tests/test_ingress_process: | $(BUILD)/tests/ingress_echo.so
$(BUILD)/tests/test_ingress_process: LDFLAGS += -rdynamic
$(BUILD)/tests/ingress_echo.so: $(BUILD)/obj/tests/ingress/echo.o
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(CC) -shared $(LDFLAGS) $(if $(SANITIZE),-fsanitize=$(SANITIZE)) -o $@ $<

# ---- C++: include/ferry/cpp with what `ferry bindgen --lang cpp` writes for examples/echo/echo.json -----------------

CXX_WARNINGS := -Wall -Wextra -Wconversion -Wshadow
FERRY_CXXFLAGS := -std=gnu++17 $(CXX_WARNINGS) -fPIC -D_GNU_SOURCE -Iinclude -Ibench -I$(ECHO)/cpp/include \
	-pthread -ffile-prefix-map=$(CURDIR)=. $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer)
# Random delays are in the libraries alone, so what is linked with them is compiled once: a file of C++ takes up to 20 s.
HOST_OBJ := $(if $(DELAYS),$(BUILD:%/delays=%),$(BUILD))/obj
$(patsubst %.cpp,$(HOST_OBJ)/%.o,$(wildcard bench/ingress/*.cpp tests/ingress/cpp/*.cpp)): | $(ECHO)/cpp/.done
LINK_CXX = $(CXX) $(FERRY_CXXFLAGS) $(CXXFLAGS) $(LDFLAGS)
$(HOST_OBJ)/%.o: %.cpp
	@mkdir -p $(@D)
	@$(call say,CXX,$<)
	$(Q)$(CXX) $(FERRY_CXXFLAGS) $(CXXFLAGS) $(CPPFLAGS) -MMD -MP -c -o $@ $<

# to optimise what runs once takes longer than it runs
TEST_CXXFLAGS := -O0 -g1
$(patsubst %.cpp,$(HOST_OBJ)/%.o,$(wildcard tests/ingress/cpp/test_*.cpp)): CXXFLAGS = $(TEST_CXXFLAGS)

# the library in C++; what is linked with it runs with any other whose folder is in LD_LIBRARY_PATH. The
# last folder of the path is that of the installed library, seen from lib/ferry/bench.
ECHO_CPP := $(BUILD)/lib/echo-cpp/libecho.so
$(ECHO_CPP): $(HOST_OBJ)/tests/ingress/cpp/echo_provider.o $(BUILD)/lib/libferryingress.so $(BUILD)/lib/$(INGRESS_SONAME)
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK_CXX) -shared -Wl,-soname,libecho.so -o $@ $< -L$(BUILD)/lib -lferryingress
WITH_ECHO = -L$(BUILD)/lib/echo-cpp -lecho -L$(BUILD)/lib -lferryingress \
	-Wl,-rpath,'$$ORIGIN/../lib/echo-cpp:$$ORIGIN/../lib:$$ORIGIN/../..'

CPP_TESTS := $(patsubst tests/ingress/cpp/%.cpp,%,$(wildcard tests/ingress/cpp/test_*.cpp))
ingress-tests: $(call in_build,$(CPP_TESTS:%=$(BUILD)/tests/%))
$(CPP_TESTS:%=$(BUILD)/tests/%): $(BUILD)/tests/%: $(HOST_OBJ)/tests/ingress/cpp/%.o $(ECHO_CPP)
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

# The same questions in Rust, in Go and in Python. All refer to this tree, and Rust's needs a registry, so none is built
# with the rest or installed.
.PHONY: host-benches
host-benches: $(ECHO)/rust/.done $(ECHO)/go/.done $(addprefix $(BUILD)/bench/,codec-python ingress-python skip-python skip-c skip-cpp) ## build the benchmarks in Rust, Go and Python
	@scripts/compile/rust_bench.sh $(BUILD)
	@scripts/compile/go_bench.sh $(BUILD)
$(BUILD)/bench/%-python: scripts/compile/python_bench.in bench/python/%.py bench/python/suite.py $(BUILD)/venv/.dev $(ECHO_CPP) $(ECHO)/python/.done
	@mkdir -p $(@D)
	@sed -e 's|@BUILD@|$(abspath $(BUILD))|g' -e 's|@ROOT@|$(CURDIR)|g' -e 's|@NAME@|$*|' $< >$@
	@chmod +x $@

# what skip-python asks, in C and C++
$(BUILD)/obj/bench/ingress/skip_c.o: | $(ECHO)/c/.done
$(BUILD)/obj/bench/ingress/skip_c.o: FERRY_CFLAGS += -Ibench -I$(ECHO)/c/include
$(BUILD)/bench/skip-c: $(BUILD)/obj/bench/ingress/skip_c.o
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $<
$(BUILD)/bench/skip-cpp: $(BUILD)/obj/bench/ingress/skip_cpp.o $(ECHO_CPP)
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK_CXX) -o $@ $< $(WITH_ECHO)

# C: what `ferry bindgen --lang c` writes; also runs with any libecho.so
C_HOST_TESTS := $(patsubst tests/ingress/c/%.c,%,$(wildcard tests/ingress/c/test_*.c))
ingress-tests: $(C_HOST_TESTS:%=$(BUILD)/tests/%)
$(C_HOST_TESTS:%=$(HOST_OBJ)/tests/ingress/c/%.o): | $(ECHO)/c/.done
$(C_HOST_TESTS:%=$(HOST_OBJ)/tests/ingress/c/%.o): FERRY_CFLAGS += -I$(ECHO)/c/include
$(C_HOST_TESTS:%=$(HOST_OBJ)/tests/ingress/c/%.o): $(HOST_OBJ)/%.o: %.c
	@mkdir -p $(@D)
	@$(call say,CC,$<)
	$(Q)$(COMPILE) -c -o $@ $<
$(C_HOST_TESTS:%=$(BUILD)/tests/%): $(BUILD)/tests/%: $(HOST_OBJ)/tests/ingress/c/%.o $(ECHO_CPP)
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $< $(WITH_ECHO) -lcmocka

# the library in C: examples/echo/c on what `ferry bindgen --provider c` writes
LIBRARY_IN_C := $(BUILD)/lib/echo-c/libecho.so
LIBRARY_IN_C_OBJECTS := $(BUILD)/obj/examples/echo/c/echo.o $(BUILD)/obj/build/echo/provider-c/generated/echo_provider.o
ingress-tests: $(LIBRARY_IN_C)
$(LIBRARY_IN_C_OBJECTS): FERRY_CFLAGS += -fvisibility=hidden -I$(ECHO)/provider-c
$(LIBRARY_IN_C_OBJECTS): | $(ECHO)/provider-c/.done
$(ECHO)/provider-c/generated/echo_provider.c: $(ECHO)/provider-c/.done
$(LIBRARY_IN_C): $(LIBRARY_IN_C_OBJECTS) $(BUILD)/lib/libferryingress.so $(BUILD)/lib/$(INGRESS_SONAME)
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -shared -Wl,-soname,libecho.so $(if $(SANITIZE),,-Wl$(comma)-z$(comma)defs) -o $@ $(LIBRARY_IN_C_OBJECTS) \
		-L$(BUILD)/lib -lferryingress

# the notes in C, likewise, where SQLite's header is
NOTES_IN_C := $(BUILD)/lib/notes-c/libnotes.so
NOTES_IN_C_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard examples/notes/c/*.c)) \
	$(BUILD)/obj/$(NOTES)/provider-c/generated/notes_provider.o
ingress-tests: $(if $(SANITIZE),,$(if $(wildcard /usr/include/sqlite3.h),$(NOTES_IN_C)))
$(NOTES_IN_C_OBJECTS): FERRY_CFLAGS += -fvisibility=hidden -I$(NOTES)/provider-c
$(NOTES_IN_C_OBJECTS): | $(NOTES)/provider-c/.done
$(NOTES)/provider-c/generated/notes_provider.c: $(NOTES)/provider-c/.done
$(NOTES_IN_C): $(NOTES_IN_C_OBJECTS) $(BUILD)/lib/libferryingress.so $(BUILD)/lib/$(INGRESS_SONAME)
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -shared -Wl,-soname,libnotes.so $(if $(SANITIZE),,-Wl$(comma)-z$(comma)defs) -o $@ $(NOTES_IN_C_OBJECTS) \
		-L$(BUILD)/lib -lferryingress -lsqlite3

# the fuzz target contains the library, and stands for the core
$(BUILD)/tests/fuzz_provider: $(BUILD)/obj/build/echo/provider-c/generated/echo_provider.o
$(BUILD)/obj/fuzz/fuzz_provider.o: FERRY_CFLAGS += -I$(ECHO)/provider-c
$(BUILD)/obj/fuzz/fuzz_provider.o: | $(ECHO)/provider-c/.done

# ---- Rust -----------------------------------------------------------------------------------------------------------

# the library in Rust: examples/echo/rust on what `ferry bindgen --provider rust` writes. Its name is that of the crate
# with the bindings, so it is built in a folder of its own.
RUST_PROVIDER := $(wildcard hosts/rust/ferry-ingress/src/*.rs hosts/rust/ferry-ingress/src/*/*.rs) \
	$(wildcard hosts/rust/ferry-ingress-provider/src/*.rs) \
	$(wildcard hosts/rust/ferry-ingress-macros/src/*.rs hosts/rust/ferry-ingress-macros/src/*/*.rs)
LIBRARY_IN_RUST := $(BUILD)/lib/echo-rust/libecho.so
$(LIBRARY_IN_RUST): $(ECHO)/provider-rust/.done $(wildcard examples/echo/rust/* examples/echo/rust/src/*) \
		$(RUST_PROVIDER) $(BUILD)/lib/libferryingress.so $(BUILD)/lib/$(INGRESS_SONAME)
	@mkdir -p $(@D)
	@$(call say,RUST,$@)
	$(Q)scripts/compile/rust.sh $(BUILD) build --quiet --release --manifest-path $(CURDIR)/examples/echo/rust/Cargo.toml \
		--target-dir $(abspath $(BUILD))/rust-libraries
	$(Q)cp $(BUILD)/rust-libraries/release/libecho.so $@

# the same with attributes, a member of the workspace, so that it is built, formatted and checked with that
LIBRARY_OF_ATTRIBUTES := $(BUILD)/lib/echo-rust-attributes/libecho.so
$(LIBRARY_OF_ATTRIBUTES): $(ECHO)/rust/.done $(wildcard examples/echo/rust-attributes/* examples/echo/rust-attributes/src/*) \
		$(RUST_PROVIDER) $(BUILD)/lib/libferryingress.so $(BUILD)/lib/$(INGRESS_SONAME)
	@mkdir -p $(@D)
	@$(call say,RUST,$@)
	$(Q)scripts/compile/rust.sh $(BUILD) build --quiet --package echo-attributes
	$(Q)cp $(BUILD)/rust/debug/libecho.so $@

# the conformance programs of Rust and Python call the Nim library, as the service of examples/notes calls its own
.PHONY: rust-tests
rust-tests: $(ECHO)/rust/.done $(LIBRARIES_IN_RUST) $(BUILD)/nim/lib/libecho.so $(BUILD)/nim/lib/libnotes.so ## build the Rust host, its tests and the conformance program
	@$(call say,RUST,hosts/rust)
	$(Q)scripts/compile/rust.sh $(BUILD) build --quiet --workspace --all-targets
