#!/usr/bin/env bash
# How many instructions does a sample cost in each stage, on the AVX2 path? Unlike times, the counts repeat exactly.
#
#   experiments/benchmarks/instructions.sh        (needs valgrind)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${DYNID_BUILD_DIR:-$root/build/experiments}
command -v valgrind >/dev/null || { echo "needs valgrind (apt-get install valgrind)" >&2; exit 2; }
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDYNID_BENCHMARKS=ON > "${TMPDIR:-/tmp}/benchmarks_configure.log"
cmake --build "$build" --target rounds > "${TMPDIR:-/tmp}/benchmarks_build.log"
rounds=$(find "$build" -name rounds -type f)

count() {  # stage, rounds: instructions of the whole run
  DYNID_ISA=avx2 valgrind --tool=callgrind --callgrind-out-file=/dev/null "$rounds" "$1" "$2" 2>&1 >/dev/null |
    awk '/Collected/ { print $NF }'
}
for stage in regressor statistics filter; do
  few=$(count "$stage" 1)
  more=$(count "$stage" 3)
  samples=$("$rounds" "$stage" 0 | awk '{ print $1 }')
  printf '%-10s %6d instructions per sample\n' "$stage" $(((more - few) / (2 * samples)))
done
