#!/usr/bin/env bash
# Makes the logs of this folder again: bash datasets/palletizer/gen.sh [path of the dynid program]
set -euo pipefail
cd "$(dirname "$0")"
dynid="${1:-dynid}"
common=(palletizer.toml --truth-seed 4 --rate 100 --compression 6 --quiet)
noise=(--effort-noise-relative 0.02 --noise-correlation 0.02 --encoder-step 2e-5)
"$dynid" simulate "${common[@]}" "${noise[@]}" --seed 1 --duration 30 --output train.h5 --save-truth truth.json
"$dynid" simulate "${common[@]}" "${noise[@]}" --seed 2 --duration 15 --output heldout.h5
