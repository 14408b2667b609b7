# SPDX-License-Identifier: BSD-3-Clause
# The Haskell packages, and the OpenMP runtime's unit tests inside a Haskell program.

.PHONY: haskell-programs haskell-crossings haskell-tests haskell-hosts haskell-profiled
haskell-programs haskell-crossings haskell-tests haskell-hosts haskell-profiled: openmp $(BUILD)/lib/pkgconfig/ferryomp.pc
	@V=$(V) scripts/compile/haskell.sh $(BUILD) $(@:haskell-%=%)

# built in the same place, one after the other
haskell-tests haskell-hosts: | haskell-programs

# libraries in Haskell: the package that they stand on, the library echo, and the notes
LIBRARY_IN_HASKELL := $(BUILD)/lib/echo-haskell/libecho.so
NOTES_IN_HASKELL := $(BUILD)/lib/notes-haskell/libnotes.so
$(LIBRARY_IN_HASKELL): $(ECHO)/provider-haskell/.done $(wildcard examples/echo/haskell/* examples/echo/haskell/src/*)
$(NOTES_IN_HASKELL): $(NOTES)/provider-haskell/.done $(wildcard $(addprefix examples/notes/haskell/,* src/* src/*/*))
$(LIBRARY_IN_HASKELL) $(NOTES_IN_HASKELL): \
		$(wildcard $(addprefix haskell/ingress/,* cbits/* include/ferry/* src/Ferry/*.hs src/Ferry/*/*.hs src/Ferry/*/*/*.hs)) \
		$(BUILD)/lib/libferryingress.so $(BUILD)/lib/$(INGRESS_SONAME) $(BUILD)/lib/pkgconfig/ferryingress.pc
	@V=$(V) scripts/compile/haskell.sh $(BUILD) libraries $(patsubst lib%.so,%,$(@F))
	@touch $@

# a slow disk for programs that were not built for one (bench/haskell/stalls.py)
haskell-programs: $(BUILD)/bench/libslow.so
$(BUILD)/bench/libslow.so: haskell/directory/bench/slow.c
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -O2 -shared -fvisibility=default -o $@ $<

# the unit tests of the OpenMP runtime for its Haskell host (tests/openmp/conformance/host), but for those that stand in
# for the system, call what no library exports, count the threads of the process or signal them
UNHOSTED_TESTS := test_openmp_coscheduler test_openmp_helper test_openmp_members test_openmp_queue test_openmp_rest \
	test_openmp_retire test_openmp_signal test_openmp_wait
HOSTED_TESTS := $(patsubst %,$(BUILD)/ghc/tests/%.so,$(filter-out $(UNHOSTED_TESTS),$(OMP_TESTS)))
haskell-hosts: $(HOSTED_TESTS)
$(BUILD)/obj/ghc/%.o: %.c
	@mkdir -p $(@D)
	@$(call say,CC,$<)
	$(Q)$(COMPILE) -fopenmp -fPIC -fvisibility=default -c -o $@ $<

$(BUILD)/ghc/tests/test_openmp_random.so: $(patsubst %.c,$(BUILD)/obj/ghc/%.o,$(wildcard tests/openmp/stress/random_*.c))
$(HOSTED_TESTS): $(BUILD)/ghc/tests/%.so: $(BUILD)/obj/ghc/tests/openmp/unit/%.o $(BUILD)/lib/libferryomp.so
	@mkdir -p $(@D)
	@$(call say,LINK,$@)
	$(Q)$(LINK) -shared -Wl,-Bsymbolic -Wl,-z,defs -o $@ $(filter %.o,$^) -L$(BUILD)/lib -lferryomp -lcmocka -pthread -lm
	$(Q)ln -sf ../../tests/openmp-host-ferry $(@:.so=)

.PHONY: packages-test
packages-test: deps-haskell ## build and test each Haskell package's archive alone, in build/packages, as Hackage would have it
	@scripts/install/deps.sh haskell-tests
	@rm -rf $(BUILD)/packages
	@scripts/release/packages_test.sh $(BUILD)/packages
	@$(MAKE) --no-print-directory build $(BUILD)/venv/.dev
	@$(BUILD)/venv/bin/python -m pytest tests/haskell/inside.py

.PHONY: nix-test
nix-test: deps-haskell ## build the Haskell packages by Nix, with this machine's GHC in place of nixpkgs
	@scripts/install/deps.sh nix
	@scripts/release/nix_test.sh $(BUILD)

.PHONY: conformance-directory
conformance-directory: deps-haskell ## run the tests of Haskell's package directory against Ferry.Directory
	@$(MAKE) --no-print-directory haskell-programs
	@scripts/test/directory_conformance.sh $(BUILD)

# the installed one, but for where things are
$(BUILD)/lib/pkgconfig/%.pc: packaging/%.pc.in Makefile
	@mkdir -p $(@D)
	@sed -e 's|@PREFIX@|$(CURDIR)|' -e 's|@VERSION@|$(VERSION)|' -e 's|^libdir=.*|libdir=$(abspath $(BUILD))/lib|' \
		$< >$@
