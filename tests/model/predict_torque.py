#!/usr/bin/env python3
"""Predicts joint efforts from a model file, by the rules of datasets/README.md ("Model") and nothing else.

predict_torque.py MODEL.json STATES.json      prints [[tau_1 ... tau_n], ...]

STATES.json has a list of states: {"q": [n], "dq": [n], "ddq": [n]}. With "exact": true beside the
"states", the direction of motion is sgn(v) without a ramp.
"""
import json
import sys

import numpy as np


def rotation(axis, angle):
    x = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * x + (1 - np.cos(angle)) * x @ x


def rigid_effort(model, q, dq, ddq):
    """Newton-Euler, every vector in the frame of its body."""
    robot = model["robot"]
    frames = {None: (np.zeros(3), np.zeros(3), -np.array(robot["gravity"]))}  # w, wd, a
    state, tau = {}, np.zeros(len(q))
    for body in robot["bodies"]:
        axis, i, k = np.array(body["axis"]), body["coordinate"], body["multiplier"]
        u, v, a = k * q[i] + body["offset"], k * dq[i], k * ddq[i]
        slides = body["type"] == "prismatic"
        R, p = np.array(body["origin"]["rotation"]), np.array(body["origin"]["position"])
        p, R = (p + R @ axis * u, R) if slides else (p, R @ rotation(axis, u))
        w, wd, acc = frames[body["parent"]]
        acc = R.T @ (acc + np.cross(wd, p) + np.cross(w, np.cross(w, p)))
        w, wd = R.T @ w, R.T @ wd
        if slides:
            acc = acc + axis * a + 2 * np.cross(w, axis * v)
        else:
            w, wd = w + axis * v, wd + axis * a + np.cross(w, axis * v)
        link = model["links"][body["link"]]
        m, h, (xx, xy, xz, yy, yz, zz) = link["mass"], np.array(link["first_moment"]), link["inertia"]
        I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        f = m * acc + np.cross(wd, h) + np.cross(w, np.cross(w, h))
        n = I @ wd + np.cross(w, I @ w) + np.cross(h, acc)
        frames[body["link"]] = (w, wd, acc)
        state[body["link"]] = [R, p, f, n]
    for body in reversed(robot["bodies"]):
        R, p, f, n = state[body["link"]]
        tau[body["coordinate"]] += body["multiplier"] * np.dot(body["axis"], f if body["type"] == "prismatic" else n)
        if body["parent"] is not None:
            above = state[body["parent"]]
            above[2] = above[2] + R @ f
            above[3] = above[3] + R @ n + np.cross(p, R @ f)
    return tau


def position_effect(effect, k, u):
    if effect["type"] == "spring":
        return u
    if effect["type"] == "polynomial":
        return u ** (k + 1)
    if effect["type"] == "fourier":
        return (np.cos if k % 2 else np.sin)((k // 2 + 1) * u)
    r, d, angle = effect["radius"], effect["distance"], u + effect["angle"]
    length = np.sqrt(r * r + d * d - 2 * r * d * np.cos(angle))
    slope = r * d * np.sin(angle) / length
    return length * slope if k else slope


def column_effort(column, p, numbers, u, v, a, tau_rigid, ramp):
    key, k = column.get("key"), column.get("component", 0)
    if column["kind"] == "drive_inertia":
        return p * a
    if column["kind"] == "position":
        return p * position_effect(column["position_effect"], k, u)
    smoothing = numbers.get(key + "_smoothing_velocity")
    s = np.tanh(v / smoothing) if smoothing else np.clip(v / ramp, -1, 1) if ramp else np.sign(v)
    return p * {
        "viscous": lambda: v,
        "coulomb": lambda: s,
        "presliding": lambda: s,
        "offset": lambda: 1.0,
        "asymmetric": lambda: abs(v),
        "sqrt_viscous": lambda: np.sign(v) * np.sqrt(abs(v)),
        "quadratic_viscous": lambda: v * abs(v),
        "load": lambda: s * abs(tau_rigid),
        "stribeck": lambda: s * np.exp(-((v / numbers[key + "_velocity"]) ** 2)),
        "ripple": lambda: (np.cos if k else np.sin)(numbers[key + "_shape"] * u),
    }[column["effect"]]()


def predict(model, q, dq, ddq, exact=False):
    names, T = model["robot"]["joints"], np.array(model["robot"]["transmission"]["matrix"])
    q, dq, ddq = np.array(q), np.array(dq), np.array(ddq)
    to_actuator = np.linalg.inv(T)
    at_actuator = [to_actuator @ x for x in (q - model["robot"]["transmission"]["offset"], dq, ddq)]
    rigid = rigid_effort(model, q, dq, ddq)
    tau_joint, tau_actuator = rigid.copy(), np.zeros(len(q))
    signals = model["signals"]
    ramps = signals.get("ramp_speed") or [0 if exact else signals["still_speed"]] * len(q)
    for column in model["columns"]:
        if column["kind"] == "payload":
            continue
        i, effect = column["owner"], column.get("position_effect")
        at_joint = column.get("at_joint", False) or (effect is not None and not effect["at_actuator"])
        section, owner, key = column["at"]
        numbers = model[section][owner]
        u, v, a = (x[i] for x in ((q, dq, ddq) if at_joint else at_actuator))
        effort = column_effort(column, numbers[key], numbers, u, v, a, (T.T @ rigid)[i], ramps[i])
        if at_joint:
            tau_joint[i] += effort
        else:
            tau_actuator[i] += effort
    return tau_joint + to_actuator.T @ tau_actuator


if __name__ == "__main__":
    document = json.load(open(sys.argv[1]))
    asked = json.load(open(sys.argv[2]))
    print(json.dumps([predict(document, s["q"], s["dq"], s["ddq"], asked.get("exact", False)).tolist()
                      for s in asked["states"]]))
