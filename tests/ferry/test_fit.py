# SPDX-License-Identifier: BSD-3-Clause
"""The fitter, on samples whose line is known."""

import math

import numpy as np
import pytest
from ferry.fit import fit_line
from ferry.line import FitError, Line, break_even, difference, minima, ratio
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import curve_fit  # type: ignore[import-untyped]

SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def noisy_samples(seed: int, fixed: float, per_call: float, repetitions: int = 60) -> list[tuple[int, float]]:
    """Times as machines give them: the line, plus disturbances that only ever add."""
    generator = np.random.default_rng(seed)
    samples = []
    for n in SIZES:
        exact = fixed + n * per_call
        disturbances = generator.exponential(0.05 * exact, repetitions)
        samples += [(n, float(exact + extra)) for extra in disturbances]
    return samples


def line(fixed: float, per_call: float, fixed_err: float = 0.0, per_call_err: float = 0.0, cov: float = 0.0) -> Line:
    return Line(fixed, per_call, fixed_err**2, cov, per_call_err**2)


def test_exact_line_is_found_exactly() -> None:
    fitted = fit_line([(n, 235.59 + 21.564 * n) for n in SIZES for _ in range(5)])
    assert fitted.fixed == pytest.approx(235.59)
    assert fitted.per_call == pytest.approx(21.564)
    assert fitted.fixed_err == pytest.approx(0, abs=1e-5)
    assert fitted.per_call_err == pytest.approx(0, abs=1e-7)
    assert fitted.residual == pytest.approx(0, abs=1e-9)
    assert fitted.linear


@settings(max_examples=60, deadline=None)
@given(
    fixed=st.floats(-5, 1e5),
    per_call=st.floats(0.1, 1e5),
    sizes=st.lists(st.integers(1, 10**6), min_size=2, max_size=12, unique=True),
)
def test_any_exact_line_is_found(fixed: float, per_call: float, sizes: list[int]) -> None:
    fitted = fit_line([(n, fixed + n * per_call) for n in sizes])
    scale = max(abs(fixed), per_call * max(sizes))
    for n in sizes:
        assert fitted.time(n) == pytest.approx(fixed + n * per_call, rel=1e-6, abs=1e-7 * scale)


@settings(max_examples=40, deadline=None)
@given(factor=st.floats(0.01, 1000), seed=st.integers(0, 1000))
def test_scaling_the_times_scales_the_line(factor: float, seed: int) -> None:
    # far above LEAST_TIME, so that the weights scale too
    samples = noisy_samples(seed, 5e3, 2e4, repetitions=20)
    one, other = fit_line(samples), fit_line([(n, factor * value) for n, value in samples])
    assert other.per_call == pytest.approx(factor * one.per_call, rel=1e-6)
    assert other.per_call_err == pytest.approx(factor * one.per_call_err, rel=1e-6)
    assert other.residual == pytest.approx(one.residual, rel=1e-6)


@settings(max_examples=40, deadline=None)
@given(st.permutations(noisy_samples(7, 40, 90, repetitions=4)))
def test_the_order_of_samples_does_not_matter(samples: list[tuple[int, float]]) -> None:
    assert fit_line(samples) == fit_line(sorted(samples))


def test_agrees_with_another_implementation() -> None:
    samples = noisy_samples(3, 120, 85)
    fitted, least = fit_line(samples), minima(samples)
    n, times = np.array(list(least)), np.array(list(least.values()))
    other, _ = curve_fit(lambda x, a, b: a + b * x, n, times, p0=(1.0, 1.0), sigma=times)
    assert (fitted.fixed, fitted.per_call) == pytest.approx(tuple(other), rel=1e-5)


@pytest.mark.parametrize("repetitions", [5, 60, 300])
def test_errors_cover_the_truth(repetitions: int) -> None:
    """One standard error covers about 68 % and two about 95 % if noise is symmetric; here it only ever adds."""
    fixed, per_call, runs = 200.0, 85.0, 100
    lines = [fit_line(noisy_samples(seed, fixed, per_call, repetitions)) for seed in range(runs)]
    off_per_call = [abs(fitted.per_call - per_call) / fitted.per_call_err for fitted in lines]
    off_fixed = [abs(fitted.fixed - fixed) / fitted.fixed_err for fitted in lines]
    for off in (off_per_call, off_fixed):
        assert 0.40 * runs <= sum(width <= 1 for width in off) <= 0.92 * runs
        assert 0.85 * runs <= sum(width <= 2 for width in off)
        assert 0.94 * runs <= sum(width <= 3 for width in off)


def test_misfit_widens_the_errors_and_is_flagged() -> None:
    straight = [(n, 100.0 * n) for n in SIZES for _ in range(10)]
    bent = [(n, 100.0 * n * (1.5 if n >= 50 else 1.0)) for n, _ in straight]
    assert fit_line(straight).linear
    fitted = fit_line(bent)
    assert not fitted.linear
    assert fitted.residual > 0.1
    assert fitted.residual_n in SIZES
    # every sample of one n is the same, so the bootstrap alone would call this exact
    assert fitted.per_call_err > 3
    assert abs(fitted.per_call - 150) < 4 * fitted.per_call_err


def test_disturbed_samples_do_not_move_the_line() -> None:
    samples = [(n, 10.0 + 85.0 * n) for n in SIZES for _ in range(10)]
    fitted = fit_line(samples + [(n, 50 * value) for n, value in samples])
    assert (fitted.fixed, fitted.per_call) == pytest.approx((10, 85))


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        ([], "two different n"),
        ([(5, 1.0), (5, 2.0)], "two different n"),
        ([(1, 1.0), (2, math.nan)], "not a measurement"),
        ([(1, 1.0), (2, math.inf)], "not a measurement"),
        ([(0, 1.0), (2, 1.0)], "not a measurement"),
    ],
)
def test_what_is_no_line_is_refused(samples: list[tuple[int, float]], message: str) -> None:
    with pytest.raises(FitError, match=message):
        fit_line(samples)


def test_two_sizes_and_one_sample_each_are_enough() -> None:
    fitted = fit_line([(1, 10.0), (11, 110.0)])
    assert (fitted.fixed, fitted.per_call) == pytest.approx((0, 10), abs=1e-9)
    assert fitted.per_call_err == pytest.approx(0)


def test_times_of_zero_and_below_are_fitted() -> None:
    """Overhead is subtracted, so a run that does nothing may come out below 0."""
    fitted = fit_line([(1, -0.4), (2, 0.0), (10, 1.0), (100, 10.0)])
    assert math.isfinite(fitted.fixed_err)
    assert fitted.per_call == pytest.approx(0.1, rel=0.2)


def test_ratio_propagates_as_the_seed_does() -> None:
    """(186.05 ± 0.40) / (21.56 ± 0.18) is 8.63 ± 0.075: the example of the document Ferry grew from."""
    huge = 10**9
    estimate = ratio(line(-22.56, 186.05, 13.57, 0.40), line(235.59, 21.56, 2.83, 0.18), huge)
    assert estimate.value == pytest.approx(8.63, abs=0.005)
    assert estimate.err == pytest.approx(0.075, abs=0.001)


def test_covariance_enters_the_error_of_a_time() -> None:
    anti = line(10, 2, 1.0, 0.1, cov=-0.1)
    assert anti.time_err(10) == pytest.approx(0, abs=1e-7)
    assert line(10, 2, 1.0, 0.1).time_err(10) == pytest.approx(math.sqrt(2))


def test_ratio_of_a_time_below_zero_is_refused() -> None:
    with pytest.raises(FitError, match="no ratio"):
        ratio(line(-10, 1), line(1, 1), 2)


def test_break_even() -> None:
    crossing = break_even(line(400, 60, 10, 1), line(0, 85, 0, 1))
    assert crossing is not None
    assert crossing.value == pytest.approx(16)
    assert crossing.err == pytest.approx(math.hypot(math.hypot(10, 16), 16) / 25)
    assert break_even(line(400, 85), line(0, 60)) is None
    assert break_even(line(0, 60), line(400, 85)) is None
    assert break_even(line(0, 60), line(400, 60)) is None


def test_difference_adds_errors_in_quadrature() -> None:
    more = difference(line(0, 5, per_call_err=3), line(0, 1, per_call_err=4))
    assert (more.value, more.err) == pytest.approx((4, 5))
