# SPDX-License-Identifier: BSD-3-Clause
"""Fit T(n) = fixed + n × per_call to samples, with errors that hold when the line does not quite.

The data are the minima per n: what disturbs a run only adds time. Where other programs run beside on purpose, the data
are the means per n instead: what those take is part of the time there, and a least sample is one that they missed.

The line is fitted by least squares weighted with 1 / T², so that every batch size counts the same, small ones too.
Three errors are added in quadrature:

* noise, by bootstrap: the samples of each n are drawn again with replacement, the minima and the line taken again. The
  rank of the minimum of m draws from m has the law floor(m × (1 − U^(1/m))), U uniform, so it is drawn directly.
* shift, of minima alone: a minimum of m samples is above the floor it stands for by about the gap between the least
  samples, for every n alike, so averaging over n does not reduce it. Drawing again shifts the minimum by 1 / (e − 1) of
  that gap on average; the line's shift under the bootstrap, times e − 1, is what is added.
* misfit: the scatter of the minima about the line beyond what noise explains (the moment estimator of DerSimonian and
  Laird, 1986, with the scatter relative to T).

Non-goals: models other than the line. How far the data are from it is reported (`residual`), never hidden.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ferry.line import FitError, Line

BOOTSTRAP_DRAWS = 2000
#: Same figures for the same samples.
BOOTSTRAP_SEED = 20_020_817
#: No T counts as smaller than this when weighting: the clock resolves about a nanosecond per run.
LEAST_TIME = 1.0

Array = NDArray[np.float64]


def _weighted_line(n: Array, times: Array, weights: Array) -> tuple[Array, Array]:
    """Least squares, for one set of times or many (last axis: n). Returns fixed and per_call."""
    total = weights.sum(axis=-1)
    mean_n = (weights * n).sum(axis=-1) / total
    mean_t = (weights * times).sum(axis=-1) / total
    centred = n - mean_n[..., np.newaxis]
    spread = (weights * centred**2).sum(axis=-1)
    per_call = (weights * centred * times).sum(axis=-1) / spread
    return mean_t - per_call * mean_n, per_call


def _weights(times: Array) -> Array:
    return 1.0 / np.maximum(times, LEAST_TIME) ** 2


def _bootstrap_minima(groups: list[Array], draws: int) -> Array:
    """Minima of samples drawn again: draws × n. Each group is sorted."""
    generator = np.random.default_rng(BOOTSTRAP_SEED)
    columns = []
    for group in groups:
        ranks = np.floor(len(group) * (1.0 - generator.random(draws) ** (1.0 / len(group)))).astype(np.int64)
        columns.append(group[np.minimum(ranks, len(group) - 1)])
    return np.stack(columns, axis=1)


def _bootstrap_means(groups: list[Array], draws: int) -> Array:
    """Means of samples drawn again: draws × n."""
    generator = np.random.default_rng(BOOTSTRAP_SEED)
    return np.stack([generator.choice(group, (draws, len(group))).mean(axis=1) for group in groups], axis=1)


def _misfit_variance(n: Array, times: Array, line: tuple[float, float], noise: Array) -> float:
    """Relative variance of the minima about the line that noise (variance per minimum) does not explain."""
    freedom = len(n) - 2
    if freedom < 1:
        return 0.0
    weights = _weights(times)
    residual = times - line[0] - n * line[1]
    scatter = float((weights * residual**2).sum()) / freedom
    return max(0.0, scatter - float((weights * noise).mean()))


def fit_line(samples: Iterable[tuple[int, float]], to_means: bool = False) -> Line:
    """Fit samples (n, value of one run of n calls) by their minima, or by their means.

    Raises FitError when fewer than two different n are there.
    """
    by_n: defaultdict[int, list[float]] = defaultdict(list)
    for size, value in samples:
        if size < 1 or not math.isfinite(value):
            raise FitError(f"a sample is not a measurement: n = {size}, value = {value}")
        by_n[size].append(value)
    if len(by_n) < 2:
        raise FitError(f"a line needs two different n; the samples have {len(by_n)}")
    n = np.array(sorted(by_n), dtype=np.float64)
    groups = [np.sort(np.array(by_n[int(size)], dtype=np.float64)) for size in n]
    times = np.array([group.mean() if to_means else group[0] for group in groups])
    weights = _weights(times)
    fixed, per_call = (float(x) for x in _weighted_line(n, times, weights))

    drawn = (_bootstrap_means if to_means else _bootstrap_minima)(groups, BOOTSTRAP_DRAWS)
    lines = np.stack(_weighted_line(n, drawn, _weights(drawn)))
    # a mean of samples is not shifted
    shift = (lines.mean(axis=1) - np.array([fixed, per_call])) * (0.0 if to_means else math.e - 1)
    bootstrap = np.cov(lines) + np.outer(shift, shift)
    misfit = _misfit_variance(n, times, (fixed, per_call), drawn.var(axis=0))
    design = np.stack([np.ones_like(n), n / n[-1]], axis=1)
    scale = np.array([1.0, 1.0 / n[-1]])
    covariance = bootstrap + misfit * np.linalg.inv((design.T * weights) @ design) * np.outer(scale, scale)

    relative = np.abs(times - fixed - n * per_call) / np.maximum(np.abs(times), LEAST_TIME)
    worst = int(relative.argmax())
    return Line(
        fixed=fixed,
        per_call=per_call,
        fixed_variance=max(float(covariance[0, 0]), 0.0),
        covariance=float(covariance[0, 1]),
        per_call_variance=max(float(covariance[1, 1]), 0.0),
        residual=float(relative[worst]),
        residual_n=int(n[worst]),
    )
