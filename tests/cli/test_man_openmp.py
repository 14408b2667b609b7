# SPDX-License-Identifier: BSD-3-Clause
"""The page of the OpenMP runtime has every variable that the runtime reads, and no other."""

import re

from paths import ROOT

PAGE = ROOT / "man" / "libferryomp.7"
#: The variables are the only words of this form, but for the name of the device that is the host, and for where the
#: number of threads comes from, which is only shown.
READ = re.compile(r'"((?:G|FERRY)?OMP_(?!INITIAL_DEVICE|NUM_THREADS_FROM)[A-Z_]+)"')


def test_the_variables_of_the_page_are_those_that_are_read() -> None:
    sources = "".join(path.read_text() for path in (ROOT / "src/openmp").rglob("*.c"))
    read = set(READ.findall(sources))
    assert len(read) > 20
    listed = {name for line in re.findall(r"^\.It Ev (.+)$", PAGE.read_text(), re.M) for name in line.split(" , ")}
    assert listed == read
