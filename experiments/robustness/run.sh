#!/usr/bin/env bash
# Attacks the program for as long as it is given: fuzzing, every fault, many kills, every hostile value.
#   bash experiments/robustness/run.sh fuzz SECONDS [READER...]   libFuzzer with clang; default: all readers
#   bash experiments/robustness/run.sh fuzz-fast SECONDS [READER...]   the same without sanitizers: more inputs per second
#   bash experiments/robustness/run.sh faults                     every n-th open, read, write ... of six commands, and
#                                                               allocations: all, or one per call site where there are over 10,000
#   bash experiments/robustness/run.sh kills N                    N random kills of each writing command
#   bash experiments/robustness/run.sh values                     the whole matrix of hostile numbers
# The last three need the tests to be built (tests/run.sh).
set -euo pipefail
cd "$(dirname "$0")/../.."

tests=build/ci/tests/tools_test
case "${1:-}" in
fuzz | fuzz-fast)
  build="build/$1"
  seconds="$2"
  cmake --preset fuzz -B "$build" -DDYNID_FUZZ_SANITIZERS="$([ "$1" = fuzz ] && echo ON || echo OFF)" >/dev/null
  shift 2
  readers=("$@")
  if [ ${#readers[@]} -eq 0 ]; then
    for source in tests/fuzz/fuzz_*.cpp; do
      name="$(basename "$source" .cpp)"
      readers+=("${name#fuzz_}")
    done
  fi
  for reader in "${readers[@]}"; do
    cmake --build "$build" --target "fuzz_$reader" >/dev/null
    found="$build/tests/fuzz/found/$reader"
    dictionary=()
    if [ -f "tests/fuzz/$reader.dict" ]; then dictionary=("-dict=tests/fuzz/$reader.dict"); fi
    mapfile -t particular < <(sed -n 's#^// libfuzzer: ##p' "tests/fuzz/fuzz_$reader.cpp" | tr ' ' '\n')
    mkdir -p "$found"
    echo "== $reader"
    # -entropic=0: its accounts take a third to a half of the time of a short input. malloc_context_size=0: reports do not say where
    # memory was allocated; run the input of a finding again without it.
    ASAN_OPTIONS=allocator_may_return_null=1:malloc_context_size=0 nice -n 19 "$build/tests/fuzz/fuzz_$reader" \
      -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -entropic=0 -print_final_stats=1 -artifact_prefix="$found." \
      "${particular[@]}" "${dictionary[@]}" "$found" "tests/fuzz/corpus/$reader" 2>&1 |
      grep -E 'stat::|SUMMARY|Test unit written' || true
  done
  ;;
faults) DYNID_ALL_FAULTS=1 "$tests" --gtest_filter='FaultInjection*:*FaultOfCommand*' ;;
kills) DYNID_KILLS="$2" "$tests" --gtest_filter='*Kills*' ;;
values) DYNID_ALL_VALUES=1 "$tests" --gtest_filter='*HostileValues*:*HostileTrajectories*:*AbsentChannels*:*HostileOptions*' ;;
*)
  sed -n '2,9s/^# \{0,1\}//p' "$0"
  exit 2
  ;;
esac
