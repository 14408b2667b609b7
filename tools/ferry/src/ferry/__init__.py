# SPDX-License-Identifier: BSD-3-Clause
"""The ferry command: what crossing each boundary of this machine costs, and where batching pays."""

__version__ = "0.2.0"
