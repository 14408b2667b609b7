# refused: the library has no methods
# SPDX-License-Identifier: BSD-3-Clause
import ferry
ferryLibrary bad, "1.0.0"
