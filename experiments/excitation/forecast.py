#!/usr/bin/env python3
"""Does what `identify` finds scatter as `excite` foretold?

    python3 experiments/excitation/forecast.py DYNID ROBOT NOISE [LOGS [options of simulate ...]]

A motion is designed for ROBOT (one chain of the search: the result does not depend on the machine), then
simulated LOGS times (20) with white noise of standard deviation NOISE [N m or N] on every effort and
identified. Over the base and friction parameters: mean and root mean square of the standard deviation
of the identified values divided by the forecast, and the mean of what `identify` reports for it.
"""
import json
import math
import statistics
import subprocess
import sys
import tempfile


def main(dynid, robot, noise, logs="20", *simulate):
    def run(*arguments):
        done = subprocess.run([dynid, *arguments], capture_output=True, text=True, check=False)
        # 1: the base parameters are there, and bounds of the description contradict a random robot.
        if done.returncode > 1:
            sys.exit(f"{' '.join(arguments)}: {done.stderr}")
        return done.stdout

    with tempfile.TemporaryDirectory() as place:
        motion, log, model = (f"{place}/{name}" for name in ("motion.h5", "log.h5", "model.json"))
        design = json.loads(run("excite", robot, "--output", motion, "--starts", "1", "--noise", noise,
                                "--rate", "200", "--json"))
        values, reported = {}, {}
        for seed in range(1, int(logs) + 1):
            run("simulate", robot, "--trajectory", motion, "--rate", "200", "--effort-noise", noise,
                *simulate, "--output", log, "--quiet", "--seed", str(seed))
            run("identify", "--robot", robot, log, "--output", model, "--quiet", "--no-certificate")
            with open(model, encoding="utf-8") as file:
                for p in json.load(file)["base_parameters"]:
                    values.setdefault(p["name"], []).append(p["value"])
                    reported.setdefault(p["name"], []).append(p["std_dev"])
    forecast = {p["name"]: p["std_dev"] for p in design["forecast"]}
    if set(forecast) != set(values):
        print("not in both:", ", ".join(sorted(set(forecast) ^ set(values))))
    both = [name for name in forecast if len(values.get(name, [])) == int(logs)]
    ratios = [statistics.stdev(values[name]) / forecast[name] for name in both]
    told = [statistics.mean(reported[name]) / forecast[name] for name in both]
    print(f"{design['condition_number']:.4g} condition number, {len(both)} parameters, {logs} logs: "
          f"scatter / forecast mean {statistics.mean(ratios):.3f}, "
          f"rms {math.sqrt(statistics.mean(r * r for r in ratios)):.3f}; "
          f"reported / forecast mean {statistics.mean(told):.3f}, {min(told):.2f} to {max(told):.2f}")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
