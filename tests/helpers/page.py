# SPDX-License-Identifier: BSD-3-Clause
"""Looks at a page as a reader's browser does, by headless Chromium: its console, sizes on screen, and screenshots."""

import json
import re
import shutil
import subprocess
import tempfile
import zlib
from dataclasses import dataclass
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--enable-logging=stderr",
    "--virtual-time-budget=4000",
)
TIMEOUT_S = 900

#: Reports what is on screen; added to a copy of the page, which itself has no script.
PROBE = """<script>
addEventListener("load", () => {
  const box = (e) => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
  const clipped = (svg) => [...svg.querySelectorAll("text")]
    .filter((t) => t.getBoundingClientRect().right > svg.getBoundingClientRect().right + 1
                || t.getBoundingClientRect().left < svg.getBoundingClientRect().left - 1)
    .map((t) => t.textContent);
  parent.postMessage(JSON.stringify({
    inner: innerWidth,
    scroll: document.documentElement.scrollWidth,
    dark: getComputedStyle(document.body).backgroundColor,
    svgs: [...document.querySelectorAll("svg")].map((svg) => ({
      id: svg.id, box: box(svg), clipped: clipped(svg),
      font: parseFloat(getComputedStyle(svg.querySelector("text")).fontSize) * svg.getBoundingClientRect().width
            / svg.viewBox.baseVal.width,
      points: svg.querySelectorAll(".points > *").length,
      drawn: [...svg.querySelectorAll(".fit")].map((p) => p.getTotalLength()),
    })),
  }), "*");
});
</script>"""

FRAME = """<!doctype html><body><pre id="seen"></pre>
<script>addEventListener("message", (e) => { document.getElementById("seen").textContent = e.data; });</script>
<iframe src="probed.html" width="{width}" height="900"></iframe></body>"""


def chromium(url: str, *flags: str) -> subprocess.CompletedProcess[str]:
    """Run Chromium once with a profile of its own."""
    program = shutil.which("chromium")
    assert program, "chromium is not installed; `make test` installs it"
    with tempfile.TemporaryDirectory() as profile:
        command = [program, *FLAGS, f"--user-data-dir={profile}", *flags, url]
        return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=True)


def console_messages(page: Path) -> list[str]:
    """Return what the browser wrote to its console for the page."""
    done = chromium(page.as_uri(), "--dump-dom")
    assert "</html>" in done.stdout
    return [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def look(page: Path, folder: Path, width: int, *flags: str) -> dict[str, Any]:
    """Load a page in a window of that width and return what PROBE saw."""
    text = page.read_text()
    # the page forbids scripts, and the probe is a script
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    (folder / "probed.html").write_text(text.replace("</body>", PROBE + "</body>"))
    frame = folder / "frame.html"
    frame.write_text(FRAME.replace("{width}", str(width)))
    dom = chromium(frame.as_uri(), "--dump-dom", *flags).stdout
    found = re.search(r'<pre id="seen">(.+?)</pre>', dom, re.S)
    assert found, dom[:2000]
    seen: dict[str, Any] = json.loads(unescape(found[1]))
    return seen


def screenshot(page: Path, file: Path, width: int, height: int) -> NDArray[np.uint8]:
    """Take a screenshot and return its pixels."""
    chromium(page.as_uri(), f"--screenshot={file}", f"--window-size={width},{height}")
    return decode_png(file.read_bytes())


def _unfilter(kind: int, line: NDArray[np.uint8], above: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    """Undo one line's filter (PNG specification, 9.2)."""
    if kind == 0:
        return line
    if kind == 1:
        sums = np.cumsum(line.reshape(-1, step).astype(np.uint64), axis=0)
        return (sums % 256).astype(np.uint8).reshape(-1)
    if kind == 2:
        return line + above
    out, up, raw = [0] * step + [0] * len(line), [0] * step + above.tolist(), line.tolist()
    for k, byte in enumerate(raw):
        a, b, c = out[k], up[k + step], up[k]
        if kind == 3:
            guess = (a + b) // 2
        else:
            p = a + b - c
            guess = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        out[k + step] = (byte + guess) % 256
    return np.array(out[step:], dtype=np.uint8)


def decode_png(data: bytes) -> NDArray[np.uint8]:
    """Decode the kind of PNG that Chromium writes: eight bits, RGB or RGBA, not interlaced."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    position, compressed = 8, b""
    width = height = step = 0
    while position < len(data):
        length, kind = int.from_bytes(data[position : position + 4]), data[position + 4 : position + 8]
        body = data[position + 8 : position + 8 + length]
        if kind == b"IHDR":
            width, height = int.from_bytes(body[:4]), int.from_bytes(body[4:8])
            assert body[8] == 8
            assert body[9] in (2, 6)
            assert body[12] == 0
            step = 3 if body[9] == 2 else 4
        elif kind == b"IDAT":
            compressed += body
        position += 12 + length
    rows = np.frombuffer(zlib.decompress(compressed), dtype=np.uint8).reshape(height, 1 + width * step)
    above: NDArray[np.uint8] = np.zeros(width * step, dtype=np.uint8)
    pixels = []
    for row in rows:
        above = _unfilter(int(row[0]), row[1:], above, step)
        pixels.append(above)
    return np.stack(pixels).reshape(height, width, step)[:, :, :3]


@dataclass
class _References(HTMLParser):
    """Collects every address to which a page refers."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = ("src", "href", "srcset", "data", "action", "poster", "xlink:href", "background")
        self.found += [value or "" for name, value in attrs if name in names]


def references(text: str) -> list[str]:
    """Return every address in a page's attributes and styles."""
    parser = _References()
    parser.feed(text)
    return parser.found + re.findall(r"url\(\s*['\"]?([^'\")]*)", text) + re.findall(r"@import[^;]*", text)
