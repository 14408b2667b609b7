# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch: a small network is trained and used; prints results, rounded.

With `pool` it prints instead how many threads the process has started, and which OpenMP runtimes are in memory.
"""

import json
import os
import sys
from pathlib import Path

import torch  # type: ignore[import-not-found]

DIGITS = 4
STEPS = 5


def trained() -> list[float]:
    """Return the losses of some steps."""
    network = torch.nn.Sequential(
        *(torch.nn.Conv2d(3, 8, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2), torch.nn.Flatten()),
        torch.nn.Linear(8 * 16 * 16, 10),
    )
    optimizer = torch.optim.SGD(network.parameters(), lr=0.01)
    images, kinds = torch.rand(32, 3, 32, 32), torch.randint(0, 10, (32,))
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(network(images), kinds)
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    return losses


def computed() -> list[float]:
    """Return sums of a product, of a softmax, of a sort."""
    one = torch.rand(600, 600)
    parts = (one @ one, torch.softmax(one, 0), torch.sort(one.flatten()).values[::1000])
    return [float(part.double().sum()) for part in parts]


def runtimes() -> list[str]:
    """Return the files of OpenMP runtimes that the process has in memory."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    files = {line.split()[-1] for line in lines if "/" in line}
    return sorted(file for file in files if Path(file).name.startswith(("libgomp", "libiomp", "libomp.")))


def main() -> None:
    """Print one JSON object."""
    torch.manual_seed(1)
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    before = len(list(Path("/proc/self/task").iterdir()))
    found = {"network": trained(), "computed": computed()}
    if "pool" in sys.argv:
        print(json.dumps({"threads": len(list(Path("/proc/self/task").iterdir())) - before, "runtimes": runtimes()}))
        return
    print(json.dumps({name: [f"{value:.{DIGITS}g}" for value in values] for name, values in found.items()}))


if __name__ == "__main__":
    main()
