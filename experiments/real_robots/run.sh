#!/usr/bin/env bash
# How well do models identified from training logs of real robots predict torque on logs that they have not seen?
#
#   DYNID_REAL_DATA_DIR=/path/to/logs bash experiments/real_robots/run.sh
#
# Robots come from datasets/<robot>/<robot>.toml; logs from $DYNID_REAL_DATA_DIR/<robot>/. Prints, for the whole held-out log and the
# unfiltered effort or current:
# - R2 per joint, below that of a plain least-squares fit ("plain": rigid body, viscous and Coulomb friction, offset, drive inertia;
#   those of kr300 and xmate7p are from a separate program, run once),
# - the relative error of all joints together, and the root mean square of the relative errors of the joints.
# Of the fit: its certified gap, its objective over that of unconstrained least squares, and the joints whose error physical
# consistency raises by more than 10 %.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
data=${DYNID_REAL_DATA_DIR:?set DYNID_REAL_DATA_DIR to the folder with the logs}
build=${DYNID_BUILD_DIR:-$root/build/release}
command -v jq >/dev/null || { echo "needs jq (apt-get install jq)" >&2; exit 2; }
if [ ! -x "$build/tools/dynid" ]; then
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDYNID_TESTS=OFF >/dev/null
  cmake --build "$build" --target dynid_tool >/dev/null
fi
dynid=$build/tools/dynid
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

study() {  # robot, plain scores, held-out log, training logs ...
  local robot=$1 plain=$2 heldout=$3
  shift 3
  local logs=()
  for log in "$@"; do logs+=(--log "$data/$robot/$log"); done
  "$dynid" identify --robot "$root/datasets/$robot/$robot.toml" "${logs[@]}" --output "$work/model.json" \
    --quiet >/dev/null 2>"$work/errors" || { printf '%-10s %s\n' "$robot" "$(head -n 1 "$work/errors")"; return; }
  "$dynid" validate --model "$work/model.json" --log "$data/$robot/$heldout" --json --quiet \
    >"$work/validation.json" 2>/dev/null || true
  printf '%-10s %-28s plain  %s\n' "$robot" "${heldout%.h5}" "$plain"
  printf '%-10s %-28s dynid  %s\n' "" "" \
    "$(jq -r '[.per_joint[].r2 | . * 1000 | round / 1000 | tostring] | join(" ")' "$work/validation.json")"
  printf '%-10s %-28s        error %s, rms of the joints %s, gap %s, objective %s%s\n' "" "" \
    "$(jq -r '.relative_error * 10000 | round / 10000' "$work/validation.json")" \
    "$(jq -r '([.per_joint[].relative_error | . * .] | add / length | sqrt) * 10000 | round / 10000' "$work/validation.json")" \
    "$(jq -r '.consistency.relative_duality_gap' "$work/model.json")" \
    "$(jq -r '.consistency.objective / .fit.objective_unconstrained * 100 | round / 100' "$work/model.json")" \
    "$(jq -r '[.fit.per_joint | to_entries[] | select(.value.price_of_physics > 0.1) |
        ", \(.key) \(.value.price_of_physics * 100 | round) %"] | join("")' "$work/model.json")"
}

study ur10e ".950 .988 .991 .954 .904 .953" heldout_12harm50s.h5 train_12harm30s.h5
study ur10e ".950 .988 .991 .954 .904 .953" heldout_12harm50s.h5 train_{5,7,8,10}harm20s.h5 train_12harm{20,30,40}s.h5 train_14harm50s.h5
study panda ".981 .999 .999 .990 .968 .973 .927" heldout_8p5_13p2s.h5 train_a_0_8p5s.h5 train_b_13p2_21s.h5
study tx40 ".967 .970 .970 .986 .977 .970" heldout_3_5p5s.h5 train_a_0_3s.h5 train_b_5p5_7p4s.h5
study kr300 "-6.92 .835 .853 .252 .792 .812" train_B.h5 train_A.h5
study kr300 ".849 -2.54 .637 -.638 .926 .745" train_A.h5 train_B.h5
study xmate7p ".854 .999 .994 .997 .965 .975 .928" train_traj2.h5 train_traj1.h5
study xmate7p ".911 .999 .996 .996 .909 .939 .904" train_traj1.h5 train_traj2.h5
study lwa3 ".929 .980 .983 .969 .941 .908 .918" heldout_traj2.h5 train_traj1.h5
study tiago ".857 .867 .753 .877 .837 .245 -.10 -.26" heldout_44_59s.h5 train_0_44s.h5
study dvrk_mtm ".994 .959 .864 .928 .651 .731 .389" heldout_two.h5 train_one.h5
study dvrk_psm ".995 .974 .924 .892 .936 .920 .942" heldout_two.h5 train_one.h5
