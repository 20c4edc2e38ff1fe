#!/usr/bin/env bash
# Every robot description of a directory, excited within its own limits for a short time:
#   bash experiments/excitation/robots.sh DYNID DATASETS [results directory] [seconds a robot]
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
  python3 - "$results/$name" "$status" <<'PY'
import json, sys
name, status = sys.argv[1], int(sys.argv[2])
label = name.split("/")[-1]
try:
    r = json.load(open(name + ".json"))
except ValueError:
    r = {}
if not r.get("feasible"):
    print(f"| {label} | - | - | - | - | - | exit {status}: {open(name + '.err').read().strip()[:200]} |")
    sys.exit()
use = {"position": 0, "velocity": 0, "acceleration": 0, "effort": 0}
for j in r["limits"].values():
    low, high, lower, upper = j["position"]
    use["position"] = max(use["position"], (high - (lower + upper) / 2) / ((upper - lower) / 2),
                          ((lower + upper) / 2 - low) / ((upper - lower) / 2))
    for what in ("velocity", "acceleration", "effort"):
        if j[what][0] and j[what][1]:
            use[what] = max(use[what], j[what][0] / j[what][1])
told = sum(1 for p in r["forecast"] if p["std_dev"] is not None)
shares = " / ".join(f"{use[w]:.3f}" if use[w] else "-" for w in use)
space = f", closest {r['space']['closest']:.3f} m ({r['space']['between']})" if "space" in r else ""
print(f"| {label} | {len(r['limits'])} | {told} of {len(r['forecast'])} | {r['condition_number']:.4g} | "
      f"{shares} | {r['seconds']:.0f} | exit {status}{space} |")
PY
done
