#include "dynid/validation/scores.h"

#include "dynid/math/nan.h"
#include "dynid/signals/cutoff.h"
#include "dynid/validation/curve_recorder.h"
#include "dynid/validation/filtered_score.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace dynid {
namespace {

struct Series {
  Eigen::VectorXd time;
  Eigen::MatrixXd measured, predicted;
  MovingMask moving;
};

Series someSeries(Eigen::Index rows, double rate = 100.0) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  Series s;
  s.time = Eigen::VectorXd::LinSpaced(rows, 0.0, static_cast<double>(rows - 1) / rate);
  s.measured.resize(rows, 2);
  s.predicted.resize(rows, 2);
  s.moving.resize(rows, 2);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < 2; ++j) {
      s.predicted(i, j) = 50.0 + 10.0 * std::sin(0.7 * s.time(i) + static_cast<double>(j));
      s.measured(i, j) = s.predicted(i, j) + 0.3 + normal(random);
      s.moving(i, j) = i % 3 != j;
    }
  return s;
}

template <typename Scorer>
void addInBlocks(Scorer& scorer, const Series& s, Eigen::Index block) {
  for (Eigen::Index i = 0; i < s.time.size(); i += block) {
    const Eigen::Index n = std::min(block, s.time.size() - i);
    scorer.add(s.time.segment(i, n),
               s.measured.middleRows(i, n),
               s.predicted.middleRows(i, n),
               s.moving.middleRows(i, n));
  }
}

TEST(Scores, EqualTheirDefinitions) {
  const Series s = someSeries(5000);
  ScoreAccumulator accumulator({"a", "b"});
  addInBlocks(accumulator, s, 777);
  const std::vector<JointScore> scores = accumulator.scores();
  const Eigen::MatrixXd e = s.measured - s.predicted;
  for (Eigen::Index j = 0; j < 2; ++j) {
    const JointScore& score = scores[j];
    const Eigen::VectorXd m = s.measured.col(j);
    const Eigen::VectorXd mask = s.moving.col(j).cast<double>().matrix();
    EXPECT_NEAR(score.rmse, e.col(j).norm() / std::sqrt(5000.0), 1e-12);
    EXPECT_NEAR(score.relative_error, e.col(j).norm() / m.norm(), 1e-13);
    EXPECT_NEAR(score.r2,
                1.0 - e.col(j).squaredNorm() / (m.array() - m.mean()).matrix().squaredNorm(),
                1e-11);
    EXPECT_NEAR(
        score.rmse_moving, e.col(j).cwiseProduct(mask).norm() / std::sqrt(mask.sum()), 1e-12);
    EXPECT_NEAR(score.relative_error_moving,
                e.col(j).cwiseProduct(mask).norm() / m.cwiseProduct(mask).norm(),
                1e-13);
    EXPECT_DOUBLE_EQ(score.max_abs, e.col(j).cwiseAbs().maxCoeff());
    EXPECT_NEAR(score.bias, e.col(j).mean(), 1e-12);
    const Eigen::VectorXd p = s.predicted.col(j).array() - s.predicted.col(j).mean();
    EXPECT_NEAR(score.slope, p.dot(m) / p.squaredNorm(), 1e-9);
    EXPECT_NEAR(
        score.correlation, p.dot(m) / p.norm() / (m.array() - m.mean()).matrix().norm(), 1e-9);
    EXPECT_NEAR(score.residual_time_s, 0.01, 0.004);
    EXPECT_EQ(score.samples, 5000.0);
    EXPECT_EQ(score.moving_samples, mask.sum());
  }
  EXPECT_NEAR(accumulator.relativeError(), e.norm() / s.measured.norm(), 1e-13);
  EXPECT_NEAR(accumulator.step(), 0.01, 1e-9);
}

TEST(Scores, DoNotDependOnTheBlocks) {
  const Series s = someSeries(1000);
  ScoreAccumulator one({"a", "b"}), many({"a", "b"});
  addInBlocks(one, s, 1000);
  addInBlocks(many, s, 7);
  // Up to rounding, since each block is summed separately.
  EXPECT_NEAR(one.scores()[1].rmse / many.scores()[1].rmse, 1.0, 1e-13);
  EXPECT_NEAR(one.scores()[1].r2 / many.scores()[1].r2, 1.0, 1e-13);
  EXPECT_NEAR(one.scores()[0].whiteness / many.scores()[0].whiteness, 1.0, 1e-12);
  EXPECT_EQ(one.movingRows(), many.movingRows());
}

TEST(Scores, LeaveOutWhatIsNotFinite) {
  Series s = someSeries(1000);
  ScoreAccumulator clean({"a", "b"}), holes({"a", "b"});
  addInBlocks(clean, s, 100);
  s.measured(10, 0) = kNaN;
  s.measured(20, 0) = std::numeric_limits<double>::infinity();
  s.measured.row(30).setConstant(kNaN);
  addInBlocks(holes, s, 100);
  EXPECT_EQ(holes.scores()[0].samples, 997.0);
  EXPECT_EQ(holes.scores()[1].samples, 999.0);
  EXPECT_EQ(holes.scoredRows(), 999.0);
  EXPECT_EQ(holes.rows(), 1000.0);
  EXPECT_NEAR(holes.scores()[0].rmse, clean.scores()[0].rmse, 0.05);
}

TEST(Scores, OfNothingAreNotANumber) {
  const ScoreAccumulator accumulator({"a"});
  EXPECT_TRUE(std::isnan(accumulator.scores()[0].rmse));
  EXPECT_TRUE(std::isnan(accumulator.relativeError()));
}

TEST(FilteredScore, EqualsTheFilterOverTheWholeLog) {
  const Series s = someSeries(60000);
  SignalSettings signals;
  signals.cutoff_hz = 5.0;
  FilteredScorer scorer({"a", "b"}, signals);
  addInBlocks(scorer, s, 1000);
  const FilteredScore score = scorer.finish();
  ASSERT_EQ(score.per_joint.size(), 2U);
  EXPECT_EQ(score.cutoff_hz, 5.0);
  Eigen::MatrixXd target = s.measured, model = s.predicted;
  filterZeroPhase(designLowpass(4, 5.0, 100.0), target);
  filterZeroPhase(designLowpass(4, 5.0, 100.0), model);
  for (Eigen::Index j = 0; j < 2; ++j) {
    const Eigen::VectorXd e = target.col(j) - model.col(j);
    EXPECT_EQ(score.per_joint[j].samples, 60000.0);
    EXPECT_NEAR(score.per_joint[j].rmse / (e.norm() / std::sqrt(60000.0)), 1.0, 1e-6);
    EXPECT_LT(score.per_joint[j].rmse, 0.5);  // noise of 1 is filtered away
    const Eigen::VectorXd above = s.measured.col(j) - s.predicted.col(j) - e;
    EXPECT_NEAR(score.joint_noise_floor[j] / (above.norm() / s.measured.col(j).norm()), 1.0, 1e-6);
  }
  const Eigen::MatrixXd above = s.measured - s.predicted - (target - model);
  EXPECT_NEAR(score.noise_floor / (above.norm() / s.measured.norm()), 1.0, 1e-6);
  EXPECT_NEAR(score.relative_error / ((target - model).norm() / target.norm()), 1.0, 1e-6);
}

// The effort is not recorded in the first tenth: the filter must not see a step where it begins.
TEST(FilteredScore, IsThatOfTheOtherRowsWhereEffortsAreMissing) {
  Series s = someSeries(20000);
  s.predicted.array() += 100.0;
  s.measured.array() += 100.0;
  SignalSettings signals;
  signals.cutoff_hz = 2.0;
  const auto score = [&](const Series& series) {
    FilteredScorer scorer({"a", "b"}, signals);
    addInBlocks(scorer, series, 1000);
    return scorer.finish().per_joint[0].rmse;
  };
  const double whole = score(s);
  for (const Eigen::Index first : {0, 9000}) {
    Series missing = s;
    missing.measured.col(0).segment(first, 2000).setConstant(std::nan(""));
    EXPECT_NEAR(score(missing) / whole, 1.0, 0.1) << first;
  }
}

// Friction that jumps and is predicted half as large: only noise is above the error of the model,
// although most of the effort above the cut-off is friction.
TEST(FilteredScore, JumpsOfFrictionAreNoNoise) {
  Series s = someSeries(20000);
  const Eigen::MatrixXd noise = 0.01 * (s.measured - s.predicted);
  for (Eigen::Index i = 0; i < s.time.size(); ++i)
    s.predicted.row(i).setConstant(i / 500 % 2 == 0 ? 5.0 : -5.0);
  s.measured = 1.2 * s.predicted + noise;
  SignalSettings signals;
  signals.cutoff_hz = 2.0;
  FilteredScorer scorer({"a", "b"}, signals);
  addInBlocks(scorer, s, 1000);
  const FilteredScore score = scorer.finish();
  const double error = (s.measured - s.predicted).norm() / s.measured.norm();
  EXPECT_LT(score.noise_floor, 0.3 * error);
}

// The measurement is without noise: what is above the cut-off is noise of the prediction.
TEST(FilteredScore, NoiseOfThePredictionIsNotExcused) {
  Series s = someSeries(20000);
  for (Eigen::Index i = 0; i < s.time.size(); ++i)
    s.measured.row(i).setConstant(10.0 * std::sin(0.01 * static_cast<double>(i)));
  SignalSettings signals;
  signals.cutoff_hz = 5.0;
  FilteredScorer scorer({"a", "b"}, signals);
  addInBlocks(scorer, s, 1000);
  const FilteredScore score = scorer.finish();
  ASSERT_GT((s.measured - s.predicted).norm() / s.measured.norm(), 0.1);
  EXPECT_LT(score.noise_floor, 0.01);
}

// Friction that jumps is predicted exactly: what is above the cut-off must not be an error.
TEST(FilteredScore, ComparesFilteredWithFiltered) {
  Series s = someSeries(4000);
  for (Eigen::Index i = 0; i < s.time.size(); ++i)
    s.predicted.row(i).setConstant(i / 100 % 2 == 0 ? 5.0 : -5.0);
  s.measured = s.predicted;
  s.measured(1500, 0) = kNaN;
  s.predicted(2500, 1) = kNaN;
  SignalSettings signals;
  signals.cutoff_hz = 3.0;
  FilteredScorer scorer({"a", "b"}, signals);
  addInBlocks(scorer, s, 1000);
  const FilteredScore score = scorer.finish();
  EXPECT_LT(score.relative_error, 0.01);
  EXPECT_EQ(score.per_joint[0].samples, 3999.0);
  EXPECT_EQ(score.per_joint[1].samples, 3999.0);
}

// A cut-off too high for the rate of the log is lowered, not refused.
TEST(FilteredScore, LowersACutoffThatIsTooHighForTheRate) {
  const Series s = someSeries(500);
  SignalSettings signals;
  signals.cutoff_hz = 45.0;
  FilteredScorer scorer({"a", "b"}, signals);
  addInBlocks(scorer, s, 100);
  const FilteredScore score = scorer.finish();
  EXPECT_EQ(score.per_joint.size(), 2U);
  EXPECT_DOUBLE_EQ(score.cutoff_hz, highestCutoff(100.0));
  EXPECT_LT(score.cutoff_hz, 45.0);
}

TEST(FilteredScore, DoesNotApplyWithoutACutoff) {
  const Series s = someSeries(500);
  for (const double cutoff : {0.0, kNaN}) {
    SignalSettings signals;
    signals.cutoff_hz = cutoff;
    FilteredScorer scorer({"a", "b"}, signals);
    addInBlocks(scorer, s, 100);
    const FilteredScore score = scorer.finish();
    EXPECT_TRUE(score.per_joint.empty());
    EXPECT_TRUE(std::isnan(score.cutoff_hz));
  }
}

TEST(FilteredScore, StartsAfreshAfterAGap) {
  Series s = someSeries(4000);
  s.time.tail(2000).array() += 100.0;
  s.measured.bottomRows(2000).array() += 1000.0;
  s.predicted.bottomRows(2000).array() += 1000.0;
  SignalSettings signals;
  signals.cutoff_hz = 5.0;
  FilteredScorer scorer({"a", "b"}, signals);
  addInBlocks(scorer, s, 1000);
  const FilteredScore score = scorer.finish();
  EXPECT_EQ(score.per_joint[0].samples, 4000.0);
  EXPECT_LT(score.per_joint[0].max_abs,
            3.0);  // a filter across the step would give an error of hundreds
}

TEST(CurveRecorder, KeepsEvenlySpacedRowsOfTheWholeLog) {
  const Series s = someSeries(12345);
  CurveRecorder recorder(500);
  for (Eigen::Index i = 0; i < s.time.size(); i += 10) {
    const Eigen::Index n = std::min<Eigen::Index>(10, s.time.size() - i);
    recorder.add(s.time.segment(i, n), s.measured.middleRows(i, n), s.predicted.middleRows(i, n));
  }
  const Curves curves = recorder.curves();
  ASSERT_GE(curves.time.size(), 250);
  ASSERT_LE(curves.time.size(), 500);
  const double step = curves.time(1) - curves.time(0);
  for (Eigen::Index i = 1; i < curves.time.size(); ++i)
    EXPECT_NEAR(curves.time(i) - curves.time(i - 1), step, 1e-9);
  EXPECT_EQ(curves.time(0), s.time(0));
  EXPECT_GT(curves.time(curves.time.size() - 1), s.time(12344) - step);
  EXPECT_EQ(curves.measured(3, 1), s.measured(std::lround(3.0 * step * 100.0), 1));
}

}  // namespace
}  // namespace dynid
