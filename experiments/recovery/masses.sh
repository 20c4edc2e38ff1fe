#!/usr/bin/env bash
# Do masses that the joint torques do not determine stay at a good prior?
#
#   experiments/recovery/masses.sh [seeds, default 3]
#
# The quickstart arm is simulated with the inertias of its URDF (30 s, 200 Hz, effort noise of 2 %, encoder steps of 2e-5 rad) and
# identified with three URDF files as prior: the true one, and two with every mass and inertia multiplied by .8 or 1.3 in turns.
# DYNID: the program (default: dynid in PATH).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
dynid=${DYNID:-dynid}
command -v jq >/dev/null || { echo "needs jq (apt-get install jq)" >&2; exit 2; }
command -v "$dynid" >/dev/null || { echo "no $dynid; install dynid or set DYNID to the program" >&2; exit 2; }
arm=$root/datasets/quickstart/arm.urdf
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$arm" "$work/true.urdf"
for first in 0 1; do  # every mass and inertia of a link by the same factor
  awk -v k="$first" 'function scaled(name,   value) {
      if (match($0, name "=\"[^\"]*\"")) {
        value = substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 3)
        $0 = substr($0, 1, RSTART - 1) name "=\"" value * factor "\"" substr($0, RSTART + RLENGTH)
      } }
    /<inertial>/ { factor = k++ % 2 ? 0.8 : 1.3 }
    /<mass/ { scaled("value") }
    /<inertia / { split("ixx ixy ixz iyy iyz izz", names, " "); for (i in names) scaled(names[i]) }
    { print }' "$arm" >"$work/off_$((first + 1)).urdf"
done

# Worst mass error [%] and distance of centres of mass [mm] over all links: model against truth.
worst='def links: .links | map_values(select(.mass > 0));
  ($truth[0] | links) as $t | links | to_entries | map(select($t[.key]) | . as $e | $t[.key] as $o |
    {mass: (($e.value.mass / $o.mass - 1) | fabs * 100),
     centre: ([range(3) | ($e.value.first_moment[.] / $e.value.mass - $o.first_moment[.] / $o.mass) | . * .] | add | sqrt * 1000),
     name: $e.key}) |
  "\(max_by(.mass) | "\(.mass * 10 | round / 10) % (\(.name))") | \(max_by(.centre) | "\(.centre * 10 | round / 10) mm (\(.name))")"'

echo "| prior | noise | seed | worst mass | worst centre of mass | error on clean motion |"
echo "| --- | --- | ---: | ---: | ---: | ---: |"
"$dynid" simulate --robot "$arm" --seed 1000 --rate 200 --duration 15 --quiet --output "$work/clean.h5" \
  --save-truth "$work/truth.json" >/dev/null
for correlation in 0 0.3; do
  for seed in $(seq 1 "${1:-3}"); do
    "$dynid" simulate --robot "$arm" --seed "$seed" --rate 200 --duration 30 --effort-noise-relative 0.02 --quiet \
      --noise-correlation "$correlation" --encoder-step 2e-5 --output "$work/log.h5" >/dev/null
    for prior in true off_1 off_2; do
      "$dynid" identify --robot "$work/$prior.urdf" --log "$work/log.h5" --output "$work/model.json" --quiet --no-certificate \
        >/dev/null 2>"$work/errors" || head -n 1 "$work/errors" >&2
      "$dynid" validate --model "$work/model.json" --log "$work/clean.h5" --json --quiet >"$work/score.json" 2>/dev/null || true
      echo "| $prior | $([ "$correlation" = 0 ] && echo white || echo "$correlation s") | $seed |" \
        "$(jq -r --slurpfile truth "$work/truth.json" "$worst" "$work/model.json") |" \
        "$(jq -r '.relative_error * 10000 | round / 100' "$work/score.json") % |"
    done
  done
done
