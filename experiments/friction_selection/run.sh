#!/usr/bin/env bash
# How often is friction selected rightly, and how often is a term selected that is not there?
#
#   experiments/friction_selection/run.sh [seeds]     default: 100
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${DYNID_BUILD_DIR:-$root/build/experiments}
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDYNID_TESTS=OFF -DDYNID_TOOLS=OFF \
  -DDYNID_BENCHMARKS=ON > "${TMPDIR:-/tmp}/friction_selection_configure.log"
cmake --build "$build" --target friction_selection_study > "${TMPDIR:-/tmp}/friction_selection_build.log"
exec "$(find "$build" -name friction_selection_study -type f)" "$@"
