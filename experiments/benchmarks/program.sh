# Sourced by the scripts that measure whole commands: $root, the program $build/tools/dynid (built where it is not there yet;
# DYNID_BUILD_DIR names another build), and a folder $work that is gone when the script ends.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${DYNID_BUILD_DIR:-$root/build/release}
if [ ! -x "$build/tools/dynid" ]; then
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDYNID_TESTS=OFF >/dev/null
  cmake --build "$build" --target dynid_tool >/dev/null
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/benchmark.XXXXXX")
trap 'rm -rf "$work"' EXIT
export PYTHONPATH=$root/experiments/benchmarks PYTHONDONTWRITEBYTECODE=1
