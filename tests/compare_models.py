#!/usr/bin/env python3
"""Checks whether two builds of the program give the same models and the same output.

    tests/compare_models.py BASELINE CHANGED [--data FOLDER] [--tolerance 1e-9] [--only robots|readme] [--threads N]

BASELINE and CHANGED are `dynid` programs. Both identify the robots of `datasets/` from the real logs in FOLDER (default:
$DYNID_REAL_DATA_DIR; left out where it is empty) and run the commands of the README in a folder of their own. Models, JSON
output and the numbers in the text are compared: a number must agree to the tolerance, relative to the largest number of its
list. Exit status 0 where all agree. Use it before and after a change that must not alter results.
"""
import argparse
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Training logs and the held-out log of each robot, as in experiments/real_robots.
ROBOTS = {
    "ur10e": (["train_12harm30s", "train_load2805g_14harm50s"], "heldout_12harm50s"),
    "panda": (["train_a_0_8p5s", "train_b_13p2_21s"], "heldout_8p5_13p2s"),
    "tx40": (["train_a_0_3s", "train_b_5p5_7p4s"], "heldout_3_5p5s"),
    "kr300": (["train_A"], "train_B"),
    "xmate7p": (["train_traj1"], "train_traj2"),
    "lwa3": (["train_traj1"], "heldout_traj2"),
    "tiago": (["train_0_44s"], "heldout_44_59s"),
    "dvrk_mtm": (["train_one"], "heldout_two"),
    "dvrk_psm": (["train_one"], "heldout_two"),
}
# Keys that describe the build or the time of the run, not the result.
IGNORED_KEYS = {"dynid_version", "command", "created", "seconds"}
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


class Differences:
    def __init__(self, tolerance, ignored):
        self.tolerance, self.ignored, self.found, self.worst = tolerance, IGNORED_KEYS | set(ignored), [], 0.0

    def add(self, where, a, b):
        self.found.append(f"{where}: {str(a)[:120]} | {str(b)[:120]}")

    def numbers(self, where, a, b, scale):
        if a == b or (math.isnan(a) and math.isnan(b)):
            return
        error = abs(a - b) / max(abs(a), abs(b), scale) if math.isfinite(a) and math.isfinite(b) else math.inf
        self.worst = max(self.worst, error)
        if not error <= self.tolerance:
            self.add(where, a, b)

    def values(self, where, a, b, scale=0.0):
        number = lambda x: isinstance(x, (int, float)) and not isinstance(x, bool)
        if number(a) and number(b):
            self.numbers(where, float(a), float(b), scale)
        elif isinstance(a, dict) and isinstance(b, dict):
            for key in sorted(set(a) | set(b)):
                if key in self.ignored:
                    continue
                if key not in a or key not in b:
                    self.add(f"{where}.{key}", a.get(key, "absent"), b.get(key, "absent"))
                else:
                    self.values(f"{where}.{key}", a[key], b[key])
        elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
            size = max((abs(x) for x in a if number(x) and math.isfinite(x)), default=0.0)
            for i, (x, y) in enumerate(zip(a, b)):
                self.values(f"{where}[{i}]", x, y, size)
        elif isinstance(a, str) and isinstance(b, str):
            self.text(where, a, b)
        elif a != b:
            self.add(where, a, b)

    def text(self, where, a, b):
        for line, (x, y) in enumerate(zip(a.splitlines(), b.splitlines()), 1):
            if NUMBER.sub("#", x) != NUMBER.sub("#", y):
                self.add(f"{where}:{line}", x, y)
                return
            if "second" in x or re.search(r"\d s\b", x):  # how long something took
                continue
            for n, m in zip(NUMBER.findall(x), NUMBER.findall(y)):
                self.numbers(f"{where}:{line}", float(n), float(m), 0.0)
        if len(a.splitlines()) != len(b.splitlines()):
            self.add(where, f"{len(a.splitlines())} lines", f"{len(b.splitlines())} lines")


class Desk:
    """A folder to run commands in, where `datasets/` is that of the source tree."""

    def __init__(self, program, folder):
        self.program, self.folder = str(pathlib.Path(program).resolve()), pathlib.Path(folder)
        self.folder.mkdir()
        (self.folder / "datasets").symlink_to(ROOT / "datasets")

    def run(self, arguments):
        done = subprocess.run([self.program, *arguments], cwd=self.folder, capture_output=True, text=True)
        return {"status": done.returncode, "out": done.stdout, "err": steady(done.stderr)}

    def json(self, name):
        path = self.folder / name
        return json.loads(path.read_text()) if path.exists() else None


def steady(text):
    """Messages without progress and times of day."""
    lines = [line.split("\r")[-1] for line in text.splitlines()]
    return "\n".join(line for line in lines if not re.search(r"\d+ ?%|\d s\b.*left", line))


def compare_robot(robot, data, desks, extra, found):
    train, heldout = ROBOTS[robot]
    logs = [str(data / robot / f"{log}.h5") for log in train]
    outcomes = []
    for desk in desks:
        model = f"{robot}.json"
        identify = desk.run(["identify", "--robot", f"datasets/{robot}/{robot}.toml", *logs, "--output", model, "--quiet", *extra])
        validate = desk.run(["validate", "--model", model, str(data / robot / f"{heldout}.h5"), "--json", "--quiet"])
        try:
            validate["out"] = json.loads(validate["out"])
        except ValueError:
            pass
        outcomes.append({"identify": identify, "model": desk.json(model), "validate": validate})
    found.values(robot, *outcomes)


def readme_commands():
    lines = []
    for page in [ROOT / "README.md", *sorted(ROOT.glob("*/README.md"))]:
        lines += page.read_text().splitlines()
    return list(dict.fromkeys(line[4:] for line in lines if line.startswith("    dynid ")))


def compare_readme(desks, found):
    for command in readme_commands():
        arguments = shlex.split(command, comments=True)[1:]
        print(f"  {command}", flush=True)
        if arguments[0] == "excite":  # searches for a given time: the changed program gets the baseline's result
            desks[0].run(arguments)
            for path in desks[0].folder.glob("*.h5"):
                shutil.copy(path, desks[1].folder)
            continue
        outcomes = [desk.run(arguments) for desk in desks]
        found.values(command, *outcomes)
        for option, name in zip(arguments, arguments[1:]):
            if option in ("--output", "-o") and name.endswith(".json"):
                found.values(f"{command}: {name}", *(desk.json(name) for desk in desks))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("baseline")
    parser.add_argument("changed")
    parser.add_argument("--data", default=os.environ.get("DYNID_REAL_DATA_DIR", ""))
    parser.add_argument("--tolerance", type=float, default=1e-9)
    parser.add_argument("--ignore", action="append", default=[], help="a key of the JSON files; repeatable")
    parser.add_argument("--only", choices=["robots", "readme"])
    parser.add_argument("--robot", action="append", choices=sorted(ROBOTS), help="of the robots this one only; repeatable")
    parser.add_argument("--threads", default="")
    arguments = parser.parse_args()
    extra = ["--threads", arguments.threads] if arguments.threads else []
    bad = 0
    with tempfile.TemporaryDirectory() as work:
        desks = [Desk(program, pathlib.Path(work) / name)
                 for name, program in (("baseline", arguments.baseline), ("changed", arguments.changed))]
        parts = []
        if arguments.only != "readme":
            if arguments.data:
                for robot in arguments.robot or ROBOTS:
                    parts.append((robot, lambda found, r=robot: compare_robot(r, pathlib.Path(arguments.data), desks, extra, found)))
            else:
                print("robots left out: no --data and DYNID_REAL_DATA_DIR is empty")
        if arguments.only != "robots":
            parts.append(("README", lambda found: compare_readme(desks, found)))
        for name, compare in parts:
            found = Differences(arguments.tolerance, arguments.ignore)
            compare(found)
            print(f"{name}: {len(found.found)} differences, largest relative difference of a number {found.worst:.1e}", flush=True)
            for difference in found.found[:20]:
                print(f"    {difference}")
            bad += len(found.found)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
