#!/usr/bin/env bash
# Do the intervals of a robot's own logs hold? Every pair of logs is identified together; the parameters of one log are
# compared with those of the other, in standard deviations of their difference.
#
#   experiments/coverage/two_logs.sh ROBOT LOG LOG [LOG ...]
#
# Expected where the logs show the same robot: differences of about 1 standard deviation (root mean square) and about 5 %
# of the parameters outside the 95 % interval. More says that something changed between the logs that the model does not
# know (friction that warms up, a payload, the calibration of the effort), or that the intervals are too narrow.
# DYNID_BUILD_DIR: a build with tools/dynid. DYNID_OPTIONS: further options of identify.
set -euo pipefail
[ $# -ge 3 ] || { sed -n '2,12p' "${BASH_SOURCE[0]}" >&2; exit 2; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${DYNID_BUILD_DIR:-$root/build/release}
command -v jq >/dev/null || { echo "needs jq (apt-get install jq)" >&2; exit 2; }
dynid=$build/tools/dynid
[ -x "$dynid" ] || { echo "no $dynid; build dynid_tool or set DYNID_BUILD_DIR" >&2; exit 2; }
robot=$1
shift
logs=("$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%-24s %-24s %10s %8s %9s  %s\n' "log" "other log" "parameters" "ratio" "outside" "largest difference"
for ((i = 0; i < ${#logs[@]}; ++i)); do
  for ((j = i + 1; j < ${#logs[@]}; ++j)); do
    # shellcheck disable=SC2086
    "$dynid" identify --robot "$robot" --log "${logs[i]}" --log "${logs[j]}" --output "$work/model.json" --force \
      --no-certificate --quiet ${DYNID_OPTIONS:-} >/dev/null 2>"$work/errors" || true
    [ -s "$work/model.json" ] || { head -n 2 "$work/errors" >&2; continue; }
    jq -r --arg a "$(basename "${logs[i]}" .h5)" --arg b "$(basename "${logs[j]}" .h5)" \
      '.fit.log_agreement[0] | [$a, $b, .compared, (.ratio * 100 | round / 100),
       ((.outside * 1000 | round / 10 | tostring) + " %"),
       (.largest[0] | "\(.name) \(.deviations * 10 | round / 10)")] | @tsv' "$work/model.json" |
      while IFS=$'\t' read -r a b count ratio outside worst; do
        printf '%-24s %-24s %10s %8s %9s  %s\n' "$a" "$b" "$count" "$ratio" "$outside" "$worst"
      done
    rm -f "$work/model.json"
  done
done
