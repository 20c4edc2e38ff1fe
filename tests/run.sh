#!/usr/bin/env bash
# Installs what is missing (Debian 12), builds everything and runs every test.
#   bash tests/run.sh [cmake arguments, for example -DDYNID_REAL_DATA_DIR=/path/to/logs]
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(cmake ninja-build g++ pkg-config coinor-libipopt-dev libboost-program-options-dev libceres-dev libdeflate-dev libeigen3-dev libgmock-dev
  libgoogle-glog-dev libgtest-dev libhdf5-dev libmimalloc-dev libopenmpi-dev libssl-dev libtinyxml2-dev libtomlplusplus-dev nlohmann-json3-dev openmpi-bin)
missing=()
for package in "${packages[@]}"; do
  if ! dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed'; then missing+=("$package"); fi
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "installing: ${missing[*]}"
  as_root=()
  if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
  export DEBIAN_FRONTEND=noninteractive
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cmake --preset ci "${launcher[@]}" "$@"
cmake --build build/ci
ctest --test-dir build/ci --output-on-failure --no-tests=error -j "$(nproc)"
