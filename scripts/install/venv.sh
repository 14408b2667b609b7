#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Make BUILD/venv if it is not there and install a pinned requirements file into it:
# scripts/install/venv.sh BUILD PYTHON FILE
set -euo pipefail
build=$1 python=$2 requirements=$3

if [ ! -x "$build/venv/bin/python" ]; then
	"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
		echo "Ferry needs Python 3.11 or newer; '$python' is older." \
			"Pass another one: make PYTHON=/path/to/python3" >&2
		exit 1
	}
	"$python" -m venv "$build/venv"
fi
"$build/venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements"
