"""Shared by the tests of the Python module. DYNID_PROGRAM and DYNID_DATASETS_DIR come from the build."""

import os
import pathlib

import dynid
import pytest

DATASETS = pathlib.Path(os.environ["DYNID_DATASETS_DIR"])
PROGRAM = os.environ["DYNID_PROGRAM"]


@pytest.fixture(scope="session")
def robot():
    return dynid.load_robot(DATASETS / "quickstart" / "arm.toml")


@pytest.fixture(scope="session")
def train():
    return DATASETS / "quickstart" / "train.h5"


@pytest.fixture(scope="session")
def heldout():
    return DATASETS / "quickstart" / "heldout.h5"


@pytest.fixture(scope="session")
def model(robot, train):
    return dynid.identify(robot, train).model
