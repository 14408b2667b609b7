# SPDX-License-Identifier: BSD-3-Clause
# Debian packages, and everything that a release consists of.

# the Debians that packages are built for and tested in, and where they are kept
DEB_SUITES ?= bookworm trixie
DEB_ROOTS ?= $(BUILD)/debian
DIST := $(BUILD)/dist

.PHONY: deps-packages deb deb-test release
deps-packages:
	@scripts/install/deps.sh matrix packages
deb: deps-packages ## build Debian packages for DEB_SUITES into build/dist, twice, and let lintian look at them
	@scripts/release/deb.sh $(DEB_ROOTS) $(DIST) $(VERSION) build $(DEB_SUITES)
deb-test: deps-packages ## install, upgrade, use and remove what `make deb` has built, in a clean Debian of each suite
	@scripts/release/deb.sh $(DEB_ROOTS) $(DIST) $(VERSION) test $(DEB_SUITES)
release: deps-packages ## build and verify all that is published into build/dist, with checksums and an SBOM
	@scripts/release/release.sh $(BUILD) $(DEB_ROOTS) $(VERSION) $(DEB_SUITES)

# the commit whose libraries `make abi` compares with: the last release's, unless it is given
BASE ?= $(shell git describe --tags --match 'v*' --abbrev=0 2>/dev/null || echo HEAD)
.PHONY: abi
abi: deps-packages ## compare the libraries' interfaces with those of a commit by abidiff: BASE=v0.2.0
	@$(MAKE) --no-print-directory build
	@scripts/release/abi.sh $(BUILD) $(BASE)
