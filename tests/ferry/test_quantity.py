# SPDX-License-Identifier: BSD-3-Clause
"""Figures as text."""

import re

import pytest
from ferry.quantity import percent, plain_time, time_with_error, with_error
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("value", "err", "text"),
    [
        (8.628, 0.0752, "8.628 ± 0.075"),
        (8.628, 0.0004, "8.628 ± 0.001"),
        (12.3456, 1.23, "12.3 ± 1.2"),
        (12.3456, 12.3, "12 ± 12"),
        (1234.5, 210.0, "1234 ± 210"),
        (5.5, 0.0996, "5.50 ± 0.10"),
        (1.0, 0.0, "1.000 ± 0"),
        (-3.25, 0.5, "-3.25 ± 0.50"),
    ],
)
def test_ratio(value: float, err: float, text: str) -> None:
    assert with_error(value, err) == text


@pytest.mark.parametrize(
    ("value", "err", "text"),
    [
        (186.05, 0.40, "186.05 ± 0.40 ns"),
        (-22.56, 13.57, "-23 ± 14 ns"),
        (1_520_000.0, 31_000.0, "1.52 ± 0.03 ms"),
        (0.3, 250.0, "0 ± 250 ns"),
        (0.3, 2500.0, "0.0 ± 2.5 µs"),
        (2.5e9, 1e7, "2.50 ± 0.01 s"),
    ],
)
def test_time(value: float, err: float, text: str) -> None:
    assert time_with_error(value, err) == text


@given(st.floats(-1e12, 1e12), st.floats(1e-9, 1e12))
def test_a_known_error_is_never_shown_as_zero(value: float, err: float) -> None:
    shown = re.fullmatch(r"-?[\d.]+ ± ([\d.]+) (ns|µs|ms|s)", time_with_error(value, err))
    assert shown
    assert float(shown[1]) > 0


def test_plain_time_and_percent() -> None:
    assert plain_time(1_857.3) == "1.86 µs"
    assert plain_time(0.0) == "0 ns"
    assert percent(0.1) == "10 %"
    assert percent(0.0123) == "1.2 %"
    assert percent(0) == "0 %"
