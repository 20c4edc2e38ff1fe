#!/usr/bin/env bash
# Mechanisms: a four-bar linkage, a palletizer (both [[loop]]) and two surgical arms (mimic parallelograms).
#
#   [DYNID_REAL_DATA_DIR=/path/to/logs] bash experiments/closed_loops/run.sh
#
# Three tables from simulated truth (structure and agreement; what comes back; forward simulation by every constrained
# solver), and, with the logs at hand, how well the surgical arms' identified models predict logs that they have not seen.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${DYNID_BUILD_DIR:-$root/build/experiments}
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDYNID_TESTS=OFF -DDYNID_BENCHMARKS=ON \
  > "${TMPDIR:-/tmp}/closed_loops_configure.log"
cmake --build "$build" --target closed_loops_study dynid_tool > "${TMPDIR:-/tmp}/closed_loops_build.log"
robots=()
for robot in four_bar palletizer dvrk_psm dvrk_mtm; do robots+=("$root/datasets/$robot/$robot.toml"); done
"$(find "$build" -name closed_loops_study -type f)" "${robots[@]}"

data=${DYNID_REAL_DATA_DIR:-}
[ -n "$data" ] || { echo; echo "DYNID_REAL_DATA_DIR is not set: the surgical arms' real logs are left out"; exit 0; }
dynid=$build/tools/dynid
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '\n| robot | held-out log | R2 per joint |\n|---|---|---|\n'
for robot in dvrk_psm dvrk_mtm; do
  "$dynid" identify --robot "$root/datasets/$robot/$robot.toml" "$data/$robot/train_one.h5" \
    --output "$work/$robot.json" --quiet > "$work/out" 2> "$work/errors" || { head -n 1 "$work/errors"; continue; }
  "$dynid" validate --model "$work/$robot.json" "$data/$robot/heldout_two.h5" --json > "$work/validation.json" || true
  printf '| %s | heldout_two | %s |\n' "$robot" "$(grep -o '"r2": [-0-9.e]*' "$work/validation.json" | cut -d' ' -f2 |
    xargs printf '%.3f ')"
done
