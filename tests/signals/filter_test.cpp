#include "dynid/signals/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <stdexcept>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using std::numbers::pi;

MatrixXd whiteNoise(Index rows, Index columns) {
  std::mt19937 generator(11);
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(rows, columns, [&] { return normal(generator); });
}

/// The two-pass amplitude of the analog Butterworth after the bilinear transform, in closed form.
double closedFormGain(int order, double f, double fc, double rate) {
  const double ratio = std::tan(pi * f / rate) / std::tan(pi * fc / rate);
  return 1.0 / (1.0 + std::pow(ratio, 2 * order));
}

TEST(Filter, GainIsTheButterworthClosedFormAtEveryOrder) {
  for (int order = 1; order <= 12; ++order) {
    const Lowpass filter = designLowpass(order, 7.0, 100.0);
    for (const double f : {0.0, 0.5, 3.0, 7.0, 12.0, 30.0, 49.0})
      EXPECT_NEAR(filter.gain(f), closedFormGain(order, f, 7.0, 100.0), 1e-11)
          << "order " << order << " at " << f << " Hz";
  }
}

TEST(Filter, TwoPassesHalveTheAmplitudeAtTheCutOffAndLoseThreeDecibelBelow) {
  const Lowpass filter = designLowpass(4, 2.0, 1000.0);
  EXPECT_NEAR(filter.gain(2.0), 0.5, 1e-9);
  EXPECT_NEAR(filter.gain(2.0 * std::pow(std::sqrt(2.0) - 1.0, 1.0 / 8.0)), std::sqrt(0.5), 1e-4);
}

TEST(Filter, SinesKeepTheirPhaseAndTakeTheStatedGain) {
  const double rate = 200.0;
  const Lowpass filter = designLowpass(4, 5.0, rate);
  const Index n = 4000;
  for (const double f : {0.5, 3.0, 5.0, 8.0}) {
    MatrixXd x = MatrixXd::NullaryExpr(n, 1, [&](Index k, Index) {
      return std::sin(2.0 * pi * f * static_cast<double>(k) / rate + 0.3);
    });
    const MatrixXd original = x;
    filterZeroPhase(filter, x);
    const Index margin = tailLength(filter);
    const auto inside = [&](const MatrixXd& m) { return m.middleRows(margin, n - 2 * margin); };
    EXPECT_LT((inside(x) - filter.gain(f) * inside(original)).cwiseAbs().maxCoeff(), 1e-13) << f;
  }
}

TEST(Filter, ConstantsPassUnchangedAndLinesNearlySo) {
  const Lowpass filter = designLowpass(4, 3.0, 100.0);
  MatrixXd x(500, 2);
  x.col(0).setConstant(4.2);
  x.col(1) = VectorXd::LinSpaced(500, -1.0, 3.0);
  const MatrixXd original = x;
  filterZeroPhase(filter, x);
  EXPECT_LT((x.col(0) - original.col(0)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((x.col(1) - original.col(1)).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(Filter, AWindowWithMarginsEqualsTheWhole) {
  for (const double cutoff : {1.0, 8.0, 20.0}) {
    const Lowpass filter = designLowpass(4, cutoff, 100.0);
    const Index margin = tailLength(filter), n = 3 * margin + 900;
    MatrixXd whole = whiteNoise(n, 3);
    MatrixXd window = whole.middleRows(margin / 2, 2 * margin + 200);
    filterZeroPhase(filter, whole);
    filterZeroPhase(filter, window);
    const MatrixXd difference =
        window.middleRows(margin, 200) - whole.middleRows(margin / 2 + margin, 200);
    EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-12) << cutoff;
  }
}

TEST(Filter, TheTailIsAsShortAsPromised) {
  for (const int order : {1, 2, 4, 7}) {
    const Lowpass filter = designLowpass(order, 4.0, 100.0);
    for (const double tolerance : {1e-3, 1e-8, 1e-16}) {
      const Index tail = tailLength(filter, tolerance);
      MatrixXd impulse = MatrixXd::Zero(4 * tail + 1, 1);
      impulse(2 * tail, 0) = 1.0;
      filterZeroPhase(filter, impulse);
      EXPECT_LT(impulse.bottomRows(tail).cwiseAbs().maxCoeff(), tolerance) << order;
    }
  }
}

TEST(Filter, ColumnsDoNotMixWhateverTheirNumber) {
  const Lowpass filter = designLowpass(4, 5.0, 100.0);
  for (const Index columns : {1, 7, 8, 9, 20}) {
    const MatrixXd x = whiteNoise(300, columns);
    MatrixXd together = x;
    FilterWorkspace workspace;
    filterZeroPhase(filter, together, workspace);
    for (Index j = 0; j < columns; ++j) {
      MatrixXd alone = x.col(j);
      filterZeroPhase(filter, alone, workspace);
      EXPECT_EQ(alone, together.col(j)) << columns << " columns, column " << j;
    }
  }
}

TEST(Filter, IsLinearAndBlindToTheDirectionOfTime) {
  const Lowpass filter = designLowpass(4, 6.0, 100.0);
  const MatrixXd x = whiteNoise(4000, 1);
  MatrixXd forward = x, backward = x.colwise().reverse();
  filterZeroPhase(filter, forward);
  filterZeroPhase(filter, backward);
  const Index margin = tailLength(filter);
  EXPECT_LT((forward - backward.colwise().reverse())
                .middleRows(margin, 4000 - 2 * margin)
                .cwiseAbs()
                .maxCoeff(),
            1e-13);
}

TEST(Filter, ShortSignalsAreLeftFinite) {
  const Lowpass filter = designLowpass(4, 1.0, 100.0);
  for (const Index rows : {0, 1, 2, 3, 10}) {
    MatrixXd x = whiteNoise(rows, 2);
    filterZeroPhase(filter, x);
    EXPECT_TRUE(x.allFinite()) << rows;
  }
}

TEST(Filter, RefusesWhatCannotBeDesigned) {
  EXPECT_THAT([] { designLowpass(0, 1.0, 10.0); },
              testing::ThrowsMessage<std::invalid_argument>(
                  "the order of the low-pass is 0; expected 1 to 12"));
  EXPECT_THAT([] { designLowpass(4, 5.0, 10.0); },
              testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr("cut-off is 5 Hz")));
  EXPECT_THAT([] { designLowpass(4, 1.0, NAN); },
              testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr("rate is nan Hz")));
}

}  // namespace
}  // namespace dynid
