#!/usr/bin/env bash
# How many base parameters does a robot have? `dynid check` against counts computed independently.
#
#   DYNID_ORACLE_DIR=folder experiments/base_parameters/run.sh
#
# Expected: the same number everywhere. Without DYNID_ORACLE_DIR only our own numbers are printed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=${DYNID_PROGRAM:-}
if [ -z "$program" ]; then
  build=${DYNID_BUILD_DIR:-$root/build/experiments}
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDYNID_TESTS=OFF > "${TMPDIR:-/tmp}/base_parameters_configure.log"
  cmake --build "$build" --target dynid_tool > "${TMPDIR:-/tmp}/base_parameters_build.log"
  program=$(find "$build" -name dynid -type f -perm -u+x | head -1)
fi
oracle=${DYNID_ORACLE_DIR:+$DYNID_ORACLE_DIR/base_parameter_counts.json}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# joint NAME PARENT CHILD XYZ AXIS
joint() {
  echo "<joint name=\"$1\" type=\"continuous\"><parent link=\"$2\"/><child link=\"$3\"/>" \
    "<origin xyz=\"$4\"/><axis xyz=\"$5\"/></joint>"
}
link() { echo "<link name=\"$1\"/>"; }
{ echo '<robot name="tree3">'; for l in base a b c; do link $l; done
  joint j1 base a "0 0 0" "0 0 1"; joint j2 a b "0.1 0.2 0.3" "0 1 0"; joint j3 a c "-0.2 0.1 0.25" "1 0 0"
  echo '</robot>'; } > "$work/tree3.urdf"
{ echo '<robot name="planar">'; for l in base a b; do link $l; done
  joint j1 base a "0 0 0" "0 0 1"; joint j2 a b "1 0 0" "0 0 1"
  echo '</robot>'; } > "$work/planar.urdf"

# count FILE N: check's result states three counts: rigid bodies, with drive inertias, from poses at rest
count() { grep -o '"count": *[0-9]*' "$1" | sed -n "$2p" | grep -o '[0-9]*$'; }
# expected ROBOT KEY: of the oracle
expected() {
  [ -n "$oracle" ] || { echo "?"; return; }
  grep -A 12 -F "\"$1" "$oracle" | grep -o "\"$2\": *[0-9]*" | head -1 | grep -o '[0-9]*$' || echo "?"
}
differ=0
row() { # LABEL KEY OURS
  theirs=$(expected "$1" "$2")
  if [ "$theirs" = "?" ]; then agree="not given"
  elif [ "$theirs" = "$3" ]; then agree="equal"; else agree="DIFFERENT"; differ=1; fi
  printf '| %-24s | %-20s | %4s | %4s | %s |\n' "$1" "$2" "$3" "$theirs" "$agree"
}
printf '| robot | which | ours | independent | |\n|---|---|---:|---:|---|\n'
while IFS='|' read -r label urdf; do
  while IFS='|' read -r name drives static gravity; do
    printf 'urdf = "%s"\ngravity = [%s]\n' "$urdf" "$gravity" > "$work/robot.toml"
    "$program" check "$work/robot.toml" --json > "$work/check.json" || true
    row "$label" "$name" "$(count "$work/check.json" 1)"
    if [ -n "$drives" ]; then row "$label" "$drives" "$(count "$work/check.json" 2)"; fi
    if [ -n "$static" ]; then row "$label" "$static" "$(count "$work/check.json" 3)"; fi
  done <<< "vertical|ia_vertical|grav_static_vertical|0.0, 0.0, -9.81
tilted|ia_tilted|grav_static_tilted|2.0, 3.0, -9.0
horizontal|||9.81, 0.0, 0.0
nograv|||0.0, 0.0, 0.0"
done <<< "UR10e|$root/datasets/ur10e/ur10e.urdf
Panda|$root/datasets/panda/panda.urdf
TX40|$root/datasets/tx40/tx40.urdf
tree3|$work/tree3.urdf
planar 2R|$work/planar.urdf"
exit $differ
