#!/usr/bin/env bash
# Condition numbers that `dynid excite` reaches in a given time on two cores:
#   bash experiments/excitation/run.sh DYNID DATASETS [results directory] [seconds per case]
# DATASETS holds ur10e/ur10e.urdf and panda/panda.urdf.
set -euo pipefail
dynid="$1"
data="$(realpath "$2")"
results="${3:-build/excitation}"
seconds="${4:-120}"
TIMEFORMAT="    %R s, %U s of processor time"
mkdir -p "$results"
for robot in ur10e panda; do
  printf 'urdf = "%s"\ngravity = [0.0, 0.0, -9.81]\n' "$data/$robot/$robot.urdf" >"$results/$robot.toml"
done

design() { # name, robot, period, accelerations
  time "$dynid" excite "$results/$2.toml" --output "$results/$1.h5" --duration "$3" --max-acceleration "$4" \
    --harmonics 5 --noise 1 --no-drive-inertia --threads 2 --seconds "$seconds" --json >"$results/$1.json"
  python3 - "$results/$1.json" "$1" <<'PY'
import json, math, sys
result = json.load(open(sys.argv[1]))
print(f"{sys.argv[2]}: condition number {result['condition_number']:.1f}, log det per sample "
      f"{result['log_det_per_sample']:.1f}, {result['finished_chains']} chains, {result['seconds']:.0f} s")
for step in result["search"]:
    print(f"    {step['seconds']:6.1f} s  {math.exp(step['score']):8.1f}")
PY
  if python3 -c "import numpy, h5py" 2>/dev/null; then
    python3 "$(dirname "$0")/check.py" "$data/$2/$2.urdf" "$results/$1.h5" "$4"
  fi
}

panda="15,7.5,10,12.5,15,20,20"
design ur10e_20s ur10e 20 2
design ur10e_10s ur10e 10 2
design panda_20s panda 20 "$panda"
design panda_10s panda 10 "$panda"
