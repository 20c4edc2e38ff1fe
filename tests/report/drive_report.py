"""Opens a report in headless Chromium: its plots become interactive under the page's own content security policy, and a zoom in
one plot moves the others. Without JavaScript the pictures stay. A screenshot without network shows the worst joint's plot on the
first screen.

    drive_report.py REPORT.html        exit status 77 (skipped) where Chromium is not installed
"""

import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--virtual-time-budget=5000", "--allow-file-access-from-files",
]

DRIVER = """<script>
window.addEventListener('load', function () {
  var plots = window.dynidPlots, before = plots[1].xAxisRange().join();
  plots[0].updateOptions({dateWindow: [2, 3]});
  document.title = 'zoomed ' + plots.length + ' ' + plots[1].xAxisRange().join() + ' from ' + before;
});
</script></body>"""


def dom_of(browser, page):
    with tempfile.TemporaryDirectory() as profile:
        result = subprocess.run(
            [browser, *FLAGS, f"--user-data-dir={profile}", "--dump-dom", f"file://{page}"],
            capture_output=True, text=True, timeout=120)
    return result.stdout


def screenshot(browser, page, picture):
    """The first screen, with every name on the network unknown."""
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [browser, *FLAGS, f"--user-data-dir={profile}", "--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1200,1000",
             f"--screenshot={picture}", f"file://{page}"],
            capture_output=True, timeout=120)
    return pathlib.Path(picture).read_bytes()


def pixels(png):
    """Rows of (r, g, b) of an 8-bit PNG without interlacing."""
    data, place, (width, height, depth, kind) = b"", 8, struct.unpack(">IIBB", png[16:26])
    assert depth == 8 and kind in (2, 6)
    while place < len(png):
        size, = struct.unpack(">I", png[place:place + 4])
        if png[place + 4:place + 8] == b"IDAT":
            data += png[place + 8:place + 8 + size]
        place += size + 12
    raw, step = zlib.decompress(data), 3 if kind == 2 else 4
    above, rows = bytearray(width * step), []
    for y in range(height):
        method, line = raw[y * (width * step + 1)], bytearray(raw[y * (width * step + 1) + 1:(y + 1) * (width * step + 1)])
        for i in range(len(line)):
            a, b, c = (line[i - step] if i >= step else 0), above[i], (above[i - step] if i >= step else 0)
            nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            line[i] = (line[i] + (0, a, b, (a + b) // 2, nearest)[method]) & 255
        rows.append([tuple(line[i:i + 3]) for i in range(0, len(line), step)])
        above = line
    return rows


def main(report):
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        print("skipped: chromium is not installed")
        return 77
    text = pathlib.Path(report).read_text()
    plots = text.count('class="time-plot"')
    assert plots > 0, "the report has no time plots"
    assert not re.search(r'(src|href)="(https?:)?//', text), "the report fetches something"

    dom = dom_of(browser, report)
    assert dom.count("<canvas") >= 2 * plots, "the script did not run under the page's policy"

    with tempfile.TemporaryDirectory() as folder:
        blue, red = (0x00, 0x72, 0xB2), (0xD5, 0x5E, 0x00)  # of the prediction and the residual
        rows = pixels(screenshot(browser, report, pathlib.Path(folder) / "screen.png"))
        for name, colour in (("prediction", blue), ("residual", red)):
            columns = {x for row in rows for x, pixel in enumerate(row) if sum(abs(p - c) for p, c in zip(pixel, colour)) < 60}
            assert len(columns) > 400, f"the first screen does not show the {name} of the worst joint"

        # --dump-dom itself needs JavaScript, so that the page's own policy has to forbid it.
        forbidden = re.sub(r"script-src [^;\"]*", "script-src 'none'", text, count=1)
        assert forbidden != text, "the report's policy does not name script-src"
        still = pathlib.Path(folder) / "still.html"
        still.write_text(forbidden)
        dom = dom_of(browser, still)
        assert dom.count("<canvas") == 0 and dom.count("<svg") >= plots, "the pictures are not there without JavaScript"

        driven = pathlib.Path(folder) / "driven.html"
        open_policy = re.sub(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "", text)
        driven.write_text(open_policy.replace("</body>", DRIVER))
        title = re.search(r"<title>(.*?)</title>", dom_of(browser, driven)).group(1)
    assert title.startswith(f"zoomed {plots} 2,3 from "), title
    print(f"{plots} plots, {title}")
    return 0


if __name__ == "__main__":
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve())))
