#!/usr/bin/env bash
# Checks sources with clang-tidy (.clang-tidy); any finding is an error.
#   bash tests/lint.sh                 all sources of the project, the most recently changed first, until the time is over
#   bash tests/lint.sh FILE.cpp...     these only
# Every source is read by itself, so that a missing #include is found too.
# DYNID_LINT_SECONDS: time limit, default 300; 0: none.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds="${DYNID_LINT_SECONDS:-300}"

. tests/packages.sh
install_missing clang-tidy

# The commands of a build with g++, with the header that g++ would precompile included as text. That header needs Eigen in modules
# too that do not use it.
work=build/lint
rm -rf "$work"
CC=gcc CXX=g++ cmake --preset ci -B "$work" -DCMAKE_UNITY_BUILD=OFF -DDYNID_BENCHMARKS=ON -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
sed -i -E "s# -Winvalid-pch -include ([^ ]+)# -include \1#" "$work/compile_commands.json"

if [ $# -gt 0 ]; then
  printf '%s\n' "$@" >"$work/files"
else
  # One study needs Pinocchio, which is not a dependency, faults.cpp replaces functions of the C library, which clang's headers define,
  # and discarded_output.cpp replaces classes by ones that do nothing. The examples are built with the installed library: clang-tidy
  # takes the command of a similar source.
  git log --format= --name-only -- '*.cpp' ':!experiments/benchmarks/peers/pinocchio.cpp' ':!tests/faults/faults.cpp' ':!tests/fuzz/discarded_output.cpp' |
    awk '!seen[$0]++' |
    while read -r file; do if [ -f "$file" ]; then echo "$file"; fi; done >"$work/files"
fi

# A file that has no findings is added to `clean`, any other to `findings`. A check that the time limit ends is added to neither.
check='clang-tidy -p "$0" --quiet --extra-arg=-Wno-unknown-warning-option --extra-arg=-isystem/usr/include/eigen3 "$1" 2>"$0/$$.log" &&
  echo "$1" >>"$0/clean" || { cat "$0/$$.log" >&2; echo "$1" >>"$0/findings"; }'
touch "$work/clean" "$work/findings"
timeout "$seconds" xargs -d '\n' -n 1 -P "$(nproc)" bash -c "$check" "$work" <"$work/files" || test $? -eq 124

echo "lint: $(wc -l <"$work/clean") of $(wc -l <"$work/files") files without findings, $(wc -l <"$work/findings") with findings"
test ! -s "$work/findings"
