#!/usr/bin/env bash
# What does a sample cost from a contiguous log to its statistics, on one core?
#
#   experiments/benchmarks/rates.sh [dynid ...]      (default: the release build; several are compared, run by run)
#
# Simulates 16 million samples of the Panda (seven joints, 1 kHz), once exact, so that nothing is filtered, and once with encoder
# steps and 2 % effort noise, and stores them contiguously (h5repack, of hdf5-tools). The cost of a sample is
# what a whole `identify --threads 1` takes more for 15.99 million samples than for eight million: both have as many blocks, and
# windows of one block each. Prints medians and the difference of the least times of five alternating pairs, on each instruction set.
# DYNID_ISA picks one set, PAIRS another number of pairs.
set -euo pipefail
command -v h5repack >/dev/null || { echo "h5repack is missing: apt install hdf5-tools" >&2; exit 2; }
source "$(dirname "${BASH_SOURCE[0]}")/program.sh"
[ $# -gt 0 ] || set -- "$build/tools/dynid"
cp "$root"/datasets/panda/panda.* "$work"
sed -i '/^total_mass/d' "$work/panda.toml"  # the masses are made up
log() { # name, arguments of simulate
  local name=$1; shift
  "$dynid" simulate "$work/panda.toml" --random-inertia --rate 1000 --duration 16000 --quiet --output "$work/chunks.h5" "$@" >/dev/null
  h5repack -l CONTI -f NONE "$work/chunks.h5" "$work/$name.h5"
  rm "$work/chunks.h5"
}
dynid=$1
log unfiltered --acceleration
log filtered --no-velocity --effort-noise-relative 0.02 --encoder-step 1e-5
python3 - "$work/panda.toml" "$work" "${PAIRS:-5}" "$@" <<'PY'
import os, statistics, subprocess, sys, time
robot, work, pairs, tools = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
ends = (8000, 15990)

def seconds(tool, log, isa, to):
    begun = time.monotonic()
    subprocess.run([tool, "identify", "--robot", robot, f"{work}/{log}.h5", "--to", str(to), "--threads", "1", "--output",
                    f"{work}/model.json", "--force", "--quiet"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   env={**os.environ, "DYNID_ISA": isa})
    return time.monotonic() - begun

flags = open("/proc/cpuinfo").read().split()
sets = [os.environ["DYNID_ISA"]] if os.environ.get("DYNID_ISA") else [s for s, flag in (("avx512", "avx512dq"), ("avx2", "avx2"))
                                                                     if flag in flags]
print("| log | instructions | program | ns per sample, median | of the least times | M samples/s, median |\n|---|---|---|---:|---:|---:|")
for log in ("unfiltered", "filtered"):
    for isa in sets:
        times = {tool: ([], []) for tool in tools}
        for _ in range(pairs):
            for tool in tools:
                for end, own in zip(ends, times[tool]):
                    own.append(seconds(tool, log, isa, end))
        for tool, (short, long) in times.items():
            scale = 1e6 / (ends[1] - ends[0])  # 1000 samples per second of the log
            median = scale * statistics.median(b - a for a, b in zip(short, long))
            print(f"| {log} | {isa} | {tool} | {median:.0f} | {scale * (min(long) - min(short)):.0f} | {1e3 / median:.1f} |", flush=True)
PY
