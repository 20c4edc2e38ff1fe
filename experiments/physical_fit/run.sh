#!/usr/bin/env bash
# Is the physically consistent fit globally optimal, always, and how long does it take?
#
#   experiments/physical_fit/run.sh [problems per family and size, default 50]
#
# Over 1000 random problems in eight families; expected: a certified relative gap of 1e-6 in all of them, of 1e-8 in
# 99.9 %; 7 joints in at most 5 ms of CPU time on one quiet core. With DYNID_ORACLE_DIR set in the environment also the
# optimum of a real six-joint arm that was computed independently.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${DYNID_BUILD_DIR:-$root/build/experiments}
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDYNID_TESTS=OFF -DDYNID_TOOLS=OFF \
  -DDYNID_BENCHMARKS=ON -DDYNID_ORACLE_DIR="${DYNID_ORACLE_DIR:-}" > "${TMPDIR:-/tmp}/physical_fit_configure.log"
cmake --build "$build" --target physical_fit_study > "${TMPDIR:-/tmp}/physical_fit_build.log"
exec "$(find "$build" -name physical_fit_study -type f)" "${1:-50}"
