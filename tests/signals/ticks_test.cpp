#include "dynid/signals/ticks.h"

#include <gtest/gtest.h>

#include "synthetic.h"
#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(Ticks, JitteredStampsWithLossesAreCountedRight) {
  std::mt19937 generator(9);
  std::uniform_real_distribution<double> jitter(-0.3, 0.3);
  std::bernoulli_distribution lost(0.1);
  const double step = 0.004;
  std::vector<double> truth;
  for (int i = 0; i < 5000; ++i)
    if (i == 0 || !lost(generator)) truth.push_back(i);
  VectorXd stamps(static_cast<Index>(truth.size()));
  for (Index k = 0; k < stamps.size(); ++k) stamps(k) = step * (truth[k] + jitter(generator));
  stamps(0) = 0.0;
  const VectorXd ticks = ticksFromStamps(stamps, step);
  Index wrong = 0;
  for (Index k = 0; k < ticks.size(); ++k) wrong += ticks(k) != truth[k];
  EXPECT_EQ(wrong, 0);
}

TEST(Ticks, DriftOfTheClockIsFollowed) {
  // The true interval is 0.3 % longer than assumed: no tick is lost or added.
  const VectorXd stamps = VectorXd::LinSpaced(20001, 0.0, 20000 * 0.001003);
  EXPECT_EQ(ticksFromStamps(stamps, 0.001)(20000), 20000.0);
}

TEST(Ticks, RowsThatShareCoarseStampsAreOneTickApart) {
  for (const auto& [step, width] :
       {std::pair{0.005, 0.01}, {0.002, 0.01}, {0.004, 0.01}, {0.001, 0.004}, {0.008, 0.01}}) {
    std::mt19937 generator(9);
    std::uniform_real_distribution<double> jitter(0.0, 0.3 * step);
    VectorXd stamps(3000);
    for (Index k = 0; k < stamps.size(); ++k)
      stamps(k) =
          width * std::floor((step * static_cast<double>(k) + jitter(generator)) / width + 1e-6);
    EXPECT_EQ(ticksFromStamps(stamps, step, width), VectorXd::LinSpaced(3000, 0.0, 2999.0))
        << step << ' ' << width;
  }
}

TEST(Ticks, LostRowsUnderCoarseStampsAreCounted) {
  const double step = 0.005, width = 0.01;
  std::vector<double> truth, stamp;
  for (int i = 0; i < 4000; ++i) {
    if (i % 97 == 50 || i % 97 == 51) continue;
    truth.push_back(i);
    stamp.push_back(width * std::floor(step * i / width + 1e-6));
  }
  const auto n = static_cast<Index>(truth.size());
  const VectorXd ticks = ticksFromStamps(Eigen::Map<VectorXd>(stamp.data(), n), step, width);
  const VectorXd off = ticks - Eigen::Map<VectorXd>(truth.data(), n);
  EXPECT_LE(off.maxCoeff() - off.minCoeff(), width / step);
}

TEST(Ticks, MotionCountsWhereStampsMislead) {
  // Stamps arrive in bursts and packets are lost; the positions show the ticks.
  std::mt19937 generator(12);
  std::exponential_distribution<double> latency(1.0 / 0.0006);
  std::bernoulli_distribution lost(0.05);
  std::vector<double> truth, stamp;
  double last = 0.0;
  for (int i = 0; i < 6000; ++i) {
    if (i > 0 && lost(generator)) continue;
    truth.push_back(i);
    last = std::max(last + 1e-4, 0.001 * i + latency(generator));
    stamp.push_back(last);
  }
  const auto n = static_cast<Index>(truth.size());
  VectorXd stamps = Eigen::Map<VectorXd>(stamp.data(), n);
  MatrixXd Q(n, 3);
  for (Index k = 0; k < n; ++k)
    for (Index j = 0; j < 3; ++j) Q(k, j) = SyntheticMotion::q(0.001 * truth[k], j);
  std::vector<double> fractions;
  const VectorXd ticks = ticksFromMotion(stamps, Q, VectorXd::Constant(3, 1e-6), 0.001, &fractions);
  Index wrong = 0;
  for (Index k = 0; k < n; ++k) wrong += ticks(k) != truth[k];
  EXPECT_EQ(wrong, 0);
  for (const double fraction : fractions) EXPECT_LT(std::abs(fraction), 0.1);
}

TEST(Ticks, AtRestTheStampsCount) {
  const VectorXd stamps = VectorXd::LinSpaced(101, 0.0, 0.2);
  const MatrixXd Q = MatrixXd::Zero(101, 2);
  EXPECT_EQ(ticksFromMotion(stamps, Q, VectorXd::Constant(2, 1e-6), 0.001)(100), 200.0);
  EXPECT_EQ(ticksFromMotion(stamps.head(1), Q.topRows(1), VectorXd::Ones(2), 0.1).size(), 1);
}

}  // namespace
}  // namespace dynid
