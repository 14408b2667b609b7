# SPDX-License-Identifier: BSD-3-Clause
"""`ferry advise`: where in a program's system calls a batch would pay, and how much.

Data goes through the modules in this order: `record` (strace runs the command), `strace_parser` (text to calls,
`values` takes single arguments apart), `runs` (which consecutive calls one batch could carry, by the rules of
`dataflow` and the tables of `signatures`), `shapes` (the same run again and again), `costs` and `predict` (what
it would save here), `report` (the table and the JSON), `emit_c` (the run as C source). `command` is the command line.
"""
