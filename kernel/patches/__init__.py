# SPDX-License-Identifier: GPL-2.0-only
"""The series of patches that adds batch(2) to Linux, made from kernel/core so that the two do not drift.

`content` says what is in each patch, `series` writes the patches of one kernel version into the folder of its name, and
`python -m patches` (PYTHONPATH=kernel) does so for every version. messages/ has the commit messages and the cover
letter, files/ what only the series has.
"""
