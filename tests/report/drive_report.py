"""Opens a report in headless Chromium: its plots become interactive under the page's own content security policy, and a zoom in
one plot moves the others. Without JavaScript the pictures stay.

    drive_report.py REPORT.html        exit status 77 (skipped) where Chromium is not installed
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

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
