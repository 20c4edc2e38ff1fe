#!/usr/bin/env python3
"""One row of the table of robots.sh: python3 robot_row.py RESULT (without .json, .err) STATUS"""
import json
import statistics
import sys


def shares(joint):
    """What a motion uses of a joint's limits: position, velocity, acceleration, effort."""
    low, high, lower, upper = joint["position"]
    middle, half = (lower + upper) / 2, (upper - lower) / 2
    yield "position", max(high - middle, middle - low) / half
    for what in ("velocity", "acceleration", "effort"):
        if joint[what][0] and joint[what][1]:
            yield what, joint[what][0] / joint[what][1]


def median(forecast, kind):
    found = [p["std_dev"] for p in forecast if kind(p) and p["std_dev"] is not None]
    return f"{statistics.median(found):.2g}" if found else "-"


def row(name, status):
    label = name.split("/")[-1]
    try:
        with open(name + ".json", encoding="utf-8") as file:
            r = json.load(file)
    except ValueError:
        r = {}
    if not r.get("feasible"):
        with open(name + ".err", encoding="utf-8") as file:
            return f"| {label} | - | - | - | - | - | - | exit {status}: {file.read().strip()[:200]} |"
    use = {"position": 0, "velocity": 0, "acceleration": 0, "effort": 0}
    for joint in r["limits"].values():
        for what, share in shares(joint):
            use[what] = max(use[what], share)
    forecast = r["forecast"]
    told = sum(p["std_dev"] is not None for p in forecast)
    medians = " / ".join(
        (median(forecast, lambda p: p["unit"] in ("kg", "kg m")),
         median(forecast, lambda p: p["unit"] == "kg m^2"),
         median(forecast, lambda p: p["name"].endswith(".coulomb"))))
    used = " / ".join(f"{share:.3f}" if share else "-" for share in use.values())
    space = (f", closest {r['space']['closest']:.3f} m ({r['space']['between']})"
             if "space" in r else "")
    return (f"| {label} | {len(r['limits'])} | {told} of {len(forecast)} | "
            f"{r['condition_number']:.4g} | {used} | {medians} | {r['seconds']:.0f} | "
            f"exit {status}{space} |")


print(row(sys.argv[1], int(sys.argv[2])), flush=True)
