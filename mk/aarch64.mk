# SPDX-License-Identifier: BSD-3-Clause
# The libraries on aarch64, in QEMU.

AARCH64 := $(BUILD)/aarch64

.PHONY: aarch64-test
aarch64-test: deps-aarch64 ## run the libraries' unit tests in a Debian 12 for aarch64, in QEMU; ONLY='test_ingress_*'
	@scripts/test/aarch64_test.sh $(AARCH64) '$(ONLY)'
