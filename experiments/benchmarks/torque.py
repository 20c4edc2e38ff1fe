"""Seconds of one call of Model.torque for 100 000 random states: torque.py MODEL.json"""
import statistics
import sys
import time

import dynid
import numpy as np

model = dynid.read_model(sys.argv[1])
random = np.random.default_rng(1)
rows = [random.standard_normal((100000, len(model.robot.joints))) for _ in range(3)]
columns = [np.asfortranarray(array) for array in rows]
for name, arrays in (("rows", rows), ("columns", columns)):
    seconds = []
    for _ in range(9):
        begin = time.perf_counter()
        model.torque(*arrays)
        seconds.append(time.perf_counter() - begin)
    print(f"Python, by {name:7s} {statistics.median(seconds):.4f} s", flush=True)
