#include "dynid/simulation/simulate.h"

#include "dynid/core/errors.h"
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/dynamics/projection.h"
#include "dynid/logs/log_reader.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <Eigen/LU>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <cmath>
#include <filesystem>
#include <numbers>
#include <unistd.h>

namespace dynid {
namespace {

using testing::Contains;
using testing::HasSubstr;

Robot coupledRobot(std::uint64_t seed) {
  RandomRobotOptions options;
  options.joints = 5;
  options.coupling = 0.5;
  return randomRobot(seed, options);
}

SimulationOptions shortLog() {
  SimulationOptions options;
  options.motion.duration_s = 8.0;
  options.motion.ramp_s = 1.0;
  options.rate_hz = 100.0;
  options.acceleration = true;
  return options;
}

// All blocks of a simulated log in one.
RawBlock whole(const Robot& robot, const SimulationTruth& truth, const SimulationOptions& options) {
  std::vector<RawBlock> blocks;
  simulate(robot, truth, options, [&](const RawBlock& block) { blocks.push_back(block); });
  Eigen::Index rows = 0;
  for (const RawBlock& block : blocks) rows += block.time.size();
  RawBlock all;
  all.time.resize(rows);
  for (Eigen::MatrixXd* channel : {&all.position, &all.velocity, &all.acceleration, &all.effort})
    channel->resize(rows, robot.numJoints());
  Eigen::Index at = 0;
  for (const RawBlock& block : blocks) {
    const Eigen::Index count = block.time.size();
    EXPECT_EQ(block.first_row, at);
    all.time.segment(at, count) = block.time;
    all.position.middleRows(at, count) = block.position;
    if (block.velocity.size() > 0) all.velocity.middleRows(at, count) = block.velocity;
    if (block.acceleration.size() > 0) all.acceleration.middleRows(at, count) = block.acceleration;
    all.effort.middleRows(at, count) = block.effort;
    at += count;
  }
  return all;
}

double parameter(const SimulationTruth& truth, const std::string& name) {
  const int c = truth.layout.find(name);
  EXPECT_GE(c, 0) << name;
  return truth.parameters(c);
}

TEST(Simulate, EffortIsTheProjectionRegressorTimesTheTruth) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Robot robot = coupledRobot(seed);
    const SimulationTruth truth = randomTruth(robot, seed);
    const RawBlock log = whole(robot, truth, shortLog());
    ProjectionRegressor regressor(std::make_shared<Robot>(robot));
    const Eigen::MatrixXd from_joints = robot.T.inverse();
    const int inertial = 10 * robot.numBodies();
    for (Eigen::Index i = 0; i < log.time.size(); i += 7) {
      const Eigen::VectorXd dq = from_joints * log.velocity.row(i).transpose();
      const Eigen::VectorXd ddq = from_joints * log.acceleration.row(i).transpose();
      const Eigen::MatrixXd Y =
          regressor.dense(log.position.row(i), log.velocity.row(i), log.acceleration.row(i));
      Eigen::VectorXd tau = robot.T.transpose() * (Y * truth.parameters.head(inertial));
      for (int a = 0; a < robot.numJoints(); ++a) {
        const std::string& name = robot.drives[a].name;
        const double s = dq(a) > 0.0 ? 1.0 : (dq(a) < 0.0 ? -1.0 : 0.0);
        tau(a) += parameter(truth, name + ".drive_inertia") * ddq(a) +
                  parameter(truth, name + ".viscous") * dq(a) +
                  parameter(truth, name + ".coulomb") * s + parameter(truth, name + ".offset");
      }
      const Eigen::VectorXd expected = from_joints.transpose() * tau;
      EXPECT_LT((expected - log.effort.row(i).transpose()).norm(), 1e-11 * expected.norm())
          << "seed " << seed;
    }
  }
}

// The friction of an identified model: a smoothed sign, and friction of a joint behind several
// actuators.
TEST(Simulate, FrictionHasTheSmoothingAndTheSideOfItsColumn) {
  const Robot robot = coupledRobot(3);
  const SimulationTruth plain = randomTruth(robot, 3);
  SimulationTruth truth = plain;
  Column smooth = frictionColumn(robot, 1, FrictionEffect::kCoulomb);
  smooth.name += "@smooth";
  smooth.smoothing = 0.4;
  truth.layout.append(smooth);
  truth.layout.append(jointFrictionColumn(robot, 2, FrictionEffect::kViscous));
  truth.parameters.conservativeResize(truth.layout.size());
  truth.parameters.tail<2>() << 1.5, 2.5;
  const RawBlock log = whole(robot, truth, shortLog());
  const Eigen::MatrixXd added = log.effort - whole(robot, plain, shortLog()).effort;
  const Eigen::MatrixXd from_joints = robot.T.inverse();
  ASSERT_GT(std::abs(robot.T(2, 1)), 1e-3) << "the joint needs a second actuator";
  for (Eigen::Index i = 0; i < log.time.size(); ++i) {
    const double v = from_joints.row(1).dot(log.velocity.row(i));
    Eigen::RowVectorXd expected = 1.5 * std::tanh(v / 0.4) * from_joints.row(1);
    expected(2) += 2.5 * log.velocity(i, 2);
    EXPECT_LT((added.row(i) - expected).norm(), 1e-10) << i;
  }
}

TEST(Simulate, PowerBalances) {
  // Work of the drives minus friction = change of energy, by Simpson's rule over the log.
  const Robot robot = coupledRobot(2);
  SimulationTruth truth = randomTruth(robot, 2);
  Eigen::VectorXd drives(robot.numJoints());
  for (int a = 0; a < robot.numJoints(); ++a) {
    const std::string& name = robot.drives[a].name;
    drives(a) = parameter(truth, name + ".drive_inertia");
    for (const char* effect : {".viscous", ".coulomb", ".offset"})
      truth.parameters(truth.layout.find(name + effect)) = 0.0;
  }
  SimulationOptions options = shortLog();
  options.rate_hz = 1000.0;
  const RawBlock log = whole(robot, truth, options);
  const Eigen::VectorXd power = log.velocity.cwiseProduct(log.effort).rowwise().sum();
  const Eigen::VectorXd pi = truth.parameters.head(Eigen::Index{10} * robot.numBodies());
  const auto energy_at = [&](Eigen::Index i) {
    return energy(robot, pi, drives, log.position.row(i), log.velocity.row(i)).total();
  };
  double work = 0.0;
  const Eigen::Index steps = 5000;
  for (Eigen::Index i = 0; i < steps; i += 2)
    work += (power(i) + 4.0 * power(i + 1) + power(i + 2)) / (3.0 * options.rate_hz);
  const double gained = energy_at(steps) - energy_at(0);
  EXPECT_NEAR(
      work, gained, 1e-6 * power.cwiseAbs().mean() * static_cast<double>(steps) / options.rate_hz);
  EXPECT_GT(power.cwiseAbs().maxCoeff(), 1.0);
}

TEST(Simulate, StaysWithinLimitsAndUsesThem) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Robot robot = randomRobot(seed);
    SimulationOptions options = shortLog();
    options.motion.duration_s = 25.0;
    options.motion.amplitude = 0.9;
    options.seed = seed;
    const RawBlock log = whole(robot, randomTruth(robot, seed), options);
    for (int j = 0; j < robot.numJoints(); ++j) {
      const JointLimits& limits = robot.joints[j].limits;
      EXPECT_GE(log.position.col(j).minCoeff(), limits.lower);
      EXPECT_LE(log.position.col(j).maxCoeff(), limits.upper);
      EXPECT_LE(log.velocity.col(j).cwiseAbs().maxCoeff(), 0.91 * limits.velocity);
      EXPECT_LE(log.acceleration.col(j).cwiseAbs().maxCoeff(), 0.91 * limits.acceleration);
      const double used =
          std::max({2.0 *
                        (log.position.col(j).array() - 0.5 * (limits.upper + limits.lower))
                            .abs()
                            .maxCoeff() /
                        (limits.upper - limits.lower),
                    log.velocity.col(j).cwiseAbs().maxCoeff() / limits.velocity,
                    log.acceleration.col(j).cwiseAbs().maxCoeff() / limits.acceleration});
      EXPECT_GT(used, 0.8);
    }
  }
}

TEST(Simulate, StartsAndStopsAtRestAndDerivativesBelongTogether) {
  const Robot robot = coupledRobot(3);
  SimulationOptions options = shortLog();
  options.rate_hz = 1000.0;
  const RawBlock log = whole(robot, randomTruth(robot, 3), options);
  EXPECT_EQ(log.velocity.topRows(500).norm(), 0.0);
  EXPECT_EQ(log.velocity.bottomRows(500).norm(), 0.0);
  EXPECT_EQ((log.position.row(0) - log.position.bottomRows(1)).norm(), 0.0);
  // Central differences; the jerk jumps where the ramps begin and end.
  const double top = log.acceleration.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 1; i + 1 < log.time.size(); ++i) {
    const double phase = std::abs(std::remainder(log.time(i) - 0.5, 1.0));
    if (phase < 2.5e-3) continue;
    const Eigen::RowVectorXd slope = (log.position.row(i + 1) - log.position.row(i - 1)) * 500.0;
    const Eigen::RowVectorXd bend = (log.velocity.row(i + 1) - log.velocity.row(i - 1)) * 500.0;
    ASSERT_LT((slope - log.velocity.row(i)).norm(), 1e-4 * top) << "row " << i;
    ASSERT_LT((bend - log.acceleration.row(i)).norm(), 1e-4 * top) << "row " << i;
  }
}

TEST(Simulate, RandomMassesAreWithinTheBoundsOfTheDescription) {
  Robot robot = coupledRobot(3);
  for (Body& body : robot.bodies) body.prior.reset();
  const auto masses = [&](std::uint64_t seed) {
    const Eigen::VectorXd pi = randomTruth(robot, seed).parameters;
    double total = 0.0;
    for (int k = 0; k < robot.numBodies(); ++k) total += pi(10 * k);
    return std::pair(pi(0), total);
  };
  robot.bodies[0].bounds.mass = {2.0, 3.0};
  robot.total_mass = {8.0, 9.0};
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto [first, total] = masses(seed);
    EXPECT_TRUE(first > 2.0 && first < 3.0) << first;
    EXPECT_TRUE(total > 8.0 && total < 9.0) << total;
  }
}

TEST(Simulate, RandomBodiesAreWithinTheBoxAndTheEllipsoidOfTheDescription) {
  Robot robot = coupledRobot(3);
  for (Body& body : robot.bodies) body.prior.reset();
  LinkBounds& bounds = robot.bodies[0].bounds;
  const Eigen::Vector3d radii(0.008, 0.01, 0.2), center(0.0, 0.01, 0.1);
  bounds.com_box = {Eigen::Vector3d(-0.001, -0.1, 0.0), Eigen::Vector3d(0.001, 0.1, 0.2)};
  bounds.ellipsoid = LinkBounds::Ellipsoid{center, radii};
  for (const std::uint64_t seed : {1, 2, 3}) {
    const InertialParameters pi = randomTruth(robot, seed).parameters.head<10>();
    EXPECT_GT(smallestPseudoEigenvalue(pi), 0.0);
    const Eigen::Vector3d com = pi.segment<3>(1) / pi(0);
    EXPECT_LT(std::abs(com.x()), 0.001);
    EXPECT_TRUE(com.z() > 0.0 && com.z() < 0.2) << com.z();
    // Mean squares of the coordinates about the centre of the ellipsoid.
    const Eigen::Matrix4d P = pseudoInertia(pi);
    const Eigen::Vector3d squares =
        P.diagonal().head<3>() / pi(0) - 2.0 * com.cwiseProduct(center) + center.cwiseAbs2();
    EXPECT_LT(squares.cwiseQuotient(radii.cwiseAbs2()).sum(), 1.0);
  }
}

TEST(Simulate, DampingFrictionAndArmatureOfTheDescriptionAreKept) {
  Robot robot = randomRobot(5);
  Joint& joint = robot.joints[1];
  joint.damping = 3.5;
  joint.friction = 2.5;
  joint.drive_inertia = 0.125;
  const auto value = [&](const std::string& name, bool keep) {
    const SimulationTruth truth = randomTruth(robot, 1, true, keep);
    const int c = truth.layout.find(robot.drives[1].name + "." + name);
    return c < 0 ? -1.0 : truth.parameters(c);
  };
  EXPECT_EQ(value("viscous", true), 3.5);
  EXPECT_EQ(value("coulomb", true), 2.5);
  EXPECT_EQ(value("drive_inertia", true), 0.125);
  EXPECT_NE(value("viscous", false), 3.5);
}

TEST(Simulate, IsTheSameBySeedWhateverTheBlocks) {
  const Robot robot = coupledRobot(4);
  const SimulationTruth truth = randomTruth(robot, 4);
  SimulationOptions options = shortLog();
  options.effort_noise = 0.3;
  options.effort_noise_relative = 0.01;
  options.effort_noise_correlation_s = 0.05;
  options.velocity_noise = 0.01;
  options.clock_jitter_s = 1e-3;
  const RawBlock a = whole(robot, truth, options);
  options.block_rows = 37;
  const RawBlock b = whole(robot, truth, options);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.effort, b.effort);
  options.seed = 2;
  const RawBlock c = whole(robot, truth, options);
  EXPECT_GT((a.position - c.position).norm(), 1.0);
  EXPECT_EQ(randomTruth(robot, 4).parameters, truth.parameters);
  EXPECT_GT((randomTruth(robot, 5).parameters - truth.parameters).norm(), 0.0);
}

// With a delay of whole rows an effort is that of the rows before; drives of one chain have their
// own delays.
TEST(Simulate, EffortsAreLateByTheDelaysOfTheTruth) {
  const Robot robot = coupledRobot(4);
  SimulationTruth truth = randomTruth(robot, 4);
  const SimulationOptions options = shortLog();
  const Eigen::MatrixXd in_time = whole(robot, truth, options).effort * robot.T;
  constexpr Eigen::Index kRows = 3;  // of 10 ms
  truth.effort_delay = Eigen::VectorXd::Zero(5);
  truth.effort_delay(1) = truth.effort_delay(3) = 0.01 * kRows;
  SimulationOptions in_parts = options;
  in_parts.block_rows = 37;
  const Eigen::MatrixXd late = whole(robot, truth, in_parts).effort * robot.T;
  const Eigen::Index rows = late.rows() - kRows;
  for (Eigen::Index a = 0; a < 5; ++a) {
    const bool delayed = truth.effort_delay(a) > 0.0;
    const Eigen::VectorXd expected = in_time.col(a).segment(delayed ? 0 : kRows, rows);
    EXPECT_LT((late.col(a).tail(rows) - expected).norm(), 1e-9 * expected.norm()) << a;
  }
}

TEST(Simulate, NoiseHasTheSizeAndMemoryAskedFor) {
  const Robot robot = coupledRobot(1);
  const SimulationTruth truth = randomTruth(robot, 1);
  SimulationOptions options = shortLog();
  options.motion.duration_s = 400.0;
  const RawBlock clean = whole(robot, truth, options);
  options.effort_noise = 0.5;
  options.effort_noise_correlation_s = 0.02;
  options.encoder_step = 2.0 * std::numbers::pi / 8192.0;
  options.clock_jitter_s = 1e-3;
  const RawBlock noisy = whole(robot, truth, options);
  const Eigen::MatrixXd noise = noisy.effort - clean.effort;
  const Eigen::Index rows = noise.rows();
  const double expected = std::exp(-0.5);  // 10 ms at 20 ms
  for (Eigen::Index j = 0; j < noise.cols(); ++j) {
    EXPECT_NEAR(std::sqrt(noise.col(j).squaredNorm() / static_cast<double>(rows)), 0.5, 0.02);
    const double lagged =
        noise.col(j).head(rows - 1).dot(noise.col(j).tail(rows - 1)) / noise.col(j).squaredNorm();
    EXPECT_NEAR(lagged, expected, 0.03);
  }
  EXPECT_LE((noisy.position - clean.position).cwiseAbs().maxCoeff(), 0.5001 * options.encoder_step);
  EXPECT_GT((noisy.time - clean.time).norm(), 0.0);
  EXPECT_GT((noisy.time.tail(rows - 1) - noisy.time.head(rows - 1)).minCoeff(), 0.0);
}

TEST(Simulate, APayloadIsABodyOnItsLink) {
  const Robot robot = coupledRobot(6);
  const SimulationTruth truth = randomTruth(robot, 6);
  SimulationOptions options = shortLog();
  PayloadNote payload;
  payload.link = "link5";
  payload.mass = 2.5;
  payload.com = Eigen::Vector3d(0.05, -0.02, 0.1);
  options.payload = payload;
  SimulationTruth loaded = truth;
  const auto body = static_cast<Eigen::Index>(robot.findLink("link5").first);
  loaded.parameters.segment<10>(10 * body) +=
      inertialFromCenterOfMass(2.5, *payload.com, Eigen::Matrix3d::Zero());
  const RawBlock with = whole(robot, truth, options);
  options.payload.reset();
  EXPECT_LT((with.effort - whole(robot, loaded, options).effort).norm(),
            1e-12 * with.effort.norm());
  payload.mass = std::nan("");
  options.payload = payload;
  EXPECT_THROW(whole(robot, truth, options), UsageError);
}

TEST(Simulate, LogsOnTheActuatorSideAndInAmperes) {
  Robot robot = coupledRobot(7);
  SimulationTruth truth = randomTruth(robot, 7);
  const RawBlock joints = whole(robot, truth, shortLog());
  robot.measured_at_actuator.assign(5, true);
  SimulationOptions options = shortLog();
  const RawBlock actuators = whole(robot, truth, options);
  EXPECT_LT((actuators.position * robot.T.transpose() - joints.position).norm(),
            1e-12 * joints.position.norm());
  EXPECT_LT((joints.effort * robot.T - actuators.effort).norm(), 1e-12 * joints.effort.norm());
  options.current = true;
  EXPECT_THROW(whole(robot, truth, options), UsageError);
  truth.drive_gains = Eigen::VectorXd::Zero(5);
  EXPECT_THROW(whole(robot, truth, options), std::invalid_argument);
  truth.drive_gains << -10.0, 3.0, 5.0, 20.0, 7.0;
  const RawBlock currents = whole(robot, truth, options);
  EXPECT_LT((currents.effort * truth.drive_gains.asDiagonal() - actuators.effort).norm(),
            1e-12 * actuators.effort.norm());
  // Currents are those of the actuators where positions are those of the joints, too.
  robot.measured_at_actuator.assign(5, false);
  EXPECT_LT((whole(robot, truth, options).effort - currents.effort).norm(),
            1e-12 * currents.effort.norm());
}

TEST(Simulate, FollowsATrajectoryBySeriesOrBySamples) {
  const Robot robot = coupledRobot(8);
  const SimulationTruth truth = randomTruth(robot, 8);
  TrajectoryFile file;
  file.joint_names = robot.jointNames();
  FourierSeries series;
  series.fundamental_hz = 0.2;
  series.t0_s = 1.0;
  std::mt19937_64 rng(8);
  series.a.resize(5, 3);
  series.b.resize(5, 3);
  for (int l = 0; l < 3; ++l) {
    series.a.col(l) = support::vectorX(rng, 5, 0.2);
    series.b.col(l) = support::vectorX(rng, 5, 0.2);
  }
  series.offset = support::vectorX(rng, 5, 0.2);
  const int rows = 401;
  file.time = Eigen::VectorXd::LinSpaced(rows, 1.0, 5.0);
  for (Eigen::MatrixXd* channel : {&file.position, &file.velocity, &file.acceleration})
    channel->resize(rows, 5);
  for (int i = 0; i < rows; ++i) {
    const JointMotion m = evaluate(series, file.time(i));
    file.position.row(i) = m.q;
    file.velocity.row(i) = m.dq;
    file.acceleration.row(i) = m.ddq;
  }
  SimulationOptions options = shortLog();
  options.rate_hz = 333.0;
  options.trajectory = file;
  const RawBlock sampled = whole(robot, truth, options);
  options.trajectory->fourier = series;
  const RawBlock exact = whole(robot, truth, options);
  EXPECT_EQ(exact.time.size(), 1333);
  EXPECT_LT((sampled.position - exact.position).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((sampled.acceleration - exact.acceleration).cwiseAbs().maxCoeff(), 1e-4);
  Robot narrow = robot;
  narrow.joints[1].limits.upper = file.position.col(1).maxCoeff() - 0.01;
  const auto notes = simulate(narrow, truth, options, [](const RawBlock&) {}).notes;
  EXPECT_THAT(notes, Contains(HasSubstr(narrow.joints[1].name + ": position reaches ")));
  options.trajectory->fourier.reset();
  options.trajectory->acceleration.resize(0, 0);
  EXPECT_THROW(whole(robot, truth, options), InputError);
  options.trajectory->joint_names[0] = "other";
  EXPECT_THROW(whole(robot, truth, options), UsageError);
}

TEST(Simulate, WritesALogThatReadsBack) {
  const Robot robot = coupledRobot(9);
  const SimulationTruth truth = randomTruth(robot, 9);
  const SimulationOptions options = shortLog();
  const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                     ("dynid_simulate_" + std::to_string(getpid()) + ".h5");
  const SimulationSummary summary = simulate(robot, truth, options, path);
  EXPECT_EQ(summary.rows, 801);
  EXPECT_DOUBLE_EQ(summary.duration_s, 8.0);
  EXPECT_TRUE(summary.notes.empty());
  LogReaderOptions columns;
  columns.joints = robot.logColumnNames();
  for (const Joint& joint : robot.joints)
    if (joint.prismatic) columns.prismatic.push_back(joint.name);
  const LogReader reader(path, columns);
  const RawBlock expected = whole(robot, truth, options);
  RawBlock read;
  reader.read(0, 801, read);
  std::filesystem::remove(path);
  EXPECT_EQ(reader.info().rows, 801);
  EXPECT_EQ(read.effort, expected.effort);
  EXPECT_EQ(read.acceleration, expected.acceleration);
}

TEST(Simulate, SaysWhichOptionIsWrong) {
  const auto message = [](auto change) {
    SimulationOptions options;
    change(options);
    try {
      options.check();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message([](SimulationOptions& o) { o.rate_hz = 0.0; }),
            "`rate_hz` is 0; expected 1 to 100000 Hz");
  EXPECT_EQ(message([](SimulationOptions& o) { o.effort_noise = -1.0; }),
            "`effort_noise` is -1; expected 0 or more");
  EXPECT_EQ(message([](SimulationOptions& o) { o.motion.duration_s = 3.0; }),
            "`duration_s` is 3; expected at least 5 s, for it begins and ends "
            "at rest");
  EXPECT_EQ(message([](SimulationOptions& o) { o.motion.amplitude = 1.5; }),
            "`amplitude` is 1.5; expected (0, 0.95]");
  // The peaks of faster motions would be searched for hours, or their number is beyond an integer
  for (const double hz : {126.0, 1e10, 1e308})
    EXPECT_THAT(message([hz](SimulationOptions& o) { o.motion.fundamental_hz = hz; }),
                HasSubstr("; expected at most 125 with 8 harmonics"));
  EXPECT_EQ(message([](SimulationOptions& o) { o.motion.fundamental_hz = 125.0; }), "no error");
}

TEST(RandomTruth, IsARealRobotWithEveryEffectAskedFor) {
  Robot robot = randomRobot(12);
  for (Body& body : robot.bodies) body.prior.reset();
  Drive& drive = robot.drives[0];
  drive.automatic_friction = false;
  drive.friction = allFrictionEffects();
  drive.position_effects.resize(1);
  const SimulationTruth truth = randomTruth(robot, 1);
  truth.check(robot);
  for (int k = 0; k < robot.numBodies(); ++k)
    EXPECT_GT(smallestPseudoEigenvalue(truth.parameters.segment<10>(Eigen::Index{10} * k)), 0.0);
  for (int c = 0; c < truth.layout.size(); ++c) {
    EXPECT_EQ(truth.layout.find(truth.layout[c].name), c) << truth.layout[c].name;
    if (truth.layout[c].nonnegative) {
      EXPECT_GE(truth.parameters(c), 0.0) << truth.layout[c].name;
    }
  }
  for (const char* name :
       {".viscous", ".stribeck", ".ripple_cos", ".presliding", ".load", ".spring"})
    EXPECT_GE(truth.layout.find("joint1" + std::string(name)), 0) << name;
  const RawBlock log = whole(robot, truth, shortLog());
  EXPECT_TRUE(log.effort.allFinite());
}

TEST(RandomTruth, KeepsTheInertiaOfTheDescription) {
  const Robot robot = randomRobot(13);
  EXPECT_EQ(randomTruth(robot, 1).parameters.head(Eigen::Index{10} * robot.numBodies()),
            priorParameters(robot));
  EXPECT_NE(randomTruth(robot, 1, false).parameters.head(Eigen::Index{10} * robot.numBodies()),
            priorParameters(robot));
}

}  // namespace
}  // namespace dynid
