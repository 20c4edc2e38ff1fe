#!/usr/bin/env bash
# Checks sources with clang-tidy (.clang-tidy); any finding is an error. Needs build/ci, configured and built by tests/run.sh.
#   bash tests/lint.sh                 all sources, the most recently changed first, until the time is over
#   bash tests/lint.sh FILE.cpp...     these only
# DYNID_LINT_SECONDS: time limit, default 300; 0: none.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds="${DYNID_LINT_SECONDS:-300}"

. tests/packages.sh
install_missing clang-tidy

# The commands of the build, with the header that gcc has precompiled included as text: clang cannot read gcc's form of it.
work=build/lint
rm -rf "$work" && mkdir -p "$work"
cp build/ci/lib/CMakeFiles/dynid_math.dir/cmake_pch.hxx "$work/precompiled.hxx"
sed -E "s# -Winvalid-pch -include [^ ]+# -include $PWD/$work/precompiled.hxx#" build/ci/compile_commands.json >"$work/compile_commands.json"

if [ $# -gt 0 ]; then
  printf '%s\n' "$@" >"$work/files"
else
  git log --format= --name-only -- 'lib/*.cpp' 'tools/*.cpp' | awk '!seen[$0]++' |
    while read -r file; do if [ -f "$file" ]; then echo "$file"; fi; done >"$work/files"
fi

# A file that has no findings is added to `clean`, any other to `findings`. A check that the time limit ends is added to neither.
check='clang-tidy -p "$0" --quiet --extra-arg=-Wno-unknown-warning-option "$1" 2>"$0/$$.log" && echo "$1" >>"$0/clean" ||
  { cat "$0/$$.log" >&2; echo "$1" >>"$0/findings"; }'
touch "$work/clean" "$work/findings"
timeout "$seconds" xargs -d '\n' -n 1 -P "$(nproc)" bash -c "$check" "$work" <"$work/files" || test $? -eq 124

echo "lint: $(wc -l <"$work/clean") of $(wc -l <"$work/files") files without findings, $(wc -l <"$work/findings") with findings"
test ! -s "$work/findings"
