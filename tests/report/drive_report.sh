#!/usr/bin/env bash
# Makes a report with the program and drives it in a browser.
#   drive_report.sh DYNID SOURCE_DIR WORK_DIR
set -euo pipefail
mkdir -p "$3"
"$1" validate --model "$2/datasets/quickstart/model.json" "$2/datasets/quickstart/heldout.h5" --report "$3/validate.html" --quiet
/usr/bin/python3 "$2/tests/report/drive_report.py" "$3/validate.html"
