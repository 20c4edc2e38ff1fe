"""Identifies a model from a log, validates it on another, and plots measured against predicted effort.

    python3 identify.py ROBOT TRAIN.h5 HELDOUT.h5 [PLOT.png]

The plot needs matplotlib; without a fourth argument none is drawn.
"""

import sys

import dynid


def main(robot_file, train, heldout, plot=None):
    robot = dynid.load_robot(robot_file)
    result = dynid.identify(robot, train)
    model = result.model
    for name, link in model.links.items():
        print(f"{name:20s} {link.mass:8.3f} kg")
    if not result.usable:
        print("not usable:", result.reason)
        return 1
    validation = dynid.validate(model, heldout)
    print(f"unseen log: relative error {validation.relative_error:.4f}, {validation.verdict}")
    if plot:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        prediction = dynid.predict(model, heldout)
        count = len(robot.joints)
        figure, axes = plt.subplots(count, sharex=True, squeeze=False, figsize=(8, 2 * count))
        for joint, axis in enumerate(axes[:, 0]):
            axis.plot(prediction["time"], prediction["effort_measured"][:, joint], label="measured")
            axis.plot(prediction["time"], prediction["effort_predicted"][:, joint], label="predicted")
            axis.set_ylabel(robot.joints[joint])
        axes[0, 0].legend()
        figure.savefig(plot)
    return 0 if validation.passed else 1


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
