#include "dynid/excitation/fourier_basis.h"

#include "dynid/math/random_stream.h"
#include "dynid/simulation/simulated_motion.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dynid {
namespace {

Eigen::MatrixXd randomCoefficients(int harmonics, int joints, std::uint64_t seed) {
  RandomStream random(seed, 0);
  Eigen::MatrixXd X(1 + 2 * harmonics, joints);
  for (double& value : X.reshaped()) value = random.normal();
  return X;
}

TEST(FourierBasis, IsTheSeriesThatSimulateFollows) {
  const Eigen::MatrixXd X = randomCoefficients(4, 3, 1);
  const FourierSeries series = seriesOf(X, 7.0);
  const Eigen::VectorXd times = periodGrid(7.0, 23);
  const FourierBasis basis = fourierBasis(4, 7.0, times);
  for (Eigen::Index i = 0; i < times.size(); ++i) {
    const JointMotion motion = evaluate(series, times(i));
    EXPECT_LT((basis.q.row(i) * X - motion.q.transpose()).norm(), 1e-12);
    EXPECT_LT((basis.dq.row(i) * X - motion.dq.transpose()).norm(), 1e-12);
    EXPECT_LT((basis.ddq.row(i) * X - motion.ddq.transpose()).norm(), 1e-12);
  }
  EXPECT_EQ(coefficientsOf(series), X);
}

TEST(FourierBasis, JerkIsTheDerivativeOfTheAcceleration) {
  const Eigen::MatrixXd X = randomCoefficients(3, 1, 2);
  const double h = 1e-5;
  const Eigen::VectorXd times = Eigen::Vector3d(1.0 - h, 1.0, 1.0 + h);
  const FourierBasis basis = fourierBasis(3, 5.0, times);
  const Eigen::VectorXd ddq = basis.ddq * X, dddq = basis.dddq * X;
  EXPECT_NEAR((ddq(2) - ddq(0)) / (2.0 * h), dddq(1), 1e-6 * (1.0 + std::abs(dddq(1))));
}

TEST(FourierBasis, GridToPeakBoundsWhatLiesBetween) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const int L = 1 + static_cast<int>(seed % 6);
    const Eigen::MatrixXd X = randomCoefficients(L, 1, seed);
    for (int count : {2 * L + 1, 4 * L, 20 * L}) {
      const double coarse =
          (fourierBasis(L, 1.0, periodGrid(1.0, count)).q * X).cwiseAbs().maxCoeff();
      const double fine = (fourierBasis(L, 1.0, periodGrid(1.0, 5000)).q * X).cwiseAbs().maxCoeff();
      EXPECT_LE(fine, coarse * gridToPeak(L, count) * (1.0 + 1e-12)) << seed << " " << count;
    }
  }
  // The bound is attained by the highest harmonic with its peaks halfway between the points.
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(3, 1);
  X(1, 0) = 1.0;
  const FourierBasis basis = fourierBasis(1, 1.0, periodGrid(1.0, 6));
  EXPECT_NEAR((basis.q * X).cwiseAbs().maxCoeff() * gridToPeak(1, 6), 1.0 / (2.0 * M_PI), 1e-12);
}

TEST(FourierBasis, RefusesWhatIsNoSeries) {
  EXPECT_THROW(fourierBasis(0, 1.0, periodGrid(1.0, 3)), std::invalid_argument);
  EXPECT_THROW(fourierBasis(1, 0.0, periodGrid(1.0, 3)), std::invalid_argument);
  EXPECT_THROW(gridToPeak(3, 6), std::invalid_argument);
}

}  // namespace
}  // namespace dynid
