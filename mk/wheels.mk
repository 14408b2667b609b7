# SPDX-License-Identifier: BSD-3-Clause
# ferry-openmp for PyPI: wheels whose libraries are compiled by `zig cc` for an older C library and other processors.

WHEELS := $(BUILD)/wheels
WHEEL_ARCHES := x86_64 aarch64
WHEEL_NAMES := $(WHEEL_ARCHES) x86_64-musl
# manylinux_2_28 is what numpy, scipy and scikit-learn are built for, musllinux_1_2 what they are built for on Alpine
WHEEL_GLIBC := 2.28
wheel_target = $(if $(findstring -musl,$1),$(1:-musl=)-linux-musl,$1-linux-gnu.$(WHEEL_GLIBC))
wheel_tls_model = $(if $(findstring -musl,$1),global-dynamic,initial-exec)
wheel_tag = $(if $(findstring -musl,$1),musllinux_1_2_$(1:-musl=),manylinux_2_28_$1)
# an attribute that clang ignores may be one that makes a symbol
WHEEL_WARNINGS := -Werror=unknown-attributes
# the tools are Python packages of a virtual environment of their own
ZIG := $(abspath $(WHEELS))/venv/bin/python -m ziglang

.PHONY: wheels wheels-test
wheels: deps-build ## build the wheels of ferry-openmp (x86-64, aarch64, musl) into build/wheels/dist
	@$(MAKE) --no-print-directory $(WHEEL_NAMES:%=wheel-%)
wheels-test: deps-wheels ## test the wheels, and run the runtime's unit tests with them on an older glibc, aarch64 under qemu-user
	@$(MAKE) --no-print-directory python-openmp $(BUILD)/venv/.dev
	@$(MAKE) --no-print-directory wheels
	@FERRY_BUILD=$(abspath $(BUILD)) $(BUILD)/venv/bin/python -m pytest $(wildcard tests/wheels/test_*.py)
	@scripts/release/wheels_test.sh $(WHEELS) $(WHEEL_NAMES)

$(WHEELS)/venv/.done: python/requirements.txt
	@scripts/install/venv.sh $(WHEELS) "$(PYTHON)" $<
	@touch $@

# clang has an omp.h of its own, with other types; GCC's has an attribute with arguments, which clang does not know
$(WHEELS)/include/omp.h:
	@mkdir -p $(@D)
	$(Q)sed 's/__malloc__ (omp_free)/__malloc__/' "$$(gcc -print-file-name=include/omp.h)" >$@

# the compiler as one word
$(WHEELS)/%/cc: mk/wheels.mk $(WHEELS)/venv/.done
	@mkdir -p $(@D)
	$(Q)printf '#!/bin/sh\nexec %s cc -target %s -idirafter %s "$$@"\n' '$(ZIG)' '$(call wheel_target,$*)' \
		'$(abspath $(WHEELS))/include' >$@
	$(Q)chmod +x $@

# What mk/openmp.mk makes under libgomp's name goes into the wheel, as a file that is no link.
.PHONY: $(WHEEL_NAMES:%=wheel-%)
$(WHEEL_NAMES:%=wheel-%): wheel-%: $(WHEELS)/%/cc $(WHEELS)/include/omp.h $(OMP_FILE)
	+@$(MAKE) --no-print-directory BUILD=$(WHEELS)/$* CC=$(abspath $<) AR='$(ZIG) ar' CFLAGS="-O2 $(WHEEL_WARNINGS)" LDFLAGS= \
		OMP_SYMBOLIC= OMP_TLS_MODEL=$(call wheel_tls_model,$*) HASKELL= openmp
	$(Q)$(PYTHON) python/symbols.py src/openmp/abi/libgomp.map $(OMP_FILE) $(WHEELS)/$*/lib/gomp/libgomp.so.1
	@$(call say,LINK,$(WHEELS)/$*/lib/libferryblas.so)
	$(Q)$< $(FERRY_CFLAGS) -O2 -shared -Wl,-soname,libferryblas.so -o $(WHEELS)/$*/lib/libferryblas.so \
		python/native/blas_team.c -pthread
	$(Q)$(WHEELS)/venv/bin/python python/wheel.py $(call wheel_tag,$*) \
		libferryomp.so.0=$(WHEELS)/$*/lib/gomp/libgomp.so.1 libferryblas.so=$(WHEELS)/$*/lib/libferryblas.so $(WHEELS)/dist

# the package where it lies, for tests and benchmarks: with the libraries of this machine's compiler
.PHONY: python-openmp
python-openmp: $(BUILD)/python/lib/libferryomp.so.0 $(BUILD)/python/lib/libferryblas.so
$(BUILD)/python/lib/libferryomp.so.0: $(BUILD)/lib/gomp/libgomp.so.1
	@mkdir -p $(@D)
	$(Q)ln -f $$(realpath $<) $@ 2>/dev/null || cp -L $< $@
$(BUILD)/python/lib/libferryblas.so: $(BUILD)/obj/python/native/blas_team.o
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -shared -Wl,-soname,$(@F) -o $@ $^ -pthread
native: python-openmp
