#!/usr/bin/env bash
# How do time and memory grow with the number of logs?
#
#   experiments/benchmarks/fleet.sh [logs ...]      (default: 100 400 1600)
#
# Simulates six logs of the quickstart's arm (six seconds, 200 Hz, 2 % effort noise) and their statistics, copies them, and runs
# identify and validate on so many logs at once, and identify on an eighth as many statistics files. No more than 128 files may be
# open. Prints seconds (two threads) and the peak of memory.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${DYNID_BUILD_DIR:-$root/build/release}
if [ ! -x "$build/tools/dynid" ]; then
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDYNID_TESTS=OFF >/dev/null
  cmake --build "$build" --target dynid_tool >/dev/null
fi
[ $# -gt 0 ] || set -- 100 400 1600
work=$(mktemp -d "${TMPDIR:-/tmp}/fleet.XXXXXX")
trap 'rm -rf "$work"' EXIT
ulimit -n 128
python3 - "$build/tools/dynid" "$root/datasets/quickstart/arm.toml" "$work" "$@" <<'PY'
import os, shutil, subprocess, sys, time
dynid, robot, work, sizes = sys.argv[1], sys.argv[2], sys.argv[3], [int(n) for n in sys.argv[4:]]

def run(*arguments):
    begun = time.monotonic()
    child = subprocess.Popen([dynid, *arguments, "--quiet"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):  # 1: a verdict
        sys.exit(f"{arguments[0]} failed")
    return f"{time.monotonic() - begun:.1f} | {usage.ru_maxrss // 1024}"

identify = ("identify", "--robot", robot, "--output", f"{work}/model.json")
for seed in range(6):
    run("simulate", robot, "--seed", str(seed + 1), "--duration", "6", "--effort-noise-relative", "0.02", "--output",
        f"{work}/{seed}.log.h5")
    run(*identify, f"{work}/{seed}.log.h5", "--save-statistics", f"{work}/{seed}.statistics.h5")

def copies(kind, count):
    folder = f"{work}/{count}-{kind}"
    os.mkdir(folder)
    for i in range(count):
        shutil.copy(f"{work}/{i % 6}.{kind}.h5", f"{folder}/{i}.h5")
    return f"{folder}/*.h5"

print("| files | command | s | MB |\n|---:|---|---:|---:|")
for count in sizes:
    logs = copies("log", count)
    print(f"| {count} logs | identify | {run(*identify, logs)} |", flush=True)
    print(f"| | validate | {run('validate', '--model', f'{work}/model.json', logs)} |", flush=True)
    some = max(1, count // 8)
    statistics = copies("statistics", some)
    print(f"| {some} statistics | identify | {run(*identify, '--statistics', statistics)} |", flush=True)
    shutil.rmtree(os.path.dirname(logs))
    shutil.rmtree(os.path.dirname(statistics))
PY
