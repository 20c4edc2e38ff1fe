#!/usr/bin/env bash
# Does the regressor give the torque that independent code gives?
#
#   DYNID_ORACLE_DIR=folder experiments/regressor/run.sh
#
# Expected: 20 random states of the UR10e, norm-wise agreement to 1e-11.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
oracle=${DYNID_ORACLE_DIR:?set it to the folder of regressor_ur10e.csv}/regressor_ur10e.csv
build=${DYNID_BUILD_DIR:-$root/build/experiments}
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDYNID_TESTS=OFF -DDYNID_TOOLS=OFF \
  -DDYNID_BENCHMARKS=ON > "${TMPDIR:-/tmp}/regressor_configure.log"
cmake --build "$build" --target regressor_study > "${TMPDIR:-/tmp}/regressor_build.log"
exec "$(find "$build" -name regressor_study -type f)" "$root/datasets/ur10e/ur10e.urdf" "$oracle"
