#!/usr/bin/env bash
# Installs the library and the program into an empty folder, builds the examples with that folder only, and runs them.
#   installed_tree.sh BUILD_DIR SOURCE_DIR WORK_DIR
set -euo pipefail
build="$1" source="$2" work="$3"
rm -rf "$work" && mkdir -p "$work"
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cmake -S "$source/experiments/examples" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release "${launcher[@]}" \
  -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/configure.log"
cmake --build "$work/build"
# Eigen would free matrices in another way in units with AVX instructions: they are refused.
if [ "$(uname -m)" = x86_64 ] && grep -rq EIGEN_MALLOC_ALREADY_ALIGNED=1 "$work/prefix" --include=dynidTargets.cmake; then
  cmake -S "$source/experiments/examples" -B "$work/avx" -G Ninja -DCMAKE_CXX_FLAGS=-mavx \
    -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/configure_avx.log"
  if cmake --build "$work/avx" --target example_predict >"$work/avx.log" || ! grep -q "without -march=native" "$work/avx.log"; then
    echo "a unit with AVX instructions is not refused: $work/avx.log" >&2
    exit 1
  fi
fi
cd "$work"
examples="$work/build" data="$source/datasets/quickstart"
"$examples/example_regressor" "$data/arm.toml"
"$examples/example_identify" "$data/arm.toml" "$data/train.h5" model.json
"$examples/example_predict" model.json
"$examples/example_excite" "$data/arm.toml" motion.h5
"$work/prefix/bin/dynid" inspect motion.h5 >/dev/null
"$work/prefix/bin/dynid" validate --model model.json "$data/heldout.h5" --quiet
package="$work/prefix/lib/python3/dist-packages"
if [ -d "$package/dynid" ]; then
  PYTHONPATH="$package" PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$source/experiments/examples/identify.py" \
    "$data/arm.toml" "$data/train.h5" "$data/heldout.h5"
fi
