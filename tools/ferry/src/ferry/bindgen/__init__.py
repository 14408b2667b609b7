# SPDX-License-Identifier: BSD-3-Clause
"""Bindings for hosts, generated from the interface description of a provider library (spec/interface.md)."""
