#!/usr/bin/env bash
# Makes the logs of this folder again: bash datasets/four_bar/gen.sh [path of the dynid program]
set -euo pipefail
cd "$(dirname "$0")"
dynid="${1:-dynid}"
common=(four_bar.toml --truth-seed 3 --rate 200 --fundamental 0.2 --compression 6 --quiet)
noise=(--effort-noise-relative 0.02 --noise-correlation 0.01 --encoder-step 2e-5)
"$dynid" simulate "${common[@]}" "${noise[@]}" --seed 1 --duration 20 --output train.h5 --save-truth truth.json
"$dynid" simulate "${common[@]}" "${noise[@]}" --seed 2 --duration 10 --output heldout.h5
