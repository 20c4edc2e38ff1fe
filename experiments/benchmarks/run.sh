#!/usr/bin/env bash
# How fast is each stage between a log and its statistics?
#
#   experiments/benchmarks/run.sh [output.json]
#
# Compare ratios within one run: absolute times depend on the machine and on what else runs on it.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${DYNID_BUILD_DIR:-$root/build/experiments}
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDYNID_TESTS=OFF -DDYNID_TOOLS=OFF \
  -DDYNID_BENCHMARKS=ON > "${TMPDIR:-/tmp}/benchmarks_configure.log"
cmake --build "$build" --target stages_benchmark > "${TMPDIR:-/tmp}/benchmarks_build.log"
json=()
[ $# -eq 0 ] || json=(--benchmark_out="$1" --benchmark_out_format=json)
exec "$(find "$build" -name stages_benchmark -type f)" --benchmark_min_time=0.2 "${json[@]}"
