# SPDX-License-Identifier: BSD-3-Clause
"""`ferry measure --check FILE`: measure what the targets of FILE are about, and say which of them are met.

In the way data goes: `table` reads one table of the file, `targets` the whole file; `libraries` and `inputs` find what
a measurement needs; `lines` and `commands` make one pass of a measurement and return its figures; `derived` works out
more figures from those; `run` repeats the passes in every world; `judge` compares figures with bounds; `show` prints.
"""
