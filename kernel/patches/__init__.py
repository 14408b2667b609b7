# SPDX-License-Identifier: GPL-2.0-only
"""The series of patches that adds batch(2) to Linux, made from kernel/core so that the two do not drift.

`content` says what is in each patch, `places` where a version of the kernel has the files and lines that are changed,
`series` has git write the patches of one version, and `make kernel-patches` writes those of every version into
build/patches/. messages/ has the commit messages and the cover letter, files/ what only the series has.
"""
