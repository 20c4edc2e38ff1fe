#!/usr/bin/env bash
# What do interruptions of the motion, low rates and coarse encoders cost?
#
#   DYNID_REAL_DATA_DIR=/path/to/logs bash experiments/motion/run.sh [transient|rate|encoder|delay|robots ...]
#
# Without arguments: all. `encoder` and `delay` need no logs. Real logs are changed by motion_alter_log; held-out logs only score.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
data=${DYNID_REAL_DATA_DIR:-}
build=${DYNID_BUILD_DIR:-$root/build/experiments}
command -v jq >/dev/null || { echo "needs jq (apt-get install jq)" >&2; exit 2; }
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDYNID_TESTS=OFF -DDYNID_BENCHMARKS=ON >/dev/null
cmake --build "$build" --target dynid_tool motion_alter_log motion_study >/dev/null
dynid=$build/tools/dynid
alter=$(find "$build" -name motion_alter_log -type f)
study=$(find "$build" -name motion_study -type f)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

identify() {  # model, robot, log ...; options in $options
  local model=$1 robot=$2 logs=()
  shift 2
  for log in "$@"; do logs+=(--log "$log"); done
  # shellcheck disable=SC2086
  "$dynid" identify --robot "$root/datasets/$robot/$robot.toml" "${logs[@]}" ${options:-} --output "$model" --quiet \
    >/dev/null 2>"$work/errors" || head -n 1 "$work/errors" >&2
}
score() {  # model, held-out log: relative error
  "$dynid" validate --model "$1" --log "$2" --json --quiet 2>/dev/null >"$work/score.json" || true
  jq -r '.relative_error * 10000 | round / 10000' "$work/score.json"
}
cutoff() { jq -r '.signals.cutoff_hz * 100 | round / 100' "$1"; }

# robot, held-out log, training logs
robots=("ur10e heldout_12harm50s train_12harm30s" "panda heldout_8p5_13p2s train_a_0_8p5s train_b_13p2_21s"
  "tx40 heldout_3_5p5s train_a_0_3s train_b_5p5_7p4s" "kr300 train_B train_A" "xmate7p train_traj2 train_traj1"
  "lwa3 heldout_traj2 train_traj1" "tiago heldout_44_59s train_0_44s" "dvrk_mtm heldout_two train_one"
  "dvrk_psm heldout_two train_one")

transient() {
  echo "A dip of the speed by 70 % for 60 ms in one training log"
  echo "| robot | log, at | cut-off untouched / dip [Hz] | held-out error untouched / dip |"
  echo "| --- | --- | --- | --- |"
  local robot changed at heldout others logs
  while read -r robot changed at heldout others; do
    logs=()
    for log in $others; do logs+=("$data/$robot/$log.h5"); done
    identify "$work/clean.json" "$robot" "$data/$robot/$changed.h5" "${logs[@]}"
    "$alter" "$data/$robot/$changed.h5" "$work/dip.h5" dip "$at" 0.06 0.7
    identify "$work/dip.json" "$robot" "$work/dip.h5" "${logs[@]}"
    echo "| $robot | $changed, $at s | $(cutoff "$work/clean.json") / $(cutoff "$work/dip.json") |" \
      "$(score "$work/clean.json" "$data/$robot/$heldout.h5") / $(score "$work/dip.json" "$data/$robot/$heldout.h5") |"
  done <<'LIST'
panda train_b_13p2_21s 4 heldout_8p5_13p2s train_a_0_8p5s
tx40 train_a_0_3s 1.5 heldout_3_5p5s train_b_5p5_7p4s
dvrk_psm train_one 10 heldout_two
LIST
}

delay() {
  echo "Efforts of simulated robots recorded late (500 Hz, 16 bits, noise of 2 %): delay found [ms]"
  echo "| robot | 0 | 2 | 4 | 10 | 30 ms |"
  echo "| --- | --- | --- | --- | --- | --- |"
  local robot line
  for robot in ur10e panda tx40; do
    "$dynid" simulate --robot "$root/datasets/$robot/$robot.toml" --output "$work/sim.h5" --rate 500 --duration 30 \
      --encoder-step 9.6e-5 --effort-noise-relative 0.02 --quiet >/dev/null
    line="| $robot |"
    for s in 0 0.002 0.004 0.010 0.030; do
      "$alter" "$work/sim.h5" "$work/late.h5" late "$s"
      identify "$work/model.json" "$robot" "$work/late.h5"
      line+=" $(jq -r '.provenance.logs[0].effort_delay * 100000 | round / 100' "$work/model.json") |"
    done
    echo "$line"
  done
}

rate() {
  echo "Prediction of held-out logs that are slower than the training logs"
  echo "| robot | as recorded | 50 Hz | 30 Hz |"
  echo "| --- | --- | --- | --- |"
  local entry robot heldout training logs line
  for entry in "${robots[@]}"; do
    read -r robot heldout training <<<"$entry"
    logs=()
    for log in $training; do logs+=("$data/$robot/$log.h5"); done
    identify "$work/model.json" "$robot" "${logs[@]}"
    line="| $robot | $(score "$work/model.json" "$data/$robot/$heldout.h5") |"
    for hz in 50 30; do
      "$alter" "$data/$robot/$heldout.h5" "$work/slow.h5" rate "$hz"
      line+=" $(score "$work/model.json" "$work/slow.h5") |"
    done
    echo "$line"
  done
}

encoder() { "$study" "$root/datasets/ur10e/ur10e.toml" "${RUNS:-4}"; }

motions() {
  echo "Held-out relative error by the way motion is made"
  echo "| robot | filtered | spline |"
  echo "| --- | --- | --- |"
  local entry robot heldout training logs line kind
  for entry in "${robots[@]}"; do
    read -r robot heldout training <<<"$entry"
    logs=()
    for log in $training; do logs+=("$data/$robot/$log.h5"); done
    line="| $robot |"
    for kind in filtered spline; do
      rm -f "$work/model.json"
      options="--motion $kind" identify "$work/model.json" "$robot" "${logs[@]}" 2>/dev/null
      if [ -f "$work/model.json" ]; then line+=" $(score "$work/model.json" "$data/$robot/$heldout.h5") |"
      else line+=" refused |"; fi
    done
    echo "$line"
  done
}

for part in "${@:-transient rate encoder delay robots}"; do
  for name in $part; do
    case $name in
      transient | rate | robots) : "${data:?set DYNID_REAL_DATA_DIR to the folder with the logs}" ;;
    esac
    case $name in
      robots) motions ;;
      transient | rate | encoder | delay) "$name" ;;
      *) echo "unknown part $name" >&2; exit 2 ;;
    esac
    echo
  done
done
