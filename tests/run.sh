#!/usr/bin/env bash
# Installs missing packages (Debian 12), builds everything and runs all tests.
#   bash tests/run.sh [cmake arguments, for example -DDYNID_REAL_DATA_DIR=/path/to/logs]
set -euo pipefail
cd "$(dirname "$0")/.."

. tests/packages.sh
install_missing "${program_packages[@]}" "${test_packages[@]}"

launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cmake --preset ci "${launcher[@]}" "$@"
cmake --build build/ci
ctest --test-dir build/ci --output-on-failure --no-tests=error -j "$(nproc)"
