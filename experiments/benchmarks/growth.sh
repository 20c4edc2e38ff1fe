#!/usr/bin/env bash
# How do time and memory of whole commands grow with the log?
#
#   experiments/benchmarks/growth.sh [samples ...]     (default: 10000 100000 1000000 10000000)
#
# Simulates logs of the Panda (seven joints, 1 kHz, 2 % effort noise, encoder steps of 1e-5 rad; 176 bytes per sample), then
# identifies and validates each, with one thread and with two, alternating. Prints medians of seconds and of the pairs' ratios
# (PAIRS of them, five by default), and the highest peak of memory; the last column divides the growth of one thread's time from
# the line before by its samples. `exact` in place of the first argument: logs without noise, in which every sample enters the fit,
# unfiltered.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/program.sh"
noise=(--effort-noise-relative 0.02 --encoder-step 1e-5)
if [ "${1:-}" = exact ]; then noise=(); shift; fi
[ $# -gt 0 ] || set -- 10000 100000 1000000 10000000
python3 - "$build/tools/dynid" "$root/datasets/panda/panda.toml" "$work" "${noise[*]}" "$@" <<'PY'
import os, statistics, sys
from measured import run
dynid, robot, work, noise, sizes = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4].split(), [int(n) for n in sys.argv[5:]]

print("| samples | command | one thread, s | two, s | ratio | MB | more, ns per sample |\n|---:|---|---:|---:|---:|---:|---:|")
before, pairs = {}, int(os.environ.get("PAIRS", 5))
for samples in sizes:
    log, model = f"{work}/log.h5", f"{work}/model.json"
    run(dynid, "simulate", robot, "--random-inertia", "--rate", "1000", "--duration", str(samples / 1000), "--output", log,
        *noise)
    for name, arguments in (("identify", ("identify", "--robot", robot, log, "--output", model, "--force")),
                            ("validate", ("validate", "--model", model, log))):
        timed = [[run(dynid, *arguments, "--threads", threads) for threads in "12"] for _ in range(pairs)]
        one, two = (statistics.median(pair[i][0] for pair in timed) for i in (0, 1))
        ratio = statistics.median(a[0] / b[0] for a, b in timed)
        megabytes = max(run_[1] for pair in timed for run_ in pair)
        growth = f"{1e9 * (one - before[name][1]) / (samples - before[name][0]):.0f}" if name in before else ""
        print(f"| {samples} | {name} | {one:.1f} | {two:.1f} | {ratio:.2f} | {megabytes} | {growth} |", flush=True)
        before[name] = (samples, one)
    os.remove(log)
PY
