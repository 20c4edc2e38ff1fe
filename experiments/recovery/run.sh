#!/usr/bin/env bash
# Does simulated truth come back to rounding where there is no noise?
#
#   experiments/recovery/run.sh [robot ...]     default: the quickstart arm and the UR10e
#
# Expected: 1e-12 and better from exact rows; 1e-8 and better from a log, whose velocities and accelerations
# are made from its positions.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${DYNID_BUILD_DIR:-$root/build/experiments}
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDYNID_TESTS=OFF -DDYNID_TOOLS=OFF \
  -DDYNID_BENCHMARKS=ON > "${TMPDIR:-/tmp}/recovery_configure.log"
cmake --build "$build" --target recovery_study > "${TMPDIR:-/tmp}/recovery_build.log"
[ $# -gt 0 ] || set -- "$root/datasets/quickstart/arm.toml" "$root/datasets/ur10e/ur10e.toml"
exec "$(find "$build" -name recovery_study -type f)" "$@"
