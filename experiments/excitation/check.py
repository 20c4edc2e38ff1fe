#!/usr/bin/env python3
"""Looks at a trajectory of `dynid excite` with none of dynid's code: limits and condition number.

    python3 experiments/excitation/check.py ROBOT.urdf TRAJECTORY.h5 ACCELERATIONS

ACCELERATIONS [rad/s^2]: one value, or one per joint: 15,7.5,... From the coefficients in the file: the
largest share of the position, velocity and acceleration limits on 10 000 points of the period and of
each lead, and the condition number of the stacked rows on 1000 points of the period. Columns: base
parameters, independent ones in link order from the root, then viscous friction, Coulomb friction
(hard sign) and offset of every joint. Serial robots without mimic joints; needs numpy and h5py.
"""
import sys
import xml.etree.ElementTree as ElementTree

import h5py
import numpy as np

GRAVITY = np.array([0.0, 0.0, -9.81])


def numbers(element, attribute, default):
    text = None if element is None else element.get(attribute)
    return np.array([float(word) for word in text.split()]) if text else np.array(default)


def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def about(axis, angle):
    K = skew(axis)
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def fixed_rotation(rpy):
    return about([0, 0, 1], rpy[2]) @ about([0, 1, 0], rpy[1]) @ about([1, 0, 0], rpy[0])


def read_robot(urdf):
    """Moving joints from the root on: name, parent (index or -1), R and p in it, axis, limits."""
    root = ElementTree.parse(urdf).getroot()
    joints = root.findall("joint")
    children = {j.find("child").get("link") for j in joints}
    found = []

    def walk(link, R, p, parent):
        for j in joints:
            if j.find("parent").get("link") != link:
                continue
            if j.find("mimic") is not None or j.get("type") not in ("revolute", "fixed"):
                sys.exit(f"{urdf}: joint {j.get('name')}: only revolute joints of their own")
            R_j = R @ fixed_rotation(numbers(j.find("origin"), "rpy", [0.0, 0.0, 0.0]))
            p_j = p + R @ numbers(j.find("origin"), "xyz", [0.0, 0.0, 0.0])
            child = j.find("child").get("link")
            if j.get("type") == "fixed":
                walk(child, R_j, p_j, parent)
                continue
            axis = numbers(j.find("axis"), "xyz", [1.0, 0.0, 0.0])
            limit = [float(j.find("limit").get(k)) for k in ("lower", "upper", "velocity")]
            found.append((j.get("name"), parent, R_j, p_j, axis / np.linalg.norm(axis), limit))
            walk(child, np.eye(3), np.zeros(3), len(found) - 1)

    walk(next(l.get("name") for l in root.findall("link") if l.get("name") not in children),
         np.eye(3), np.zeros(3), -1)
    return found


def regressor(robot, q, dq, ddq):
    """[joints x 10 joints]: efforts by m, m c, Ixx Ixy Ixz Iyy Iyz Izz (about the link's origin)."""
    n = len(robot)
    Y, states = np.zeros((n, 10 * n)), []

    def times(w):  # times(w) @ (Ixx Ixy Ixz Iyy Iyz Izz) = I w
        x, y, z = w
        return np.array([[x, y, z, 0, 0, 0], [0, x, 0, y, z, 0], [0, 0, x, 0, y, z]])

    for k, (_, parent, R_j, p_j, axis, _) in enumerate(robot):
        w, wd, a, R_0, p_0 = states[parent] if parent >= 0 else (
            np.zeros(3), np.zeros(3), -GRAVITY, np.eye(3), np.zeros(3))
        R = R_j @ about(axis, q[k])
        a = R.T @ (a + np.cross(wd, p_j) + np.cross(w, np.cross(w, p_j)))
        carried = R.T @ w
        w, wd = carried + axis * dq[k], R.T @ wd + axis * ddq[k] + np.cross(carried, axis * dq[k])
        states.append((w, wd, a, R_0 @ R, p_0 + R_0 @ p_j))
        wrench = np.zeros((6, 10))
        wrench[:3, 0], wrench[:3, 1:4] = a, skew(wd) + skew(w) @ skew(w)
        wrench[3:, 1:4], wrench[3:, 4:] = -skew(a), times(wd) + skew(w) @ times(w)
        i = k
        while i >= 0:
            force = states[k][3] @ wrench[:3]
            moment = states[k][3] @ wrench[3:] + skew(states[k][4] - states[i][4]) @ force
            Y[i, 10 * k:10 * k + 10] = (states[i][3] @ robot[i][4]) @ moment
            i = robot[i][1]
    return Y


def independent_columns(robot):
    random = np.random.default_rng(7)
    W = np.vstack([regressor(robot, *random.normal(size=(3, len(robot)))) for _ in range(60)])
    found, Q = [], np.zeros((len(W), 0))
    for c in range(W.shape[1]):
        rest = W[:, c] - Q @ (Q.T @ W[:, c])
        rest -= Q @ (Q.T @ rest)
        if np.linalg.norm(rest) > 1e-8 * max(np.linalg.norm(W[:, c]), 1.0):
            found.append(c)
            Q = np.column_stack([Q, rest / np.linalg.norm(rest)])
    return found


def series(group, times):
    a, b, offset = group["a"][()], group["b"][()], group["offset"][()]
    w = 2 * np.pi * float(np.ravel(group["fundamental_hz"][()])[0]) * np.arange(1, a.shape[1] + 1)
    s, c = np.sin(np.outer(times, w)), np.cos(np.outer(times, w))
    return (offset + s @ (a / w).T - c @ (b / w).T, c @ a.T + s @ b.T, -(s * w) @ a.T + (c * w) @ b.T)


def quintic(group, points):
    c = group["coefficients"][()]
    times = np.linspace(0, float(np.ravel(group["duration_s"][()])[0]), points)
    pieces = [np.polynomial.Polynomial(row) for row in c]
    return [np.column_stack([p.deriv(k)(times) if k else p(times) for p in pieces]) for k in range(3)]


def main(urdf, file, accelerations):
    robot = read_robot(urdf)
    n = len(robot)
    accelerations = np.broadcast_to([float(x) for x in accelerations.split(",")], n)
    lower, upper, velocity = np.array([joint[5] for joint in robot]).T
    with h5py.File(file) as trajectory:
        names = [name.decode() for name in trajectory["joint_names"][()]]
        if names != [joint[0] for joint in robot]:
            sys.exit(f"{file}: joints {names} are not those of {urdf}")
        period = 1 / float(np.ravel(trajectory["fourier/fundamental_hz"][()])[0])
        q, dq, ddq = series(trajectory["fourier"], period * np.arange(1000) / 1000)
        pieces = {"period": series(trajectory["fourier"], period * np.arange(10000) / 10000)}
        for lead in ("lead_in", "lead_out"):
            if lead in trajectory:
                pieces[lead] = quintic(trajectory[lead], 10000)
    base = independent_columns(robot)
    rows = np.zeros((1000, n, len(base) + 3 * n))
    for i in range(1000):
        rows[i, :, :len(base)] = regressor(robot, q[i], dq[i], ddq[i])[:, base]
        for j in range(n):
            rows[i, j, len(base) + 3 * j:len(base) + 3 * j + 3] = dq[i, j], np.sign(dq[i, j]), 1
    s = np.linalg.svd(rows.reshape(-1, rows.shape[2]), compute_uv=False)
    print(f"{file}: {len(base)} base parameters, {rows.shape[2]} columns: condition number "
          f"{s[0] / s[-1]:.3f}, log det per sample {2 * np.log(s).sum() - len(s) * np.log(1000):.3f}")
    worst = 0.0
    for name, (q, dq, ddq) in pieces.items():
        use = [np.max(np.abs(q - (lower + upper) / 2) / ((upper - lower) / 2)),
               np.max(np.abs(dq) / velocity), np.max(np.abs(ddq) / accelerations)]
        worst = max(worst, *use)
        print(f"    {name}: use of position {use[0]:.6f}, velocity {use[1]:.6f}, "
              f"acceleration {use[2]:.6f}")
    return 0 if worst <= 1 else 1


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
