#!/usr/bin/env bash
# Public robots simulated in MuJoCo: identified, validated, and diagnosed with everyday mistakes.
#
#   bash experiments/mujoco_robots/run.sh [FOLDER]
#
# FOLDER (default: $DYNID_FORMATS_DIR/mjcf) holds the folders universal_robots_ur5e, kuka_iiwa_14, franka_emika_panda and
# rethink_robotics_sawyer of MuJoCo Menagerie (https://github.com/google-deepmind/mujoco_menagerie). Needs libmujoco-dev and jq.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=${1:-${DYNID_FORMATS_DIR:+$DYNID_FORMATS_DIR/mjcf}}
[ -d "${folder:-}" ] || { echo "give the folder with the MJCF models as an argument" >&2; exit 2; }
command -v jq >/dev/null || { echo "needs jq (apt-get install jq)" >&2; exit 2; }
build=${DYNID_BUILD_DIR:-$root/build/experiments}
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDYNID_TESTS=OFF -DDYNID_BENCHMARKS=ON >/dev/null
cmake --build "$build" --target dynid_tool mujoco_log mistakes_study heldout_study >/dev/null
dynid=$build/tools/dynid
programs=$build/experiments
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

robots=(universal_robots_ur5e/ur5e kuka_iiwa_14/iiwa14 franka_emika_panda/panda_nohand rethink_robotics_sawyer/sawyer)
speeds=(1.0 0.8 1.2 0.9 1.1)
one=() all=() held=()
echo "| robot | log | model | validated on the next log: error | verdict |"
echo "|---|---|---|---|---|"
for robot in "${robots[@]}"; do
  name=$(basename "$robot")
  for k in 1 2 3 4 5; do
    "$programs/mujoco_robots/mujoco_log" "$folder/$robot.xml" "$work/${name}_$k.h5" "$k" "${speeds[k - 1]}"
    all+=("$folder/$robot.xml" "$work/${name}_$k.h5")
  done
  one+=("$folder/$robot.xml" "$work/${name}_1.h5")
  held+=("$work/${name}_1.json" "$work/${name}_2.h5")
  for k in 1 2 3 4 5; do
    model=$work/${name}_$k.json
    "$dynid" identify --robot "$folder/$robot.xml" "$work/${name}_$k.h5" --output "$model" --quiet >/dev/null 2>&1 || true
    usable=$(jq -r 'if .status.usable then "usable" else .status.reason end' "$model" 2>/dev/null || echo "no model")
    score=$("$dynid" validate --model "$model" "$work/${name}_$((k % 5 + 1)).h5" --json 2>/dev/null || true)
    echo "| $name | $k | $usable | $(jq -r '.relative_error*1e4|round/1e4' <<<"$score") | $(jq -r .verdict <<<"$score") |"
  done
done
"$programs/mistakes/mistakes_study" --further "${one[@]}"
"$programs/mistakes/mistakes_study" --untouched "${all[@]}"
"$programs/mistakes/heldout_study" "${held[@]}"
