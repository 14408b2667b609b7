# SPDX-License-Identifier: GPL-2.0-only
"""A conftest holds for its own folder only: this one has what is here collected as tests/ is."""

from collect import pytest_collect_file

__all__ = ["pytest_collect_file"]
