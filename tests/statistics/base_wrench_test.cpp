#include "dynid/statistics/base_wrench.h"

#include "dynid/core/errors.h"
#include "dynid/formulations/floating_base.h"
#include "dynid/formulations/projection_method.h"
#include "dynid/identification/identify.h"
#include "dynid/logs/h5_output.h"
#include "dynid/model/json.h"
#include "dynid/robot/load_robot.h"
#include "dynid/robot/root_body.h"
#include "dynid/statistics/statistics_file.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include "identification/recovered.h"
#include "support/changed_rows.h"
#include <filesystem>
#include <unistd.h>

namespace dynid {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

Robot armOn(const std::string& base) {
  const fs::path folder = fs::path(DYNID_DATASETS_DIR) / "quickstart";
  Robot robot = loadRobot(folder / "arm.toml");
  robot.floating_base = base == "floating";
  return withRootBody(robot);
}

class BaseWrench : public testing::Test {
 protected:
  BaseWrench() { fs::create_directories(folder_); }
  ~BaseWrench() override { fs::remove_all(folder_); }

  static SimulationOptions shortLog(const std::string& frame) {
    SimulationOptions simulation;
    simulation.motion.duration_s = 8.0;
    simulation.rate_hz = 200.0;
    simulation.base_frame = frame;
    return simulation;
  }

  // True values of the model's base parameters.
  Eigen::VectorXd expected(const Model& model, const SimulationTruth& truth, bool moves) const {
    int unknown = 0;
    const Eigen::VectorXd parameters = truthInModel(model, truth, unknown);
    const BaseParameters base =
        structuralBase(model.robot, model.layout, {std::nullopt}, {}, {moves, true});
    return base.combination() * parameters;
  }

  static Eigen::VectorXd found(const Model& model) {
    Eigen::VectorXd values(static_cast<Eigen::Index>(model.base_parameters.size()));
    for (Eigen::Index k = 0; k < values.size(); ++k)
      values(k) = model.base_parameters[k].least_squares;
    return values;
  }

  Model identified(const std::shared_ptr<const Robot>& robot) const {
    return identify(robot, {{log_, ""}}, {}).model;
  }

  const fs::path folder_ =
      fs::temp_directory_path() / ("dynid_base_wrench_" + std::to_string(getpid()));
  const fs::path log_ = folder_ / "log.h5";
};

// Compares the rows used by the identification with those from the differentiated momenta of the
// whole robot; closed loops included.
TEST_F(BaseWrench, RowsAreThoseOfTheMomentaInEveryFrame) {
  const fs::path mechanism = fs::path(DYNID_DATASETS_DIR) / "palletizer" / "palletizer.toml";
  std::srand(1);
  for (const Robot& robot : {armOn("floating"), withRootBody(loadRobot(mechanism))}) {
    SCOPED_TRACE(robot.name);
    const int n = robot.numJoints();
    for (int state = 0; state < 5; ++state) {
      Eigen::VectorXd q(n);
      for (int j = 0; j < n; ++j) {
        const JointLimits& limits = robot.joints[j].limits;
        q(j) = 0.5 * (limits.lower + limits.upper) + 0.1 * Eigen::Vector2d::Random()(0);
      }
      const Eigen::VectorXd dq = Eigen::VectorXd::Random(n), ddq = Eigen::VectorXd::Random(n);
      BaseMotion base;
      base.X_WB.R = Eigen::Quaterniond::UnitRandom().toRotationMatrix();
      base.X_WB.p.setRandom();
      for (Eigen::Vector3d* value : {&base.v, &base.w, &base.dv, &base.dw}) value->setRandom();
      const SensedMotion sensed{
          base.w,
          base.dw,
          base.dv + base.w.cross(base.v) - base.X_WB.R.transpose() * robot.gravity};
      const Eigen::MatrixXd quick = carriedWrenchRows(robot, -1, sensed, q, dq, ddq);
      for (BaseFrame frame : {BaseFrame::kBody, BaseFrame::kSpace, BaseFrame::kHybrid}) {
        const Eigen::MatrixXd slow =
            baseWrenchRows(robot, base, q, dq, ddq, frame).rightCols(quick.cols());
        EXPECT_LT((wrenchTransform(base.X_WB, frame) * quick - slow).norm(), 1e-12 * slow.norm())
            << toString(frame);
      }
      const SensedMotion rest{Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), -robot.gravity};
      const MovingBaseRows still = movingBaseRows(robot, rest, q, dq, ddq);
      const Eigen::MatrixXd joints = projectionRegressor(robot, q, dq, ddq);
      EXPECT_LT((still.joints - joints).norm(), 1e-12 * joints.norm());
    }
  }
}

// Wrench and joints together determine the parameters of the first bodies that a fixed base hides,
// and those of the root.
TEST_F(BaseWrench, AFloatingBaseIsIdentifiedInEveryFrame) {
  const auto robot = std::make_shared<const Robot>(armOn("floating"));
  const SimulationTruth truth = randomTruth(*robot, 3);
  std::optional<Eigen::VectorXd> first;
  for (const char* frame : {"body", "space", "hybrid"}) {
    SCOPED_TRACE(frame);
    simulate(*robot, truth, shortLog(frame), log_);
    const Model model = identified(robot);
    EXPECT_TRUE(model.status.usable) << model.status.reason;
    const Eigen::VectorXd values = found(model), expect = expected(model, truth, true);
    ASSERT_EQ(values.size(), expect.size());
    EXPECT_LT((values - expect).norm(), 1e-8 * expect.norm());
    if (!first) first = values;
    EXPECT_LT((values - *first).norm(), 1e-8 * expect.norm());
    const int root = model.layout.find(robot->root_link + ".Izz");
    ASSERT_GE(root, 0);
    EXPECT_NE(model.verdicts[root].identifiability, Identifiability::kNone);
  }
}

// The motion of the base determines parameters that a base at rest hides: their columns are in the
// file.
TEST_F(BaseWrench, SavedStatisticsOfAFloatingBaseCanBeUsed) {
  Robot arm = loadRobot(fs::path(DYNID_DATASETS_DIR) / "quickstart" / "arm.toml");
  arm.floating_base = true;
  const auto robot = std::make_shared<const Robot>(arm);
  SimulationOptions simulation = shortLog("body");
  simulation.effort_noise_relative = 0.01;
  simulate(withRootBody(*robot), randomTruth(withRootBody(*robot), 3), simulation, log_);
  const hid_t file = H5Fopen(log_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  EXPECT_GE(H5Ldelete(file, "base/wrench", H5P_DEFAULT), 0);
  H5Fclose(file);
  IdentificationSettings kept, saved;
  kept.keep_statistics = true;
  const Identification of_log = identify(robot, {{log_, ""}}, kept);
  saved.statistics = {folder_ / "statistics.h5"};
  writeStatistics(saved.statistics.front(), *of_log.statistics);
  const Model again = identify(robot, {}, saved).model;
  EXPECT_TRUE(again.status.usable) << again.status.reason;
  const Eigen::VectorXd values = found(again), expect = found(of_log.model);
  ASSERT_EQ(values.size(), expect.size());
  EXPECT_LT((values - expect).norm(), 1e-6 * expect.norm());
}

TEST_F(BaseWrench, ATwistThatWasNotRecordedFollowsFromThePose) {
  const auto robot = std::make_shared<const Robot>(armOn("floating"));
  const SimulationTruth truth = randomTruth(*robot, 3);
  simulate(*robot, truth, shortLog("space"), log_);
  const hid_t file = H5Fopen(log_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  EXPECT_GE(H5Ldelete(file, "base/twist", H5P_DEFAULT), 0);
  H5Fclose(file);
  const Model model = identified(robot);
  const Eigen::VectorXd expect = expected(model, truth, true);
  EXPECT_LT((found(model) - expect).norm(), 1e-8 * expect.norm());
}

// Rows in which the wrench or the motion of the base is missing are left out, with those of the
// joints that need this motion.
TEST_F(BaseWrench, MissingRowsAreNotMadeUp) {
  for (const std::string base : {"fixed", "floating"})
    for (const std::string channel : {"base/wrench", "base/pose", "base/twist"}) {
      if (base == "fixed" && channel != "base/wrench") continue;  // has no other channel
      SCOPED_TRACE(base + ", " + channel);
      const auto robot = std::make_shared<const Robot>(armOn(base));
      const SimulationTruth truth = randomTruth(*robot, 3);
      simulate(*robot, truth, shortLog("space"), log_);
      loseRows(log_, channel, 400, 700);  // of 1600
      const Model model = identified(robot);
      EXPECT_TRUE(model.status.usable) << model.status.reason;
      const Eigen::VectorXd expect = expected(model, truth, base == "floating");
      // Differences at the ends of a section are less accurate.
      EXPECT_LT((found(model) - expect).norm(), 1e-4 * expect.norm());
    }
}

// Confidence intervals are right for noisy efforts and wrenches.
TEST_F(BaseWrench, NoiseShowsInTheStandardDeviations) {
  const auto robot = std::make_shared<const Robot>(armOn("floating"));
  const SimulationTruth truth = randomTruth(*robot, 3);
  SimulationOptions simulation = shortLog("hybrid");
  simulation.effort_noise_relative = 0.03;
  simulate(*robot, truth, simulation, log_);
  const Model model = identified(robot);
  EXPECT_TRUE(model.status.usable) << model.status.reason;
  const Eigen::VectorXd values = found(model), expect = expected(model, truth, true);
  double squares = 0.0;
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    const double z = (values(k) - expect(k)) / model.base_parameters[k].std_dev;
    squares += z * z;
  }
  const double rms = std::sqrt(squares / static_cast<double>(values.size()));
  EXPECT_GT(rms, 0.5);  // some 76 of them: 1 +- 0.08 where noise is white and alone
  EXPECT_LT(rms, 1.5);
}

// A force plate under a fixed arm determines the total mass and the moments of the first body.
TEST_F(BaseWrench, AForcePlateWeighsTheWholeRobot) {
  const auto robot = std::make_shared<const Robot>(armOn("fixed"));
  const SimulationTruth truth = randomTruth(*robot, 3);
  simulate(*robot, truth, shortLog("space"), log_);
  // From the robot as described: the root body is added because of the wrench.
  const auto plain = std::make_shared<const Robot>(
      loadRobot(fs::path(DYNID_DATASETS_DIR) / "quickstart" / "arm.toml"));
  const Model model = identified(plain);
  ASSERT_TRUE(hasRootBody(*model.robot));
  const Eigen::VectorXd expect = expected(model, truth, false);
  EXPECT_LT((found(model) - expect).norm(), 1e-8 * expect.norm());
  double mass = 0.0, true_mass = 0.0;
  for (int k = 0; k < robot->numBodies(); ++k) {
    mass += model.parameters(10 * k);
    true_mass += truth.parameters(10 * k);
  }
  EXPECT_NEAR(mass, true_mass, 1e-5 * true_mass);
  // The model file contains the root link.
  saveModel(folder_ / "model.json", model);
  const Model again = loadModel(folder_ / "model.json");
  EXPECT_EQ(again.robot->numBodies(), robot->numBodies());
  EXPECT_EQ((again.parameters - model.parameters).norm(), 0.0);
}

// The base is in free flight: with a wrench of zero, only the joints' efforts determine the scale.
class FreeFlight {
 public:
  FreeFlight(const Robot& robot, const Eigen::VectorXd& pi) : robot_(robot), pi_(pi) {}

  struct State {
    Eigen::Vector3d p = Eigen::Vector3d::Zero(), v = Eigen::Vector3d::Zero(),
                    w = Eigen::Vector3d(0.3, -0.2, 0.4);  // v, w in body axes
    Eigen::Quaterniond attitude = Eigen::Quaterniond::Identity();
  };

  void joints(double t, Eigen::VectorXd& q, Eigen::VectorXd& dq, Eigen::VectorXd& ddq) const {
    const Eigen::Index n = robot_.numJoints();
    q = dq = ddq = Eigen::VectorXd::Zero(n);
    for (Eigen::Index j = 0; j < n; ++j)
      for (int h = 1; h <= 3; ++h) {
        const double w = 2.0 * M_PI * (0.17 * h + 0.05 * static_cast<double>(j)),
                     phase = 1.3 * static_cast<double>(j) + h;
        q(j) += 0.5 * std::sin(w * t + phase) / h;
        dq(j) += 0.5 * w * std::cos(w * t + phase) / h;
        ddq(j) -= 0.5 * w * w * std::sin(w * t + phase) / h;
      }
  }

  // Accelerations of the base for which the wrench on it is zero; the wrench is affine in them.
  SensedMotion motion(double t, const State& s) const {
    Eigen::VectorXd q, dq, ddq;
    joints(t, q, dq, ddq);
    const auto wrench = [&](const Vector6<double>& x) -> Vector6<double> {
      const SensedMotion m{s.w, x.tail<3>(), x.head<3>()};
      return carriedWrenchRows(robot_, -1, m, q, dq, ddq) * pi_;
    };
    const Vector6<double> bias = wrench(Vector6<double>::Zero());
    Eigen::Matrix<double, 6, 6> M;
    for (int i = 0; i < 6; ++i) M.col(i) = wrench(Vector6<double>::Unit(i)) - bias;
    const Vector6<double> x = -M.lu().solve(bias);
    return {s.w, x.tail<3>(), x.head<3>()};
  }

  Eigen::VectorXd efforts(double t, const SensedMotion& m) const {
    Eigen::VectorXd q, dq, ddq;
    joints(t, q, dq, ddq);
    return movingBaseRows(robot_, m, q, dq, ddq).joints * pi_;
  }

  State advanced(double t, const State& s, double h) const {  // Runge-Kutta of order 4
    const auto rate = [&](double at, const State& x) {
      const SensedMotion m = motion(at, x);
      Eigen::Matrix<double, 13, 1> d;
      d.head<3>() = x.attitude * x.v;
      d.segment<3>(3) = m.a + x.attitude.conjugate() * robot_.gravity - x.w.cross(x.v);
      d.segment<3>(6) = m.wd;
      d.tail<4>() = 0.5 * (x.attitude * Eigen::Quaterniond(0, x.w.x(), x.w.y(), x.w.z())).coeffs();
      return d;
    };
    const auto stepped = [&](const Eigen::Matrix<double, 13, 1>& d, double step) {
      State x = s;
      x.p += step * d.head<3>();
      x.v += step * d.segment<3>(3);
      x.w += step * d.segment<3>(6);
      x.attitude.coeffs() += step * d.tail<4>();
      return x;
    };
    const auto k1 = rate(t, s), k2 = rate(t + h / 2, stepped(k1, h / 2)),
               k3 = rate(t + h / 2, stepped(k2, h / 2)), k4 = rate(t + h, stepped(k3, h));
    State next = stepped((k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0, h);
    next.attitude.normalize();
    return next;
  }

 private:
  const Robot& robot_;
  Eigen::VectorXd pi_;
};

TEST_F(BaseWrench, AnUnactuatedBaseGivesEquationsToo) {
  const auto robot = std::make_shared<const Robot>(armOn("floating"));
  const SimulationTruth truth = randomTruth(*robot, 3);
  const Eigen::VectorXd pi = truth.parameters.head(10 * robot->numBodies());
  SimulationOptions options = shortLog("body");
  LogHeader header = simulatedHeader(*robot, options);
  header.has_acceleration = false;
  constexpr int kRows = 1500;
  const double step = 1.0 / options.rate_hz;
  const Eigen::Index n = robot->numJoints();
  RawBlock block;
  block.time.setLinSpaced(kRows, 0.0, (kRows - 1) * step);
  block.position = block.velocity = block.effort = Eigen::MatrixXd(kRows, n);
  BaseSamples base{
      Eigen::MatrixXd(kRows, 7), Eigen::MatrixXd(kRows, 6), Eigen::MatrixXd::Zero(kRows, 6)};
  const FreeFlight flight(*robot, pi);
  FreeFlight::State state;
  for (int i = 0; i < kRows; ++i) {
    const double t = block.time(i);
    Eigen::VectorXd q, dq, ddq;
    flight.joints(t, q, dq, ddq);
    block.position.row(i) = q;
    block.velocity.row(i) = dq;
    block.effort.row(i) = flight.efforts(t, flight.motion(t, state));
    base.pose.row(i) << state.p.transpose(), state.attitude.coeffs().transpose();
    base.twist.row(i) << state.v.transpose(), state.w.transpose();
    state = flight.advanced(t, state, step);
  }
  LogWriter writer(log_, header);
  writer.append(block, {}, base);
  writer.finish();
  const Model model = identified(robot);
  const BaseParameters structure =
      structuralBase(model.robot, model.layout, {std::nullopt}, {}, {true, true});
  int unknown = 0;
  const Eigen::VectorXd expect = expected(model, truth, true);
  // No friction acts here; that of the truth is left out.
  Eigen::VectorXd rigid = truthInModel(model, truth, unknown);
  rigid.tail(rigid.size() - 10 * robot->numBodies()).setZero();
  const Eigen::VectorXd values = structure.combination() * rigid;
  EXPECT_LT((found(model) - values).norm(), 1e-6 * values.norm());
  EXPECT_EQ(values.size(), expect.size());
}

// A mechanism with loops: its constraint forces are internal.
TEST_F(BaseWrench, AForcePlateUnderAClosedMechanism) {
  const auto robot = std::make_shared<const Robot>(
      withRootBody(loadRobot(fs::path(DYNID_DATASETS_DIR) / "palletizer" / "palletizer.toml")));
  const SimulationTruth truth = randomTruth(*robot, 3);
  simulate(*robot, truth, shortLog("body"), log_);
  const Model model = identified(robot);
  const Eigen::VectorXd expect = expected(model, truth, false);
  EXPECT_LT((found(model) - expect).norm(), 1e-6 * expect.norm());
}

TEST_F(BaseWrench, BadChannelsAreNamed) {
  const auto robot = std::make_shared<const Robot>(armOn("floating"));
  const SimulationTruth truth = randomTruth(*robot, 3);
  SimulationOptions simulation = shortLog("body");
  simulation.motion.duration_s = 6.0;
  simulate(*robot, truth, simulation, log_);
  const auto edited = [&](const std::function<void(hid_t)>& edit) {
    const fs::path copy = folder_ / "edited.h5";
    fs::copy_file(log_, copy, fs::copy_options::overwrite_existing);
    const hid_t file = H5Fopen(copy.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    edit(file);
    H5Fclose(file);
    try {
      identify(robot, {{copy, ""}}, {});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(edited([](hid_t file) { H5Ldelete(file, "base/pose", H5P_DEFAULT); }),
              HasSubstr("/base/pose: is missing; the base of"));
  EXPECT_THAT(
      edited([](hid_t file) { H5Adelete_by_name(file, "base/wrench", "frame", H5P_DEFAULT); }),
      HasSubstr("/base/wrench: has no attribute 'frame'; write which it is given in: body, "
                "space, hybrid"));
  EXPECT_THAT(edited([](hid_t file) {
                H5Ldelete(file, "base/wrench", H5P_DEFAULT);
                H5Lmove(file, "base/pose", file, "base/wrench", H5P_DEFAULT, H5P_DEFAULT);
              }),
              HasSubstr("/base/wrench: has 7 columns; expected 6"));
  EXPECT_THAT(edited([](hid_t file) {
                const hid_t set = H5Dopen2(file, "base/pose", H5P_DEFAULT);
                const hid_t space = H5Dget_space(set), one = H5Screate(H5S_SCALAR);
                const hsize_t at[] = {3, 6}, count[] = {1, 1};
                H5Sselect_hyperslab(space, H5S_SELECT_SET, at, nullptr, count, nullptr);
                const double wrong = 7.0;
                H5Dwrite(set, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &wrong);
                H5Sclose(one);
                H5Sclose(space);
                H5Dclose(set);
              }),
              HasSubstr("/base/pose[3]: the quaternion's norm is"));
  EXPECT_THAT(edited([](hid_t file) {
                H5Gclose(H5Gcreate2(file, "bodies", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
                H5Gclose(H5Gcreate2(file, "bodies/flnge", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
              }),
              HasSubstr("/bodies: 1 group is not named after a link of"));
}

}  // namespace
}  // namespace dynid
