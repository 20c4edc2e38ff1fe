#!/usr/bin/env bash
# Builds the Debian packages, unpacks them into an empty folder and tests them there.
#   debian_packages.sh BUILD_DIR SOURCE_DIR WORK_DIR
set -euo pipefail
build="$1" source="$2" work="$3"
rm -rf "$work" && mkdir -p "$work/root"
(cd "$build" && cpack -G DEB -B "$work/packages" >"$work/cpack.log")
ls "$work/packages"/*.deb
for package in "$work/packages"/*.deb; do dpkg-deb -x "$package" "$work/root"; done
dpkg-deb -f "$work"/packages/dynid_*.deb Depends | grep libhdf5 >/dev/null

cd "$work"
export PATH="$work/root/usr/bin:$PATH"
ln -sfn "$source/datasets" datasets
dynid identify --robot datasets/quickstart/arm.toml datasets/quickstart/train.h5 --output model.json --report identify.html --quiet
dynid validate --model model.json datasets/quickstart/heldout.h5 --report validate.html --quiet
test -s identify.html -a -s validate.html
for page in dynid dynid-identify dynid-validate dynid-excite; do test -s "root/usr/share/man/man1/$page.1"; done
bash -n root/usr/share/bash-completion/completions/dynid
if [ -d root/usr/lib/python3/dist-packages/dynid ]; then
  PYTHONPATH="$work/root/usr/lib/python3/dist-packages" PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -c \
    'import dynid; print(dynid.__version__, dynid.read_model("model.json"))'
fi
test -s root/usr/include/dynid/dynid.h
