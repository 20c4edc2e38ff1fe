#!/usr/bin/env bash
# How do time and memory grow with the number of logs?
#
#   experiments/benchmarks/fleet.sh [logs ...]      (default: 100 400 1600)
#
# Simulates six logs of the quickstart's arm (six seconds, 200 Hz, 2 % effort noise) and their statistics, copies them, and runs
# identify and validate on so many logs at once, and identify on an eighth as many statistics files. No more than 128 files may be
# open. Prints seconds (two threads) and the peak of memory.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/program.sh"
[ $# -gt 0 ] || set -- 100 400 1600
ulimit -n 128
python3 - "$build/tools/dynid" "$root/datasets/quickstart/arm.toml" "$work" "$@" <<'PY'
import os, shutil, sys
from measured import run
dynid, robot, work, sizes = sys.argv[1], sys.argv[2], sys.argv[3], [int(n) for n in sys.argv[4:]]

def measured(*arguments):
    seconds, megabytes = run(dynid, *arguments)
    return f"{seconds:.1f} | {megabytes}"

identify = ("identify", "--robot", robot, "--output", f"{work}/model.json")
for seed in range(6):
    run(dynid, "simulate", robot, "--seed", str(seed + 1), "--duration", "6", "--effort-noise-relative", "0.02", "--output",
        f"{work}/{seed}.log.h5")
    run(dynid, *identify, f"{work}/{seed}.log.h5", "--save-statistics", f"{work}/{seed}.statistics.h5")

def copies(kind, count):
    folder = f"{work}/{count}-{kind}"
    os.mkdir(folder)
    for i in range(count):
        shutil.copy(f"{work}/{i % 6}.{kind}.h5", f"{folder}/{i}.h5")
    return f"{folder}/*.h5"

print("| files | command | s | MB |\n|---:|---|---:|---:|")
for count in sizes:
    logs = copies("log", count)
    print(f"| {count} logs | identify | {measured(*identify, logs)} |", flush=True)
    print(f"| | validate | {measured('validate', '--model', f'{work}/model.json', logs)} |", flush=True)
    some = max(1, count // 8)
    statistics = copies("statistics", some)
    print(f"| {some} statistics | identify | {measured(*identify, '--statistics', statistics)} |", flush=True)
    shutil.rmtree(os.path.dirname(logs))
    shutil.rmtree(os.path.dirname(statistics))
PY
