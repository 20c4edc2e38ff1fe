#!/usr/bin/env bash
# Do 95 % intervals hold the truth in 95 % of logs?
#
#   experiments/coverage/run.sh [logs, default 1000]
#
# Expected: between 93 and 97 % for every base parameter of the unconstrained fit, pooled for the consistent one.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${DYNID_BUILD_DIR:-$root/build/experiments}
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDYNID_TESTS=OFF -DDYNID_TOOLS=OFF \
  -DDYNID_BENCHMARKS=ON > "${TMPDIR:-/tmp}/coverage_configure.log"
cmake --build "$build" --target coverage_study > "${TMPDIR:-/tmp}/coverage_build.log"
exec "$(find "$build" -name coverage_study -type f)" "${1:-1000}"
