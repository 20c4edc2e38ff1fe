#!/usr/bin/env bash
# Every robot description of a directory, excited within its own limits for a short time:
#   bash experiments/excitation/robots.sh DYNID DATASETS [results directory] [seconds per robot]
# DATASETS holds <robot>/<robot>.urdf; further options of excite after the fourth argument.
set -euo pipefail
dynid="$1"
data="$(realpath "$2")"
results="${3:-build/excitation}"
seconds="${4:-10}"
shift $(($# < 4 ? $# : 4))
mkdir -p "$results"
for urdf in "$data"/*/*.urdf; do
  name="$(basename "$urdf" .urdf)"
  status=0
  "$dynid" excite "$urdf" --output "$results/$name.h5" --threads 2 --seconds "$seconds" --json "$@" \
    >"$results/$name.json" 2>"$results/$name.err" || status=$?
  python3 "$(dirname "$0")/robot_row.py" "$results/$name" "$status"
done
