#!/usr/bin/env bash
# When do `identify --motion spline` and `--motion estimated` pay?
#
#   experiments/motion/kinds.sh [ROBOT.toml]
#
# Simulated logs of 30 s with coarse encoders and effort noise are identified with each kind of motion; the model is then evaluated
# at the exact states of another motion. Printed: relative error of the efforts above 0.05 rad/s, mean of SEEDS logs, in percent.
# DYNID_BUILD_DIR: a build with -DDYNID_BENCHMARKS=ON (targets dynid_tool and motion_clean_error). SEEDS (default 3), RATES (default "25 100 500"), BITS (default "13 16 19"),
# NOISES (default "0.005 0.03"), HARMONICS of 0.1 Hz in the motion (default 30: brisk; 8 is slow).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
robot=${1:-$root/datasets/ur10e/ur10e.toml}
build=${DYNID_BUILD_DIR:-$root/build/experiments}
dynid=$build/tools/dynid
clean_error=$build/experiments/motion/motion_clean_error
harmonics=${HARMONICS:-30}
command -v jq >/dev/null || { echo "needs jq (apt-get install jq)" >&2; exit 2; }
for program in "$dynid" "$clean_error"; do
  [ -x "$program" ] || { echo "no $program; build dynid_tool and motion_clean_error or set DYNID_BUILD_DIR" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

simulate() { "$dynid" simulate --robot "$robot" --harmonics "$harmonics" --quiet "$@" >/dev/null; }
simulate --rate 100 --duration 20 --seed 1000 --acceleration --output "$work/clean.h5"

# One line per identification: relative error, converged (1, 0 or -), iterations, CPU seconds.
TIMEFORMAT=%U
one() {  # kind, log
  local seconds
  rm -f "$work/model.json"
  seconds=$( { time "$dynid" identify --robot "$robot" --motion "$1" --log "$2" --output "$work/model.json" --force \
    --no-certificate --quiet >/dev/null 2>"$work/errors" || true; } 2>&1)
  [ -s "$work/model.json" ] || { echo "nan 0 0 0"; head -n 1 "$work/errors" >&2; return; }
  echo "$("$clean_error" "$work/model.json" "$work/clean.h5") $(jq -r '[.. | strings | select(startswith("motion estimated"))] |
    if length == 0 then "- 0" elif (.[0] | contains("is not used")) then "0 0"
    else "1 " + (.[0] | capture("in (?<n>[0-9]+) iterations").n) end' "$work/model.json") $seconds"
}

echo "| harmonics | rate | encoder | effort noise | filtered | spline | estimated | iterations | not converged | CPU s (filtered, estimated) |"
echo "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
for bits in ${BITS:-13 16 19}; do
  for noise in ${NOISES:-0.005 0.03}; do
    for rate in ${RATES:-25 100 500}; do
      : >"$work/results"
      for seed in $(seq 1 "${SEEDS:-3}"); do
        simulate --no-velocity --rate "$rate" --duration 30 --seed "$seed" --effort-noise-relative "$noise" \
          --encoder-step "$(echo "6.283185307179586 / 2^$bits" | bc -l)" --output "$work/log.h5"
        for kind in filtered spline estimated; do echo "$kind $(one "$kind" "$work/log.h5")" >>"$work/results"; done
      done
      awk -v h="$harmonics" -v r="$rate" -v b="$bits" -v n="$noise" '
        { sum[$1] += $2; count[$1]++; time[$1] += $5 }
        $1 == "estimated" { if ($3 == 0) failed++; if ($4 > most) most = $4 }
        END { printf "| %d | %d Hz | %d bits | %.1f %% | %.2f | %.2f | %.2f | %d | %d | %.1f, %.1f |\n", h, r, b, 100 * n,
          100 * sum["filtered"] / count["filtered"], 100 * sum["spline"] / count["spline"],
          100 * sum["estimated"] / count["estimated"], most, failed, time["filtered"] / count["filtered"],
          time["estimated"] / count["estimated"] }' "$work/results"
    done
  done
done
