#!/usr/bin/env bash
# From a fresh Debian 12 to an identified and validated model, in a few minutes:
#   bash experiments/quickstart/run.sh [directory for the results]
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
results="$(realpath -m "${1:-$root/build/quickstart}")"
cd "$root"

. tests/packages.sh
install_missing "${program_packages[@]}"

launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cmake --preset release -DDYNID_TESTS=OFF "${launcher[@]}" >/dev/null
cmake --build build/release --target dynid_tool
dynid="$root/build/release/tools/dynid"
mkdir -p "$results"

echo "== what the log holds"
"$dynid" inspect datasets/quickstart/train.h5 --robot datasets/quickstart/arm.toml
echo "== identify"
"$dynid" identify --robot datasets/quickstart/arm.toml datasets/quickstart/train.h5 --output "$results/model.json" \
  --urdf "$results/identified.urdf" --report "$results/identify.html"
echo "== validate on a log that the model has not seen"
"$dynid" validate --model "$results/model.json" datasets/quickstart/heldout.h5 --report "$results/validate.html"

echo
echo "model:   $results/model.json"
echo "urdf:    $results/identified.urdf"
echo "reports: $results/identify.html $results/validate.html"
