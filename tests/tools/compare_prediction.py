#!/usr/bin/env python3
"""compare_prediction.py MODEL.json LOG.h5 PREDICTION.h5

Predicts a simulated log (exact position, velocity and acceleration) with tests/model/predict_torque.py and prints the
largest difference from the program's prediction, relative to the largest effort, per joint. Only samples count
at which the joint has moved one way for a while: the program filters motion, which rounds the corners of friction at a
reversal.
"""
import json
import os
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "model"))
from predict_torque import predict  # noqa: E402

model = json.load(open(sys.argv[1]))
with h5py.File(sys.argv[2]) as log, h5py.File(sys.argv[3]) as prediction:
    q, dq, ddq = (log[name][:] for name in ("position", "velocity", "acceleration"))
    program = prediction["effort_predicted"][:]
samples = range(100, len(q) - 100, 11)  # without the ends, where a filter starts and stops
ours = np.array([predict(model, q[i], dq[i], ddq[i]) for i in samples])
chosen = slice(100, len(q) - 100, 11)
around = np.array([np.abs(dq[i - 30 : i + 31]).min(axis=0) for i in samples])
moving = around > 0.05
assert moving.sum(axis=0).min() > 10
difference = np.where(moving, np.abs(ours - program[chosen]), 0.0).max(axis=0)
print(json.dumps((difference / np.abs(program[chosen]).max(axis=0)).tolist()))
