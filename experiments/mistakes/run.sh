#!/usr/bin/env bash
# Confusion table of the diagnosis over one training log per real robot, and the table of untouched logs.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${DYNID_REAL_DATA_DIR:?set it to the folder that holds a folder of logs per robot}"
cmake --preset release -DDYNID_BENCHMARKS=ON >/dev/null
cmake --build --preset release --target mistakes_study >/dev/null
study=build/release/experiments/mistakes/mistakes_study
robots=(ur10e panda tx40 kr300 xmate7p lwa3 tiago dvrk_mtm dvrk_psm)
one=() all=()
for robot in "${robots[@]}"; do
  description=datasets/$robot/$robot.toml
  logs=("$DYNID_REAL_DATA_DIR/$robot"/train_*.h5)
  one+=("$description" "${logs[0]}")
  for log in "$DYNID_REAL_DATA_DIR/$robot"/train_*.h5 "$DYNID_REAL_DATA_DIR/$robot"/extra_*.h5; do
    [ -f "$log" ] && all+=("$description" "$log")
  done
done
"$study" --further "${one[@]}"
"$study" --pairs "${one[@]}"
"$study" --untouched "${all[@]}"
