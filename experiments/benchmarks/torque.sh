#!/usr/bin/env bash
# Torques of 100 000 states by the library and by its Python module: medians of nine calls, two turns.
#   bash experiments/benchmarks/torque.sh MODEL.json
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${DYNID_BUILD_DIR:-$root/build/experiments}
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDYNID_TESTS=OFF -DDYNID_TOOLS=OFF \
  -DDYNID_BENCHMARKS=ON -DDYNID_PYTHON=ON > "${TMPDIR:-/tmp}/benchmarks_configure.log"
cmake --build "$build" --target torque_rate dynid_python > "${TMPDIR:-/tmp}/benchmarks_build.log"
for _ in 1 2; do
  "$(find "$build" -name torque_rate -type f)" "$1"
  PYTHONPATH="$build/lib/python/package" /usr/bin/python3 "$root/experiments/benchmarks/torque.py" "$1"
done
