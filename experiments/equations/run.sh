#!/usr/bin/env bash
# Bias and spread of each form of the equations of motion, at low and at high noise.
#
#   experiments/equations/run.sh [robot] [logs]     default: the quickstart arm, 6 logs per noise level; some minutes
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${DYNID_BUILD_DIR:-$root/build/experiments}
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDYNID_TESTS=OFF -DDYNID_TOOLS=OFF \
  -DDYNID_BENCHMARKS=ON > "${TMPDIR:-/tmp}/equations_configure.log"
cmake --build "$build" --target equations_study > "${TMPDIR:-/tmp}/equations_build.log"
exec "$(find "$build" -name equations_study -type f)" "${1:-$root/datasets/quickstart/arm.toml}" "${2:-6}"
