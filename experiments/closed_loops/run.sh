#!/usr/bin/env bash
# Mechanisms: a four-bar linkage, a palletizer (both [[loop]]) and two surgical arms (mimic parallelograms).
#
#   [DYNID_REAL_DATA_DIR=/path/to/logs] bash experiments/closed_loops/run.sh
#
# Three tables from simulated truth (structure and agreement; what comes back; forward simulation by every constrained
# solver), one through the program (from a noisy log to the exact efforts of an unseen motion), and, with the logs at hand,
# how well the surgical arms' identified models predict logs that they have not seen.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${DYNID_BUILD_DIR:-$root/build/experiments}
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDYNID_TESTS=OFF -DDYNID_BENCHMARKS=ON \
  > "${TMPDIR:-/tmp}/closed_loops_configure.log"
cmake --build "$build" --target closed_loops_study dynid_tool > "${TMPDIR:-/tmp}/closed_loops_build.log"
robots=()
for robot in four_bar palletizer dvrk_psm dvrk_mtm; do robots+=("$root/datasets/$robot/$robot.toml"); done
"$(find "$build" -name closed_loops_study -type f)" "${robots[@]}"

dynid=$build/tools/dynid
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
key() { grep -o "\"$1\": [-0-9.e]*" "$2" | head -n "${3:-1}" | cut -d' ' -f2; }

# The truth of the logs in datasets/, 2 % of noise; the unseen motion has none, and the worst joint counts.
printf '\n| robot | log | equations | exact efforts of an unseen motion, relative error while moving |\n|---|---|---|---|\n'
for robot in four_bar palletizer; do
  truth=$([ "$robot" = four_bar ] && echo 3 || echo 4)
  toml=$root/datasets/$robot/$robot.toml
  common=("$toml" --truth-seed "$truth" --fundamental 0.2 --quiet)
  "$dynid" simulate "${common[@]}" --seed 7 --duration 10 --output "$work/unseen.h5"
  score() {  # equations, name of the log, log
    "$dynid" identify --robot "$toml" "$3" --equations "$1" --output "$work/model.json" --quiet > "$work/out" 2>&1 ||
      { printf '| %-10s | %s | %s | %s |\n' "$robot" "$2" "$1" "$(head -n 1 "$work/out")"; return; }
    "$dynid" validate --model "$work/model.json" "$work/unseen.h5" --json > "$work/validation.json" 2> "$work/errors" || true
    printf '| %-10s | %s | %s | %.2g %% |\n' "$robot" "$2" "$1" \
      "$(key relative_error_moving "$work/validation.json" 99 | awk '{if (100 * $1 > m) m = 100 * $1} END {print m}')"
  }
  for equations in inverse-dynamics power energy momentum variational; do
    score "$equations" train.h5 "$root/datasets/$robot/train.h5"
  done
  for solver in augmented direct projected embedded udwadia-kalaba; do
    "$dynid" simulate "${common[@]}" --seed 1 --duration 20 --integrator "$solver" --effort-noise-relative 0.02 \
      --noise-correlation 0.01 --encoder-step 2e-5 --output "$work/integrated.h5"
    score inverse-dynamics "integrated: $solver" "$work/integrated.h5"
  done
done

data=${DYNID_REAL_DATA_DIR:-}
[ -n "$data" ] || { echo; echo "DYNID_REAL_DATA_DIR is not set: the surgical arms' real logs are left out"; exit 0; }
printf '\n| robot | held-out log | R2 per joint |\n|---|---|---|\n'
for robot in dvrk_psm dvrk_mtm; do
  "$dynid" identify --robot "$root/datasets/$robot/$robot.toml" "$data/$robot/train_one.h5" \
    --output "$work/$robot.json" --quiet > "$work/out" 2> "$work/errors" || { head -n 1 "$work/errors"; continue; }
  "$dynid" validate --model "$work/$robot.json" "$data/$robot/heldout_two.h5" --json > "$work/validation.json" || true
  printf '| %s | heldout_two | %s |\n' "$robot" "$(key r2 "$work/validation.json" 7 | xargs printf '%.3f ')"
done
