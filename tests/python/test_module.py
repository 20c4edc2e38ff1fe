"""The Python module: results equal those of the program, arrays are checked, errors are exceptions with the program's text."""

import copy
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading

import dynid
import numpy as np
import pytest

from conftest import DATASETS, PROGRAM

# Keys that differ between two runs of the same identification.
RUN_KEYS = {"provenance"}


def without_run(model):
    plain = {key: value for key, value in model.items() if key not in RUN_KEYS}
    plain["consistency"] = {k: v for k, v in model["consistency"].items() if k != "seconds"}
    return plain


def states(robot, count, seed=1):
    random = np.random.default_rng(seed)
    n = len(robot.joints)
    return [random.uniform(-1, 1, (count, n)) * scale for scale in (1.5, 1.0, 3.0)]


def test_identify_equals_the_program_to_the_bit(robot, train, model, tmp_path):
    output = tmp_path / "model.json"
    subprocess.run(
        [PROGRAM, "identify", "--quiet", "--robot", str(DATASETS / "quickstart" / "arm.toml"),
         str(train), "--output", str(output)], check=True)
    assert without_run(model.to_dict()) == without_run(json.loads(output.read_text()))


def test_validate_equals_the_program_to_the_bit(model, heldout, tmp_path):
    model.save(tmp_path / "model.json")
    printed = subprocess.run(
        [PROGRAM, "validate", "--json", "--model", str(tmp_path / "model.json"), str(heldout)],
        check=True, capture_output=True, text=True).stdout
    result = dynid.validate(model, heldout)
    assert result.passed
    assert result.to_dict() == json.loads(printed)
    assert result.relative_error_moving == result.to_dict()["relative_error_moving"]
    assert result.judged_by_motion == result.to_dict()["judged_by_motion"]


def test_a_saved_model_predicts_the_same(model, robot, tmp_path):
    model.save(tmp_path / "model.json")
    again = dynid.read_model(tmp_path / "model.json")
    q, dq, ddq = states(robot, 20)
    np.testing.assert_array_equal(model.torque(q, dq, ddq), again.torque(q, dq, ddq))


def test_a_model_is_pickled_and_copied(model):
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert again.to_dict() == model.to_dict()


def test_regressor_times_parameters_is_inverse_dynamics(model, robot):
    q, dq, ddq = states(robot, 50)
    tau = dynid.regressor(robot, q, dq, ddq) @ model.parameters
    np.testing.assert_allclose(
        tau, dynid.inverse_dynamics(robot, model.parameters, q, dq, ddq), rtol=0, atol=1e-10)


@pytest.fixture(scope="session")
def current_model(robot, train):
    """A model in amperes: of currents without a known drive gain."""
    log = dynid.read_log(train)
    gains = np.array([2.0, 1.5, 1.2, 0.5, 0.4, 0.3])
    currents = dynid.Log(time=log.time, position=log.position, velocity=log.velocity,
                         current=log.effort / gains, joint_names=robot.joints)
    return dynid.identify(robot, currents).model


@pytest.mark.parametrize("name, unit", [("model", "N m"), ("current_model", "A")])
def test_torque_is_rigid_body_plus_terms_that_vanish_at_rest(name, unit, robot, request):
    model = request.getfixturevalue(name)
    assert model.effort_unit == unit
    q, _, _ = states(robot, 10)
    rest = np.zeros_like(q)
    at_rest = model.torque(q, rest, rest)
    joints = [model.joints[name] for name in robot.joints]
    offsets = np.array([joint.get("offset", 0.0) for joint in joints])
    assert np.abs(offsets).max() > 0
    if unit == "A":
        offsets = offsets / [joint["drive_gain"] for joint in joints]
    np.testing.assert_allclose(at_rest, model.gravity(q) + offsets, rtol=0, atol=1e-10)
    np.testing.assert_allclose(model.gravity(q[0]), model.gravity(q)[0], rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", ["model", "current_model"])
def test_mass_matrix_is_the_torque_per_acceleration(name, robot, request):
    model = request.getfixturevalue(name)
    q, _, _ = states(robot, 3)
    rest = np.zeros_like(q)
    n = q.shape[1]
    mass = model.mass_matrix(q)
    assert mass.shape == (3, n, n)
    for j in range(n):
        unit = np.zeros_like(q)
        unit[:, j] = 1.0
        column = model.torque(q, rest, unit) - model.torque(q, rest, rest)
        np.testing.assert_allclose(mass[:, :, j], column, rtol=0, atol=1e-10)
    np.testing.assert_array_equal(model.mass_matrix(q[0]), mass[0])


def test_any_memory_layout_gives_the_same(model, robot):
    q, dq, ddq = states(robot, 40)
    expected = model.torque(q, dq, ddq)
    np.testing.assert_array_equal(model.torque(np.asfortranarray(q), dq, ddq), expected)
    np.testing.assert_array_equal(model.torque(q[::2], dq[::2], ddq[::2]), expected[::2])
    # One state is computed in other SIMD lanes than a batch: equal up to rounding.
    one = model.torque(q[3], dq[3], ddq[3])
    assert one.shape == expected[3].shape
    np.testing.assert_allclose(one, expected[3], rtol=1e-13, atol=1e-13)
    np.testing.assert_array_equal(model.torque(q.tolist(), dq, ddq), expected)


def of_arrays(path):
    log = dynid.read_log(path)
    return dynid.Log(time=log.time, position=log.position, velocity=log.velocity,
                     effort=log.effort, joint_names=log.joint_names)


def test_a_log_of_arrays_identifies_as_its_file_does(robot, train, model):
    log = of_arrays(train)
    np.testing.assert_array_equal(log.position, dynid.read_log(train).position)
    again = dynid.identify(robot, log).model
    np.testing.assert_array_equal(again.parameters, model.parameters)


def test_saved_statistics_are_used_in_place_of_logs(robot, train, model, tmp_path):
    statistics = tmp_path / "statistics.h5"
    kept = dynid.identify(robot, of_arrays(train), keep_statistics=True)
    kept.save_statistics(statistics)
    assert b"dynid-log-" not in statistics.read_bytes()
    again = dynid.identify(robot, [], statistics=[statistics])
    assert again.usable
    for name, link in model.links.items():
        assert again.model.links[name].mass == pytest.approx(link.mass, rel=1e-3)
    with pytest.raises(ValueError, match="keep_statistics"):
        again.save_statistics(tmp_path / "none.h5")


def test_equal_arrays_give_equal_results(robot, train, heldout):
    def run():
        logs = [of_arrays(train), of_arrays(heldout), dynid.simulate(robot, duration_s=5)]
        model = dynid.identify(robot, logs[:2], payloads=["tool0:0.5", "tool0:1"]).model
        return model.to_dict(), [dynid.validate(model, log).to_dict() for log in logs[1:]]

    (model, scores), (again, scores_again) = run(), run()
    assert model["provenance"] == again["provenance"]
    assert without_run(model) == without_run(again)
    assert scores == scores_again
    assert scores[0]["training_log"]
    assert scores[0]["log"] in [log["file"] for log in model["provenance"]["logs"]]
    assert "dynid-log" not in json.dumps([model, scores])


def test_links_and_base_parameters_are_readable(model, robot):
    assert set(model.links) == set(robot.links)
    for link in model.links.values():
        assert link.mass > 0
        assert np.all(np.linalg.eigvalsh(link.inertia) > 0)
    base = model.base_parameters
    assert len(base) == len(base.names) == base.values.size == base.covariance.shape[0]
    assert np.all(base.lower_95 <= base.upper_95)


def test_links_and_joints_have_the_order_of_the_robot(model, robot):
    assert list(model.links) == robot.links
    assert list(model.joints) == robot.joints
    assert list(model.joint_status) == robot.joints


def test_every_public_member_has_a_docstring():
    missing = []
    for name in dynid.__all__:
        item = getattr(dynid, name)
        members = vars(item).items() if isinstance(item, type) else ()
        documented = [(name, item)] + [
            (f"{name}.{key}", value) for key, value in members if not key.startswith("_")]
        missing += [key for key, value in documented if not (value.__doc__ or "").strip()]
    assert not missing


def test_predict_gives_every_sample(model, heldout):
    prediction = dynid.predict(model, heldout)
    log = dynid.read_log(heldout)
    assert prediction["effort_predicted"].shape == log.position.shape
    np.testing.assert_array_equal(prediction["effort_measured"], log.effort)


def test_rows_without_a_prediction_are_those_of_the_docstring(model, heldout):
    log = dynid.read_log(heldout)
    time = np.array(log.time)
    time[0] -= 100.0  # a stray row
    time[500] = np.nan

    def predicted(time, position, effort):
        return dynid.predict(model, dynid.Log(time=time, position=position, effort=effort,
                                              joint_names=log.joint_names))

    prediction = predicted(time, log.position, log.effort)
    np.testing.assert_array_equal(prediction["time"], time[1:])
    np.testing.assert_array_equal(prediction["effort_measured"], log.effort[1:])
    missing = np.isnan(prediction["effort_predicted"]).all(axis=1)
    np.testing.assert_array_equal(np.flatnonzero(missing), [499])
    for name in ("position", "effort"):
        columns = {"position": np.array(log.position), "effort": np.array(log.effort)}
        columns[name][500:600, 2] = np.nan
        lacks = np.isnan(predicted(log.time, **columns)["effort_predicted"]).all(axis=1)
        if name == "effort":  # the motion is known
            assert not lacks.any()
            continue
        assert 90 <= np.count_nonzero(lacks) <= 100
        assert not lacks[:500].any() and not lacks[600:].any()


def test_a_payload_of_a_log_is_predicted(model, heldout):
    bare = dynid.predict(model, heldout)["effort_predicted"]
    loaded = dynid.predict(model, heldout, payload="tool0:2")["effort_predicted"]
    assert np.abs(loaded - bare).max() > 1.0
    assert dynid.validate(model, heldout, payload="tool0:2").relative_error > 0.1
    with pytest.raises(dynid.InputError, match="nowhere"):
        dynid.predict(model, heldout, payload="nowhere:2")


def test_simulate_and_excite(robot, tmp_path):
    design = dynid.excite(robot, seconds=2.0, duration_s=5.0)
    assert design.feasible, design.reasons
    design.save(tmp_path / "motion.h5")
    log = dynid.simulate(robot, trajectory=tmp_path / "motion.h5")
    assert log.rows > 100
    with pytest.raises(ValueError, match="duration_s and trajectory"):
        dynid.simulate(robot, trajectory=tmp_path / "motion.h5", duration_s=3.0)


def test_excite_keeps_its_limits_and_clear_of_what_the_description_names(tmp_path):
    folder = DATASETS / "quickstart"
    (tmp_path / "arm.urdf").write_text((folder / "arm.urdf").read_text())
    (tmp_path / "arm.toml").write_text('urdf = "arm.urdf"\n[ground]\nheight = 0.1\n')
    robot = dynid.load_robot(tmp_path / "arm.toml")
    design = dynid.excite(robot, seconds=2.0, duration_s=5.0, max_velocity=[0.5], criterion="d")
    assert not any("collisions are not checked" in note for note in design.notes)
    assert design.feasible, design.reasons
    assert np.abs(design.velocity).max() <= 0.5 + 1e-9
    free = dynid.excite(robot, seconds=1.0, duration_s=5.0, ignore_space=True, ignore_effort=True)
    assert any("collisions are not checked" in note for note in free.notes)


@pytest.mark.parametrize("wrong, text", [
    ({"threads": 0}, "threads.* is 0; expected at least 1"),
    ({"starts": -1}, "starts.* is -1; expected 0 or more"),
    ({"start": [float("nan")] * 6}, "start.* not finite"),
    ({"max_jerk": [1.0, 2.0]}, "max_jerk.* has 2 values"),
    ({"criterion": "best"}, "criterion"),
])
def test_excite_names_wrong_options(robot, wrong, text):
    with pytest.raises(ValueError, match=text):
        dynid.excite(robot, seconds=1.0, **wrong)


def test_identify_needs_a_thread(robot, train):
    with pytest.raises(ValueError, match="threads.*at least 1"):
        dynid.identify(robot, train, threads=0)


def test_no_setting_is_nan(robot, train, model):
    def takes(function, *arguments):
        with pytest.raises(TypeError) as error:
            function(*arguments, qqzzqqzz=1)
        return str(error.value).split("it takes ")[1].split(", ")

    found = set()
    for function, arguments in ((dynid.identify, (robot, train)), (dynid.validate, (model, train)),
                                (dynid.excite, (robot,)), (dynid.simulate, (robot,))):
        for name in takes(function, *arguments):
            if name in ("force", "robust", "second_stage", "apply_diagnosis", "keep_statistics",
                        "from_rest", "ignore_effort", "ignore_space", "velocity", "acceleration"):
                continue  # a truth value
            with pytest.raises((ValueError, TypeError)) as error:
                function(*arguments, **{name: float("nan")})
            assert name in str(error.value)
            if isinstance(error.value, dynid.UsageError):
                found.add(name)
    assert {"cutoff_hz", "window_s", "max_excess_error", "rate_hz", "effort_noise"} <= found
    with pytest.raises(ValueError, match="seconds"):
        dynid.excite(robot, seconds=float("nan"))


def test_simulate_refuses_truth_seed_with_a_model(model):
    with pytest.raises(ValueError, match="truth_seed and a model"):
        dynid.simulate(model, truth_seed=2)


@pytest.mark.parametrize("bad, error, text", [
    (np.zeros((4, 2)), ValueError, r"q has the shape \(4, 2\); expected \(N, 6\) or \(6,\)"),
    (np.zeros((4, 6), dtype=complex), TypeError, "q has the type complex128; expected real numbers"),
    (np.array([["a"] * 6]), TypeError, "q has the type <U1; expected real numbers"),
    (np.full((4, 6), np.nan), ValueError, "q contains a number that is not finite"),
    (np.zeros((2, 3, 6)), ValueError, r"q has the shape \(2, 3, 6\)"),
])
def test_bad_arrays_are_refused(model, bad, error, text):
    good = np.zeros((4, 6))
    with pytest.raises(error, match=text):
        model.torque(bad, good, good)


def test_masked_numbers_are_missing(robot, model, train):
    good = np.zeros((4, 6))
    with pytest.raises(ValueError, match="q contains a number that is not finite"):
        model.torque(np.ma.masked_array(good, mask=good == 0), good, good)
    log = dynid.read_log(train)
    position = np.ma.masked_greater(log.position, 0.5)
    copy = dynid.Log(time=np.ma.masked_array(log.time), position=position, effort=log.effort,
                     joint_names=robot.joints)
    np.testing.assert_array_equal(np.isnan(copy.position), np.ma.getmaskarray(position))
    np.testing.assert_array_equal(copy.time, log.time)


def test_no_states_have_no_efforts(model):
    none = np.zeros((0, 6))
    assert model.torque(none, none, none).shape == (0, 6)
    with pytest.raises(ValueError, match="dq has the shape 4 x 6; expected 0 x 6"):
        model.torque(none, np.zeros((4, 6)), none)


def test_what_is_not_a_log_is_named(robot, model, train):
    for call in (lambda: dynid.validate(model, [train]), lambda: dynid.predict(model, [train])):
        with pytest.raises(TypeError, match="expected one log .*, got list"):
            call()
    with pytest.raises(TypeError, match="expected one log .*, got int"):
        dynid.identify(robot, [train, 3])
    with pytest.raises(TypeError, match="expected one log .*, got NoneType"):
        dynid.identify(robot, None)
    with pytest.raises(TypeError, match="payloads: expected a list with one entry per log"):
        dynid.identify(robot, [train], payloads="tool0:2")
    with pytest.raises(ValueError, match="time has no samples"):
        dynid.Log(time=[], position=np.zeros((0, 1)), effort=np.zeros((0, 1)), joint_names=["a"])


def test_bad_arguments_are_refused(robot, train):
    with pytest.raises(TypeError, match="unknown argument 'limit'; it takes .*cutoff_hz"):
        dynid.identify(robot, train, limit=10)
    with pytest.raises(TypeError, match="'exclude_joints'; it is an argument of load_robot"):
        dynid.identify(robot, [], exclude_joints=["joint_1"])
    with pytest.raises(TypeError, match="unknown argument 'cutof_hz'.*cutoff_hz"):
        dynid.identify(robot, train, cutof_hz=10)
    with pytest.raises(TypeError, match="the argument 'margin' cannot be 'much'"):
        dynid.identify(robot, train, margin="much")
    with pytest.raises(ValueError, match="position has 3 rows, but time has 4"):
        dynid.Log(time=np.arange(4.0), position=np.zeros((3, 1)), effort=np.zeros((4, 1)),
                  joint_names=["a"])
    with pytest.raises(ValueError, match="give either effort"):
        dynid.Log(time=np.arange(4.0), position=np.zeros((4, 1)), joint_names=["a"])


def test_errors_have_the_text_of_the_program(robot, tmp_path):
    missing = tmp_path / "missing.h5"
    printed = subprocess.run([PROGRAM, "inspect", str(missing)], capture_output=True, text=True)
    assert printed.returncode == 3
    with pytest.raises(dynid.InputError) as error:
        dynid.read_log(missing)
    assert str(missing) in str(error.value)


def test_errors_do_not_name_temporary_files(robot):
    log = dynid.Log(time=np.arange(50) * 0.01, position=np.zeros((50, 6)), effort=np.zeros((50, 6)),
                    joint_names=[f"other_{i}" for i in range(6)])
    with pytest.raises(ValueError) as error:
        dynid.identify(robot, log)
    assert "dynid-log" not in str(error.value)
    assert str(error.value).startswith("the log of arrays")


def test_a_child_process_keeps_the_log_of_its_parent(train):
    log = of_arrays(train)
    rows = log.rows
    child = os.fork()
    if child == 0:
        del log
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert log.rows == rows
    folder = pathlib.Path(log.path).parent
    del log
    assert not folder.exists()


def test_settings_are_those_of_the_program(robot, train, heldout):
    model = dynid.identify(robot, train, motion="spline").model
    assert model.to_dict()["signals"]["motion"] == "spline"
    assert set(model.joint_status) == set(model.joints)
    assert not dynid.validate(model, heldout, max_excess_error=1e-6).passed


def test_a_reversed_effort_is_undone_where_that_is_asked_for(robot, train, heldout):
    def reversed_effort(path):
        log = dynid.read_log(path)
        effort = np.array(log.effort)
        effort[:, 1] *= -1
        return dynid.Log(time=log.time, position=log.position, effort=effort, joint_names=robot.joints)

    with pytest.raises(ValueError, match="apply_diagnosis"):
        dynid.identify(robot, reversed_effort(train))
    model = dynid.identify(robot, reversed_effort(train), apply_diagnosis=True).model
    assert model.usable
    assert model.assumptions == ["the effort of joint_2 has the opposite sign"]
    assert not dynid.validate(model, reversed_effort(heldout)).passed
    assert dynid.validate(model, reversed_effort(heldout), apply_diagnosis=True).passed


def test_ctrl_c_stops_an_identification(robot, train):
    fired = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        fired.start()
        for _ in range(1000):
            dynid.identify(robot, train)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_after_the_last_report_is_not_lost(robot, train):
    reports = []
    dynid.identify(robot, train, progress=lambda *report: reports.append(report))
    left = [len(reports)]

    def interrupt_at_last(*_):
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        dynid.identify(robot, train, progress=interrupt_at_last)


def test_ctrl_c_works_after_calls_that_overlapped(robot, train):
    first_runs, second_is_done = threading.Event(), threading.Event()

    def report(stage, fraction):
        first_runs.set()
        second_is_done.wait(60)

    first = threading.Thread(target=lambda: dynid.identify(robot, train, progress=report))
    first.start()
    assert first_runs.wait(60)
    second = threading.Thread(target=lambda: dynid.identify(robot, train))
    second.start()
    second.join()
    second_is_done.set()
    first.join()
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
        threading.Event().wait(5)


def test_a_log_in_place_of_a_model_is_an_input_error(train):
    with pytest.raises(dynid.InputError, match="not JSON"):
        dynid.read_model(train)


def test_no_robot_is_a_type_error(train):
    q = np.zeros((2, 6))
    for call in (lambda: dynid.regressor(None, q, q, q),
                 lambda: dynid.inverse_dynamics(None, q, q, q, q),
                 lambda: dynid.identify(None, train),
                 lambda: dynid.excite(None, seconds=2),
                 lambda: dynid.simulate(None)):
        with pytest.raises(TypeError):
            call()


def test_a_log_is_saved_whole_or_not_at_all(train, tmp_path):
    log = dynid.read_log(train)
    log.save(tmp_path / "copy.h5")
    assert (tmp_path / "copy.h5").read_bytes() == train.read_bytes()
    with pytest.raises(dynid.OutputError, match="choose a directory that exists"):
        log.save(tmp_path / "none" / "copy.h5")
    assert [file.name for file in tmp_path.iterdir()] == ["copy.h5"]


def test_progress_is_reported(robot, train):
    stages = []
    dynid.identify(robot, train, progress=lambda stage, fraction: stages.append((stage, fraction)))
    assert stages and all(0.0 <= fraction <= 1.0 for _, fraction in stages)


def test_the_example_plots_a_robot_of_one_joint(tmp_path):
    pytest.importorskip("matplotlib")
    example = DATASETS.parent / "experiments" / "examples" / "identify.py"
    folder = DATASETS / "four_bar"
    plot = tmp_path / "plot.png"
    subprocess.run(
        [sys.executable, str(example), str(folder / "four_bar.toml"), str(folder / "train.h5"),
         str(folder / "heldout.h5"), str(plot)], check=True)
    assert plot.stat().st_size > 0
