#!/usr/bin/env bash
# The tables of the README.
#
#   [DYNID_REAL_DATA_DIR=/path/to/logs] [DYNID_FORMATS_DIR=/path/to/models] bash experiments/mistakes/run.sh [--fast] [TABLE ...]
#
# TABLE: everyday, users, pairs, untouched, heldout (these need DYNID_REAL_DATA_DIR, a folder of logs per robot) and simulated (with
# DYNID_FORMATS_DIR/mjcf, models of MuJoCo Menagerie, five more robots). Without TABLE: all that can be made. --fast: the first three
# robots of each table only.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
data=${DYNID_REAL_DATA_DIR:-}
models=${DYNID_FORMATS_DIR:+$DYNID_FORMATS_DIR/mjcf}
build=${DYNID_BUILD_DIR:-$root/build/experiments}
most=100
if [ "${1:-}" = --fast ]; then
  most=3
  shift
fi
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDYNID_TESTS=OFF -DDYNID_BENCHMARKS=ON >/dev/null
cmake --build "$build" --target dynid_tool mistakes_study heldout_study >/dev/null
dynid=$build/tools/dynid
study=$build/experiments/mistakes/mistakes_study
heldout_study=$build/experiments/mistakes/heldout_study
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# robot, held-out log, training logs
robots=("ur10e heldout_12harm50s train_12harm30s" "panda heldout_8p5_13p2s train_a_0_8p5s train_b_13p2_21s"
  "tx40 heldout_3_5p5s train_a_0_3s train_b_5p5_7p4s" "kr300 train_B train_A" "xmate7p train_traj2 train_traj1"
  "lwa3 heldout_traj2 train_traj1" "tiago heldout_44_59s train_0_44s" "dvrk_mtm heldout_two train_one"
  "dvrk_psm heldout_two train_one")
robots=("${robots[@]:0:most}")

# Description and first training log of every robot.
one_log_each() {
  local robot
  for robot in "${robots[@]}"; do
    read -r -a words <<<"$robot"
    local logs=("$data/${words[0]}"/train_*.h5)
    printf '%s\n' "$root/datasets/${words[0]}/${words[0]}.toml" "${logs[0]}"
  done
}
everyday() { one_log_each | xargs -d '\n' "$study" --further; }
users() { one_log_each | xargs -d '\n' "$study" --users; }
pairs() { one_log_each | xargs -d '\n' "$study" --pairs; }

untouched() {
  local robot log all=()
  for robot in "${robots[@]}"; do
    robot=${robot%% *}
    for log in "$data/$robot"/*.h5; do all+=("$root/datasets/$robot/$robot.toml" "$log"); done
  done
  "$study" --untouched "${all[@]}"
}

# Every robot is identified from its training logs; its held-out log is damaged and validated.
heldout() {
  local robot words all=()
  for robot in "${robots[@]}"; do
    read -r -a words <<<"$robot"
    local folder=$data/${words[0]} logs=() log
    for log in "${words[@]:2}"; do logs+=("$folder/$log.h5"); done
    "$dynid" identify --robot "$root/datasets/${words[0]}/${words[0]}.toml" "${logs[@]}" --output "$work/${words[0]}.json" --quiet
    all+=("$work/${words[0]}.json" "$folder/${words[1]}.h5")
  done
  "$heldout_study" "${all[@]}"
}

simulated() {
  local described=("$root/datasets/quickstart/arm.toml" "$root/datasets/palletizer/palletizer.toml" "$root/datasets/tx40/tx40.toml"
    "$root/datasets/kr300/kr300.toml") name all=() description
  if [ -n "$models" ]; then
    for name in kuka_iiwa_14/iiwa14 universal_robots_ur5e/ur5e rethink_robotics_sawyer/sawyer franka_emika_panda/panda_nohand \
      low_cost_robot_arm/low_cost_robot_arm; do
      if [ -f "$models/$name.xml" ]; then described+=("$models/$name.xml"); fi
    done
  fi
  for description in "${described[@]:0:most}"; do
    name=$(basename "${description%.*}")
    "$dynid" simulate --robot "$description" --duration 40 --rate 200 --effort-noise-relative 0.03 --encoder-step 1e-4 \
      --truth-seed 5 --output "$work/$name.h5" --quiet
    all+=("$description" "$work/$name.h5")
  done
  "$study" --further "${all[@]}"
}

tables=("$@")
if [ ${#tables[@]} = 0 ]; then
  tables=(simulated)
  if [ -n "$data" ]; then tables=(everyday users pairs untouched heldout simulated); fi
fi
for table in "${tables[@]}"; do
  case $table in
    simulated) ;;
    everyday | users | pairs | untouched | heldout)
      [ -n "$data" ] || { echo "$table needs DYNID_REAL_DATA_DIR, the folder that holds a folder of logs per robot" >&2; exit 2; } ;;
    *) echo "no table $table; expected everyday, users, pairs, untouched, heldout or simulated" >&2; exit 2 ;;
  esac
  echo "## $table"
  "$table"
done
