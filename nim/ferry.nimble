# SPDX-License-Identifier: BSD-3-Clause
version = "0.2.0"
author = "the Ferry authors"
description = "Libraries of ordinary Nim procedures that programs in other languages call"
license = "BSD-3-Clause"
srcDir = "src"

requires "nim >= 1.6.10"
