# SPDX-License-Identifier: BSD-3-Clause
# The ferry command and the Python environments.

$(BUILD)/venv/.run: tools/ferry/requirements.txt tools/ferry/pyproject.toml
	@scripts/install/venv.sh $(BUILD) "$(PYTHON)" tools/ferry/requirements.txt
	@touch $@
# mypy's cache goes with the packages that it was made from: it has missed that another version changed what is an error.
$(BUILD)/venv/.dev: tools/ferry/requirements-dev.txt $(BUILD)/venv/.run
	@scripts/install/venv.sh $(BUILD) "$(PYTHON)" tools/ferry/requirements-dev.txt
	@rm -rf $(BUILD)/mypy
	@touch $@

$(BUILD)/bin/ferry: scripts/install/ferry.in $(BUILD)/venv/.run
	@mkdir -p $(@D)
	@sed -e 's|@PYTHON@|$(abspath $(BUILD))/venv/bin/python|' -e 's|@PYTHONPATH@|$(abspath tools/ferry/src)|' \
		-e 's|@BENCH@|$(abspath $(BUILD))/bench|' -e 's|@BIN@|$(abspath $(BUILD))/bin|' \
		-e 's|@LIB@|$(abspath $(BUILD))/lib|' -e 's|@KERNEL@|$(CURDIR)/kernel|' $< >$@
	@chmod +x $@
