#!/usr/bin/env bash
# The batch regressor beside Pinocchio's computeJointTorqueRegressor, on the same robots, in one run:
#   DYNID_PINOCCHIO_DIR=/path/to/include bash experiments/benchmarks/peers.sh [ROBOT ...]
# Without DYNID_PINOCCHIO_DIR: the installed headers. Prints medians of PAIRS (default 15) interleaved repetitions of half a second.
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
cd "$root"
robots=("$@")
if [ $# -eq 0 ]; then robots=(datasets/ur10e/ur10e.toml datasets/panda/panda.toml datasets/humanoid/humanoid.toml); fi

cmake --preset release -DDYNID_BENCHMARKS=ON >/dev/null
cmake --build build/release --target regressor_rate
work=build/peers
mkdir -p "$work"
include=()
if [ -n "${DYNID_PINOCCHIO_DIR:-}" ]; then include=(-isystem "$DYNID_PINOCCHIO_DIR"); fi
# clang makes the faster code of it.
clang++ -std=c++17 -O3 -DNDEBUG -march=native "${include[@]}" -isystem /usr/include/eigen3 \
  experiments/benchmarks/peers/pinocchio.cpp -o "$work/pinocchio_rate"

echo "| robot | joints | Pinocchio, ns per sample | AVX-512 | ratio | AVX2 | ratio |"
echo "|---|---:|---:|---:|---:|---:|---:|"
for robot in "${robots[@]}"; do
  build/release/experiments/benchmarks/regressor_rate "$robot" "$work/tree.txt" >/dev/null
  for _ in $(seq "${PAIRS:-15}"); do
    theirs=$("$work/pinocchio_rate" "$work/tree.txt")
    avx512=$(DYNID_ISA=avx512 build/release/experiments/benchmarks/regressor_rate "$robot")
    avx2=$(DYNID_ISA=avx2 build/release/experiments/benchmarks/regressor_rate "$robot")
    echo "$theirs $avx512 $avx2"
  done | python3 -c '
import statistics, sys
rows = [line.split() for line in sys.stdin]
theirs, wide, narrow = ([float(row[i]) for row in rows] for i in (1, 4, 6))
ratio = lambda ours: statistics.median(t / o for t, o in zip(theirs, ours))
print(f"| {sys.argv[1]} | {rows[0][0]} | {statistics.median(theirs):.0f} | {statistics.median(wide):.0f} | {ratio(wide):.1f}x"
      f" | {statistics.median(narrow):.0f} | {ratio(narrow):.1f}x |")' "$(basename "$robot" .toml)"
done
