#!/usr/bin/env bash
# Makes the logs of this folder again: bash datasets/quickstart/gen.sh [path of the dynid program]
# The bundled logs are of an earlier version, which scaled the motion to the limits of the joints in
# another way: positions of train.h5 differ by up to 0.5 %, the true friction by up to 0.2 %.
set -euo pipefail
cd "$(dirname "$0")"
dynid="${1:-dynid}"
common=(arm.toml --truth-seed 7 --rate 100 --effort-noise-relative 0.02 --noise-correlation 0.02
  --encoder-step 2e-5 --compression 6 --quiet)
"$dynid" simulate "${common[@]}" --seed 1 --duration 30 --output train.h5 --save-truth truth.json
"$dynid" simulate "${common[@]}" --seed 2 --duration 15 --harmonics 6 --fundamental 0.13 --output heldout.h5
"$dynid" identify --robot arm.toml train.h5 --output model.json --quiet

# A recording as a controller might write it: milliseconds, degrees, motor amperes, a semicolon and decimal commas.
awk 'BEGIN {
  printf "t_ms;q1;q2;i1;i2\n"
  for (k = 0; k < 400; ++k) {
    t = k / 100
    line = sprintf("%d;%.3f;%.3f;%.3f;%.3f", 10 * k, 40 * sin(1.9 * t), 25 * sin(1.1 * t) - 30,
                   0.6 * cos(1.9 * t) - 1.4 * sin(1.9 * t), 2.1 + 0.5 * cos(1.1 * t))
    gsub(/\./, ",", line)
    print line
  }
}' > recording.csv
