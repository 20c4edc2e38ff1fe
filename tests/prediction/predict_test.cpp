#include "dynid/prediction/predict.h"

#include "dynid/core/errors.h"
#include "dynid/model/model_efforts.h"
#include "dynid/prediction/model_from_description.h"
#include "dynid/robot/load_robot.h"
#include "dynid/robot/root_body.h"
#include "dynid/simulation/simulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/changed_rows.h"
#include "support/closed_chains.h"
#include <cmath>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace dynid {
namespace {

namespace fs = std::filesystem;

class PredictLog : public testing::Test {
 protected:
  PredictLog() {
    SimulationOptions simulation;
    simulation.motion.duration_s = 6.0;
    simulate(*robot_, randomTruth(*robot_, 3), simulation, log_);
  }
  ~PredictLog() override { fs::remove(log_); }

  /// The described values with Coulomb friction only.
  Model withCoulombFriction(double ramp_speed) const {
    Model model = modelFromDescription(robot_);
    for (int c = 10 * robot_->numBodies(); c < model.layout.size(); ++c)
      model.parameters(c) = model.layout[c].isFriction(FrictionEffect::kCoulomb) ? 5.0 : 0.0;
    model.signals.ramp_speed = Eigen::VectorXd::Constant(robot_->numJoints(), ramp_speed);
    return model;
  }

  const std::shared_ptr<const Robot> robot_ = std::make_shared<const Robot>(
      loadRobot(fs::path(DYNID_DATASETS_DIR) / "quickstart" / "arm.toml"));
  const fs::path log_ =
      fs::temp_directory_path() / ("dynid_predict_" + std::to_string(getpid()) + ".h5");
};

// In a gap nothing is made up; beside it the predictions are those of the whole log.
TEST_F(PredictLog, RowsInAGapAreNotPredicted) {
  const Model model = withCoulombFriction(0.0);
  const auto predicted = [&] {
    Eigen::MatrixXd all(0, robot_->numJoints());
    predictLog(model, {log_}, {}, [&](const PredictionBlock& block) {
      Eigen::MatrixXd rows = block.predicted;
      rows.col(0) += 0.0 * block.q.col(0);  // NaN where the position is
      all.conservativeResize(all.rows() + rows.rows(), Eigen::NoChange);
      all.bottomRows(rows.rows()) = rows;
    });
    return all;
  };
  const Eigen::MatrixXd whole = predicted();
  loseRows(log_, "position", 300, 500);
  const Eigen::MatrixXd with_gap = predicted();
  ASSERT_EQ(with_gap.rows(), whole.rows());
  for (Eigen::Index row = 0; row < whole.rows(); ++row) {
    const bool lost = row >= 303 && row < 497;
    if (row < 297 || row >= 503 || lost) EXPECT_EQ(with_gap.row(row).allFinite(), !lost) << row;
    if (row < 250 || row >= 550) {
      EXPECT_LT((with_gap.row(row) - whole.row(row)).norm(), 1e-3 * whole.row(row).norm()) << row;
    }
  }
}

// The loops of a mechanism cannot be closed where no position is known.
TEST_F(PredictLog, RigidEffortsOfAMechanismLeaveOutAGap) {
  const auto robot = std::make_shared<const Robot>(support::fourBar());
  SimulationOptions simulation;
  simulation.motion.duration_s = 6.0;
  simulate(*robot, randomTruth(*robot, 3), simulation, log_);
  loseRows(log_, "position", 300, 500);
  const Model model = modelFromDescription(robot);
  Eigen::Index rows = 0;
  const auto check = [&](const PredictionBlock& block) {
    for (Eigen::Index row = 0; row < block.rigid.rows(); ++row, ++rows) {
      EXPECT_EQ(std::isfinite(block.rigid(row, 0)), std::isfinite(block.q(row, 0))) << rows;
    }
  };
  predictLog(model, {log_}, {}, check, {}, {.rigid = true});
  EXPECT_GT(rows, 1000);
}

// The motion says what the efforts were.
TEST_F(PredictLog, RowsWithoutEffortsArePredicted) {
  const Model model = withCoulombFriction(0.0);
  Eigen::MatrixXd measured, predicted;
  const auto predict = [&] {
    measured.resize(0, robot_->numJoints());
    predicted = measured;
    predictLog(model, {log_}, {}, [&](const PredictionBlock& block) {
      for (const auto& [all, rows] :
           {std::pair{&measured, &block.measured}, std::pair{&predicted, &block.predicted}}) {
        all->conservativeResize(all->rows() + rows->rows(), Eigen::NoChange);
        all->bottomRows(rows->rows()) = *rows;
      }
    });
  };
  predict();
  const Eigen::MatrixXd whole = predicted;
  loseRows(log_, "effort", 300, 500);
  predict();
  EXPECT_TRUE(measured.middleRows(300, 200).array().isNaN().all());
  EXPECT_EQ(predicted, whole);
}

TEST_F(PredictLog, WrongModelsAndSettingsAreRefused) {
  const auto predict = [&](const Model& model, const IdentificationSettings& settings) {
    predictLog(model, {log_}, settings, [](const PredictionBlock&) {});
  };
  EXPECT_THROW(predict(Model{}, {}), std::invalid_argument);
  IdentificationSettings settings;
  settings.threads = 0;
  EXPECT_THROW(predict(withCoulombFriction(0.0), settings), UsageError);
  settings = {};
  settings.still_speed = -1.0;
  EXPECT_THROW(predict(withCoulombFriction(0.0), settings), UsageError);
}

// Amperes and newton metres have no common scale without a drive gain.
TEST_F(PredictLog, EffortsAreNotComparedWithCurrentsOfUnknownScale) {
  Model model = withCoulombFriction(0.0);
  model.scale_known = false;
  model.effort_unit = "A";
  try {
    predictLog(model, {log_}, {}, [](const PredictionBlock&) {});
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(
        error.what(),
        testing::AllOf(testing::HasSubstr(log_.string() + ":/effort: the log holds efforts"),
                       testing::HasSubstr("give drive_gain")));
  }
}

// Without the motion of the base nothing is known about the efforts.
TEST_F(PredictLog, RowsWithoutTheMotionOfTheBaseAreNotPredicted) {
  Robot floating = *robot_;
  floating.floating_base = true;
  SimulationOptions simulation;
  simulation.motion.duration_s = 6.0;
  simulation.base_frame = "body";
  const Robot with_root = withRootBody(floating);
  simulate(with_root, randomTruth(with_root, 3), simulation, log_);
  loseRows(log_, "base/pose", 400, 500);
  Model model = withCoulombFriction(0.0);
  model.robot = std::make_shared<const Robot>(floating);
  Eigen::Index row = 0;
  predictLog(model, {log_}, {}, [&](const PredictionBlock& block) {
    for (Eigen::Index i = 0; i < block.predicted.rows(); ++i, ++row)
      EXPECT_EQ(block.predicted.row(i).allFinite(), row < 400 || row >= 500) << row;
  });
  EXPECT_GT(row, 500);
}

// The cut-off of a slow training log would remove most of the acceleration of a faster motion.
TEST_F(PredictLog, AFasterLogIsNotFilteredAsTheTrainingLogs) {
  SimulationOptions fast;
  fast.motion.duration_s = 20.0;
  fast.motion.fundamental_hz = 0.5;
  fast.encoder_step = 1e-5;
  fast.velocity = false;
  simulate(*robot_, truthOf(withCoulombFriction(1e-3)), fast, log_);
  Model model = withCoulombFriction(1e-3);
  const auto errors = [&](double cutoff_hz) {
    model.signals.cutoff_hz = cutoff_hz;
    const Eigen::VectorXd cutoffs = Eigen::VectorXd::Constant(robot_->numJoints(), cutoff_hz);
    model.signals.rigid_cutoff_hz = model.signals.friction_cutoff_hz = cutoffs;
    double squared = 0.0, used = 0.0;
    predictLog(model, {log_}, {}, [&](const PredictionBlock& block) {
      squared += (block.measured - block.predicted).squaredNorm();
      used = block.cutoff_hz;
    });
    return std::pair(std::sqrt(squared), used);
  };
  const auto [as_chosen, chosen] = errors(40.0);  // lowered to 0.2 of the rate
  const auto [of_slow_model, raised] = errors(1.0);
  const auto [of_similar_model, kept] = errors(raised / 1.3);
  EXPECT_EQ(chosen, 40.0);
  EXPECT_GT(raised, 6.0);
  EXPECT_EQ(kept, raised / 1.3);
  EXPECT_LT(of_slow_model, 1.5 * as_chosen);
  EXPECT_LT(of_similar_model, 2.0 * as_chosen);
}

// Whatever cut-off the model has: it was chosen for other logs.
TEST_F(PredictLog, MotionWithoutNoiseIsNotFiltered) {
  SimulationOptions exact;
  exact.motion.duration_s = 10.0;
  exact.motion.fundamental_hz = 0.5;
  exact.effort_noise = 0.0;
  simulate(*robot_, truthOf(withCoulombFriction(1e-3)), exact, log_);
  Model model = withCoulombFriction(1e-3);
  model.signals.cutoff_hz = 2.0;
  model.signals.rigid_cutoff_hz = model.signals.friction_cutoff_hz =
      Eigen::VectorXd::Constant(robot_->numJoints(), 2.0);
  double error = 0.0, effort = 0.0;
  predictLog(model, {log_}, {}, [&](const PredictionBlock& block) {
    error += (block.measured - block.predicted).squaredNorm();
    effort += block.measured.squaredNorm();
  });
  EXPECT_LT(std::sqrt(error), 1e-3 * std::sqrt(effort));
}

// An exported file has no memory: at the stored motion it must give the stored efforts, which are
// late.
TEST_F(PredictLog, OperatingPointsHaveTheMotionToWhichTheirEffortsBelong) {
  Model model = withCoulombFriction(1e-3);
  model.signals.effort_delay = Eigen::VectorXd::Constant(robot_->numJoints(), 0.02);
  SimulationOptions exact;
  exact.motion.duration_s = 10.0;
  simulate(*robot_, truthOf(model), exact, log_);
  const auto error = [&](bool at_effort_time) {
    PredictionExtras extras;
    extras.at_effort_time = at_effort_time;
    double squared = 0.0;
    const auto add = [&](const PredictionBlock& block) {
      const Eigen::MatrixXd efforts = effortsByCause(model, block.q, block.dq, block.ddq).total();
      squared += (efforts - block.measured).squaredNorm();
    };
    predictLog(model, {log_}, {}, add, {}, extras);
    return std::sqrt(squared);
  };
  EXPECT_LT(error(true), 0.01 * error(false));
}

// A fit to motion without noise needs neither ramp nor cut-off. A log with encoder steps does.
TEST_F(PredictLog, AModelOfExactMotionTakesRampAndCutOffFromANoisyLog) {
  SimulationOptions steps;
  steps.motion.duration_s = 20.0;
  steps.motion.fundamental_hz = 0.2;
  steps.encoder_step = 1e-5;
  steps.velocity = false;
  simulate(*robot_, truthOf(withCoulombFriction(1e-3)), steps, log_);
  Model model = withCoulombFriction(0.0);
  model.signals.cutoff_hz = 40.0;
  const double still_speed = model.signals.still_speed;
  Eigen::Index slow = 0, on_ramp = 0;
  predictLog(model,
             {log_},
             {},
             [&](const PredictionBlock& block) {
               EXPECT_GT(block.cutoff_hz, 2.0);
               EXPECT_LT(block.cutoff_hz, 20.0);
               const Eigen::ArrayXXd friction = block.parts->friction.array().abs();
               for (Eigen::Index i = 0; i < friction.rows(); ++i)
                 for (Eigen::Index j = 0; j < friction.cols(); ++j) {
                   if (std::abs(block.dq(i, j)) > 0.2 * still_speed) continue;
                   ++slow;
                   on_ramp += friction(i, j) < 4.0 ? 1 : 0;
                 }
             },
             {},
             {.parts = true});
  EXPECT_GT(slow, 20);
  EXPECT_GT(on_ramp, slow / 2);
}

// 1000 rad/s is above every speed, so the friction is proportional to the speed.
TEST_F(PredictLog, TheRampOfCoulombFrictionIsTheModels) {
  constexpr double kRamp = 1000.0;
  double largest = 0.0;
  predictLog(withCoulombFriction(kRamp),
             {log_},
             {},
             [&](const PredictionBlock& block) {
               const Eigen::MatrixXd expected = 5.0 / kRamp * block.dq;
               const double size = expected.cwiseAbs().maxCoeff();
               EXPECT_LT((block.parts->friction - expected).cwiseAbs().maxCoeff(),
                         1e-6 * (size + 1e-3));
               largest = std::max(largest, size);
             },
             {},
             {.parts = true});
  EXPECT_GT(largest, 1e-3);
}

TEST_F(PredictLog, WithoutARampCoulombFrictionJumps) {
  Eigen::Index jumps = 0, samples = 0;
  predictLog(withCoulombFriction(0.0),
             {log_},
             {},
             [&](const PredictionBlock& block) {
               const Eigen::ArrayXXd size = block.parts->friction.array().abs();
               for (Eigen::Index i = 0; i < size.rows(); ++i)
                 for (Eigen::Index j = 0; j < size.cols(); ++j) {
                   if (std::abs(block.dq(i, j)) < 1e-2) continue;  // close to a reversal
                   ++samples;
                   jumps += std::abs(size(i, j) - 5.0) < 1e-6 ? 1 : 0;
                 }
             },
             {},
             {.parts = true});
  EXPECT_GT(samples, 1000);
  EXPECT_GT(static_cast<double>(jumps), 0.95 * static_cast<double>(samples));
}

}  // namespace
}  // namespace dynid
